"""Runs as lists show them: the content of each cell, so that a row costs its template little."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from benchdash.inventory.models import Configuration
from benchdash.pages.templatetags.addresses import addresses_of
from benchdash.pages.templatetags.records import run_badges, run_day, run_name, tag_links
from benchdash.pages.templatetags.units import measured_value
from benchdash.results.comparison.measures import headlines
from benchdash.results.language import in_language
from benchdash.results.models import Run, Study, Tag
from benchdash.results.titles import operation_title, study_text

LISTED = Run.objects.select_related("configuration", "study").only(
    *("label", "tool", "tool_version", "started_at", "created_at", "notes", "error", "counted"),
    *("set_aside_reason", "withdrawn_at", "deleted_at", "same_as", "is_repeat"),
    *("configuration__name", "study__slug", "study__title", "study__translations"),
)
_LINK = '<a href="{}">{}</a>'
_TITLE = _LINK + ' <span class="tool small soft">{} {}</span> {} {}'


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run; `first` and `second` are its headlines, or the first is why there is none."""

    pk: int
    counted: bool
    title: SafeString
    configuration: SafeString
    study: SafeString
    first: SafeString
    second: SafeString
    day: SafeString


def run_rows(request: HttpRequest, found: Iterable[Run]) -> list[RunRow]:
    """The rows of runs out of `LISTED`, in their order; two queries for all of them."""
    runs = list(found)
    numbers = headlines(runs, 2)
    tags = _tags(runs)
    # looked up once: many runs share a configuration, a study and what was measured
    operations = {line.operation for lines in numbers.values() for line in lines}
    titles = {operation: _operation(operation) for operation in operations}
    configurations = {each: _configuration(each) for each in {run.configuration for run in runs}}
    studies = {each: _study(each) for each in {run.study for run in runs}}
    address_of = addresses_of("run")
    binary = bool(getattr(request.user, "binary_units", False))
    rows = []
    for run in runs:
        cells = [
            titles[line.operation] + measured_value(line.value, line.metric, binary=binary)
            for line in numbers.get(run.pk, ())
        ]
        first, second, *_rest = [*(cells or _reason(run)), SafeString(), SafeString()]
        name, badges = run_name(run), run_badges(run)
        rows.append(
            RunRow(
                pk=run.pk,
                counted=run.counted,
                title=format_html(
                    _TITLE,
                    *(address_of(run.pk), name, run.tool, run.tool_version, badges, tags[run.pk]),
                ),
                configuration=configurations[run.configuration],
                study=studies[run.study],
                first=first,
                second=second,
                day=run_day(run),
            )
        )
    return rows


def _tags(runs: Iterable[Run]) -> dict[int, SafeString]:
    """Each run's own tags; a prefetch would build a query set for each run."""
    given = Tag.runs.through.objects.filter(run__in=[run.pk for run in runs])
    names = defaultdict(list)
    for run, name in given.order_by("tag__name").values_list("run", "tag__name"):
        names[run].append(name)
    links = {name: tag_links([name]) for name in {name for each in names.values() for name in each}}
    return defaultdict(
        SafeString,
        {run: SafeString("".join(links[name] for name in each)) for run, each in names.items()},
    )


def _configuration(configuration: Configuration | None) -> SafeString:
    if configuration is None:
        return SafeString()
    address = reverse("configuration", args=[configuration.pk])
    return format_html(_LINK, address, Truncator(configuration.name).chars(60))


def _study(study: Study | None) -> SafeString:
    if study is None:
        return SafeString()
    address = reverse("study", args=[study.slug])
    return format_html(_LINK, address, Truncator(study_text(study, "title")).chars(40))


def _operation(operation: str) -> SafeString:
    return format_html('<span class="small soft">{}</span> ', operation_title(operation))


def _reason(run: Run) -> list[SafeString]:
    """Why the tool gave no number, where it says so."""
    return [
        _operation(note["operation"])
        + format_html('<em class="small soft">{}</em>', in_language(note["note"]))
        for note in run.notes[:1]
    ]
