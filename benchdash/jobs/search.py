"""The one box, also over hosts and plans: for those who have signed in."""

from __future__ import annotations

from collections.abc import Iterator

from benchdash.accounts.roles import Role
from benchdash.inventory.models import Host
from benchdash.jobs.models import Plan
from benchdash.results import search as results
from benchdash.results.search import MOST_WORDS, Group, group_of, says


def search(text: str, role: Role) -> list[Group]:
    """What `role` may see of each kind, kinds without a match left out; one query a kind."""
    words = text.split()[:MOST_WORDS]
    more = _signed_in(words) if words and role >= Role.VIEWER else ()
    return results.search(text, role) + [group for group in more if group.rows]


def _signed_in(words: list[str]) -> Iterator[Group]:
    hosts = Host.objects.distinct()
    yield group_of(
        "hosts", hosts, lambda word: says(word, "name", "notes", "targets__address"), words
    )
    plans = Plan.objects.all()
    yield group_of("plans", plans, lambda word: says(word, "title", "recipe_name"), words)
