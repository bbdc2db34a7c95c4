"""What was asked for, read from a query string and written to one: an address is a whole state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime
from typing import Any
from urllib.parse import parse_qs, urlencode

from benchdash.results.factors import Factor, read_factor
from benchdash.results.ids import Ranges
from benchdash.results.parameters import PARAMETERS
from benchdash.results.run_filters import FILTERS, OLDER, is_filter, read_values, unknown_filter
from benchdash.vocabulary.measures import MeasureName


@dataclass(frozen=True, slots=True, order=True)
class Filter:
    """Runs whose factor has one of these values; `~` stands for none.

    Filters that are no factor are their own kind: `Factor("plan")`.
    """

    factor: Factor
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Criteria:
    """Which runs, which numbers, how they are laid side by side. Empty means: no restriction.

    Runs, executions and configurations that were picked one by one are taken together; all else narrows down.
    `group` empty: by what differs. `like` is "1" (like with like), "0" (all together) or, empty,
    whatever leaves something to compare. `facet` gives each of its values figures of their own. `across` names what is not held
    equal. `baseline` is the key of a group, None: the study's own. `latency` says how it stands
    beside rates along a number; empty: under those whose latency is shown. `deltas` are the smallest
    differences that matter, in percent, by metric ("": any other). `doubts` "exclude" leaves out
    runs that are doubted as a whole. `clock` "wall" lays runs over each other by the time of day.
    `sort` is the column that orders the rows of the overview, with a - downwards. `units` empty: as the
    reader prefers.
    """

    studies: tuple[str, ...] = ()
    configurations: tuple[int, ...] = ()
    environments: tuple[int, ...] = ()
    runs: tuple[int, ...] = ()
    executions: tuple[int, ...] = ()
    uploads: Ranges = ()
    tools: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    since: date | datetime | None = None
    until: date | datetime | None = None
    text: str = ""
    measures: tuple[MeasureName, ...] = ()
    families: tuple[str, ...] = ()
    group: tuple[Factor, ...] = ()
    like: str = ""
    facet: Factor | None = None
    across: tuple[str, ...] = ()
    baseline: str | None = None
    deltas: tuple[tuple[str, float], ...] = ()
    percent: bool = False
    chart: str = "auto"
    latency: str = ""
    axis: str = "auto"
    doubts: str = "include"
    clock: str = "start"
    sort: str = ""
    units: str = ""

    @property
    def chooses_runs(self) -> bool:
        """False for a bare address: nothing was asked for yet."""
        return bool(self.studies) or self.chooses_among_runs

    @property
    def chooses_among_runs(self) -> bool:
        """Whether anything but studies says which runs."""
        return any(
            getattr(self, name) not in ((), None, "")
            for name in (
                *("configurations", "environments", "runs", "executions"),
                *("uploads", "tools", "versions"),
                *("hosts", "tags", "filters", "since", "until", "text"),
            )
        )

    def changed(self, **changes: Any) -> Criteria:
        """A copy with other values, for links."""
        return replace(self, **changes)

    def query(self) -> str:
        """The query string of this state, the same for the same state."""
        return urlencode(list(self.pairs()))

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Names and values of the query string, in one order; what is as by default is left out."""
        for name, parameter in PARAMETERS.items():
            value = getattr(self, parameter.field)
            if value != _DEFAULTS[parameter.field]:
                yield from ((name, text) for text in parameter.write(value))
        for chosen in self.filters:
            yield from ((str(chosen.factor), value) for value in chosen.values)


_DEFAULTS = {field.name: field.default for field in fields(Criteria)}


def read_criteria(query: Mapping[str, Sequence[str]]) -> Criteria:
    """Criteria from `QueryDict.lists()` or `parse_qs`; Refused, with the parameter as its field.

    UnknownName where there is no such parameter.

    Empty values are what a form sends for fields left alone: they say nothing.
    """
    texts: dict[str, list[str]] = {}
    for name, values in query.items():
        own = texts.setdefault(OLDER.get(name, name), [])
        own += [value.strip() for value in values if value.strip()]
    known: dict[str, Any] = {}
    filters = []
    for name, values in texts.items():
        if name in PARAMETERS and values:
            parameter = PARAMETERS[name]
            known[parameter.field] = parameter.read(values, name)
        elif is_filter(name) and values:
            factor = Factor(name) if name in FILTERS else read_factor(name, name)
            filters.append(Filter(factor, read_values(name, values)))
        elif name not in PARAMETERS and not is_filter(name):
            raise unknown_filter(name, PARAMETERS)
    return Criteria(**known, filters=tuple(sorted(filters)))


def read_query(text: str) -> Criteria:
    """Criteria from a query string as it stands in an address; Refused as `read_criteria`."""
    return read_criteria(parse_qs(text))
