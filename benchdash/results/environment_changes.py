"""What changed between one measurement on a machine and the next: its environment, the tool's version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import NamedTuple

from django.utils.text import Truncator
from django.utils.translation import gettext as _

from benchdash.results.comparison.records import Records
from benchdash.results.comparison.selected_runs import SelectedRun
from benchdash.results.titles import fact_title
from benchdash.vocabulary.differences import differences

_LONGEST_FACT = 60


@dataclass(frozen=True, slots=True)
class Changed:
    """One fact, in words: before and after."""

    title: str
    before: str
    after: str

    @property
    def text(self) -> str:
        """`Kernel 5.10 → 6.1`; of long lists from where they begin to differ."""
        lists = self.before.split(", "), self.after.split(", ")
        same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(*lists, strict=False))))
        before, after = (_tail(each, same) for each in lists)
        return f"{self.title} {before} → {after}"


def _tail(parts: Sequence[str], same: int) -> str:
    kept = parts if not same else ["…", *parts[same:]]
    return Truncator(", ".join(kept)).chars(_LONGEST_FACT)


@dataclass(frozen=True, slots=True)
class Change:
    """Between the sample that began at `since` and the one of `run`, which began at `at`.

    On `host` ("": unknown); `environments` are the ids of both where they are two.
    """

    run: int
    since: datetime
    at: datetime
    host: str
    environments: tuple[int, int] | None
    what: tuple[Changed, ...]


def changes(
    samples: Sequence[SelectedRun], times: Mapping[int, datetime], records: Records
) -> Iterator[Change]:
    """The changes along samples that are in order of time, by host; what is unknown is no change."""
    known: dict[str, _Known] = {}
    for sample in samples:
        place = records.environments[sample.environment_id] if sample.environment_id else None
        host = " + ".join(place.hosts) if place else ""
        facts = place.facts if place else {}
        before = known.get(host)
        if before is None:
            known[host] = _Known(sample, facts)
            continue
        what = (*_version(before.sample, sample), *_environment(before, sample, records))
        if what:
            both = before.sample.environment_id, sample.environment_id
            yield Change(
                run=sample.id,
                since=times[before.sample.sample_id],
                at=times[sample.sample_id],
                host=host,
                environments=(both[0], both[1])
                if both[0] and both[1] and both[0] != both[1]
                else None,
                what=what,
            )
        newest = sample._replace(
            tool_version=sample.tool_version or before.sample.tool_version,
            environment_id=sample.environment_id or before.sample.environment_id,
        )
        known[host] = _Known(newest, {**before.facts, **facts})


class _Known(NamedTuple):
    """The newest sample of a host, and all that its environments stated until then."""

    sample: SelectedRun
    facts: Mapping[str, str]


def _version(before: SelectedRun, after: SelectedRun) -> Iterator[Changed]:
    left, right = before.tool_version, after.tool_version
    if left and right and left != right:
        yield Changed(after.tool, left, right)


def _environment(before: _Known, after: SelectedRun, records: Records) -> Iterator[Changed]:
    """The facts that differ; where none does, the names of both contents."""
    left, right = before.sample.environment_id, after.environment_id
    if left is None or right is None or left == right:
        return
    old, new = records.environments[left], records.environments[right]
    versions = {f"versions.{one.title}" for one in _version(before.sample, after)}
    for line in differences(before.facts, new.facts):
        if line.left and line.right and not line.equal and line.key not in versions:
            yield Changed(fact_title(line.key), line.left, line.right)
    if old.facts == new.facts:
        yield Changed(_("Environment"), old.name or f"#{left}", new.name or f"#{right}")
