"""What runs are narrowed down by: the same names in lists, comparisons, acts and scripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property, reduce
from operator import or_
from typing import Any
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from benchdash.accounts.roles import Role
from benchdash.errors import N_, Refused, UnknownName
from benchdash.inventory.models import Configuration, EnvironmentMachine, Facet
from benchdash.results.annotations import tagged
from benchdash.results.by_machine import naming_machines
from benchdash.results.doubts import DOUBTED, DOUBTED_SAMPLE
from benchdash.results.environment_words import environments_with
from benchdash.results.factors import NAMED, NONE, read_factor
from benchdash.results.lookups import one_of_found
from benchdash.results.models import Artifact, Doubt, Run, Study, Workload
from benchdash.results.models.run import LIVING
from benchdash.results.parameters import (
    PARAMETERS,
    read_ids_of,
    read_moment,
    read_text,
    read_texts,
    read_uploads,
    words_of,
)
from benchdash.results.run_settings import by_setting
from benchdash.results.titles import PLAIN_TITLES, factor_title
from benchdash.results.upload_runs import of_uploads
from benchdash.vocabulary.near import near
from benchdash.vocabulary.settings import setting_from_text, setting_text
from benchdash.vocabulary.workloads import AXES, axis_from_text, axis_text

Texts = tuple[str, ...]
STATES: dict[str, tuple[Any, Q]] = {
    "counted": (_("counted"), Q(counted=True)),
    "unassigned": (_("without configuration"), LIVING & Q(configuration=None)),
    "set-aside": (_("set aside"), LIVING & ~Q(set_aside_reason="")),
    "same": (_("same result as another"), LIVING & ~Q(same_as=None)),
    "doubted": (_("with doubts"), LIVING & Q(DOUBTED)),
    "withdrawn": (_("withdrawn"), Q(withdrawn_at__isnull=False, deleted_at=None)),
    "deleted": (_("deleted"), Q(deleted_at__isnull=False)),
}
# older names of filters, which scripts and kept addresses use
OLDER = {"tool_version": "version", "runs": "run"}
# picked one by one, and taken together; all else narrows down
_PICKED = ("run", "execution", "sample", "configuration")
_TITLES = {
    "text": gettext_noop("Label or configuration"),
    "plan": gettext_noop("Plan"),
    "recipe": gettext_noop("Recipe"),
    "output_format": gettext_noop("Output format"),
    "since": gettext_noop("Since"),
    "until": gettext_noop("Until"),
    "doubt": gettext_noop("Doubt"),
    "doubts": gettext_noop("Doubts"),
    "state": gettext_noop("State"),
    "execution": gettext_noop("Execution"),
    "sample": gettext_noop("Sample"),
    "artifact": gettext_noop("File"),
    "counted": gettext_noop("counted"),
    "unassigned": gettext_noop("without configuration"),
    "deleted": gettext_noop("deleted"),
}
# these say by themselves which runs are out of sight otherwise
_OF_HIDDEN = ("state", "deleted")
_TRUTH = {"true": True, "1": True, "false": False, "0": False}
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class RunFilter:
    """`read` gives values as addresses have them, or refuses; `condition` is that of any of them."""

    condition: Callable[[Texts], Q]
    read: Callable[[list[str], str], Texts] = read_texts


@dataclass(frozen=True)
class RunQuery:
    """The values by the name of their filter, in one order; `may_restore`: deleted runs may be asked for."""

    chosen: Mapping[str, Texts]
    may_restore: bool = False

    def seen_by(self, role: Role) -> RunQuery:
        """The same, asked by people of that role: who may restore deleted runs sees them."""
        return replace(self, may_restore=role >= Role.CONTRIBUTOR)

    @property
    def condition(self) -> Q:
        """Of the runs that match; several values of one filter mean any of them.

        Refused where a value is none of the filter.
        """
        return together(self.conditions)

    @cached_property
    def conditions(self) -> dict[str, Q]:
        """The same by filter, for `together`."""
        return {name: _condition(name, values) for name, values in self.chosen.items()}

    @property
    def shows_hidden(self) -> bool:
        """Whether it says itself if deleted and withdrawn runs are meant."""
        return any(name in self.chosen for name in _OF_HIDDEN)

    @property
    def in_sight(self) -> Q:
        """Of the runs that it may find, whatever it narrows them down by."""
        if not self.shows_hidden:
            return LIVING
        return Q() if self.may_restore else Q(deleted_at=None)

    def without(self, names: Collection[str]) -> RunQuery:
        """The same, less some filters."""
        return replace(self, chosen={n: v for n, v in self.chosen.items() if n not in names})

    def toggled(self, name: str, value: str, *, alone: bool = False) -> RunQuery:
        """The same with the value, or without it where it is chosen; `alone`: no others beside it."""
        own = self.chosen.get(name, ())
        others = () if alone else tuple(each for each in own if each != value)
        values = others if value in own else tuple(sorted({*others, value}))
        return replace(self, chosen=_in_order({**self.chosen, name: values}))

    def query(self) -> str:
        """The query string, the same for the same filters."""
        return urlencode(list(self.pairs()))

    def pairs(self) -> list[tuple[str, str]]:
        """Names and values of the query string."""
        return [(name, value) for name, values in self.chosen.items() for value in values]


def matching(run_query: RunQuery, runs: QuerySet[Run] | None = None) -> QuerySet[Run]:
    """The runs, out of `runs` where given; deleted and withdrawn ones only where asked for."""
    found = Run.objects.all() if runs is None else runs
    return found.filter(run_query.in_sight & run_query.condition)


def together(conditions: Mapping[str, Q]) -> Q:
    """Of the runs that one of the picking filters names, and all others let through."""
    picked, found = Q(), Q()
    for name, condition in conditions.items():
        if name in _PICKED:
            picked |= condition
        else:
            found &= condition
    return picked & found


def read_filters(query: Mapping[str, Sequence[str]]) -> RunQuery:
    """The filters of `QueryDict.lists()`; UnknownName for a name that none has, Refused for a value.

    Empty values are what a form sends for fields left alone: they say nothing.
    """
    chosen: dict[str, Texts] = {}
    for name, values in query.items():
        filter_name = OLDER.get(name, name)
        if not is_filter(filter_name):
            raise unknown_filter(name)
        if texts := [value.strip() for value in values if value.strip()]:
            own = chosen.get(filter_name, ())
            chosen[filter_name] = (*own, *read_values(filter_name, texts))
    return RunQuery(_in_order(chosen))


def filter_title(name: str) -> str:
    """What a filter is called in the reader's language."""
    if name in PLAIN_TITLES:
        return gettext(PLAIN_TITLES[name])
    if name in _TITLES:
        return gettext(_TITLES[name])
    return factor_title(read_factor(name, name))


