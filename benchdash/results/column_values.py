"""What listed samples have of any column: a factor, a measure, their plan, day or work.

A column is named as a filter or a measure is (`layer.drbd.protocol`, `rand_write.iops.mean`), or as
a metric alone (`iops`): then it is the first of each tool's headlines that the sample has.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from benchdash.errors import Refused
from benchdash.results.comparison.measures import Offered, values_of
from benchdash.results.comparison.records import Records, read_records, workload_words
from benchdash.results.comparison.selected_runs import SelectedRun
from benchdash.results.comparison.values import axes_of, natural, value_of
from benchdash.results.factors import NAMED, NONE, Factor, read_factor
from benchdash.results.models import Measure, Run
from benchdash.results.parameters import read_measure
from benchdash.results.run_names import WORKLOAD_COLUMNS
from benchdash.vocabulary.machines import FACTS
from benchdash.vocabulary.measures import METRICS, MeasureName
from benchdash.vocabulary.tools import TOOLS
from benchdash.vocabulary.units import about_bytes
from benchdash.vocabulary.workloads import AXES

# what one column may show of a run without a dot in its name
PLAIN = ("host", "environment", "configuration", "study", "tool", "version")
# metrics of which a tool has headlines, in the order of the vocabulary
HEADLINE_METRICS = tuple(
    name
    for name in METRICS
    if any(name == metric for tool in TOOLS.values() for _operation, metric in tool.headlines)
)


class Cell(NamedTuple):
    """What one sample has: its text, its place in the order, its measure and number where it is one."""

    text: str
    order: tuple[Any, ...]
    measured: tuple[MeasureName, float] | None = None


Cells = dict[int, Cell]  # by the id of the sample's run; samples without a value are left out


def is_column(name: str) -> bool:
    """Whether lists of runs can show and sort by that name."""
    return name in _OWN or factor_of(name) is not None or bool(measures_of(name, ""))


def is_number(name: str) -> bool:
    """Whether all its values are numbers, which stand right."""
    axis = AXES.get(name.removeprefix("workload."))
    return bool(measures_of(name, "")) or (axis is not None and axis.type in (int, float))


def factor_of(name: str) -> Factor | None:
    """The factor of that name; None where it is none that a list can show."""
    kind, _dot, rest = name.partition(".")
    if name not in PLAIN and not (kind in NAMED and rest):
        return None
    try:
        return read_factor(name, name)
    except Refused:
        return None


def measures_of(name: str, tool: str) -> tuple[MeasureName, ...]:
    """What may stand in a column for a sample of the tool ("": any), the best first."""
    if name in HEADLINE_METRICS:
        tools = [TOOLS[tool]] if tool in TOOLS else ([] if tool else list(TOOLS.values()))
        every = (MeasureName(*one, "mean") for each in tools for one in each.headlines)
        return tuple(one for one in every if one.metric == name)
    try:
        return (read_measure(name),)
    except Refused:
        return ()


def column_cells(names: Collection[str], samples: Sequence[SelectedRun]) -> dict[str, Cells]:
    """The cells of each column; a fixed number of queries, whatever the samples."""
    factors = {name: factor for name in names if (factor := factor_of(name))}
    numbers = [name for name in names if measures_of(name, "")]
    found = {name: _OWN[name](samples) for name in names if name in _OWN}
    if factors:
        records = read_records(samples, ())
        found |= {name: _factors(factor, samples, records) for name, factor in factors.items()}
    return found | (_measured(numbers, samples) if numbers else {})


def _factors(factor: Factor, samples: Sequence[SelectedRun], records: Records) -> Cells:
    values = ((run.id, value_of(run, factor, records)) for run in samples)
    is_size = factor.kind == "environment" and factor.name.rpartition(".")[2] in _SIZES
    return {
        # records have the sizes of machines as texts: 512 MiB before 64 GiB
        pk: Cell(value.text, (about_bytes(value.text),) if is_size else value.order)
        for pk, value in values
        if value.key != NONE
    }


_SIZES = {name for name, fact in FACTS.items() if fact.type == "bytes"}


def _measured(names: Sequence[str], samples: Sequence[SelectedRun]) -> dict[str, Cells]:
    tools = {run.tool for run in samples}
    chosen = {(name, tool): measures_of(name, tool) for name in names for tool in tools}
    wanted = list(dict.fromkeys(one for several in chosen.values() for one in several))
    rows = Measure.objects.filter(operation__in={one.operation for one in wanted})
    offers = [
        Offered(MeasureName(*words), 0, pk)
        for pk, *words in rows.values_list("pk", "operation", "metric", "statistic")
    ]
    values = values_of(wanted, offers, samples)
    found: dict[str, Cells] = {name: {} for name in names}
    for name in names:
        for run in samples:
            for measure in chosen[name, run.tool]:
                if (value := values[measure].get(run.id)) is not None:
                    found[name][run.id] = Cell("", (value,), (measure, value))
                    break
    return found


def _works(samples: Sequence[SelectedRun]) -> Cells:
    """By what they did, as names have it: 4 KiB before 1 MiB, then by their labels."""
    workloads = workload_words({run.workload_id for run in samples})
    axes = [axis for axis in AXES if axis in WORKLOAD_COLUMNS]
    cells = {}
    for run in samples:
        own = axes_of(run, workloads)
        work = tuple((0, own[axis]) if axis in own else (1,) for axis in axes)
        cells[run.id] = Cell("", (work, run.tool, natural(run.label)))
    return cells


def _days(samples: Sequence[SelectedRun]) -> Cells:
    rows = Run.objects.filter(pk__in=[run.id for run in samples])
    return {pk: Cell("", (moment,)) for pk, moment in rows.values_list("pk", "measured_at")}


def _plans(samples: Sequence[SelectedRun]) -> Cells:
    title = "artifact__steps__job__plan__title"
    rows = Run.objects.filter(pk__in=[run.id for run in samples], **{f"{title}__isnull": False})
    return {pk: Cell(text, natural(text)) for pk, text in rows.values_list("pk", title)}


_OWN: Mapping[str, Callable[[Sequence[SelectedRun]], Cells]] = {
    "run": _works,
    "when": _days,
    "plan": _plans,
}
