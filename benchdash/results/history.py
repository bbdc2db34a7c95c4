"""How the results of one configuration went over time: like with like, the oldest first."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from benchdash.inventory.models import Configuration
from benchdash.results.comparison.measures import Headline, headlines
from benchdash.results.models import Run
from benchdash.results.outcomes import name_environments
from benchdash.results.parameters import HELD
from benchdash.results.titles import factor_title, value_text
from benchdash.vocabulary.workloads import AXES

MOST_RUNS = 200
MOST_SERIES = 6


@dataclass(frozen=True, slots=True)
class Point:
    """One run: when it began, or was stored where its output does not say; `moved` where it was
    measured in another environment or by another version than the run before."""

    run: Run
    when: datetime
    value: float
    moved: bool


@dataclass(frozen=True, slots=True)
class Series:
    """The runs of one workload by one tool, in the number that tells most of them."""

    tool: str
    workload: str
    operation: str
    metric: str
    points: list[Point]


def history_of(configuration: Configuration) -> list[Series]:
    """Up to six series of the newest 200 counted runs, the longest first; three queries."""
    counted = Run.objects.filter(configuration=configuration, counted=True)
    brief = counted.select_related("workload").defer("details", "notes", "conditions")
    runs = list(brief.order_by("-pk")[:MOST_RUNS])
    name_environments(runs)
    first = {pk: lines[0] for pk, lines in headlines(runs, 1).items()}
    alike: dict[tuple[str, int, str, str], list[Run]] = defaultdict(list)
    for run in sorted(runs, key=_when):
        if run.pk in first:
            line = first[run.pk]
            alike[run.tool, run.workload_id, line.operation, line.metric].append(run)
    longest = sorted(alike.items(), key=lambda item: -len(item[1]))[:MOST_SERIES]
    return [
        Series(tool, _workload_text(together[0]), operation, metric, _points(together, first))
        for (tool, _workload, operation, metric), together in longest
    ]


def _points(runs: list[Run], first: dict[int, Headline]) -> list[Point]:
    befores = [runs[0], *runs]
    return [
        Point(run, _when(run), first[run.pk].value, _place(run) != _place(before))
        for run, before in zip(runs, befores, strict=False)
    ]


def _when(run: Run) -> datetime:
    return run.started_at or run.created_at


def _place(run: Run) -> tuple[int | None, str]:
    return run.environment_id, run.tool_version


def _workload_text(run: Run) -> str:
    """The workload in words: `Block size 4 KiB, Queue depth 32`."""
    values = {name: getattr(run.workload, name) for name in AXES}
    return ", ".join(
        f"{factor_title(HELD[name])} {value_text(HELD[name], value)}"
        for name, value in values.items()
        if value not in (None, "")
    )
