"""Where the runs of a file belong, by record or by the names that people type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, TypedDict, TypeVar, Unpack

from django.db.models import Model, Q
from django.utils.dateparse import parse_datetime

from benchdash.errors import N_, Refused
from benchdash.inventory.models import Configuration, Environment
from benchdash.inventory.queries import configuration_named, environment_named
from benchdash.results.models import Run, Study
from benchdash.results.storable import LONGEST_LABEL, storable_text
from benchdash.vocabulary.near import near
from benchdash.vocabulary.settings import Setting, Settings, settings_from

Record = TypeVar("Record", bound=Model)
_PLAIN = ("settings", "round", "workload", "is_study", "replace")
_RECORDS = ("configuration", "environment", "study", "run")


class Command(NamedTuple):
    """The arguments of a tool from its program on, and the texts of files beside it, by name."""

    argv: Sequence[str]
    files: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Assignment:
    """Where the runs of a file belong; `run` is the one whose traces fio's bare logs become.

    `settings` are what else was set, by name; `round` is that of the plan. `workload` are
    the axes that we know, and `command` is what we ran, for what its output does not print.
    A file that `is_study` is an archive of one with its outputs, which say themselves where they
    belong; `replace` lets it take the place of the study of its address. Once imported, it is `study`.
    """

    configuration: Configuration | None = None
    environment: Environment | None = None
    study: Study | None = None
    label: str = ""
    started_at: datetime | None = None
    run: Run | None = None
    settings: Settings = field(default_factory=dict)
    round: int | None = None
    workload: dict[str, Any] = field(default_factory=dict)
    command: Command | None = None
    is_study: bool = False
    replace: bool = False

    def as_json(self) -> dict[str, Any]:
        """What is given, by ids: kept with the upload, so that it can be read later."""
        records = {name: getattr(self, name) for name in _RECORDS}
        document = {name: record.pk for name, record in records.items() if record is not None}
        if self.label:
            document["label"] = storable_text(self.label, LONGEST_LABEL)
        if self.started_at:
            document["started_at"] = self.started_at.isoformat()
        for name in _PLAIN:
            if value := getattr(self, name):
                document[name] = value
        if self.command:
            document["command"] = self.command._asdict()
        return document


def assignment_from_json(document: dict[str, Any]) -> Assignment:
    """The inverse of `as_json`; a record that was removed since is left out."""
    started_at = document.get("started_at")
    return Assignment(
        configuration=_found(Configuration, document.get("configuration")),
        environment=_found(Environment, document.get("environment")),
        study=_found(Study, document.get("study")),
        label=document.get("label", ""),
        started_at=parse_datetime(started_at) if started_at else None,
        run=_found(Run, document.get("run")),
        **{name: document[name] for name in _PLAIN if name in document},
        command=Command(**document["command"]) if "command" in document else None,
    )


def _found(model: type[Record], pk: int | None) -> Record | None:
    return model._default_manager.filter(pk=pk).first() if pk else None


class AssignmentNames(TypedDict, total=False):
    """An assignment as people type it; an empty text leaves it open."""

    configuration: str
    environment: str
    study: str
    run: int | None
    label: str
    started_at: datetime | None
    settings: Mapping[str, Setting]


def assignment_by_name(**names: Unpack[AssignmentNames]) -> Assignment:
    """The records of these names; Refused with near names where one does not exist."""
    configuration = names.get("configuration", "").strip()
    environment = names.get("environment", "").strip()
    study = names.get("study", "").strip()
    run = names.get("run")
    return Assignment(
        configuration=configuration_named(configuration) if configuration else None,
        environment=environment_named(environment) if environment else None,
        study=study_named(study) if study else None,
        run=None if run is None else _run(run),
        label=names.get("label", "").strip(),
        started_at=names.get("started_at"),
        settings=settings_from(names.get("settings", {})),
    )


def study_named(name: str) -> Study:
    """The study of that title or address; Refused with near titles where there is none."""
    living = Study.objects.filter(deleted_at=None)
    found = living.filter(Q(title=name) | Q(slug=name)).first()
    if found is None:
        sentence = N_("There is no study “{name}”.", name=name)
        titles = living.values_list("title", flat=True)
        raise Refused(near(sentence, name, titles), "study")
    return found


def _run(pk: int) -> Run:
    found = Run.objects.filter(pk=pk, deleted_at=None).first()
    if found is None:
        raise Refused("There is no run {pk}.", "run", pk=pk)
    return found
