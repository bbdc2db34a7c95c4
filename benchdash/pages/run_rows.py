"""Runs as lists show them: the content of each cell, so that a row costs its template little."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from html import escape
from itertools import islice

from django.db import DEFAULT_DB_ALIAS
from django.db.models import F, Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchdash.accounts.roles import Role, role_of
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
from benchdash.pages.templatetags.words import dotted
from benchdash.pages.tray import ids_in
from benchdash.prepared import OneOf, Prepared
from benchdash.results.comparison.measures import headlines
from benchdash.results.doubts import concerns, doubts_of
from benchdash.results.language import in_language
from benchdash.results.models import Run, Study, Tag, Workload
from benchdash.results.models.run import LIVING
from benchdash.results.run_names import WORKLOAD_COLUMNS, name_lines, with_names
from benchdash.results.titles import operation_title, study_text
from benchdash.results.upload_runs import paths_of
from benchdash.vocabulary.doubts import Doubt


def _columns(model: type[Model], *names: str) -> dict[str, None]:
    """These columns in the order of the model, in which `from_db` takes their values.

    The keys of a dict: for each row it looks for each field of the model among them.
    """
    fields = model._meta.concrete_fields
    return {field.attname: None for field in fields if field.attname in names}


# what a row shows of a run, and of what it belongs to
_OF_RUN = _columns(
    Run,
    *("id", "workload_id", "configuration_id", "study_id", "sample_id", "same_as_id", "is_repeat"),
    *("label", "tool", "tool_version", "started_at", "created_at", "notes", "error", "counted"),
    *("settings", "set_aside_reason", "withdrawn_at", "deleted_at"),
)
_OF_OTHERS: dict[str, tuple[type[Model], dict[str, None]]] = {
    "workload": (Workload, _columns(Workload, "id", *WORKLOAD_COLUMNS)),
    "configuration": (Configuration, _columns(Configuration, "id", "name")),
    "study": (Study, _columns(Study, "id", "slug", "title", "translations")),
}
_COLUMNS = (
    *_OF_RUN,
    *(f"{other}__{name}" for other, (_model, names) in _OF_OTHERS.items() for name in names),
)
LISTED = with_names(Run.objects.select_related("study")).only(*_COLUMNS)
# more of them are a page of their own
_MOST_LISTED = 32
_CELL = '<td class="of" data-label="{}"><a href="{}">{}</a></td>'
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
    '<td class="number of-operation">{}</td><td class="number of-operation">{}</td>'
    '<td class="small soft when">{}</td></tr>'
)


def listed(runs: Sequence[int]) -> list[Run]:
    """Those of `LISTED` with these ids, in the order of the ids; one query.

    Its SQL is made once, and a workload that many runs share is one object.
    """
    known: dict[tuple[str, int], Model] = {}
    found = {}
    for row in _BY_ID(runs):
        values = iter(row)
        run = Run.from_db(DEFAULT_DB_ALIAS, _OF_RUN, list(islice(values, len(_OF_RUN))))
        for other, (model, names) in _OF_OTHERS.items():
            its = list(islice(values, len(names)))
            key = other, getattr(run, f"{other}_id")
            if key[1] is not None and key not in known:
                known[key] = model.from_db(DEFAULT_DB_ALIAS, names, its)
            setattr(run, other, known.get(key))
        run.host_name = next(values)
        found[run.pk] = run
    return [found[pk] for pk in runs if pk in found]


_BY_ID = Prepared(
    lambda runs: (
        with_names(Run.objects.filter(OneOf(F("id"), runs)))
        .order_by()
        .values_list(*_COLUMNS, "host_name")
    )
)


def run_rows(
    request: HttpRequest,
    found: Iterable[Run],
    chosen: Collection[int] = (),
    *,
    slim: bool = False,
    own: bool = False,
) -> list[SafeString]:
    """The rows of runs out of `LISTED`, in their order; five queries for all of them.

    A sample is one row, that of its first run, which opens to the others. `slim`: without study;
    `own`: without configuration. Ticked are those in the tray, and those whose ids are `chosen`.
    """
    runs = list({run.sample_id: run for run in reversed(list(found))}.values())[::-1]
    in_tray = ids_in(request)["runs"]
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
    names = {run.pk: name_lines(run, len(members[run.pk])) for run in runs}
    # names of files are no business of visitors
    files = _files(names) if role_of(request.user) >= Role.VIEWER else {}
    binary = bool(getattr(request.user, "binary_units", False))
    rows: list[SafeString] = []
    for run in runs:
        shown = [
            measured_value(line.value, line.metric, binary=binary) + titles[line.operation]
            for line in numbers.get(run.pk, ())
        ]
        first, second, *_rest = [*(shown or _reason(run)), SafeString(), SafeString()]
        what, context = names[run.pk]
        context = f"{context} · {files[run.pk]}" if run.pk in files else context
        badges, address = run_badges(run), address_of(run.pk)
        operations_shown = {line.operation for line in numbers.get(run.pk, ())}
        is_living = not (run.deleted_at or run.withdrawn_at)
        is_ticked = run.pk in chosen or (is_living and run.pk in in_tray)
        title = _TITLE.format(
            *map(escape, (address, dotted(what), dotted(context), run.tool, run.tool_version)),
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


def _files(names: Mapping[int, tuple[str, str]]) -> dict[int, str]:
    """Of runs that are named alike the files that they came in; one query, whether or not some are.

    With their folders where the files are named alike too (hostA/run1.json).
    """
    used = Counter(names.values())
    paths = {pk: path for pk, path in paths_of(names.keys()).items() if used[names[pk]] > 1}
    short = {pk: path.rpartition("/")[2] for pk, path in paths.items()}
    alike = Counter((names[pk], file) for pk, file in short.items())
    return {pk: paths[pk] if alike[names[pk], file] > 1 else file for pk, file in short.items()}


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
    return format_html(_CELL, _("Configuration"), address, Truncator(configuration.name).chars(60))


def _study(study: Study | None) -> SafeString:
    if study is None:
        return _EMPTY
    address = reverse("study", args=[study.slug])
    return format_html(_CELL, _("Study"), address, Truncator(study_text(study, "title")).chars(40))


def _operation(operation: str) -> SafeString:
    return format_html(' <span class="small soft below">{}</span>', operation_title(operation))


def _reason(run: Run) -> list[SafeString]:
    """Why the tool gave no number, where it says so."""
    return [
        format_html('<em class="small soft">{}</em>', in_language(note["note"]))
        + _operation(note["operation"])
        for note in run.notes[:1]
    ]
