"""What matrices mean, as the compare page shows it: charts and tables of effects, and the front."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from benchdash.analysis.drawing import spans_decades
from benchdash.pages.charts import data_script, scaled
from benchdash.pages.matrix_charts import (
    CrossedChart,
    CrossedPoint,
    CrossedRow,
    EffectRow,
    EffectsChart,
    FrontChart,
    FrontRow,
)
from benchdash.pages.scaling_figures import ScalingFigure, scaling_figure
from benchdash.results.comparison.sentences import percent_text
from benchdash.results.comparison.tables import swatch
from benchdash.results.comparison.view import Scale
from benchdash.results.comparison.view_matrix import (
    FactorEffect,
    Front,
    FrontMeasure,
    Matrix,
    MatrixLevel,
    MeasureEffects,
    PairEffect,
)
from benchdash.results.titles import metric_title
from benchdash.vocabulary.measures import MeasureName
from benchdash.vocabulary.prefixes import unit_beside

MOST_PAIRS = 4


@dataclass(frozen=True, slots=True)
class LevelLine:
    """A level in the table: its text, its samples, and its words by measure ("" where there are none)."""

    text: str
    n: int
    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FactorLines:
    """A factor in the table: what it explains of each measure, then its levels.

    `of_blocks`: their n counts blocks.
    """

    title: str
    swatch: str
    explained: tuple[tuple[str, str], ...]
    levels: tuple[LevelLine, ...]
    of_blocks: bool


@dataclass(frozen=True, slots=True)
class EffectsFigure:
    """The chart of one measure."""

    title: str
    view: MeasureEffects
    data: SafeString
    rows: range


@dataclass(frozen=True, slots=True)
class PairFigure:
    """Two factors that depend on each other in one measure."""

    measure: MeasureEffects
    view: PairEffect
    titles: tuple[str, ...]
    data: SafeString

    @property
    def title(self) -> str:
        return f"{self.measure.title} · {' × '.join(self.titles)}"

    @property
    def cells(self) -> Iterator[tuple[str, str, int, str, str]]:
        """Texts, n, value and interval of each cell."""
        unit = self.measure.shown
        for cell in self.view.cells:
            interval = f"{unit.text(cell.low)} – {unit.text(cell.high)}"
            first, second = cell.texts
            yield first, second, cell.n, unit.text(cell.value), interval


@dataclass(frozen=True, slots=True)
class FrontFigure:
    """The front as a chart of its first two measures, and a table of all."""

    view: Front
    data: SafeString
    rows: tuple[tuple[str, str, int, tuple[str, ...], str], ...]


@dataclass(frozen=True, slots=True)
class ShownMatrix:
    """One matrix with its charts and its table."""

    view: Matrix
    figures: tuple[EffectsFigure, ...]
    refused: tuple[MeasureEffects, ...]
    table: tuple[FactorLines, ...]
    pairs: tuple[PairFigure, ...]
    scalings: tuple[ScalingFigure, ...]
    front: FrontFigure | None

    @property
    def alone(self) -> tuple[PairEffect, ...]:
        """Pairs of the first measure that are not drawn, in words."""
        drawn = {figure.view.factors for figure in self.pairs}
        first = self.figures[0].view.pairs if self.figures else ()
        return tuple(pair for pair in first if pair.factors not in drawn)


def shown_matrix(matrix: Matrix) -> ShownMatrix:
    """As its template shows it."""
    estimated = [effects for effects in matrix.effects if effects.factors]
    slots = {factor: slot for slot, factor in enumerate(matrix.factors)}
    return ShownMatrix(
        view=matrix,
        figures=tuple(_effects_figure(effects, slots) for effects in estimated),
        refused=tuple(effects for effects in matrix.effects if effects.refused),
        table=tuple(_factor_lines(matrix, estimated, slots)),
        pairs=tuple(_pair_figures(estimated))[:MOST_PAIRS],
        scalings=tuple(map(scaling_figure, matrix.scalings)),
        front=_front_figure(matrix.front) if matrix.front else None,
    )


def _effects_figure(effects: MeasureEffects, slots: dict[str, int]) -> EffectsFigure:
    rows = tuple(
        EffectRow(
            label=f"{factor.title} {level.text}",
            factor=factor.title,
            slot=slots[factor.factor],
            n=level.n,
            shown=100 * level.times.value,
            low=100 * level.times.low,
            high=100 * level.times.high,
            text=f"{percent_text(level.times.value)} % ({_interval(level)} %)",
        )
        for factor in effects.factors
        for level in factor.levels
    )
    chart = EffectsChart(
        measure=f"{effects.measure}.effects",
        axis="linear",
        axis_title=_("% of the mean of all levels"),
        rows=rows,
    )
    title = f"{effects.title} · {_('Main effects')}"
    return EffectsFigure(title, effects, data_script(chart), range(len(rows)))


def _interval(level: MatrixLevel) -> str:
    return f"{percent_text(level.times.low)} – {percent_text(level.times.high)}"


def _factor_lines(
    matrix: Matrix, estimated: Sequence[MeasureEffects], slots: dict[str, int]
) -> Iterator[FactorLines]:
    """Factors in the order of the first measure, which is what explains most of it."""
    order = [one.factor for one in estimated[0].factors] if estimated else []
    order += [one for one in matrix.factors if one not in order]
    for name in order:
        own = [
            next((one for one in each.factors if one.factor == name), None) for each in estimated
        ]
        known = [one for one in own if one]
        if known:
            title = " = ".join((known[0].title, *known[0].changes_with))
            yield FactorLines(
                title,
                swatch(slots[name]),
                tuple((_explained(one), one.sentence) if one else ("", "") for one in own),
                tuple(_level_lines(own, known)),
                any(one.of_blocks for one in known),
            )


def _explained(effect: FactorEffect) -> str:
    """`71 %`; with the size that would have been seen where nothing was."""
    if effect.finding == "unseen":
        if effect.unnoticed is None:
            return "–"
        return _("not seen (≥ %(percent)s %%)") % {"percent": percent_text(effect.unnoticed)}
    words = {"percent": f"{100 * effect.explained:.3g}"}
    if effect.finding == "leans":
        return _("leans: %(percent)s %%") % words
    return _("%(percent)s %%") % words


def _level_lines(
    own: Sequence[FactorEffect | None], known: Sequence[FactorEffect]
) -> Iterator[LevelLine]:
    texts = dict.fromkeys(level.text for effect in known for level in effect.levels)
    for text in texts:
        found = [
            next((level for level in effect.levels if level.text == text), None) if effect else None
            for effect in own
        ]
        yield LevelLine(
            text,
            max(level.n for level in found if level),
            tuple(
                (percent_text(level.times.value), _interval(level)) if level else ("", "")
                for level in found
            ),
        )


def _pair_figures(estimated: Sequence[MeasureEffects]) -> Iterator[PairFigure]:
    """Those that are there, whichever measure shows them."""
    for effects in estimated:
        for pair in effects.pairs:
            # what leans only because its measure is no primary one says the same again
            if pair.finding == "firm" or (pair.finding == "leans" and effects.primary):
                yield _pair_figure(effects, pair)


def _pair_figure(effects: MeasureEffects, pair: PairEffect) -> PairFigure:
    unit = effects.shown
    first, second = (dict.fromkeys(cell.texts[place] for cell in pair.cells) for place in (0, 1))
    # the longer factor runs along, so that lines are few
    along = 0 if len(first) >= len(second) else 1
    places, lines = (tuple(first), second) if along == 0 else (tuple(second), first)
    values = [cell.value for cell in pair.cells]
    axis: Scale = "log" if spans_decades(values) else "linear"
    chart = CrossedChart(
        measure=f"{effects.measure}.{'.'.join(pair.factors)}",
        axis=axis,
        axis_title=scaled(unit.name, axis),
        along_title=pair.titles[along],
        places=places,
        rows=tuple(
            CrossedRow(
                label=f"{pair.titles[1 - along]} {line}",
                slot=slot,
                n=min(cell.n for cell in pair.cells if cell.texts[1 - along] == line),
                points=tuple(
                    CrossedPoint(
                        places.index(cell.texts[along]),
                        cell.value / unit.factor,
                        cell.low / unit.factor,
                        cell.high / unit.factor,
                        f"{cell.texts[along]}: {unit.text(cell.value)} {unit.name}, n = {cell.n}",
                    )
                    for cell in pair.cells
                    if cell.texts[1 - along] == line
                ),
            )
            for slot, line in enumerate(lines)
        ),
    )
    return PairFigure(effects, pair, pair.titles, data_script(chart))


def _front_figure(front: Front) -> FrontFigure:
    along, up = front.measures[:2]
    axes = [_axis(front, place) for place in (0, 1)]
    places = {"front": _("on the front"), "near": _("close to it"), "behind": ""}
    chart = FrontChart(
        measure=f"{along.measure}.front",
        axis=axes[1],
        axis_title=scaled(_titled(up, along), axes[1]),
        along_title=scaled(_titled(along, up), axes[0]),
        along_axis=axes[0],
        rows=tuple(
            FrontRow(
                label=point.label,
                slot=point.slot,
                n=point.n,
                x=point.values[0] / along.shown.factor,
                y=point.values[1] / up.shown.factor,
                front=point.place == "front",
                text=_(", ").join(
                    f"{measure.title}: {measure.shown.text(value)} {measure.shown.name}".strip()
                    for measure, value in zip(front.measures, point.values, strict=True)
                ),
            )
            for point in front.points
        ),
    )
    rows = tuple(
        (
            point.label,
            swatch(point.slot),
            point.n,
            tuple(
                measure.shown.text(value)
                for measure, value in zip(front.measures, point.values, strict=True)
            ),
            places[point.place],
        )
        for point in front.points
    )
    return FrontFigure(front, data_script(chart), rows)


def _axis(front: Front, place: int) -> Scale:
    return "log" if spans_decades(point.values[place] for point in front.points) else "linear"


def _titled(measure: FrontMeasure, other: FrontMeasure) -> str:
    """With its unit, and of which operation where the other axis has the same metric."""
    name, beside = (MeasureName(*one.measure.split(".", 2)) for one in (measure, other))
    title, unit = metric_title(name), measure.shown.name
    if title == metric_title(beside):
        title = measure.title
    return unit if unit.endswith(title) else f"{title} {unit_beside(title, unit)}".strip()
