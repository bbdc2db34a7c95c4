"""What a run has of a factor: its key in an address, its text, its place in the order."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from benchdash.results.comparison.records import Records, Workloads
from benchdash.results.comparison.selected_runs import SelectedRun
from benchdash.results.factors import NONE, Factor
from benchdash.results.titles import ZONE, facet_text, value_text
from benchdash.vocabulary.settings import setting_text
from benchdash.vocabulary.storage import kind_named
from benchdash.vocabulary.workloads import axis_text

_MISSING = {
    "configuration": gettext_noop("no configuration"),
    "environment": gettext_noop("no environment"),
    "study": gettext_noop("no study"),
    "host": gettext_noop("no host"),
    "version": gettext_noop("no version"),
    "": gettext_noop("none"),
}
PUBLISHED = "published"  # the key of what the author of a study published
_DIGITS = re.compile(r"(\d{1,18})")  # int() refuses thousands


class Value(NamedTuple):
    """A factor's value of one run: its key in an address, its text, its place in the order."""

    key: str
    text: str
    order: tuple[Any, ...]
    number: float | None = None  # where it is one: a place on an axis


def value_of(run: SelectedRun, factor: Factor, records: Records) -> Value:
    """The run's value of the factor, `~` where it has none."""
    value = _READERS[factor.kind, bool(factor.name)](run, factor.name, records)
    return Value(NONE, missing_text(factor), (2,)) if value is None else value


def missing_text(factor: Factor) -> str:
    """What stands for a value that a run does not have; nobody reads "none" and knows of what.

    Beside yes and no it would be a second no.
    """
    if factor.kind == "workload" or _is_switch(factor):
        return _("not stated")
    if factor.kind in ("setting", "options") or (factor.kind == "environment" and factor.name):
        return _("not recorded")
    return _(_MISSING.get(str(factor), "none"))


def _is_switch(factor: Factor) -> bool:
    kind, _dot, option = factor.name.partition(".")
    return factor.kind == "layer" and kind_named(kind).option_named(option).type == "switch"


def natural(text: str) -> tuple[Any, ...]:
    """A key that puts `raid 2` before `raid 10`."""
    parts = enumerate(_DIGITS.split(text.casefold()))
    return tuple((0, int(part)) if place % 2 else (1, part) for place, part in parts)


def _text(text: str) -> Value | None:
    return Value(text, text, (1, natural(text))) if text else None


def _record(pk: int | None, text: str) -> Value | None:
    return None if pk is None else Value(str(pk), text, (1, natural(text), pk))


def _configuration(run: SelectedRun, _name: str, records: Records) -> Value | None:
    if (pk := run.configuration_id) is None:
        return None
    name, _stack, place = records.configurations[pk]
    return Value(str(pk), name, (1, place, natural(name), pk))


def _environment(run: SelectedRun, _name: str, records: Records) -> Value | None:
    pk = run.environment_id
    return _record(pk, records.environments[pk].title(pk) if pk else "")


def _study(run: SelectedRun, _name: str, records: Records) -> Value | None:
    return _record(run.study_id, records.studies[run.study_id] if run.study_id else "")


def _host(run: SelectedRun, _name: str, records: Records) -> Value | None:
    pk = run.environment_id
    return _text(" + ".join(records.environments[pk].hosts) if pk else run.machine)


def _fact(run: SelectedRun, name: str, records: Records) -> Value | None:
    pk = run.environment_id
    return _text(records.environments[pk].facts.get(name, "") if pk else "")


def _layer(run: SelectedRun, name: str, records: Records) -> Value | None:
    pk = run.configuration_id
    facet = records.facets[records.configurations[pk].stack].get(name) if pk else None
    if facet is None:
        return None
    text = facet_text(name, facet.text)
    if facet.number is None:
        return Value(facet.text, text, (1, natural(facet.text)))
    return Value(facet.text, text, (0, facet.number), float(facet.number))


def _setting(run: SelectedRun, name: str, records: Records) -> Value | None:
    if name == "series":
        return _series(run, records)
    value = dict(run.settings).get(name)
    if name == ZONE.name and (known := _zone(str(value), records)):
        return known
    if value is None:
        return None
    key, text = setting_text(value), value_text(Factor("setting", name), value)
    if isinstance(value, int | float):
        return Value(key, text, (0, value), None if isinstance(value, bool) else float(value))
    return Value(key, text, (1, natural(value)))


def _zone(name: str, records: Records) -> Value | None:
    """A zone by the label of the condition that it is, in the order of these."""
    for place, one in enumerate(records.conditions):
        if one.zone == name:
            return Value(name, one.label, (0, place))
    return None


def _series(run: SelectedRun, records: Records) -> Value | None:
    """What the author published comes before what was measured since."""
    if run.series:
        named = records.series.get((run.study_id or 0, run.series))
        text = named or value_text(Factor("setting", "series"), run.series)
        return Value(run.series, text, (1, natural(run.series)))
    name = records.published.get(run.study_id or 0, "")
    return Value(PUBLISHED, name, (0,)) if name else None


def _beside(run: SelectedRun, _name: str, _records: Records) -> Value | None:
    text = value_text(Factor("beside"), run.beside)
    return Value(run.beside or "alone", text, (1, natural(run.beside)))


def _options(run: SelectedRun, _name: str, records: Records) -> Value | None:
    options = records.workloads[run.workload_id].options
    if options is None:
        return None
    return Value(options or "-", value_text(Factor("options"), options), (1, natural(options)))


def axes_of(run: SelectedRun, workloads: Workloads) -> dict[str, Any]:
    """The known axes of a sample's workload; `jobs` are those that ran."""
    axes = workloads[run.workload_id].axes
    return axes if run.jobs is None else axes | {"jobs": run.jobs * axes.get("jobs", 1)}


def _axis(run: SelectedRun, name: str, records: Records) -> Value | None:
    value = axes_of(run, records.workloads).get(name)
    if value is None:
        return None
    key, text = axis_text(value), value_text(Factor("workload", name), value)
    if isinstance(value, int | float):
        return Value(key, text, (0, value), float(value))
    return Value(key, text, (1, natural(value)))


def _run(run: SelectedRun, _name: str, records: Records) -> Value | None:
    return _record(run.id, records.files.get(run.id) or f"{run.label} #{run.id}".strip())


_READERS: dict[tuple[str, bool], Callable[[SelectedRun, str, Records], Value | None]] = {
    ("configuration", False): _configuration,
    ("environment", False): _environment,
    ("study", False): _study,
    ("tool", False): lambda run, _name, _records: _text(run.tool),
    ("version", False): lambda run, _name, _records: _text(f"{run.tool} {run.tool_version}"),
    ("host", False): _host,
    ("run", False): _run,
    ("label", False): lambda run, _name, _records: _text(run.job_name),
    ("beside", False): _beside,
    ("options", False): _options,
    ("layer", True): _layer,
    ("setting", True): _setting,
    ("workload", True): _axis,
    ("environment", True): _fact,
}
