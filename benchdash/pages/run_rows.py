"""Runs as lists show them: plain texts and addresses, so that a row costs its template little."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from benchdash.inventory.models import Configuration
from benchdash.pages.templatetags.records import run_badges, run_day, run_name, tag_links
from benchdash.pages.templatetags.units import measured_value
from benchdash.results.headlines import Headline, headlines
from benchdash.results.language import in_language
from benchdash.results.models import Run, Study, Tag
from benchdash.results.titles import operation_title, study_text

LISTED = Run.objects.select_related("configuration", "study").defer("details", "conditions")
_NUMBERS = 2


@dataclass(frozen=True, slots=True)
class Link:
    """A record by its name."""

    address: str
    name: str


@dataclass(frozen=True, slots=True)
class RunNumber:
    """A headline; where the tool gave no number, `note` says why."""

    operation: str
    value: SafeString | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run."""

    pk: int
    link: Link
    tool: str
    counted: bool
    badges: SafeString
    tags: SafeString
    configuration: Link | None
    study: Link | None
    first: RunNumber | None
    second: RunNumber | None
    day: SafeString


def run_rows(request: HttpRequest, found: Iterable[Run]) -> list[RunRow]:
    """The rows of runs out of `LISTED`, in their order; two queries for all of them."""
    runs = list(found)
    numbers = headlines(runs, _NUMBERS)
    tags = _tags(runs)
    # many runs share a configuration and a study
    configurations = {each: _configuration(each) for each in {run.configuration for run in runs}}
    studies = {each: _study(each) for each in {run.study for run in runs}}
    binary = bool(getattr(request.user, "binary_units", False))
    rows = []
    for run in runs:
        first, second = _numbers(run, numbers.get(run.pk, []), binary=binary)
        rows.append(
            RunRow(
                pk=run.pk,
                link=Link(reverse("run", args=[run.pk]), run_name(run)),
                tool=f"{run.tool} {run.tool_version}",
                counted=run.counted,
                badges=run_badges(run),
                tags=tag_links(tags[run.pk]),
                configuration=configurations[run.configuration],
                study=studies[run.study],
                first=first,
                second=second,
                day=run_day(run),
            )
        )
    return rows


def _tags(runs: Iterable[Run]) -> dict[int, list[str]]:
    """The names of each run's own tags; a prefetch would build a query set for each run."""
    given = Tag.runs.through.objects.filter(run__in=[run.pk for run in runs])
    found = defaultdict(list)
    for run, name in given.order_by("tag__name").values_list("run", "tag__name"):
        found[run].append(name)
    return found


def _configuration(configuration: Configuration | None) -> Link | None:
    if configuration is None:
        return None
    address = reverse("configuration", args=[configuration.pk])
    return Link(address, Truncator(configuration.name).chars(60))


def _study(study: Study | None) -> Link | None:
    if study is None:
        return None
    return Link(
        reverse("study", args=[study.slug]), Truncator(study_text(study, "title")).chars(40)
    )


def _numbers(
    run: Run, lines: Sequence[Headline], *, binary: bool
) -> tuple[RunNumber | None, RunNumber | None]:
    told = [
        RunNumber(
            operation_title(line.operation), measured_value(line.value, line.metric, binary=binary)
        )
        for line in lines
    ]
    if not told and run.notes:
        note = run.notes[0]
        told = [RunNumber(operation_title(note["operation"]), note=in_language(note["note"]))]
    first, second, *_rest = [*told, None, None]
    return first, second
