"""The compare page: its address is its whole state, and its form writes that address."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from benchdash.accounts.roles import Role, role_of
from benchdash.errors import Refused
from benchdash.pages.access import needs
from benchdash.pages.chosen_names import names_of_chosen
from benchdash.pages.comparison_context import comparison_context, stacks_of
from benchdash.pages.run_facets import OF_OTHERS, TYPED
from benchdash.pages.tray import KINDS, ids_in
from benchdash.results.comparison import Comparison, compare
from benchdash.results.comparison.choices import Choice, Choices, choices
from benchdash.results.comparison.measures import headline_families, latency_of
from benchdash.results.criteria import Criteria, read_criteria
from benchdash.results.factors import Factor
from benchdash.results.run_filters import filter_title
from benchdash.results.titles import factor_title, measure_title
from benchdash.vocabulary.measures import FAMILIES, METRICS

# what the controls above the charts say
_MORE = {"delta", "facet", "chart", "latency", "axis", "units", "percent", "doubts"}
_CONTROLS = {"group", "baseline"} | _MORE
_CHARTS = {
    "auto": gettext_noop("automatic"),
    "bars": gettext_noop("bars"),
    "change": gettext_noop("change against the baseline"),
    "boxes": gettext_noop("boxes"),
    "lines": gettext_noop("line chart"),
    "heat": gettext_noop("heat map"),
}
_LATENCIES = {
    "": gettext_noop("automatic"),
    "under": gettext_noop("under the same axis"),
    "against": gettext_noop("against the rate"),
    "apart": gettext_noop("on its own"),
}
# how the runs are looked at, not which they are
_VIEW = _CONTROLS | {"measure", "family", "across", "like", "clock", "sort"}


@needs(Role.VISITOR)
def compare_page(request: HttpRequest) -> HttpResponse:
    """Runs side by side as the address has it; one that makes no sense is explained, with a link on."""
    query = {name: v for name, v in request.GET.lists() if not name.startswith(OF_OTHERS)}
    # a form sends the fields that nobody filled in too: they leave the address
    has_blanks = any(not value.strip() for values in query.values() for value in values)
    try:
        criteria = read_criteria(query)
        if has_blanks:
            return redirect(f"{reverse('compare')}?{criteria.query()}")
        comparison = compare(criteria, binary=getattr(request.user, "binary_units", False))
    except Refused as refused:
        return _refused(request, refused, query)
    if _lacks_baseline(comparison):
        # in the address, so that another group that joins does not become the 100 %
        first = comparison.view.groups[0].key
        return redirect(f"{reverse('compare')}?{criteria.changed(baseline=first).query()}")
    context = comparison_context(comparison) | _form(request, comparison, choices(criteria))
    context |= stacks_of({run.configuration_id for run in comparison.runs})
    context["sorts_in_address"] = True
    context["is_of_tray"] = _is_of_tray(request, criteria)
    return render(request, "compare/page.html", context)


def _refused(request: HttpRequest, refused: Refused, query: dict[str, list[str]]) -> HttpResponse:
    """What is wrong with the address, and the rest of it as a link."""
    rest = {name: values for name, values in query.items() if name != refused.field}
    context = {
        "refused": refused,
        "name": refused.field,
        "rest": urlencode(rest, doseq=True) if rest and rest != query else "",
    }
    return render(request, "compare/refused.html", context, status=422)


def _is_of_tray(request: HttpRequest, criteria: Criteria) -> bool:
    """Whether the page has what is in the tray, which then need not lead here."""
    ids = ids_in(request)
    chosen = {"runs": criteria.runs, "configurations": criteria.configurations}
    return all(set(ids[kind]) == set(chosen[kind]) for kind in KINDS)


def _lacks_baseline(comparison: Comparison) -> bool:
    """Whether shares were requested, and not of what."""
    criteria, view = comparison.criteria, comparison.view
    shares = criteria.percent or criteria.chart == "change"
    return bool(shares and view.groups and criteria.baseline is None and view.baseline is None)


@dataclass(frozen=True, slots=True)
class Link:
    """Another state of the page."""

    text: str
    query: str
    current: bool = False


def _form(request: HttpRequest, comparison: Comparison, offered: Choices) -> dict[str, Any]:
    """The context of `compare/form.html`."""
    criteria = comparison.criteria
    lists = _lists(offered)
    return {
        "criteria": criteria,
        "typed": {name: value for name, value in criteria.pairs() if name in TYPED},
        "studies": offered.studies,
        "choosers": [(name, title, found) for name, title, found in lists if found],
        "families": list(_families(comparison)),
        "measures": _measures(comparison),
        "groupings": _groupings(comparison),
        "facets": list(_facets(comparison)),
        "charts": [
            Choice("" if name == "auto" else name, _(title), name == criteria.chart)
            for name, title in _CHARTS.items()
        ],
        "delta_percent": next((f"{own:g}" for metric, own in criteria.deltas if not metric), ""),
        "usual_delta": f"{100 * comparison.view.delta:g}",
        "more_chosen": len({name for name, _value in criteria.pairs()} & _MORE),
        "has_rates_along": _has_rates_along(comparison),
        "latencies": [
            Choice(name, _(title), name == criteria.latency) for name, title in _LATENCIES.items()
        ],
        "chosen": list(_chosen(criteria, lists, role_of(request.user))),
        "hidden": list(_hidden(comparison, lists)),
    }


def _has_rates_along(comparison: Comparison) -> bool:
    """True where latency could stand beside a line."""
    figures = [figure for section in comparison.view.sections for figure in section.figures]
    there = {offer.measure for offer in comparison.numbers.offers}
    along = {one.measure for one in figures if one.chart == "lines"}
    return any(str(name) in along and latency_of(name, there) for name in there)


def _lists(offered: Choices) -> list[tuple[str, str, tuple[Choice, ...]]]:
    """Name, title and choices of each list of boxes."""
    return [
        ("study", _("Studies"), offered.studies),
        ("configuration", _("Configurations"), offered.configurations),
        ("tool", _("Tools"), offered.tools),
        ("version", _("Versions"), offered.versions),
        ("host", _("Hosts"), offered.hosts),
        ("tag", _("Tags"), offered.tags),
        *((str(factor), factor_title(factor), found) for factor, found in offered.by_factor),
    ]


def _families(comparison: Comparison) -> Iterator[Link]:
    criteria = comparison.criteria
    measures = [offer.measure for offer in comparison.numbers.offers]
    there = {METRICS[measure.metric].family for measure in measures}
    headlines = headline_families(measures, {run.tool for run in comparison.runs})
    if len(headlines) > 1:
        query = criteria.changed(families=(), measures=()).query()
        yield Link(_("Main measures"), query, not (criteria.families or criteria.measures))
    shown = criteria.families or (headlines if len(headlines) == 1 else ())
    for family in FAMILIES:
        if family in there:
            query = criteria.changed(families=(family,), measures=()).query()
            yield Link(_(FAMILIES[family]), query, family in shown and not criteria.measures)


def _measures(comparison: Comparison) -> list[tuple[str, list[Choice]]]:
    chosen = set(comparison.criteria.measures)
    by_family: dict[str, list[Choice]] = {}
    for offer in comparison.numbers.offers:
        title = measure_title(offer.measure)
        choice = Choice(str(offer.measure), title, offer.measure in chosen, offer.samples)
        by_family.setdefault(METRICS[offer.measure.metric].family, []).append(choice)
    return [(_(FAMILIES[family]), found) for family, found in by_family.items()]


def _groupings(comparison: Comparison) -> tuple[list[Choice], list[Choice]]:
    """What to group by, and by what else; more than two factors stand together in the first."""
    current = comparison.criteria.group
    first = current if len(current) > 2 else current[:1]
    singles = [(factor,) for factor in comparison.varying]
    every = dict.fromkeys([*singles, *([first] if first else [])])
    found = " + ".join(map(factor_title, comparison.factors))
    automatic = _("automatic") if first else _("automatic: %(factors)s") % {"factors": found}
    second = current[1:2] if len(current) == 2 else ()
    others = dict.fromkeys([*singles, *([second] if second else [])])
    return (
        [Choice("", automatic, not first), *(_grouping(one, first) for one in every)],
        [Choice("", _("nothing"), not second), *(_grouping(one, second) for one in others)],
    )


def _grouping(factors: tuple[Factor, ...], current: tuple[Factor, ...]) -> Choice:
    text = " + ".join(map(factor_title, factors))
    return Choice(",".join(map(str, factors)), text, factors == current)


def _facets(comparison: Comparison) -> Iterator[Choice]:
    current = comparison.criteria.facet
    offered = [factor for factor in comparison.varying if factor not in comparison.factors]
    for factor in dict.fromkeys([*offered, *([current] if current else [])]):
        yield Choice(str(factor), factor_title(factor), factor == current)


def _chosen(
    criteria: Criteria, lists: list[tuple[str, str, tuple[Choice, ...]]], role: Role
) -> Iterator[Link]:
    """What narrows the runs down, each with the address without it; a query for each kind named."""
    texts = {(name, choice.value): choice.text for name, _title, found in lists for choice in found}
    pairs = list(criteria.pairs())
    texts |= names_of_chosen((pair for pair in pairs if pair not in texts), role)
    for name, value in pairs:
        if name not in _VIEW:
            rest = urlencode([pair for pair in pairs if pair != (name, value)])
            words = {"title": filter_title(name), "text": texts.get((name, value), value)}
            yield Link(_("%(title)s: %(text)s") % words, rest)


def _hidden(
    comparison: Comparison, lists: list[tuple[str, str, tuple[Choice, ...]]]
) -> Iterator[tuple[str, str]]:
    """What no control of the form shows: without it, pressing the button would drop it."""
    ticked = {(name, c.value) for name, _title, found in lists for c in found if c.chosen}
    ticked |= {("measure", str(offer.measure)) for offer in comparison.numbers.offers}
    controls = set(TYPED) | (_CONTROLS if comparison.runs else set())
    for pair in comparison.criteria.pairs():
        of_a_metric = pair[0] == "delta" and ":" in pair[1]
        if of_a_metric or (pair[0] not in controls and pair not in ticked):
            yield pair
