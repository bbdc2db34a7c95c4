"""What differs between the groups beside their numbers, and what they have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchdash.results.comparison.grouping import Group
from benchdash.results.comparison.records import Records
from benchdash.results.comparison.selection import SelectedRun
from benchdash.results.comparison.values import value_of
from benchdash.results.factors import NAMED, Factor
from benchdash.results.words import factor_title


@dataclass(frozen=True, slots=True)
class Difference:
    """One line: a factor, and its text for each group, in their order."""

    factor: Factor
    title: str
    texts: tuple[str, ...]


def differences(
    groups: Sequence[Group], varying: Sequence[Factor], records: Records
) -> tuple[Difference, ...]:
    """The lines in which the groups differ; a group of several values shows all of them."""
    lines = []
    for factor in varying:
        if (factor.kind in NAMED and factor.name) or factor.kind in ("tool", "version", "host"):
            texts = tuple(_text(group, factor, records) for group in groups)
            if len(set(texts)) > 1:
                lines.append(Difference(factor, factor_title(factor), texts))
    return tuple(lines)


def in_common(
    runs: Sequence[SelectedRun], varying: Sequence[Factor], records: Records
) -> tuple[tuple[str, str], ...]:
    """Title and text of every layer option and fact that all runs share."""
    if not runs:
        return ()
    first = runs[0]
    every = [Factor("layer", name) for facets in records.facets.values() for name in facets]
    every += [
        Factor("environment", name)
        for words in records.environments.values()
        for name in words.facts
    ]
    same = [factor for factor in dict.fromkeys(every) if factor not in varying]
    return tuple((factor_title(factor), value_of(first, factor, records).text) for factor in same)


def _text(group: Group, factor: Factor, records: Records) -> str:
    one_each = {
        (run.configuration_id, run.environment_id, run.workload_id, run.tool, run.tool_version): run
        for run in group.runs
    }
    values = {value_of(run, factor, records) for run in one_each.values()}
    return ", ".join(value.text for value in sorted(values, key=lambda value: value.order))
