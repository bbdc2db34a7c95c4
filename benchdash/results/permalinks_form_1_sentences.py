"""The sentence below a figure of a permalink of the first form: the best group, and the worst."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from benchdash.results.comparison.view import PlainFigure, Row
from benchdash.results.permalinks_form_1_intervals import (
    ENOUGH,
    ratio_interval_of,
    ratio_of,
)
from benchdash.vocabulary.prefixes import ShownUnit

_FAR = 10.0
_MOST_NAMES = 4


def row_values(row: Row) -> list[float]:
    """Those of its samples."""
    return [one.value for one in row.values]


def _no_difference(values: Sequence[float], other: Sequence[float]) -> bool:
    if min(len(values), len(other)) < ENOUGH:
        return False
    if min(values) > max(other) or min(other) > max(values):
        return False
    found = ratio_interval_of(values, other)
    return found is not None and found.low <= 1 <= found.high


def figure_sentence(rows: Sequence[Row], figure: PlainFigure, baseline: str | None) -> str:
    """Which group is best, which is worst, and by how much; empty where there is nothing to prefer."""
    measured = [row for row in rows if row.n]
    if figure.higher_is_better is None or len(measured) < 2:
        return ""
    ordered = sorted(measured, key=_median, reverse=figure.higher_is_better)
    best = row_values(ordered[0])
    as_good = [row for row in ordered if row is ordered[0] or _no_difference(row_values(row), best)]
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
    share = ratio_of(row_values(worst), row_values(base or best))
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
