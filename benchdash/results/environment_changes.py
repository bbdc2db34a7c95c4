"""What changed between one measurement on a machine and the next: its environment, the tool's version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile

from django.utils.text import Truncator
from django.utils.translation import gettext as _

from benchdash.results.comparison.records import Records, SelectedRun
from benchdash.results.titles import fact_title
from benchdash.vocabulary.differences import differences

_LONGEST_FACT = 60


@dataclass(frozen=True, slots=True)
class Changed:
    """One fact, in words: before and after, None where it was not known."""

    title: str
    before: str | None
    after: str | None

    @property
    def text(self) -> str:
        """`Kernel 5.10 → 6.1`; of long lists from where they begin to differ."""
        lists = [each.split(", ") for each in (self.before, self.after) if each is not None]
        same = len(list(takewhile(lambda pair: pair[0] == pair[-1], zip(*lists, strict=False))))
        before, after = (
            _("not stated") if each is None else _tail(each.split(", "), same if lists[1:] else 0)
            for each in (self.before, self.after)
        )
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
    known: dict[str, SelectedRun] = {}
    for sample in samples:
        host = (
            " + ".join(records.environments[sample.environment_id].hosts)
            if sample.environment_id
            else ""
        )
        before = known.get(host)
        if before is None:
            known[host] = sample
            continue
        what = (*_version(before, sample), *_environment(before, sample, records))
        if what:
            both = before.environment_id, sample.environment_id
            yield Change(
                run=sample.id,
                since=times[before.sample_id],
                at=times[sample.sample_id],
                host=host,
                environments=(both[0], both[1])
                if both[0] and both[1] and both[0] != both[1]
                else None,
                what=what,
            )
        known[host] = sample._replace(
            tool_version=sample.tool_version or before.tool_version,
            environment_id=sample.environment_id or before.environment_id,
        )


def _version(before: SelectedRun, after: SelectedRun) -> Iterator[Changed]:
    left, right = before.tool_version, after.tool_version
    if left and right and left != right:
        yield Changed(after.tool, left, right)


def _environment(before: SelectedRun, after: SelectedRun, records: Records) -> Iterator[Changed]:
    """The facts that differ; where none does, the names of both contents."""
    left, right = before.environment_id, after.environment_id
    if left is None or right is None or left == right:
        return
    old, new = records.environments[left], records.environments[right]
    facts = [line for line in differences(old.facts, new.facts) if not line.equal]
    versions = {f"versions.{one.title}" for one in _version(before, after)}
    for line in facts:
        if line.key not in versions:
            yield Changed(fact_title(line.key), line.left, line.right)
    if not facts:
        yield Changed(_("Environment"), old.name or f"#{left}", new.name or f"#{right}")