def is_filter(name: str) -> bool:
    """Whether runs can be narrowed down by that name."""
    return name in FILTERS or name.partition(".")[0] in NAMED


def unknown_filter(name: str, further: Collection[str] = ()) -> UnknownName:
    """What is said of a name that no filter has, nor any of `further`."""
    known = [*FILTERS, *further, *(f"workload.{axis}" for axis in AXES)]
    sentence = N_("Runs have no filter “{name}”.", name=name)
    if "." in name:
        kinds = [f"{kind}." for kind in NAMED]
        return UnknownName(near(sentence, f"{name.partition('.')[0]}.", kinds, kinds), name)
    return UnknownName(near(sentence, name, known, known), name)


def read_values(name: str, values: list[str]) -> Texts:
    """The values of a filter in the form in which addresses have them; Refused for an impossible one."""
    if name in FILTERS:
        return FILTERS[name].read(values, name)
    kind, _dot, rest = name.partition(".")
    if kind == "setting" and rest:
        # which checks the name, and leaves ~
        return tuple(sorted({setting_text(setting_from_text(rest, value)) for value in values}))
    factor = read_factor(name, name)
    if not factor.name:
        raise Refused("“{name}” needs the name of what it is about.", name, name=name)
    texts = read_texts(values, name)
    if factor.kind == "workload":
        texts = tuple(_axis_value(factor.name, name, value) for value in texts)
    return tuple(sorted(set(texts)))


