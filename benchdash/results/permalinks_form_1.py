"""Permalinks of the first form: runs and numbers, without what was said of them.

What it was is found again by the rules of that time, which stand here and nowhere else: a range of
two to four runs, a 95 % percentile bootstrap interval of the median from five on (Efron and
Tibshirani, An Introduction to the Bootstrap, 13.3), a verdict by whether that of the ratio holds 1,
and sentences that name a best and a worst group. They are never changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from statistics import median
from typing import TYPE_CHECKING, Any, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from msgspec import convert
from msgspec.structs import replace

from benchdash.analysis.drawing import Stretch
from benchdash.analysis.summary import Interval, Kind
from benchdash.analysis.verdicts import Reason, Word
from benchdash.results.comparison.automatic import places
from benchdash.results.comparison.choose import ChosenRuns, studies_of
from benchdash.results.comparison.compare import Comparison, lay_out
from benchdash.results.comparison.curves import DrawnTrace, RunTrace
from benchdash.results.comparison.measures import Numbers, Values
from benchdash.results.comparison.records import SelectedRun
from benchdash.results.comparison.values import Value, missing_text
from benchdash.results.comparison.view import (
    ComparisonView,
    Figure,
    PlainFigure,
    Row,
    Verdict,
    as_json,
)
from benchdash.results.comparison.view_order import Order
from benchdash.results.criteria import Criteria
from benchdash.results.factors import NAMED, NONE, Factor, read_factor
from benchdash.results.titles import factor_title
from benchdash.vocabulary.measures import MeasureName
from benchdash.vocabulary.prefixes import ShownUnit
from benchdash.vocabulary.storage.stack import facet_keys

if TYPE_CHECKING:
    from numpy import float64, intp
    from numpy.typing import NDArray

_FigureT = TypeVar("_FigureT", bound=PlainFigure)

_COLUMNS = (
    *("id", "tool", "study_id", "configuration_id", "environment_id", "workload_id"),
    *("tool_version", "label", "notes"),
)
_ENOUGH = 5
_RESAMPLES = 4999
_CONFIDENCE = 0.95
_SEED = 20080726
_NO_ORDER = Order(kind="unknown", rounds=None, text="", marks=())
_FAR = 10.0
_LESS_WAS_BETTER = ("cpu", "cpu_user", "cpu_system")
_MOST_NAMES = 4


def laid_out(shown: dict[str, Any], criteria: Criteria, *, binary: bool) -> Comparison:
    """The comparison that was written down as `shown`, in the words of its time.

    Values are `[[measure, {run: value}], …]`, courses `[[run, operation, metric, drawn or null],
    …]`; the oldest links have neither courses nor values beside those shown.
    """
    runs = [SelectedRun(**{name: run[name] for name in _COLUMNS}) for run in shown["runs"]]
    return lay_out(
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
    labels = {factor_title(Factor("layer", key)): key for key in facet_keys()} | {
        group.label: " · ".join(
            _("none") if part in unnamed else part for part in group.label.split(" · ")
        )
        for group in view.groups
    }

    def relabelled(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: relabelled(each) for name, each in part.items()}
        if isinstance(part, list | tuple):
            return [relabelled(each) for each in part]
        return labels.get(part, part) if isinstance(part, str) else part

    earlier = replace(view, overview=None, cells=None, matrices=())
    return convert(relabelled(as_json(earlier)), ComparisonView)


def _figure(figure: Figure, baseline: str | None) -> Figure:
    beside = _plain(figure.latency, baseline) if figure.latency else None
    return replace(_plain(figure, baseline), latency=beside)


def _plain(figure: _FigureT, baseline: str | None) -> _FigureT:
    if figure.measure.split(".")[1] in _LESS_WAS_BETTER:
        figure = replace(figure, higher_is_better=False)
    base = next((_values(row) for row in figure.rows if row.group == baseline), [])
    rows = tuple(_row(row, figure, base, baseline) for row in figure.rows)
    return replace(
        figure,
        rows=rows,
        parted_by=(),
        sentence=_sentence(rows, figure, baseline),
        primary=False,
        winners=(),
    )


def _row(row: Row, figure: PlainFigure, base: Sequence[float], baseline: str | None) -> Row:
    values = _values(row)
    share = _ratio(values, base)
    interval = None if row.group == baseline else _ratio_interval(values, base)
    better = figure.higher_is_better
    against = _verdict(share, interval, better, (row.n, len(base))) if interval else None
    return replace(
        row,
        repeats=(),
        interval=_interval(values),
        modes=(),
        above=None,
        ratio=share,
        ratio_interval=interval,
        verdict=against.word if against else Word.NONE,
        against=against,
    )


def _values(row: Row) -> list[float]:
    return [one.value for one in row.values]


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


def _interval(values: Sequence[float]) -> Interval | None:
    """The interval of the median."""
    if len(values) < 2:
        return None
    if len(values) < _ENOUGH:
        return Interval(min(values), max(values), Kind.RANGE)
    ranks, times = _counted_ranks(len(values))
    return _bootstrap(_medians(values, ranks), times)


def _ratio(values: Sequence[float], base: Sequence[float]) -> float | None:
    if not values or not base or median(base) == 0:
        return None
    return median(values) / median(base)


def _ratio_interval(values: Sequence[float], base: Sequence[float]) -> Interval | None:
    """Both sides resampled; of few runs from the worst pair of single values to the best."""
    if len(values) < 2 or len(base) < 2 or min(base) <= 0:
        return None
    if len(values) < _ENOUGH or len(base) < _ENOUGH:
        return Interval(min(values) / max(base), max(values) / min(base), Kind.RANGE)
    ranks, times = _counted_ranks(len(values), len(base))
    return _bootstrap(_medians(values, ranks[:2]) / _medians(base, ranks[2:]), times)


def _bootstrap(found: NDArray[float64], times: NDArray[intp]) -> Interval:
    """The interval of what was found in all resamples, each so many `times`."""
    tail = (1 - _CONFIDENCE) / 2
    order = found.argsort()
    up_to = times[order].cumsum()
    places = [round(share * (_RESAMPLES - 1)) for share in (tail, 1 - tail)]
    low, high = found[order[up_to.searchsorted(places, side="right")]]
    return Interval(float(low), float(high), Kind.BOOTSTRAP, _CONFIDENCE)


def _medians(values: Sequence[float], ranks: NDArray[intp]) -> NDArray[float64]:
    import numpy  # noqa: PLC0415 - heavy: pages without a comparison start without it

    ordered = numpy.array(sorted(values), dtype=float)
    medians: NDArray[float64] = (ordered[ranks[0]] + ordered[ranks[1]]) / 2
    return medians


@lru_cache(maxsize=16)
def _counted_ranks(*sides: int) -> tuple[NDArray[intp], NDArray[intp]]:
    """The middle ranks of all resamples of each side, and how often each combination came."""
    import numpy  # noqa: PLC0415

    every = [ranks for stream, n in enumerate(sides) for ranks in _middle_ranks(n, stream)]
    found, times = numpy.unique(numpy.stack(every), axis=1, return_counts=True)
    return numpy.ascontiguousarray(found), times


def _middle_ranks(n: int, stream: int) -> tuple[NDArray[intp], NDArray[intp]]:
    """The ranks of the medians of all resamples of n values; two per resample where n is even.

    The k-th smallest of n uniform numbers follows Beta(k, n + 1 - k), and the next one lies above
    it by a Beta(1, n - k) share of the rest; the value at rank floor(n u) is drawn by each u.
    """
    import numpy  # noqa: PLC0415

    generator = numpy.random.default_rng([_SEED, n, stream])
    k = (n + 1) // 2
    below = generator.beta(k, n + 1 - k, _RESAMPLES)
    above = below if n % 2 else below + (1 - below) * generator.beta(1, n - k, _RESAMPLES)
    ranks = [numpy.minimum(n * side, n - 1).astype(numpy.intp) for side in (below, above)]
    return ranks[0], ranks[1]


def _no_difference(values: Sequence[float], other: Sequence[float]) -> bool:
    if min(len(values), len(other)) < _ENOUGH:
        return False
    if min(values) > max(other) or min(other) > max(values):
        return False
    found = _ratio_interval(values, other)
    return found is not None and found.low <= 1 <= found.high


def _sentence(rows: Sequence[Row], figure: PlainFigure, baseline: str | None) -> str:
    """Which group is best, which is worst, and by how much; empty where there is nothing to prefer."""
    measured = [row for row in rows if row.n]
    if figure.higher_is_better is None or len(measured) < 2:
        return ""
    ordered = sorted(measured, key=_median, reverse=figure.higher_is_better)
    best = _values(ordered[0])
    as_good = [row for row in ordered if row is ordered[0] or _no_difference(_values(row), best)]
    if len(as_good) == len(measured):
        parts = [_all_alike(as_good, figure.title)]
    else:
        parts = [_best(as_good, figure.title, figure.shown)]
    if ordered[-1] not in as_good:
        parts.append(_worst(ordered[-1], ordered[0], baseline, measured))
    # Japanese has no blank after a full stop
    return " ".join([*parts, *_missing(rows)]).replace("。 ", "。")


def _median(row: Row) -> float:
    assert row.median is not None
    return row.median


def _all_alike(rows: Sequence[Row], title: str) -> str:
    words = {"title": title, "names": _names(rows), "n": len(rows)}
    if len(rows) > _MOST_NAMES:
        return _("%(title)s: no visible difference between the %(n)s groups.") % words
    return _("%(title)s: no visible difference between %(names)s.") % words


def _names(rows: Sequence[Row]) -> str:
    """All of a few; of many the first ones and how many more."""
    shown = rows if len(rows) <= _MOST_NAMES else rows[: _MOST_NAMES - 1]
    names = ", ".join(row.label for row in shown)
    if len(shown) == len(rows):
        return names
    return _("%(names)s and %(n)s more") % {"names": names, "n": len(rows) - len(shown)}


def _best(rows: Sequence[Row], title: str, unit: ShownUnit) -> str:
    if len(rows) > 1:
        words = {"title": title, "names": _names(rows)}
        return _("%(title)s: no visible difference between the best, %(names)s.") % words
    value = f"{unit.text(_median(rows[0]))} {unit.name}".strip()
    words = {"title": title, "name": rows[0].label, "value": value}
    return _("%(title)s: %(name)s is best with %(value)s.") % words


def _worst(worst: Row, best: Row, baseline: str | None, measured: Sequence[Row]) -> str:
    """Against the baseline, or against the best where the baseline is the worst or there is none."""
    base = next((row for row in measured if row.group == baseline and row is not worst), None)
    share = _ratio(_values(worst), _values(base or best))
    words = {"name": worst.label, "other": _name(base, best)}
    if not share:
        return _("%(name)s is worst.") % words
    if share <= 1 / _FAR:
        words["times"] = f"{1 / share:.0f}"
        return _("%(name)s is worst: 1/%(times)s of %(other)s.") % words
    if share >= _FAR:
        words["times"] = f"{share:.0f}"
        return _("%(name)s is worst: %(times)s times %(other)s.") % words
    percent = 100 * share
    words["percent"] = f"{percent:.1f}" if percent >= 10 else f"{percent:#.3g}"
    return _("%(name)s is worst: %(percent)s %% of %(other)s.") % words


def _name(base: Row | None, best: Row) -> str:
    if base is None or base is best:
        return best.label
    return _("the baseline, %(name)s") % {"name": base.label}


def _missing(rows: Sequence[Row]) -> Iterator[str]:
    """What tools printed for groups that have no value at all."""
    silent: dict[str, list[Row]] = {}
    for row in rows:
        if not row.values:
            for one in row.notes:
                silent.setdefault(one.note, []).append(row)
    for note, without in silent.items():
        yield _("%(names)s: %(note)s.") % {"names": _names(without), "note": _(note)}
