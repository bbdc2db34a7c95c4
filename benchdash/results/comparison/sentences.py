"""A figure in words: which group is best, which is worst, and by how much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from benchdash.analysis.intervals import Kind, ratio, ratio_interval
from benchdash.results.comparison.figures import Figure, Row
from benchdash.results.comparison.tables import percent_text, unit_of
from benchdash.results.words import measure_title

# beyond this, "1/623" reads better than "0.161 %"
_FAR = 10.0
_MOST_NAMES = 4


def sentences(figure: Figure, *, baseline: str | None, binary: bool) -> str:
    """What a person would say about the figure; empty where there is nothing to prefer."""
    higher = figure.metric.higher_is_better
    measured = [row for row in figure.rows if row.summary]
    if higher is None or len(measured) < 2:
        return ""
    ordered = sorted(measured, key=_median, reverse=higher)
    as_good = [row for row in ordered if row is ordered[0] or _no_difference(row, ordered[0])]
    if len(as_good) == len(measured):
        parts = [_all_alike(as_good, figure)]
    else:
        parts = [_best(as_good, figure, binary=binary)]
    if ordered[-1] not in as_good:
        parts.append(_worst(ordered[-1], ordered[0], baseline, measured))
    # Japanese has no blank after a full stop
    return " ".join([*parts, *_missing(figure.rows)]).replace("。 ", "。")


def _median(row: Row) -> float:
    assert row.summary
    return row.summary.median


def _no_difference(row: Row, other: Row) -> bool:
    """Only many runs of both can say so; few ones say nothing."""
    found = ratio_interval(list(row.values.values()), list(other.values.values()))
    return found is not None and found.kind is Kind.BOOTSTRAP and found.holds(1)


def _all_alike(rows: Sequence[Row], figure: Figure) -> str:
    words = {"title": measure_title(figure.measure), "names": _names(rows), "n": len(rows)}
    if len(rows) > _MOST_NAMES:
        return _("%(title)s: no visible difference between the %(n)s groups.") % words
    return _("%(title)s: no visible difference between %(names)s.") % words


def _names(rows: Sequence[Row]) -> str:
    """All of a few; of many the first ones and how many more."""
    shown = rows if len(rows) <= _MOST_NAMES else rows[: _MOST_NAMES - 1]
    names = ", ".join(row.group.label for row in shown)
    if len(shown) == len(rows):
        return names
    return _("%(names)s and %(n)s more") % {"names": names, "n": len(rows) - len(shown)}


def _best(rows: Sequence[Row], figure: Figure, *, binary: bool) -> str:
    title = measure_title(figure.measure)
    if len(rows) > 1:
        words = {"title": title, "names": _names(rows)}
        return _("%(title)s: no visible difference between the best, %(names)s.") % words
    unit = unit_of(figure, binary=binary)
    value = f"{unit.text(_median(rows[0]))} {unit.name}".strip()
    words = {"title": title, "name": rows[0].group.label, "value": value}
    return _("%(title)s: %(name)s is best with %(value)s.") % words


def _worst(worst: Row, best: Row, baseline: str | None, measured: Sequence[Row]) -> str:
    """Against the baseline, or against the best where the baseline is the worst or there is none."""
    base = next((row for row in measured if row.group.key == baseline and row is not worst), None)
    share = ratio(list(worst.values.values()), list((base or best).values.values()))
    words = {"name": worst.group.label, "other": _name(base, best)}
    if not share:
        return _("%(name)s is worst.") % words
    if share <= 1 / _FAR:
        words["times"] = f"{1 / share:.0f}"
        return _("%(name)s is worst: 1/%(times)s of %(other)s.") % words
    if share >= _FAR:
        words["times"] = f"{share:.0f}"
        return _("%(name)s is worst: %(times)s times %(other)s.") % words
    words["percent"] = percent_text(share)
    return _("%(name)s is worst: %(percent)s %% of %(other)s.") % words


def _name(base: Row | None, best: Row) -> str:
    if base is None or base is best:
        return best.group.label
    return _("the baseline, %(name)s") % {"name": base.group.label}


def _missing(rows: Sequence[Row]) -> Iterator[str]:
    for note in dict.fromkeys(note for row in rows if not row.values for note in row.notes):
        names = _names([row for row in rows if note in row.notes and not row.values])
        yield _("%(names)s: %(note)s.") % {"names": names, "note": _(note)}