def _axis_value(axis: str, name: str, text: str) -> str:
    if text == NONE:
        return text
    try:
        return axis_text(axis_from_text(axis, text))
    except Refused:
        raise Refused(
            "“{value}” is not a value of “{name}”.", name, value=text, name=name
        ) from None


def _in_order(chosen: Mapping[str, Texts]) -> dict[str, Texts]:
    places = {name: place for place, name in enumerate(FILTERS)}
    names = sorted(chosen, key=lambda name: (places.get(name, len(places)), name))
    return {name: chosen[name] for name in names if chosen[name]}


def _condition(name: str, values: Texts) -> Q:
    if name in FILTERS:
        return FILTERS[name].condition(values)
    kind, _dot, rest = name.partition(".")
    return _KINDS[kind](rest, values)


def by_host(names: Collection[str]) -> Q:
    """Runs on one of these hosts, in whatever part; without a record, those whose output names one."""
    parts = EnvironmentMachine.objects.filter(snapshot__host__name__in=names)
    return Q(one_of_found("environment", parts.values("environment"))) | Q(
        one_of_found("pk", naming_machines(names))
    )


def measured_from(moment: date | datetime) -> Q:
    """Runs measured at that time or later, a day from its start (UTC); undated ones as stored."""
    return Q(measured_at__gte=start_of(moment))


def measured_until(moment: date | datetime) -> Q:
    """Runs measured before that time, or on that day at the latest; undated ones as stored."""
    is_day = not isinstance(moment, datetime)
    return Q(measured_at__lt=start_of(moment) + timedelta(days=1) if is_day else start_of(moment))


def start_of(moment: date | datetime) -> datetime:
    """A time as it is, a day from its beginning (UTC)."""
    return moment if isinstance(moment, datetime) else datetime.combine(moment, time(), tzinfo=UTC)


def _by_run(values: Texts) -> Q:
    # half a sample is none
    return Q(sample__in=Run.objects.filter(pk__in=values).values("sample"))


def _by_artifact(values: Texts) -> Q:
    hashes = [value for value in values if _SHA256.fullmatch(value)]
    ids = [value for value in values if value not in hashes]
    named = Artifact.objects.filter(Q(sha256__in=hashes) | Q(pk__in=ids))
    return Q(one_of_found("artifact", named.values("pk")))


def _read_artifact(values: list[str], name: str) -> Texts:
    hashes = {value for value in values if _SHA256.fullmatch(value)}
    return *sorted(hashes), *read_ids_of([value for value in values if value not in hashes], name)


def _by_plan(values: Texts) -> Q:
    of_plans = Artifact.objects.filter(steps__job__plan__in=[int(value) for value in values])
    return Q(one_of_found("artifact", of_plans.values("pk")))


def _by_recipe(values: Texts) -> Q:
    made = Artifact.objects.filter(steps__job__plan__recipe_name__in=values)
    return Q(one_of_found("artifact", made.values("pk")))


def _by_text(values: Texts) -> Q:
    (text,) = values
    named = Configuration.objects.filter(name__icontains=text)
    return Q(label__icontains=text) | Q(one_of_found("configuration", named.values("pk")))


def _by_doubt(values: Texts) -> Q:
    undismissed = Doubt.objects.filter(run=OuterRef("pk"), dismissed_at=None)
    found = Q(Exists(undismissed.filter(kind__in=values)))
    return found | ~Q(Exists(undismissed)) if NONE in values else found


def _by_doubts(values: Texts) -> Q:
    return ~Q(DOUBTED_SAMPLE) if "exclude" in values else Q()


def _truth(values: list[str], name: str) -> Texts:
    text = read_text(values, name).lower()
    if text not in _TRUTH:
        raise Refused("“{name}” must be true or false, not “{value}”.", name, name=name, value=text)
    return ("true" if _TRUTH[text] else "false",)


