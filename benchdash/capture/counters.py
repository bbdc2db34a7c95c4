"""What a host did while a step ran: the counters that workers/counters.sh wrote down, as rates.

A value stands for the time since the look before. Damage is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import ceil, fsum
from typing import NamedTuple

from benchdash.capture.answers import DAMAGED
from benchdash.vocabulary.host_quantities import CEPH, CPU, DEVICE, MEMORY, NETWORK

MOST_STRETCHES = 300
_SECTOR_BYTES = 512  # whatever the device's own are (kernel, Documentation/block/stat.rst)
_MOST_SERIES = 100
_MOST_OSDS = 10_000
_LONGEST_NAME = 100
_KINDS = {"cpu": CPU, "net": NETWORK, "dev": DEVICE}
_FIELDS = {"cpu": 4, "net": 2, "dev": 8}
Key = tuple[str, str]  # kind, name
Numbers = tuple[float, ...]
# Of one quantity between two looks: its value, and how much that counts beside others.
Weighed = Mapping[str, tuple[float, float]]


class Device(NamedTuple):
    """A block device below what is measured, `depth` steps below it; `title` is the mapper's name."""

    name: str
    depth: int
    title: str = ""


class Spread(NamedTuple):
    """Of the values in a stretch of time."""

    lowest: float
    mean: float
    highest: float


@dataclass(frozen=True, slots=True)
class HostSeries:
    """A part of a host over time: a `kind` of `host_quantities.PARTS`, and a name where there are several.

    Each quantity has a value for each of `seconds`, None where there was none: no read took no
    time. `whole` is over all of it.
    """

    kind: str
    name: str
    seconds: list[float]
    quantities: dict[str, list[Spread | None]]
    whole: dict[str, Spread]
    depth: int = 0
    title: str = ""


@dataclass(slots=True)
class Counters:
    """The log of one step: looks of each part in rising order, by seconds since the host's boot."""

    devices: list[Device] = field(default_factory=list)
    looks: dict[Key, list[tuple[float, Numbers]]] = field(default_factory=dict)
    osds: dict[float, list[tuple[float, float]]] = field(default_factory=dict)
    first_s: float = 0.0
    last_s: float = 0.0


def read_counters(log: bytes) -> Counters:
    """What the log of one step says; empty where it says nothing."""
    found = Counters()
    for line in log.decode("utf-8", "replace").splitlines():
        try:
            _read_line(line[:500].split(), found)
        except DAMAGED:
            continue
    return found


def _read_line(words: list[str], found: Counters) -> None:
    match words:
        case ["@", up]:
            at = _number(up)
            found.first_s = found.first_s or at
            found.last_s = max(found.last_s, at)
        case ["+", depth, name, *title] if len(found.devices) < _MOST_SERIES:
            title_text = " ".join(title)[:_LONGEST_NAME]
            found.devices.append(Device(name[:_LONGEST_NAME], min(int(depth), 20), title_text))
        case ["cpu", *numbers]:
            _add(found, "cpu", "", numbers)
        case ["net" | "dev" as what, name, *numbers]:
            _add(found, what, name[:_LONGEST_NAME], numbers)
        case ["md", name, active]:
            looks = found.looks[DEVICE, name]
            if looks[-1][0] == found.last_s:
                looks[-1] = (found.last_s, (*looks[-1][1], _number(active)))
        case ["mem", *named]:
            _look(found, MEMORY, "", _memory(dict(word.split(":=", 1) for word in named)))
        case ["osd", _number_of_osd, commit, apply]:
            some = found.osds.setdefault(found.last_s, [])
            if len(some) < _MOST_OSDS:
                some.append((_number(commit) / 1000, _number(apply) / 1000))


def _number(text: str) -> float:
    if len(text) > 20 or not text.replace(".", "", 1).isdecimal() or not text.isascii():
        raise ValueError(text)
    return float(text)


