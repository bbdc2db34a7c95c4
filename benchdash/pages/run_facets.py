"""The filters of the runs list as links: what can be pressed, what was, and what a form adds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchdash.accounts.roles import Role, role_of
from benchdash.errors import Refused
from benchdash.pages.chosen_names import names_of_chosen
from benchdash.pages.templatetags.words import doubt_title
from benchdash.results.facets import AGES, Counted, Value, facets
from benchdash.results.factors import NAMED, NONE, read_factor
from benchdash.results.language import in_language
from benchdash.results.run_filters import STATES, RunQuery, filter_title, read_filters
from benchdash.results.titles import facet_text, option_text, value_text
from benchdash.vocabulary.settings import setting_from_text
from benchdash.vocabulary.workloads import axis_from_text

# the page's own names
_OF_THE_PAGE = ("before", "after", "page", "sort", "column", "filters", "columns")
# beginnings of names that other sites hang onto addresses
OF_OTHERS = ("utm_", "fbclid", "gclid")
# fields that are typed; a press does for the others
TYPED = ("text", "since", "until")


@dataclass(frozen=True, slots=True)
class FacetLink:
    """A value, and the filters with it, or without it where it is chosen."""

    value: str
    text: str
    count: str
    query: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class FacetLinks:
    """One filter with its values."""

    name: str
    title: str
    shown: Sequence[FacetLink]


def read_run_query(query: QueryDict, role: Role) -> tuple[RunQuery, list[str]]:
    """The filters of an address, as `role` may use them, and a sentence for each that is none.

    Those narrow nothing down.
    """
    valid: dict[str, list[str]] = {}
    sentences = []
    for name, values in query.lists():
        if name in _OF_THE_PAGE or name.startswith(OF_OTHERS):
            continue
        try:
            _condition = read_filters({name: values}).condition
        except Refused as refused:
            sentences.append(in_language(refused.sentence))
        else:
            valid[name] = values
    return read_filters(valid).seen_by(role), sentences


def facet_links(request: HttpRequest, run_query: RunQuery) -> list[FacetLinks]:
    """Every filter that has values; those that are chosen are among them."""
    with_plans = role_of(request.user) >= Role.VIEWER
    studies = [("study", "")]  # any of them may be counted
    names = names_of_chosen([*run_query.pairs(), *studies], role_of(request.user))
    counted = facets(
        run_query,
        lambda name, value: names.get((name, value)) or _text(name, value),
        with_plans=with_plans,
    )
    return [_links(run_query, each) for each in counted]


def _links(run_query: RunQuery, counted: Counted) -> FacetLinks:
    links = [_link(run_query, counted, value) for value in counted.values]
    # “Since” is the field for a day
    title = _("When") if counted.name == "since" else filter_title(counted.name)
    return FacetLinks(counted.name, title, links)


def _link(run_query: RunQuery, counted: Counted, value: Value) -> FacetLink:
    there = run_query.toggled(counted.name, value.value, alone=counted.are_alone)
    count = f"{value.count:,}" + ("+" if value.and_more else "")
    return FacetLink(value.value, value.text, count, there.query(), value.is_chosen)


def chosen_links(request: HttpRequest, run_query: RunQuery) -> Iterator[FacetLink]:
    """What is chosen, each with the address without it; a query for each kind of records named."""
    names = names_of_chosen(run_query.pairs(), role_of(request.user))
    for name, value in run_query.pairs():
        text = names.get((name, value)) or _text(name, value)
        rest = run_query.toggled(name, value).query()
        words = _("%(title)s: %(text)s") % {"title": filter_title(name), "text": text}
        yield FacetLink(value, words, "", rest, is_chosen=True)


def _text(name: str, value: str) -> str:
    """A value of a filter as people read it."""
    kind, _dot, rest = name.partition(".")
    if name in _WORDS:
        return _WORDS[name](value)
    if kind not in NAMED or not rest:
        return value
    if kind in ("workload", "setting"):
        typed = axis_from_text if kind == "workload" else setting_from_text
        return value_text(read_factor(name, name), None if value == NONE else typed(rest, value))
    if value == NONE:
        return _("none")
    return facet_text(rest, value) if kind == "layer" else option_text(value)


def _span(value: str) -> str:
    if value not in AGES:
        return value
    days = int(value[:-1])
    return ngettext("last day", "last {n} days", days).format(n=days)


_WORDS: dict[str, Callable[[str], str]] = {
    "configuration": "#{}".format,
    "plan": "#{}".format,
    "since": _span,
    "state": lambda value: str(STATES[value][0]),
    "doubts": lambda value: _("leave out") if value == "exclude" else _("include"),
    "doubt": lambda value: _("none") if value == NONE else doubt_title(value),
}
