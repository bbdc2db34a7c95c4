"""Permalinks of the first form: runs and numbers, without what was said of them.

What it was is found again by the rules of that time, which stand here and nowhere else: a range of
two to four runs, a 95 % percentile bootstrap interval of the median from five on, a verdict by
whether that of the ratio holds 1, and sentences that name a best and a worst group. They are never changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, TypeVar
from urllib.parse import unquote

from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from msgspec import convert
from msgspec.structs import replace

from benchdash.analysis.drawing import Stretch
from benchdash.analysis.summary import Interval, Kind
from benchdash.analysis.verdicts import Reason, Word
from benchdash.results.comparison.automatic import places
from benchdash.results.comparison.choose import ChosenRuns, studies_of
from benchdash.results.comparison.compare import Comparison, compare_numbers
from benchdash.results.comparison.curves import DrawnTrace, RunTrace
from benchdash.results.comparison.measures import Numbers, Values
from benchdash.results.comparison.selected_runs import SelectedRun
from benchdash.results.comparison.values import Value, missing_text
from benchdash.results.comparison.view import (
    ComparisonView,
    Difference,
    Figure,
    GroupView,
    PlainFigure,
    Row,
    Verdict,
    as_json,
)
from benchdash.results.comparison.view_order import Order
from benchdash.results.criteria import Criteria
from benchdash.results.factors import NAMED, NONE, Factor, read_factor
from benchdash.results.permalinks_form_1_intervals import (
    interval_of,
    ratio_interval_of,
    ratio_of,
)
from benchdash.results.permalinks_form_1_sentences import figure_sentence, row_values
from benchdash.results.titles import (
    STATISTIC_TITLES,
    factor_title,
    kind_title,
    operation_title,
    value_text,
)
from benchdash.vocabulary.measures import METRICS, MeasureName
from benchdash.vocabulary.prefixes import ShownUnit, shown_unit
from benchdash.vocabulary.storage import KINDS
from benchdash.vocabulary.storage.stack import facet_keys
from benchdash.vocabulary.units import bytes_from, bytes_text

_FigureT = TypeVar("_FigureT", bound=PlainFigure)

_SIZE = re.compile(r"\b(\d+ (?:[KMGTP]i|[kMGTP])?B)(?:/s)?\b")
_BETWEEN_KINDS = re.compile(r"( \+ |, |、)")
_COLUMNS = (
    *("id", "tool", "study_id", "configuration_id", "environment_id", "workload_id"),
    *("tool_version", "label", "notes"),
)
_NO_ORDER = Order(kind="unknown", rounds=None, text="", marks=())
_LESS_WAS_BETTER = ("cpu", "cpu_user", "cpu_system")


def laid_out(shown: dict[str, Any], criteria: Criteria, *, binary: bool) -> Comparison:
    """The comparison that was written down as `shown`, in the words of its time.

    Values are `[[measure, {run: value}], …]`, courses `[[run, operation, metric, drawn or null],
    …]`; the oldest links have neither courses nor values beside those shown.
    """
    runs = [SelectedRun(**{name: run[name] for name in _COLUMNS}) for run in shown["runs"]]
    return compare_numbers(
        criteria.changed(
            # "" is no baseline, None would be the one that the study has by now
            baseline=shown["baseline"] or "",
            group=criteria.group or places(runs),
            # then it stood beside a rate only where that was asked for
            latency=criteria.latency or "apart",
        ),
        ChosenRuns(runs, shown["aside"], studies_of(criteria)),
        Numbers(values_of(shown["values"]), values_of(shown.get("beside", []))),
        traces=[
            RunTrace(run, operation, metric, drawn and _drawn(*drawn))
            for run, operation, metric, drawn in shown.get("courses", [])
        ],
        binary=binary,
        named=_named_then,
    )


def _named_then(rows: Sequence[Sequence[Value]], factors: Sequence[Factor]) -> list[str]:
    """All that a group has of each factor, with the name of the factor before a number."""
    return [
        " · ".join(
            f"{_title_then(factor)} {value.text}"
            if value.text.isdecimal() or (value.key == NONE and factor.kind in NAMED)
            else value.text
            for value, factor in zip(row, factors, strict=True)
        )
        for row in rows
    ]


def _title_then(factor: Factor) -> str:
    """A facet of a stack was called by its own name."""
    return factor.name if factor.kind == "layer" else factor_title(factor)


def values_of(pairs: list[list[Any]]) -> Values:
    """The values of `[[measure, {run: value}], …]`, by measure and run."""
    return {
        MeasureName(*name.split(".", 2)): {int(run): value for run, value in values.items()}
        for name, values in pairs
    }


def _drawn(*numbers: Any) -> DrawnTrace:
    written = DrawnTrace(*numbers)
    return written._replace(stretches=tuple(Stretch(*each) for each in written.stretches))


def in_words_of_form_1(view: ComparisonView) -> ComparisonView:
    """The same groups and numbers, with labels, intervals, verdicts and sentences of then."""
    view = _labelled_as_then(view)
    return replace(
        view,
        offered=tuple(replace(one, title=_measure_then(one.measure)) for one in view.offered),
        # conditions that the study got since were not missing then
        unmeasured=(),
        sections=tuple(
            replace(
                section,
                order=_NO_ORDER,
                figures=tuple(_figure(figure, view.baseline) for figure in section.figures),
            )
            for section in view.sections
        ),
    )


def _labelled_as_then(view: ComparisonView) -> ComparisonView:
    """What a group has none of was not named; there was no overview, no matrix and no switch of likeness."""
    factors = [read_factor(name, name) for name in view.group]
    unnamed = {missing_text(factor) for factor in factors}
    unnamed |= {f"{_title_then(factor)} {missing_text(factor)}" for factor in factors}
    sizes = dict(chain.from_iterable(_sizes_then(group, factors) for group in view.groups))
    labels = {factor_title(Factor("layer", key)): key for key in facet_keys()} | {
        group.label: " · ".join(
            _("none") if part in unnamed else sizes.get(part, part)
            for part in group.label.split(" · ")
        )
        for group in view.groups
    }

    def relabelled(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: relabelled(each) for name, each in part.items()}
        if isinstance(part, list | tuple):
            return [relabelled(each) for each in part]
        return labels.get(part, part) if isinstance(part, str) else part

    differences = tuple(map(_difference_then, view.differences))
    earlier = replace(view, overview=None, cells=None, matrices=(), differences=differences)
    earlier = replace(earlier, unrecorded=())
    return convert(relabelled(as_json(earlier)), ComparisonView)


def _sizes_then(group: GroupView, factors: Sequence[Factor]) -> Iterator[tuple[str, str]]:
    """Sizes of layers, which were written as they are stored: 64K."""
    for factor, key in zip(factors, map(unquote, group.key.split(",")), strict=False):
        if factor.kind == "layer":
            text, title = value_text(factor, key), factor_title(factor)
            yield from ((text, key), (f"{title} {text}", f"{title} {key}"))


def _difference_then(one: Difference) -> Difference:
    """What was not stated was "none" too."""
    factor, comma = read_factor(one.factor, one.factor), _(", ")
    if factor.name in ("layer", "filesystem"):
        return replace(one, texts=tuple(map(_kinds_then, one.texts)))
    if factor.kind == "layer":
        one = replace(one, texts=tuple(_SIZE.sub(_size_then, text) for text in one.texts))
    elif factor.kind not in ("workload", "environment"):
        return one
    unstated = missing_text(factor)
    texts = (
        comma.join(_("none") if part == unstated else part for part in text.split(comma))
        for text in one.texts
    )
    return replace(one, texts=tuple(texts))


def _kinds_then(text: str) -> str:
    names = {kind_title(kind): name for name, kind in KINDS.items()}
    return "".join(names.get(each, each) for each in _BETWEEN_KINDS.split(text))


def _size_then(size: re.Match[str]) -> str:
    return bytes_text(bytes_from(size[1]) or 0)


def _measure_then(name: str) -> str:
    """Of throughput and rates the unit said enough."""
    measure = MeasureName(*name.split(".", 2))
    words = operation_title(measure.operation)
    if measure.metric not in ("throughput", "rate", "iops", "transactions"):
        words = f"{words}: {_(METRICS[measure.metric].title)}"
    if measure.statistic in ("mean", "total"):
        return words
    return f"{words}, {_(STATISTIC_TITLES.get(measure.statistic, measure.statistic))}"


def _unit_then(figure: PlainFigure) -> ShownUnit:
    """It suited the largest, on a logarithmic axis the smallest; files a second were whole."""
    metric = figure.measure.split(".")[1]
    if metric == "rate":
        return ShownUnit("/s", 1.0)
    above = [row.median for row in figure.rows if row.median is not None and row.median > 0]
    if not above:
        return figure.shown
    suited = max(above) if figure.axis == "linear" else min(above)
    return shown_unit(METRICS[metric], [suited], binary="iB" in figure.shown.name)


def _figure(figure: Figure, baseline: str | None) -> Figure:
    beside = _plain(figure.latency, baseline) if figure.latency else None
    return replace(_plain(figure, baseline), latency=beside)


def _plain(figure: _FigureT, baseline: str | None) -> _FigureT:
    figure = replace(figure, title=_measure_then(figure.measure), shown=_unit_then(figure))
    if figure.measure.split(".")[1] in _LESS_WAS_BETTER:
        figure = replace(figure, higher_is_better=False)
    base = next((row_values(row) for row in figure.rows if row.group == baseline), [])
    rows = tuple(_row(row, figure, base, baseline) for row in figure.rows)
    return replace(
        figure,
        rows=rows,
        parted_by=(),
        sentence=figure_sentence(rows, figure, baseline),
        primary=False,
        winners=(),
    )


def _row(row: Row, figure: PlainFigure, base: Sequence[float], baseline: str | None) -> Row:
    values = row_values(row)
    share = ratio_of(values, base)
    interval = None if row.group == baseline else ratio_interval_of(values, base)
    better = figure.higher_is_better
    against = _verdict(share, interval, better, (row.n, len(base))) if interval else None
    return replace(
        row,
        repeats=(),
        interval=interval_of(values),
        modes=(),
        above=None,
        ratio=share,
        ratio_interval=interval,
        verdict=against.word if against else Word.NONE,
        against=against,
    )


def _verdict(
    share: float | None, against: Interval, higher_is_better: bool | None, n: tuple[int, int]
) -> Verdict:
    """Of a range there is no word."""
    word, text = Word.NONE, ""
    if against.kind is Kind.BOOTSTRAP and higher_is_better is not None:
        if against.low <= 1 <= against.high:
            word, text = Word.NO_DIFFERENCE, _("no visible difference")
        elif (against.low > 1) is higher_is_better:
            word, text = Word.BETTER, pgettext("earlier rules", "better")
        else:
            word, text = Word.WORSE, pgettext("earlier rules", "worse")
    return Verdict(
        word=word,
        reason=Reason.NOTHING,
        text=text,
        sentence=text,
        estimate=share,
        low=against.low,
        high=against.high,
        per="",
        luck=None,
        unnoticed=None,
        more_rounds=None,
        delta=0.0,
        comparisons=1,
        n=n[0],
        baseline_n=n[1],
        rounds=None,
    )