def _add(found: Counters, what: str, name: str, texts: Sequence[str]) -> None:
    numbers = tuple(map(_number, texts[:8]))
    if len(numbers) >= _FIELDS[what]:
        _look(found, _KINDS[what], name, numbers)


def _look(found: Counters, kind: str, name: str, numbers: Numbers) -> None:
    if (kind, name) not in found.looks and len(found.looks) >= _MOST_SERIES:
        return
    looks = found.looks.setdefault((kind, name), [])
    if not looks or looks[-1][0] < found.last_s:
        looks.append((found.last_s, numbers))


def _memory(kib: Mapping[str, str]) -> Numbers:
    """(available, cached, dirty) in bytes; kernels before 3.14 do not report what is available: then free and cached."""
    free = kib.get("MemAvailable") or str(_number(kib["MemFree"]) + _number(kib["Cached"]))
    return tuple(_number(size) * 1024 for size in (free, kib["Cached"], kib["Dirty"]))


def host_series(counters: Counters, since_s: float, until_s: float) -> list[HostSeries]:
    """Each part of the host between two times since its boot; seconds are counted from the first.

    Thinned to MOST_STRETCHES at most. Devices in the order of the tree that they are.
    """
    found = []
    places = {device.name: device for device in counters.devices}
    order = {name: place for place, name in enumerate(places)}
    keys = sorted(counters.looks, key=lambda key: (key[0] != CPU, order.get(key[1], -1)))
    for kind, name in keys:
        spans = _spans(counters.looks[kind, name], _READERS[kind], since_s, until_s)
        if series := _thinned(kind, name, spans, until_s - since_s):
            device = places.get(name, Device(name, 0)) if kind == DEVICE else Device(name, 0)
            found.append(_placed(series, device))
    if osds := _osds(counters.osds, since_s, until_s):
        found.append(osds)
    return found


class _Span(NamedTuple):
    """Between two looks, in seconds since the begin."""

    middle: float
    end: float
    weighed: Weighed


def _spans(
    looks: Sequence[tuple[float, Numbers]],
    read: Callable[[Numbers, Numbers, float], Weighed],
    since_s: float,
    until_s: float,
) -> Iterator[_Span]:
    for (before_s, before), (after_s, after) in pairwise(looks):
        middle = (before_s + after_s) / 2
        if since_s <= middle <= until_s:
            weighed = read(before, after, after_s - before_s)
            yield _Span(middle - since_s, min(after_s, until_s) - since_s, weighed)


def _thinned(kind: str, name: str, spans: Iterator[_Span], length_s: float) -> HostSeries | None:
    every = list(spans)
    names = dict.fromkeys(quantity for span in every for quantity in span.weighed)
    stretches: dict[int, list[_Span]] = {}
    thin = len(every) > MOST_STRETCHES
    for number, span in enumerate(every):
        place = int(span.middle / length_s * MOST_STRETCHES) if thin else number
        stretches.setdefault(min(place, MOST_STRETCHES - 1), []).append(span)
    if not names:
        return None
    return HostSeries(
        kind,
        name,
        [_to_the_tick(some[-1].end) for some in stretches.values()],
        {each: [_spread(some, each) for some in stretches.values()] for each in names},
        {each: spread for each in names if (spread := _spread(every, each))},
    )


def _spread(spans: Sequence[_Span], quantity: str) -> Spread | None:
    known = [span.weighed[quantity] for span in spans if quantity in span.weighed]
    weight = fsum(weight for _value, weight in known)
    if not weight:
        return None
    values = [value for value, _weight in known]
    mean = fsum(value * weight for value, weight in known) / weight
    return Spread(_short(min(values)), _short(mean), _short(max(values)))


def _short(value: float) -> float:
    return float(f"{value:.4g}")


def _to_the_tick(seconds: float) -> float:
    return round(seconds, 2)  # as /proc/uptime has them


