"""Which printed results are one pass of a tool, and which of them are one sample.

A sample is what comparisons count: the results of one execution that ran at the same time (the
parser's `group`) with the same parameters. A plan's cell that started on several hosts together is
one sample over all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from benchdash.results.bulk import insert, insert_new
from benchdash.results.models import Execution, Run, Sample
from benchdash.results.storable import storable_text
from benchdash.vocabulary.units import bytes_shown

_LONGEST_BESIDE = 300


class Part(NamedTuple):
    """A result as far as samples go: `parameters` are equal where the tool was run the same way.

    `round` is that of the plan.
    """

    artifact: int
    execution: int
    group: int
    parameters: Hashable
    workload: Mapping[str, Any]
    round: int | None = None

    @property
    def pass_key(self) -> tuple[int, int]:
        return self.artifact, self.execution

    @property
    def moment(self) -> tuple[int, int, int]:
        """What ran at the same time has the same."""
        return self.artifact, self.execution, self.group

    @property
    def sample_key(self) -> tuple[Hashable, ...]:
        return (*self.moment, self.parameters)


def add_executions(parts: Sequence[Part]) -> list[int]:
    """The id of each part's execution, made where it is new."""
    rows = {
        part.pass_key: Execution(artifact_id=part.artifact, number=part.execution, round=part.round)
        for part in parts
    }
    insert_new(list(rows.values()), ("artifact_id", "number"))
    there = [row.artifact_id for row in rows.values() if row.pk is None]
    ids = {key: row.pk for key, row in rows.items()}
    if there:
        stored = Execution.objects.filter(artifact__in=there)
        ids |= {
            (artifact, number): pk
            for pk, artifact, number in stored.values_list("pk", "artifact", "number")
        }
    return [ids[part.pass_key] for part in parts]


def add_samples(parts: Sequence[Part], known: Sequence[int | None] = ()) -> list[int]:
    """The id of each part's sample; that of a part which is `known` to have one already is kept."""
    beside = _beside(parts)
    rows: dict[tuple[Hashable, ...], Sample] = {}
    taken: set[int] = set()
    for part, pk in zip(parts, known or [None] * len(parts), strict=True):
        if pk is not None and pk not in taken and part.sample_key not in rows:
            taken.add(pk)
            rows[part.sample_key] = Sample(pk=pk, beside=beside[part.sample_key])
    new = {
        part.sample_key: Sample(beside=beside[part.sample_key])
        for part in parts
        if part.sample_key not in rows
    }
    insert(list(new.values()))
    if rows:
        Sample.objects.bulk_update(rows.values(), ["beside"])
    every = rows | new
    return [every[part.sample_key].pk for part in parts]


def _beside(parts: Iterable[Part]) -> dict[tuple[Hashable, ...], str]:
    """For each sample what ran at its time with other parameters: `2 × randwrite 4 KiB`."""
    moments: dict[Hashable, Counter[tuple[Hashable, str]]] = {}
    for part in parts:
        words = moments.setdefault(part.moment, Counter())
        words[part.parameters, _workload_words(part.workload)] += _jobs(part.workload)
    return {part.sample_key: _others(moments[part.moment], part.parameters) for part in parts}


def _others(moment: Counter[tuple[Hashable, str]], parameters: Hashable) -> str:
    counts: Counter[str] = Counter()
    for (other, words), count in moment.items():
        if other != parameters:
            counts[words] += count
    return storable_text(
        ", ".join(f"{count} × {words}" for words, count in sorted(counts.items())), _LONGEST_BESIDE
    )


def _jobs(workload: Mapping[str, Any]) -> int:
    return workload.get("jobs") or 1


def _workload_words(workload: Mapping[str, Any]) -> str:
    """`randwrite 4 KiB QD 8`, as far as it was printed."""
    block, depth = workload.get("block_bytes"), workload.get("queue_depth")
    words = [
        workload.get("pattern") or "job",
        bytes_shown(block) if block else "",
        f"QD {depth}" if depth and depth > 1 else "",
    ]
    return " ".join(filter(None, words))


def whole_samples(runs: Iterable[int]) -> list[int]:
    """The ids of all runs in the samples of these: what happens to one happens to all."""
    samples = Run.objects.filter(pk__in=runs).values("sample")
    return list(Run.objects.filter(sample__in=samples).order_by("pk").values_list("pk", flat=True))
