"""How a rate grows along guests, jobs or clients, as the compare page shows it: chart and table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from benchdash.analysis.drawing import spans_decades
from benchdash.pages.charts import data_script, scaled
from benchdash.pages.matrix_charts import ScalingChart, ScalingMark, ScalingPoint, ScalingRow
from benchdash.results.comparison.view import Scale
from benchdash.results.comparison.view_matrix import Scaling, ScalingLine
from benchdash.vocabulary.prefixes import ShownUnit

_FAR_APART = 16  # places that double rather than step keep apart on a logarithmic axis


@dataclass(frozen=True, slots=True)
class ScalingFigure:
    """The chart of one rate; its words once where all lines have the same, and alone without a law."""

    view: Scaling
    data: SafeString

    @property
    def title(self) -> str:
        along = _("along %(along)s") % {"along": self.view.along_title}
        return f"{self.view.title} · {along}"

    @property
    def is_drawn(self) -> bool:
        return any(line.law for line in self.view.lines)

    @property
    def sentences(self) -> list[str]:
        sentences = list(dict.fromkeys(line.sentence for line in self.view.lines))
        between = _(": ")
        each = [f"{line.label}{between}{line.sentence}" for line in self.view.lines]
        return sentences if len(sentences) == 1 else each

    @property
    def places(self) -> Iterator[tuple[int, str, str, int, str, str]]:
        """Of each place of each line: its number, label, N, n, value and range."""
        unit = self.view.shown
        number = 0
        for line in self.view.lines:
            for place in line.places:
                spread = f"{unit.text(place.low)} – {unit.text(place.high)}"
                yield (
                    number,
                    line.label,
                    f"{place.count:g}",
                    place.n,
                    unit.text(place.value),
                    spread if place.n > 1 else "",
                )
                number += 1


def scaling_figure(scaling: Scaling) -> ScalingFigure:
    """The chart of one rate, on logarithmic axes where it spans decades or places double."""
    unit = scaling.shown
    every = [place for line in scaling.lines for place in line.places]
    axis: Scale = "log" if spans_decades(place.value for place in every) else "linear"
    counts = [place.count for place in every]
    along: Scale = "log" if max(counts) / min(counts) >= _FAR_APART else "linear"
    chart = ScalingChart(
        measure=f"{scaling.measure}.scaling",
        axis=axis,
        axis_title=scaled(unit.name, axis),
        along_title=scaled(scaling.along_title, along),
        along_axis=along,
        rows=tuple(_scaling_row(line, unit) for line in scaling.lines),
    )
    return ScalingFigure(scaling, data_script(chart))


def _scaling_row(line: ScalingLine, unit: ShownUnit) -> ScalingRow:
    factor = unit.factor
    return ScalingRow(
        label=line.label,
        slot=line.slot,
        n=min(place.n for place in line.places),
        points=tuple(
            ScalingPoint(
                place.count,
                place.value / factor,
                place.low / factor,
                place.high / factor,
                f"{place.count:g}: {unit.text(place.value)} {unit.name}, n = {place.n}",
            )
            for place in line.places
        ),
        curve=tuple((point.count, point.value / factor) for point in line.curve),
        marks=tuple(_marks(line, unit)),
    )


def _marks(line: ScalingLine, unit: ShownUnit) -> Iterator[ScalingMark]:
    """Peak and knee where they lie within what was measured."""
    last = line.places[-1].count
    for at, title in ((line.peak and line.peak.value, _("peak")), (line.knee, _("knee"))):
        if at and at <= last and line.one and line.alpha:
            beta = line.beta.value if line.beta else 0.0
            below = 1 + line.alpha.value * (at - 1) + beta * at * (at - 1)
            value = line.one.value * at / below
            words = f"{title} {at:.3g}"
            yield ScalingMark(at, value / unit.factor, words)
