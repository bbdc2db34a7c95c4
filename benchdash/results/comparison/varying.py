"""What differs between the runs at hand: the factors that are worth grouping by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchdash.results.comparison.records import Records
from benchdash.results.comparison.selection import SelectedRun
from benchdash.results.factors import PLAIN, Factor
from benchdash.vocabulary.workloads import AXES

# always there to group by: what people ask first
_ALWAYS = (Factor("configuration"), Factor("environment"), Factor("run"))


def varying(runs: Sequence[SelectedRun], records: Records) -> tuple[Factor, ...]:
    """Factors that have more than one value over the runs, by kind and name."""
    told = [records.workloads[pk] for pk in {run.workload_id for run in runs}]
    stacks = [
        {key: words.text for key, words in facets.items()} for facets in records.facets.values()
    ]
    facts = [words.facts for words in records.environments.values()]
    hosts = {tuple(words.hosts) for words in records.environments.values()}
    plain: dict[str, set[Any]] = {
        "study": {run.study_id for run in runs},
        "tool": {run.tool for run in runs},
        "version": {(run.tool, run.tool_version) for run in runs},
        "host": hosts,
    }
    return (
        *_ALWAYS,
        *(Factor(kind) for kind in PLAIN if len(plain.get(kind, ())) > 1),
        *(Factor("layer", name) for name in sorted(_differing(stacks))),
        *(Factor("workload", name) for name in AXES if name in _differing(told)),
        *(Factor("environment", name) for name in sorted(_differing(facts))),
    )


def _differing(records: Sequence[Mapping[str, object]]) -> set[str]:
    names = {name for one in records for name in one}
    return {name for name in names if _several(one.get(name) for one in records)}


def _several(values: Iterable[object]) -> bool:
    return len(set(values)) > 1
