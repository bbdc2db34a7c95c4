"""A run over time: what its tool printed, and below it, on the same clock, what its hosts did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from benchdash.analysis.bottleneck import Busy, busiest, cpu_was_short
from benchdash.analysis.drawing import spans_decades, stretches
from benchdash.capture.counters import Spread
from benchdash.pages.charts import data_script
from benchdash.pages.curve_charts import OverTimeChart, OverTimeRow
from benchdash.results import host_traces, traces
from benchdash.results.comparison.figures import unit_for
from benchdash.results.comparison.tables import swatch
from benchdash.results.models import HostTrace, Trace
from benchdash.results.titles import measure_title
from benchdash.vocabulary.host_quantities import (
    CEPH,
    CPU,
    DEVICE,
    MEMORY,
    NETWORK,
    PARTS,
    QUANTITIES,
)
from benchdash.vocabulary.measures import METRICS, MeasureName, Metric
from benchdash.vocabulary.prefixes import shown_unit

MOST_STRETCHES = 300
_FEWEST_POINTS = 2
MOST_LINES = 10  # as many as there are colours
DEEPEST = 4  # frontend/styles/figure.css
DEVICE_COLUMNS = ("busy", "queue", "read", "read_latency", "written", "write_latency")
_ONE_SIDE = 0.02  # of all bytes: a direction that has less is no figure of its own


class Line(NamedTuple):
    """Points in base units by their seconds, and what all of them amount to."""

    label: str
    points: list[tuple[float, Spread]]
    whole: Spread
    slot: int = 0


@dataclass(frozen=True, slots=True)
class LineRow:
    """One line in the table of its figure: lowest, mean and highest."""

    label: str
    swatch: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """Lines in one unit; `left_out` counts those beyond the tenth."""

    title: str
    unit: str
    rows: tuple[LineRow, ...]
    left_out: int
    data: SafeString


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """A device in the table of all: (title, text) for each of DEVICE_COLUMNS, "" where none is known."""

    label: str
    depth: int
    swatch: str
    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Host:
    """What one host did: in words what it had no more of, then its CPUs and storage, then the rest."""

    role: str
    sentences: tuple[str, ...]
    figures: tuple[Figure, ...]
    devices: tuple[DeviceRow, ...]
    further: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class OverTime:
    """What the tool printed, and each host by its role."""

    figures: tuple[Figure, ...]
    hosts: tuple[Host, ...]


def over_time(
    printed: Iterable[tuple[str, Trace]], hosts: Iterable[HostTrace], *, binary: bool
) -> OverTime:
    """All figures on one clock, which ends with the last point of any.

    What was `printed` stands beside the name of its file: several logs of one measure are lines of
    one figure.
    """
    lines: dict[tuple[str, str], list[Line]] = {}
    for file, trace in printed:
        own = lines.setdefault((trace.measure.operation, trace.measure.metric), [])
        if line := _printed(trace, file):
            own.append(line._replace(slot=len(own) if len(own) < MOST_LINES else -1))
    parts = [_Part(trace, host_traces.points_of(trace)) for trace in hosts]
    ends = [line.points[-1][0] for own in lines.values() for line in own]
    ends += [part.points.seconds[-1] for part in parts if part.points.seconds]
    drawing = _Drawing(max(ends, default=0.0), binary)
    return OverTime(
        tuple(
            drawing.figure(
                f"{operation}.{metric}",
                measure_title(MeasureName(operation, metric, "mean")),
                METRICS[metric],
                own if len(own) > 1 else [own[0]._replace(label="")],
            )
            for (operation, metric), own in lines.items()
            if own
        ),
        tuple(
            drawing.host(role, list(some))
            for role, some in groupby(parts, key=lambda part: part.trace.role)
        ),
    )


def _printed(trace: Trace, file: str) -> Line | None:
    """Some tools go on counting from an earlier test: a run begins with its first point."""
    seconds, values = (np.asarray(part) for part in traces.points_of(trace))
    if len(values) < _FEWEST_POINTS:  # one is no course
        return None
    between = float(np.median(np.diff(seconds))) if len(seconds) > 1 else 0.0
    late = float(seconds[0]) - between
    points = stretches(seconds - late if late > between else seconds, values, MOST_STRETCHES)
    whole = Spread(float(values.min()), float(values.mean()), float(values.max()))
    return Line(file, [(at, Spread(*spread)) for at, *spread in points], whole)


class _Part(NamedTuple):
    """A part of a host, with its points."""

    trace: HostTrace
    points: host_traces.Points

    @property
    def label(self) -> str:
        name, title = self.trace.name, self.trace.title
        return f"{title} ({name})" if title else name

    def mean(self, quantity: str) -> float:
        return float(self.trace.quantities.get(quantity, [0.0, 0.0, 0.0])[1])

    def line(self, quantity: str, slot: int, label: str = "") -> Line | None:
        if quantity not in self.trace.quantities:
            return None
        values = self.points.by_quantity[quantity]
        both = zip(self.points.seconds, values, strict=True)
        points = [(at, spread) for at, spread in both if spread is not None]
        return Line(label or self.label, points, Spread(*self.trace.quantities[quantity]), slot)


class _Drawing(NamedTuple):
    """How all figures of a run are drawn: on a clock of so many seconds, bytes in these units."""

    until_s: float
    binary: bool

    def host(self, role: str, parts: Sequence[_Part]) -> Host:
        devices = _of(parts, DEVICE)
        cpu = next(iter(_of(parts, CPU)), None)
        busy = [
            Busy(each.label, each.trace.depth, each.mean("busy"))
            for each in devices
            if "busy" in each.trace.quantities
        ]
        slots = _slots(devices)
        sentences = [busiest(busy)] if busy else []
        if cpu:
            sentences.append(
                cpu_was_short(cpu.mean("user") + cpu.mean("system"), cpu.mean("steal"))
            )
        return Host(
            role,
            tuple(filter(None, sentences)),
            (*self._cpu(cpu), *self._ceph(parts), *self._storage(devices, slots)),
            tuple(self._device(each, slots.get(each.trace.pk)) for each in devices),
            tuple(self._further(parts)),
        )

    def _cpu(self, part: _Part | None) -> Iterator[Figure]:
        names = ["user", "system", "iowait"]
        if part and part.trace.quantities.get("steal", [0])[-1]:
            names.append("steal")
        if part and (lines := _lines_of(part, names)):
            yield self.figure("cpu", _(PARTS[CPU]), QUANTITIES["user"], lines)

    def _storage(self, devices: Sequence[_Part], slots: Mapping[int, int]) -> Iterator[Figure]:
        """Of a direction in which hardly anything went, nothing is drawn."""
        moved = {side: sum(each.mean(side) for each in devices) for side in ("read", "written")}
        wanted, heading = ["busy"], _("Devices")
        for side, latency in (("read", "read_latency"), ("written", "write_latency")):
            if moved[side] and moved[side] >= _ONE_SIDE * sum(moved.values()):
                wanted += [side, latency]
        for name in [*wanted, "stripe_cache"]:
            every = (each.line(name, slots.get(each.trace.pk, -1)) for each in devices)
            lines = [line for line in every if line]
            if any(line.whole.highest for line in lines):
                title = f"{heading} · {_(QUANTITIES[name].title)}"
                yield self.figure(f"devices.{name}", title, QUANTITIES[name], lines)

    def _further(self, parts: Sequence[_Part]) -> Iterator[Figure]:
        for part in _of(parts, NETWORK):
            lines = _lines_of(part, ("received", "sent"))
            title = f"{_(PARTS[NETWORK])} · {part.label}"
            if any(line.whole.highest for line in lines):
                yield self.figure(f"network.{part.label}", title, QUANTITIES["sent"], lines)
        yield from self._alone(parts, MEMORY, "available", "cached", "dirty")

    def _ceph(self, parts: Sequence[_Part]) -> Iterator[Figure]:
        """Storage that is no device here."""
        yield from self._alone(parts, CEPH, "commit_latency", "apply_latency")

    def _alone(self, parts: Sequence[_Part], kind: str, *names: str) -> Iterator[Figure]:
        for part in _of(parts, kind):
            yield self.figure(kind, _(PARTS[kind]), QUANTITIES[names[0]], _lines_of(part, names))

    def _device(self, part: _Part, slot: int | None) -> DeviceRow:
        cells = []
        for name in DEVICE_COLUMNS:
            text = ""
            if name in part.trace.quantities:
                text = self._text(QUANTITIES[name], part.mean(name))
            cells.append((_(QUANTITIES[name].title), text))
        colour = "" if slot is None else swatch(slot)
        return DeviceRow(part.label, min(part.trace.depth, DEEPEST), colour, tuple(cells))

    def _text(self, metric: Metric, value: float) -> str:
        unit = shown_unit(metric, [value], binary=self.binary)
        return f"{unit.text(value)} {unit.name}".strip()

    def figure(self, name: str, title: str, metric: Metric, lines: Sequence[Line]) -> Figure:
        drawn = [line for line in lines if line.slot >= 0]
        means = [line.whole.mean for line in drawn]
        is_positive = all(line.whole.lowest > 0 for line in drawn)
        scale = "log" if len(drawn) > 1 and spans_decades(means) and is_positive else "linear"
        highest = [max(spread.mean for _at, spread in line.points) for line in drawn if line.points]
        unit = unit_for(metric, highest or means, scale, binary=self.binary)
        rows = tuple(
            OverTimeRow(
                label=line.label,
                run=None,
                slot=line.slot,
                nth=0,
                n=1,
                points=tuple(
                    (
                        _short(at),
                        _short(spread.lowest / unit.factor),
                        _short(spread.mean / unit.factor),
                        _short(spread.highest / unit.factor),
                    )
                    for at, spread in line.points
                ),
            )
            for line in drawn
        )
        chart = OverTimeChart(
            measure=name,
            axis="log" if scale == "log" else "linear",
            axis_title=unit.name,
            along_title="",
            by_wall=False,
            rows=rows,
            until=self.until_s,
            most=1 / unit.factor if metric.family == "cpu" else None,
        )
        return Figure(
            title,
            unit.name,
            tuple(
                LineRow(
                    line.label,
                    swatch(line.slot),
                    tuple(self._text(metric, value) for value in line.whole),
                )
                for line in drawn
            ),
            len(lines) - len(drawn),
            data_script(chart),
        )


def _slots(devices: Sequence[_Part]) -> dict[int, int]:
    """A colour for each device that is drawn: the busiest, in the order of the tree."""
    busiest_first = sorted(devices, key=lambda each: -each.mean("busy"))[:MOST_LINES]
    drawn = {each.trace.pk for each in busiest_first}
    own = (each.trace.pk for each in devices if each.trace.pk in drawn)
    return {pk: slot for slot, pk in enumerate(own)}


def _of(parts: Iterable[_Part], kind: str) -> list[_Part]:
    return [part for part in parts if part.trace.part == kind]


def _lines_of(part: _Part, quantities: Iterable[str]) -> list[Line]:
    """A line for each of several quantities of one part."""
    lines = (
        part.line(name, slot, _(QUANTITIES[name].title)) for slot, name in enumerate(quantities)
    )
    return [line for line in lines if line]


def _short(value: float) -> float:
    return float(f"{value:.5g}")
