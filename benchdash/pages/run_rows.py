"""Runs as lists show them: the content of each cell, so that a row costs its template little."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from html import escape

from django.db.models import Exists, F, OuterRef, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import ngettext

from benchdash.inventory.models import Configuration
from benchdash.pages.templatetags.addresses import addresses_of
from benchdash.pages.templatetags.records import (
    doubt_badge,
    run_badges,
    run_day,
    run_ticks,
    tag_badges,
)
from benchdash.pages.templatetags.units import measured_value
from benchdash.pages.tray import kept_in
from benchdash.results.comparison.measures import headlines
from benchdash.results.doubts import concerns, doubts_of
from benchdash.results.language import in_language
from benchdash.results.lookups import OneOf
from benchdash.results.models import Run, Study, Tag
from benchdash.results.models.run import LIVING
from benchdash.results.prepared import Prepared
from benchdash.results.run_names import WORKLOAD_COLUMNS, name_lines, with_names
from benchdash.results.titles import operation_title, study_text
from benchdash.vocabulary.doubts import Doubt

LISTED = with_names(Run.objects.select_related("study")).only(
    *(
        "sample_id",
        "label",
        "tool",
        "tool_version",
        "started_at",
        "created_at",
        "notes",
        "error",
        "counted",
        "settings",
    ),
    *("set_aside_reason", "withdrawn_at", "deleted_at", "same_as", "is_repeat"),
    *("configuration__name", "study__slug", "study__title", "study__translations"),
    *(f"workload__{name}" for name in WORKLOAD_COLUMNS),
)
# more of them are a page of their own
_MOST_LISTED = 32
_CELL = '<td class="of"><a href="{}">{}</a></td>'
_EMPTY = SafeString("<td></td>")
_TITLE = (
    '<a class="named" href="{}">{}<span class="visually-hidden"> · </span><br>'
    '<span class="small soft">{}</span></a> '
    '<span class="tool small soft">{} {}</span> {} {} {}{}'
)
_OTHERS = (
    '<details class="members small"><summary>{}</summary><ul class="plain-list">{}{}</ul></details>'
)


# the cells below the headings of parts/run_rows.html; a template takes 0.1 ms for a row of them
_ROW = (
    '<tr{}><td class="tick-cell">{}</td><th scope="row">{}</th>{}{}'
    '<td class="number">{}</td><td class="number">{}</td><td class="small soft when">{}</td></tr>'
)


def one_per_sample(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Of the runs of each sample the first, which stands for all of them in a list."""
    earlier = runs.filter(sample=OuterRef("sample"), pk__lt=OuterRef("pk"))
    return runs.filter(~Exists(earlier.order_by().values("pk")))


def run_rows(
    request: HttpRequest,
    found: Iterable[Run],
    chosen: Collection[int] = (),
    *,
    slim: bool = False,
    own: bool = False,
) -> list[SafeString]:
    """The rows of runs out of `LISTED`, in their order; four queries for all of them.

    A sample is one row, that of its first run, which opens to the others. `slim`: without study;
    `own`: without configuration. Ticked are those in the tray, and those whose ids are `chosen`.
    """
    runs = list({run.sample_id: run for run in reversed(list(found))}.values())[::-1]
    in_tray = kept_in(request)["runs"]
    members = _members(runs)
    numbers = headlines(runs, 2, members)
    tags = _tags(runs)
    doubts = doubts_of([pk for own in members.values() for pk in own])
    # looked up once: many runs share a configuration, a study and what was measured
    operations = {line.operation for lines in numbers.values() for line in lines}
    titles = {operation: _operation(operation) for operation in operations}
    configurations = {run.configuration_id: run.configuration for run in runs}
    configuration_cells = {pk: _configuration(each) for pk, each in configurations.items()}
    studies = {run.study_id: run.study for run in runs}
    study_cells = {pk: _study(each) for pk, each in studies.items()}
    address_of, tick = addresses_of("run"), run_ticks()
    binary = bool(getattr(request.user, "binary_units", False))
    rows: list[SafeString] = []
    for run in runs:
        shown = [
            measured_value(line.value, line.metric, binary=binary) + titles[line.operation]
            for line in numbers.get(run.pk, ())
        ]
        first, second, *_rest = [*(shown or _reason(run)), SafeString(), SafeString()]
        what, context = name_lines(run, len(members[run.pk]))
        badges, address = run_badges(run), address_of(run.pk)
        operations_shown = {line.operation for line in numbers.get(run.pk, ())}
        is_living = not (run.deleted_at or run.withdrawn_at)
        is_ticked = run.pk in chosen or (is_living and run.pk in in_tray)
        title = _TITLE.format(
            *map(escape, (address, what, context, run.tool, run.tool_version)),
            *(badges, _doubts(doubts, members[run.pk], operations_shown, address_of)),
            *(tags[run.pk], _others(members[run.pk], address_of)),
        )
        cells = (
            "" if run.counted else ' class="faded"',
            *(tick(run.pk, is_ticked), title),
            *("" if own else configuration_cells[run.configuration_id],),
            *("" if slim else study_cells[run.study_id],),
            *(first, second, run_day(run)),
        )
        rows.append(SafeString(_ROW.format(*cells)))  # each of them is safe already
    return rows


