"""The comparison, in a straight line: choose runs, read, lay out, judge, present.

A fixed number of queries. What comes out of it for people, scripts and charts is `Comparison.view`;
the rest is what it was made of, for forms and for links that keep it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchdash.errors import Refused
from benchdash.prepared import asked_once
from benchdash.results.comparison.choose import ChosenRuns, choose_runs
from benchdash.results.comparison.curves import RunTrace
from benchdash.results.comparison.judging import judge
from benchdash.results.comparison.laid_out import LaidOut, lay_out
from benchdash.results.comparison.matrices import matrices_of
from benchdash.results.comparison.measures import Numbers, read_numbers
from benchdash.results.comparison.names import Named
from benchdash.results.comparison.present import present
from benchdash.results.comparison.selected_runs import SelectedRun
from benchdash.results.comparison.view import ComparisonView
from benchdash.results.criteria import Criteria, read_query
from benchdash.results.factors import Factor
from benchdash.results.models import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownComparison:
    """The answer to `criteria`: `view`, grouped by `factors`; `binary` shows MiB/s."""

    criteria: Criteria
    factors: tuple[Factor, ...]
    binary: bool
    view: ComparisonView


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(ShownComparison):
    """With what it was made of.

    `varying` is what is worth grouping by; `numbers` are the values of figures, curves and second
    plots, `traces` what ran over time.
    """

    varying: tuple[Factor, ...]
    runs: tuple[SelectedRun, ...]
    numbers: Numbers
    traces: tuple[RunTrace, ...]


def compare(criteria: Criteria, *, binary: bool = False, with_overview: bool = True) -> Comparison:
    """Lay side by side what `criteria` chooses; an empty comparison where it chooses nothing.

    `binary` prefers MiB/s where `criteria` does not say. Refused where a study does not exist, or
    the runs are too many.
    """
    return _shown([_read(criteria, (), binary=binary, with_overview=with_overview)])[0]


def compare_together(
    queries: Sequence[str], *, binary: bool, known: Sequence[Study] = ()
) -> list[Comparison | Refused]:
    """The comparisons of one page, the first one with an overview: each word allows for all of them.

    Refused stands in the place of one that cannot be read. Studies that are `known` are not read.
    """
    laid: list[LaidOut | Refused] = []
    with asked_once():
        for query in queries:
            is_first = not any(isinstance(one, LaidOut) for one in laid)
            try:
                criteria = read_query(query)
                laid.append(_read(criteria, known, binary=binary, with_overview=is_first))
            except Refused as refused:
                laid.append(refused)
        shown = iter(_shown([one for one in laid if isinstance(one, LaidOut)]))
    return [one if isinstance(one, Refused) else next(shown) for one in laid]


def _read(
    criteria: Criteria, known: Sequence[Study], *, binary: bool, with_overview: bool
) -> LaidOut:
    chosen = choose_runs(criteria, known)
    numbers = read_numbers(chosen.runs, criteria, with_overview=with_overview)
    return lay_out(criteria, chosen, numbers, binary=binary)


def compare_numbers(  # noqa: PLR0913 - links of the first form have their own names
    criteria: Criteria,
    chosen: ChosenRuns,
    numbers: Numbers,
    *,
    traces: Sequence[RunTrace] | None = None,
    binary: bool = False,
    named: Named | None = None,
) -> Comparison:
    """The comparison of runs and numbers that are at hand; `traces` are read where they are not.

    `named` gives groups their names, if not `short_names`: then parts say what a tool never does, too.
    """
    return _shown([lay_out(criteria, chosen, numbers, binary=binary, named=named)], traces)[0]


def _shown(page: Sequence[LaidOut], traces: Sequence[RunTrace] | None = None) -> list[Comparison]:
    """The comparisons of a page, whose words allow for each other."""
    judged = judge([laid.compared for laid in page])
    matrices = matrices_of(page, judged)
    found = []
    for laid, parts, own in zip(page, judged, matrices, strict=True):
        view, known_traces = present(laid, parts, own, traces)
        found.append(
            Comparison(
                criteria=laid.criteria,
                factors=laid.grouped.grouping.factors,
                varying=laid.grouped.likeness.varying,
                runs=tuple(laid.grouped.runs),
                numbers=laid.numbers,
                traces=known_traces,
                binary=laid.binary,
                view=view,
            )
        )
    return found


def study_queries(study: Study) -> list[str]:
    """What a study's page compares: the charts that somebody chose for it, else all its runs."""
    return study.charts or [Criteria(studies=(study.slug,)).query()]


def study_charts(study: Study) -> list[Criteria]:
    """The same, read; Refused where a stored address no longer makes sense."""
    return [read_query(query) for query in study_queries(study)]
