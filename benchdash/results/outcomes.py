"""What became of an uploaded file, as pages, API and commands show it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import Count, F, Min, QuerySet
from django.utils.translation import gettext as _

from benchdash.inventory.queries import environments
from benchdash.prepared import OneOf, Prepared
from benchdash.results.criteria import Criteria
from benchdash.results.ids import ranges_of
from benchdash.results.models import Run, Trace, Upload
from benchdash.results.run_names import host_of
from benchdash.vocabulary.settings import settings_text

MOST_NAMED = 20
_ASSIGNED = ("configuration", "environment", "study")


class Recognised(NamedTuple):
    """A tool that was found in a file, and how many results of it."""

    tool: str
    tool_version: str
    format: str
    results: int


@dataclass(slots=True)
class Outcome:
    """One file. `runs` are those of its bytes, assigned as they are now.

    `sentence` says why it was refused, what is incomplete, or how it was stored before.
    `differs` names the parts of the assignment that a run stored before does not have: they stay
    as they are until somebody reassigns the upload (`uploads.reassign`).
    `counted` is what was recognised where `runs` are only the first of many.
    """

    upload: Upload
    sha256: str
    runs: list[Run] = field(default_factory=list)
    sentence: str = ""
    differs: list[str] = field(default_factory=list)
    counted: list[Recognised] | None = None

    @property
    def own_runs(self) -> list[Run]:
        """Those that were read from these bytes; none of a log, whose points are on another file's run."""
        return [run for run in self.runs if run.artifact_id == self.upload.artifact_id]

    @property
    def more(self) -> int:
        """How many runs there are beside those at hand."""
        return sum(one.results for one in self.recognised) - len(self.runs)

    @property
    def copies(self) -> list[Run]:
        """The runs at hand whose numbers stand in another run, so that they count in no n."""
        return [run for run in self.runs if run.same_as_id and not run.is_repeat]

    @property
    def recognised(self) -> list[Recognised]:
        """What was found, each once, in reading order."""
        if self.counted is not None:
            return self.counted
        counts: dict[tuple[str, str, str], int] = defaultdict(int)
        for run in self.runs:
            counts[run.tool, run.tool_version, run.format] += 1
        return [Recognised(*what, count) for what, count in counts.items()]


def outcomes_of(uploads: Sequence[Upload]) -> list[Outcome]:
    """The outcomes of stored uploads as they stand now: two queries, however many there are."""
    runs = runs_of({upload.artifact_id for upload in uploads})
    name_environments(run for group in runs.values() for run in group)
    return [
        outcome_of(upload, upload.artifact.sha256, runs.get(upload.artifact_id, []))
        for upload in uploads
    ]


def brief_outcomes_of(uploads: Sequence[Upload], most: int) -> list[Outcome]:
    """The same with the first `most` runs of each file: three queries, however many there are."""
    artifacts = {upload.artifact_id for upload in uploads}
    counted = _counted(artifacts)
    runs = runs_of(artifacts, most)
    name_environments(run for group in runs.values() for run in group)
    return [
        outcome_of(
            upload,
            upload.artifact.sha256,
            runs.get(upload.artifact_id, []),
            counted.get(upload.artifact_id),
        )
        for upload in uploads
    ]


def outcome_of(
    upload: Upload, sha256: str, runs: list[Run], counted: list[Recognised] | None = None
) -> Outcome:
    """The outcome of one upload whose runs, or the first of them, are at hand."""
    outcome = Outcome(upload, sha256, runs, upload.sentence, counted=counted)
    if upload.outcome == Upload.Outcome.KNOWN:
        outcome.differs = _differences(outcome)
        outcome.sentence = _known_sentence(outcome)
    return outcome


def _counted(artifacts: Collection[int]) -> dict[int, list[Recognised]]:
    """`{artifact id: what was recognised in it}`, counted by the database."""
    found: dict[int, list[Recognised]] = defaultdict(list)
    for artifact, tool, version, form, n, _first in _RECOGNISED(artifacts):
        found[artifact].append(Recognised(tool, version, form, n))
    return dict(found)