def _members(runs: Iterable[Run]) -> dict[int, dict[int, str]]:
    """By the run that stands for a sample the ids of all of its runs, with their labels."""
    first = {run.sample_id: run.pk for run in runs}
    found: dict[int, dict[int, str]] = {run.pk: {run.pk: run.label} for run in runs}
    for pk, sample, label in _OF_SAMPLES(first):
        found[first[sample]][pk] = label
    return found


_OF_SAMPLES = Prepared(
    lambda samples: (
        Run.objects.filter(LIVING, OneOf(F("sample_id"), samples))
        .order_by("pk")
        .values_list("pk", "sample", "label")
    )
)


def _others(members: dict[int, str], address_of: Callable[[int], str]) -> SafeString:
    if len(members) == 1:
        return SafeString()
    listed = list(members.items())[:_MOST_LISTED]
    links = format_html_join(
        "",
        '<li><a href="{}">{}</a></li>',
        ((address_of(pk), f"{label} #{pk}") for pk, label in listed),
    )
    count = len(members)
    words = ngettext("{n} run at once", "{n} runs at once", count).format(n=count)
    more = SafeString("<li>…</li>" if count > len(listed) else "")
    return format_html(_OTHERS, words, links, more)


def _tags(runs: Iterable[Run]) -> dict[int, SafeString]:
    """Each run's own tags; a prefetch would build a query set for each run."""
    names = defaultdict(list)
    for run, name in _TAGS([run.pk for run in runs]):
        names[run].append(name)
    known = sorted({name for each in names.values() for name in each})
    links = dict(zip(known, tag_badges(known), strict=True))
    return defaultdict(
        SafeString,
        {run: SafeString("".join(links[name] for name in each)) for run, each in names.items()},
    )


_TAGS = Prepared(
    lambda runs: (
        Tag.runs.through.objects.filter(OneOf(F("run_id"), runs))
        .order_by("tag__name")
        .values_list("run_id", "tag__name")
    )
)


def _doubts(
    doubts: Mapping[int, Sequence[Doubt]],
    members: Iterable[int],
    shown: set[str],
    address_of: Callable[[int], str],
) -> SafeString:
    """What stands against the numbers that the row shows; it leads to the first run with a doubt."""
    concerned = {
        pk: own
        for pk in members
        if (own := [one for one in doubts.get(pk, ()) if concerns(one, shown)])
    }
    first = next(iter(concerned), None)
    every = [one for own in concerned.values() for one in own]
    return doubt_badge(every, address_of(first)) if first else SafeString()


def _configuration(configuration: Configuration | None) -> SafeString:
    if configuration is None:
        return _EMPTY
    address = reverse("configuration", args=[configuration.pk])
    return format_html(_CELL, address, Truncator(configuration.name).chars(60))


def _study(study: Study | None) -> SafeString:
    if study is None:
        return _EMPTY
    address = reverse("study", args=[study.slug])
    return format_html(_CELL, address, Truncator(study_text(study, "title")).chars(40))


def _operation(operation: str) -> SafeString:
    return format_html(' <span class="small soft below">{}</span>', operation_title(operation))


def _reason(run: Run) -> list[SafeString]:
    """Why the tool gave no number, where it says so."""
    return [
        format_html('<em class="small soft">{}</em>', in_language(note["note"]))
        + _operation(note["operation"])
        for note in run.notes[:1]
    ]