def _has(column: str) -> Callable[[Texts], Q]:
    return lambda values: Q(**{f"{column}__in": values})


def _if_true(condition: Q) -> Callable[[Texts], Q]:
    return lambda values: condition if "true" in values else ~condition


def _moment(values: list[str], name: str) -> Texts:
    # as it was said: "30d" means another day tomorrow
    read_moment(values, name)
    return (read_text(values, name),)


def _by_layer(key: str, values: Texts) -> Q:
    facets = Facet.objects.filter(key=key)
    having = facets.filter(text__in=values)
    named = Configuration.objects.filter(stack__in=having.values("stack"))
    found = Q(one_of_found("configuration", named.values("pk")))
    if NONE in values:
        others = Configuration.objects.exclude(stack__in=facets.values("stack"))
        found |= Q(configuration=None) | Q(one_of_found("configuration", others.values("pk")))
    return found


def _by_workload(name: str, values: Texts) -> Q:
    typed = [axis_from_text(name, value) for value in values if value != NONE]
    condition = Q(**{f"{name}__in": typed})
    if NONE in values:
        blank = "" if AXES[name].type is str else None
        condition |= Q(**{name: blank})
    return Q(one_of_found("workload", Workload.objects.filter(condition).values("pk")))


def _by_fact(name: str, values: Texts) -> Q:
    return Q(environment__in=environments_with(name, values))


_KINDS: dict[str, Callable[[str, Texts], Q]] = {
    "layer": _by_layer,
    "workload": _by_workload,
    "environment": _by_fact,
    "setting": by_setting,
}


def _as_compared(name: str) -> Callable[[list[str], str], Texts]:
    parameter = PARAMETERS[name]
    return lambda values, field: tuple(parameter.write(parameter.read(values, field)))


FILTERS: dict[str, RunFilter] = {
    "text": RunFilter(_by_text, _as_compared("text")),
    "host": RunFilter(by_host, _as_compared("host")),
    "configuration": RunFilter(_has("configuration"), _as_compared("configuration")),
    "environment": RunFilter(_has("environment"), _as_compared("environment")),
    "tool": RunFilter(_has("tool"), _as_compared("tool")),
    "version": RunFilter(_has("tool_version"), _as_compared("version")),
    "output_format": RunFilter(_has("format")),  # in addresses `format` is that of the answer
    "study": RunFilter(
        lambda values: Q(one_of_found("study", Study.objects.filter(slug__in=values).values("pk"))),
        _as_compared("study"),
    ),
    "plan": RunFilter(_by_plan, read_ids_of),
    "recipe": RunFilter(_by_recipe),
    "tag": RunFilter(tagged, _as_compared("tag")),
    "since": RunFilter(lambda values: measured_from(read_moment([*values], "since")), _moment),
    "until": RunFilter(lambda values: measured_until(read_moment([*values], "until")), _moment),
    "doubt": RunFilter(_by_doubt),
    "doubts": RunFilter(_by_doubts, _as_compared("doubts")),
    "state": RunFilter(
        lambda values: reduce(or_, (STATES[value][1] for value in values)), words_of(tuple(STATES))
    ),
    "label": RunFilter(lambda values: reduce(or_, (Q(label__icontains=value) for value in values))),
    "run": RunFilter(_by_run, _as_compared("run")),
    "execution": RunFilter(_has("execution"), _as_compared("execution")),
    "sample": RunFilter(_has("sample"), read_ids_of),
    "upload": RunFilter(lambda values: of_uploads(read_uploads([*values])), _as_compared("upload")),
    "artifact": RunFilter(_by_artifact, _read_artifact),
    "counted": RunFilter(_if_true(Q(counted=True)), _truth),
    "unassigned": RunFilter(_if_true(Q(configuration=None)), _truth),
    "deleted": RunFilter(_if_true(~Q(deleted_at=None)), _truth),
}