def _placed(series: HostSeries, device: Device) -> HostSeries:
    """Its place in the tree; without what the kernel does not count for such a device."""
    whole = series.whole
    moved = any(name in whole and whole[name].highest for name in ("reads", "writes"))
    uncounted = [
        name
        for name in ("busy", "queue", "read_latency", "write_latency")
        if moved and name in whole and not whole["queue"].highest and not whole[name].highest
    ]
    return replace(
        series,
        quantities={n: some for n, some in series.quantities.items() if n not in uncounted},
        whole={name: one for name, one in whole.items() if name not in uncounted},
        depth=device.depth,
        title=device.title,
    )


def _cpu(before: Numbers, after: Numbers, _seconds: float) -> Weighed:
    """Shares of all CPUs; proc(5): user, nice, system, idle, iowait, irq, softirq, steal."""
    # iowait may go back a little
    spent = [max(0.0, now - then) for then, now in zip(before, after, strict=False)]
    total = fsum(spent)
    if not total:
        return {}
    user, nice, system, _idle, iowait, irq, softirq, steal = [*spent, 0.0, 0.0, 0.0, 0.0][:8]
    shares = {"user": user + nice, "system": system + irq + softirq, "iowait": iowait}
    if len(spent) > 7:
        shares["steal"] = steal
    return {name: (ticks / total, total) for name, ticks in shares.items()}


def _memory_now(_before: Numbers, after: Numbers, seconds: float) -> Weighed:
    names = ("available", "cached", "dirty")
    return {name: (value, seconds) for name, value in zip(names, after, strict=True)}


def _network(before: Numbers, after: Numbers, seconds: float) -> Weighed:
    pairs = zip(("received", "sent"), before, after, strict=False)
    return {name: ((now - then) / seconds, seconds) for name, then, now in pairs if now >= then}


def _device(before: Numbers, after: Numbers, seconds: float) -> Weighed:
    """As iostat(1) reads them; a latency is over the requests that ended meanwhile."""
    spent = [now - then for then, now in zip(before[:8], after[:8], strict=True)]
    if min(spent) < 0:  # another device of the same name, or a counter that began anew
        return {}
    reads, sectors_read, read_ms, writes, sectors_written, write_ms, busy_ms, weighted_ms = spent
    rates = {
        "busy": min(1.0, busy_ms / 1000 / seconds),
        "queue": weighted_ms / 1000 / seconds,
        "read": sectors_read * _SECTOR_BYTES / seconds,
        "written": sectors_written * _SECTOR_BYTES / seconds,
        "reads": reads / seconds,
        "writes": writes / seconds,
    }
    found = {name: (value, seconds) for name, value in rates.items()}
    if reads:
        found["read_latency"] = (read_ms / 1000 / reads, reads)
    if writes:
        found["write_latency"] = (write_ms / 1000 / writes, writes)
    if len(after) > 8:
        found["stripe_cache"] = (after[8], seconds)
    return found


_READERS: dict[str, Callable[[Numbers, Numbers, float], Weighed]] = {
    CPU: _cpu,
    MEMORY: _memory_now,
    NETWORK: _network,
    DEVICE: _device,
}


def _osds(
    looks: Mapping[float, Sequence[tuple[float, float]]], since_s: float, until_s: float
) -> HostSeries | None:
    """Ceph's OSDs at each look: the mean of all, from the quickest to the slowest."""
    names = ("commit_latency", "apply_latency")
    spans = [
        [
            _Span(
                at_s - since_s,
                at_s - since_s,
                {name: (value, 1) for name, value in zip(names, osd, strict=True)},
            )
            for osd in some
        ]
        for at_s, some in sorted(looks.items())
        if since_s <= at_s <= until_s and some
    ]
    every = [span for some in spans for span in some]
    if not every:
        return None
    kept = spans[:: ceil(len(spans) / MOST_STRETCHES)]
    return HostSeries(
        CEPH,
        "",
        [_to_the_tick(some[0].end) for some in kept],
        {name: [_spread(some, name) for some in kept] for name in names},
        {name: spread for name in names if (spread := _spread(every, name))},
    )
