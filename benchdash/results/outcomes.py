"""What became of a file that was brought, as every face shows it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db.models import F, QuerySet

from benchdash.inventory.models import EnvironmentName
from benchdash.results.models import Run, Upload

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
    `differs` names what was asked for and is otherwise on a run stored before: that stays
    until somebody reassigns the upload (`assignment.assign_upload`).
    """

    upload: Upload
    sha256: str
    runs: list[Run] = field(default_factory=list)
    sentence: str = ""
    differs: list[str] = field(default_factory=list)

    @property
    def own_runs(self) -> list[Run]:
        """Those that were read from these bytes; none of a log, which hangs on another's run."""
        return [run for run in self.runs if run.artifact_id == self.upload.artifact_id]

    @property
    def recognised(self) -> list[Recognised]:
        """What was found, each once, in reading order."""
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


def outcome_of(upload: Upload, sha256: str, runs: list[Run]) -> Outcome:
    """The outcome of one upload whose runs are at hand."""
    outcome = Outcome(upload, sha256, runs, upload.sentence)
    if upload.outcome == Upload.Outcome.KNOWN:
        outcome.differs = _differences(outcome)
        outcome.sentence = _known_sentence(runs, outcome.differs)
    return outcome


def runs_of(artifacts: Iterable[int]) -> dict[int, list[Run]]:
    """`{artifact id: its runs in reading order}`; a log's are those that carry its points."""
    found: dict[int, list[Run]] = defaultdict(list)
    wanted = set(artifacts)
    for run in _brief(Run.objects.filter(artifact__in=wanted)).order_by("artifact", "position"):
        found[run.artifact_id].append(run)
    logs = _brief(Run.objects.filter(traces__artifact__in=wanted - found.keys())).distinct()
    for run in logs.annotate(log=F("traces__artifact")):
        found[run.log].append(run)
    return found


def name_environments(runs: Iterable[Run]) -> None:
    """Set `environment_name` of each run: the newest label of its environment, or nothing."""
    runs = list(runs)
    wanted = {run.environment_id for run in runs if run.environment_id}
    names: dict[int, str] = {}
    if wanted:
        labels = EnvironmentName.objects.filter(environment__in=wanted).order_by("given_at", "pk")
        names = dict(labels.values_list("environment", "name"))
    for run in runs:
        run.environment_name = names.get(run.environment_id or 0, "")


def _brief(runs: QuerySet[Run]) -> QuerySet[Run]:
    return runs.select_related(*_ASSIGNED).defer("details", "notes", "conditions")


def _differences(outcome: Outcome) -> list[str]:
    asked, runs = outcome.upload.asked, outcome.own_runs
    if not runs:
        return ["run"] if asked.get("run") not in (None, *(run.pk for run in outcome.runs)) else []
    return [
        name
        for name in _ASSIGNED
        if name in asked and any(getattr(run, f"{name}_id") != asked[name] for run in runs)
    ]


def _known_sentence(runs: Iterable[Run], differs: Sequence[str]) -> str:
    assigned: dict[str, list[str]] = defaultdict(list)
    for run in runs:
        assigned[_assignment(run)].append(str(run.pk))
    parts = [f"{_numbered(ids)} ({how})" for how, ids in assigned.items()]
    sentence = f"Stored before as {'; '.join(parts)}."
    return f"{sentence} That stays so until you reassign it." if differs else sentence


def _numbered(ids: Sequence[str]) -> str:
    return f"run {ids[0]}" if len(ids) == 1 else f"runs {', '.join(ids)}"


def _assignment(run: Run) -> str:
    if run.deleted_at:
        return "deleted: restore it to see it again"
    names = {
        "configuration": run.configuration and run.configuration.name,
        "environment": run.environment and (run.environment_name or str(run.environment)),
        "study": run.study and run.study.title,
    }
    return ", ".join(f"{kind} “{name}”" if name else f"no {kind}" for kind, name in names.items())
