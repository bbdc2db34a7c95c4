"""Figures as people read them: one unit for all rows of a measure, words for what is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from benchdash.analysis.summary import Interval
from benchdash.results.comparison.judging import FEWEST_ABOVE
from benchdash.results.comparison.sentences import percent_text
from benchdash.results.comparison.view import Note, PlainFigure, Row, Section
from benchdash.vocabulary.prefixes import unit_beside

# colours of frontend/styles/tokens.css, which scripts have from here too (`make types`), and how
# often they come again: plain, then in three patterns
SERIES, ROUNDS = 10, 4
LISTED_RUNS = 500  # an address holds no more


@dataclass(frozen=True, slots=True)
class Line:
    """One group by one measure; its texts are without the unit, which the heading names.

    What is not there is empty. `coverage` is that of the interval, in percent, empty for a range;
    `percent` is of the baseline, `change` against it; `remarks` are what the tool printed instead of
    values, or that nothing was measured.
    """

    row: Row
    swatch: str
    is_baseline: bool
    median: str
    interval: str
    coverage: str
    percent: str
    percent_interval: str
    change: str
    remarks: tuple[str, ...]

    @property
    def doubts(self) -> str:
        """How many of its samples are doubted, or left out for that; empty where none is."""
        row = self.row
        words = [_("%(n)s doubted") % {"n": row.doubted}] if row.doubted else []
        words += [_("%(n)s left out") % {"n": row.left_out}] if row.left_out else []
        return _(", ").join(words) if words else ""

    @property
    def why(self) -> str:
        """The sentence of its verdict; empty where that says no more than the word."""
        found = self.row.against
        # links that were made by older rules have a word and no reason
        return found.sentence if found and found.sentence != found.text else ""


@dataclass(frozen=True, slots=True)
class Table:
    """A figure's lines: one column of the table of its section.

    `better` says which way is better; it is empty where neither is.
    """

    figure: PlainFigure
    lines: tuple[Line, ...]
    better: str

    @property
    def verdicts(self) -> list[Line]:
        """The lines that have one."""
        return [line for line in self.lines if line.row.against]

    @property
    def repeats(self) -> list[Line]:
        """The lines whose repeats say something against each other."""
        return [line for line in self.lines if line.row.repeats]

    @property
    def unit(self) -> str:
        """That of its numbers where the title does not say it, and what its percents are of."""
        share = _("% of baseline") if self.figure.has_baseline else ""
        name = unit_beside(self.figure.title, self.figure.shown.name)
        return " · ".join(filter(None, (name, share)))


@dataclass(frozen=True, slots=True)
class GroupLine:
    """A group by all measures of a section, a line for each; None where a figure leaves it out.

    `n` counts samples; `runs` are numbered as the address of their list has them, and `more_runs`
    counts those beyond. `doubts` are those of each line where all say the same.
    """

    label: str
    swatch: str
    is_baseline: bool
    n: int
    runs: str
    more_runs: int
    doubts: str
    lines: tuple[Line | None, ...]


@dataclass(frozen=True, slots=True)
class SectionTable:
    """All measures of a section beside each other, each group once."""

    columns: tuple[Table, ...]
    groups: tuple[GroupLine, ...]


def table(figure: PlainFigure, baseline: str | None) -> Table:
    """The column of a figure; `baseline` is the key of a group."""
    better = ""
    if figure.higher_is_better is not None:
        better = _("higher is better") if figure.higher_is_better else _("lower is better")
    return Table(figure, tuple(_line(row, figure, baseline) for row in figure.rows), better)


def section_table(section: Section, slots: Mapping[str, int], baseline: str | None) -> SectionTable:
    """All figures of a section, and latencies beside them without a figure of their own.

    `slots` are the colours of groups by their keys, in the order of the lines.
    """
    figures: dict[str, PlainFigure] = {}
    for figure in section.figures:
        figures[figure.measure] = figure
    for figure in section.figures:
        if figure.latency:
            figures.setdefault(figure.latency.measure, figure.latency)
    columns = [table(figure, baseline) for figure in figures.values()]
    by_group: dict[str, dict[int, Line]] = {key: {} for key in slots}
    for place, column in enumerate(columns):
        for line in column.lines:
            by_group.setdefault(line.row.group, {})[place] = line
    return SectionTable(
        tuple(columns),
        tuple(
            _group_line([lines.get(place) for place in range(len(columns))], slots[key])
            for key, lines in by_group.items()
            if lines
        ),
    )


def _group_line(lines: Sequence[Line | None], slot: int) -> GroupLine:
    own = [line for line in lines if line]
    runs = list(dict.fromkeys(one.run for line in own for one in line.row.values))
    doubts = {line.doubts for line in own}
    first = own[0]
    return GroupLine(
        label=first.row.label,
        swatch=swatch(slot),
        is_baseline=first.is_baseline,
        n=len(runs),
        runs=",".join(map(str, runs[:LISTED_RUNS])),
        more_runs=max(0, len(runs) - LISTED_RUNS),
        doubts=first.doubts if len(doubts) == 1 else "",
        lines=tuple(lines),
    )


def swatch(slot: int) -> str:
    """`series-3`; after ten colours they come again with a pattern, `series-3 round-1`."""
    colour, round_ = f"series-{slot % SERIES + 1}", slot // SERIES % ROUNDS
    return f"{colour} round-{round_}" if round_ else colour


def _line(row: Row, figure: PlainFigure, baseline: str | None) -> Line:
    change = "" if row.ratio is None else f"{100 * row.ratio - 100:+.1f} %".replace("-", "−")
    interval, text = row.interval, figure.shown.text
    middles = row.modes or (() if row.median is None else (row.median,))
    return Line(
        row=row,
        swatch=swatch(row.slot),
        is_baseline=row.group == baseline,
        median=" / ".join(map(text, middles)),
        interval=_span(interval, text),
        coverage=f"{100 * interval.coverage:.0f} %" if interval and interval.coverage else "",
        percent="" if row.ratio is None else percent_text(row.ratio),
        percent_interval=_span(row.ratio_interval, percent_text),
        change=change,
        remarks=tuple(_remarks(row)),
    )


def _span(interval: Interval | None, text: Callable[[float], str]) -> str:
    return f"{text(interval.low)} – {text(interval.high)}" if interval else ""


def note_text(note: Note, *, is_alone: bool) -> str:
    """What a tool printed instead of a value; of how many runs, unless it is of the only one."""
    return _(note.note) if is_alone and note.runs == 1 else f"{_(note.note)} ({note.runs})"


def _remarks(row: Row) -> Iterator[str]:
    for one in row.notes:
        yield note_text(one, is_alone=not row.values)
    if not row.values and not row.notes:
        yield _("not measured")
    if row.modes:
        yield _("two modes")
    if row.above is not None and row.above < FEWEST_ABOVE:
        yield _("tail too thin")