_RECOGNISED: Prepared[Any] = Prepared(
    lambda artifacts: (
        Run.objects.filter(OneOf(F("artifact_id"), artifacts))
        .values_list("artifact", "tool", "tool_version", "format")
        .annotate(n=Count("pk"), first=Min("position"))
        .order_by("artifact", "first")
    )
)
_CARRIERS = Prepared(
    lambda logs: (
        Trace.objects.filter(OneOf(F("artifact_id"), logs))
        .order_by("artifact", "-run")
        .values_list("artifact", "run")
        .distinct()
    )
)


def runs_of(artifacts: Iterable[int], most: int | None = None) -> dict[int, list[Run]]:
    """`{artifact id: its runs, or the first of them, in reading order}`.

    A log's are those that carry its points.
    """
    found: dict[int, list[Run]] = defaultdict(list)
    wanted = set(artifacts)
    own = Run.objects.filter(artifact__in=wanted)
    own = own if most is None else own.filter(position__lt=most)
    for run in _brief(own).order_by("artifact", "position"):
        found[run.artifact_id].append(run)
    carriers = _CARRIERS(wanted - found.keys())
    runs = _brief(Run.objects.all()).in_bulk({pk for _log, pk in carriers})
    for log, pk in carriers:
        if pk in runs:
            found[log].append(runs[pk])
    return found


def name_environments(runs: Iterable[Run]) -> None:
    """Set `environment_name` of each run, the newest label or nothing, and `host_name`."""
    runs = list(runs)
    wanted = {run.environment_id for run in runs if run.environment_id}
    names: dict[int | None, tuple[str, str]] = {}
    if wanted:
        found = environments().filter(pk__in=wanted).annotate(host=host_of("pk"))
        rows = found.order_by().values_list("pk", "newest_name", "host")
        names = {pk: (name or "", host or "") for pk, name, host in rows}
    for run in runs:
        run.environment_name, run.host_name = names.get(run.environment_id, ("", ""))


def _brief(runs: QuerySet[Run]) -> QuerySet[Run]:
    return runs.select_related(*_ASSIGNED, "workload").defer("details", "notes", "conditions")


def _differences(outcome: Outcome) -> list[str]:
    assignment, runs = outcome.upload.assignment, outcome.own_runs
    if not runs:
        return (
            ["run"]
            if assignment.get("run") not in (None, *(run.pk for run in outcome.runs))
            else []
        )
    settings = assignment.get("settings", {}).items()
    without = any(settings - run.settings.items() for run in runs)
    return [
        name
        for name in _ASSIGNED
        if name in assignment
        and any(getattr(run, f"{name}_id") != assignment[name] for run in runs)
    ] + ["settings"] * without


def _known_sentence(outcome: Outcome) -> str:
    assigned: dict[str, list[str]] = defaultdict(list)
    for run in outcome.runs[:MOST_NAMED]:
        assigned[_assignment(run)].append(str(run.pk))
    parts = [f"{_numbered(ids)} ({how})" for how, ids in assigned.items()]
    further = outcome.more + max(0, len(outcome.runs) - MOST_NAMED)
    if further:
        parts.append(_("{n} more").format(n=further))
    sentence = _("Already stored as {runs}.").format(runs=_("; ").join(parts))
    if outcome.differs:
        sentence += " " + _("That stays so until you reassign it.")
    return sentence


def _numbered(ids: Sequence[str]) -> str:
    word = _("run {n}") if len(ids) == 1 else _("runs {n}")
    return word.format(n=_(", ").join(ids))


def _assignment(run: Run) -> str:
    if run.deleted_at:
        return _("deleted: restore it to see it again")
    environment = run.environment and (run.environment_name or str(run.environment))
    return _(", ").join(
        (
            _("configuration “{name}”").format(name=run.configuration.name)
            if run.configuration
            else _("no configuration"),
            _("environment “{name}”").format(name=environment)
            if environment
            else _("no environment"),
            _("study “{name}”").format(name=run.study.title) if run.study else _("no study"),
            *settings_text(run.settings),
        )
    )


def comparison_of(uploads: Iterable[Upload]) -> str:
    """The query string that compares what these uploads brought; "" where nothing could be read."""
    stored = [each.pk for each in uploads if each.outcome != Upload.Outcome.REFUSED]
    return Criteria(uploads=ranges_of(stored)).query() if stored else ""
