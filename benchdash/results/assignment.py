"""Where the runs of a file belong, by record or by the names that people type."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict, TypeVar, Unpack

from django.db.models import Model, Q
from django.utils.dateparse import parse_datetime

from benchdash.errors import N_, Refused
from benchdash.inventory.models import Configuration, Environment
from benchdash.inventory.queries import configuration_named, environment_named
from benchdash.results.models import Run, Study
from benchdash.results.storable import LONGEST_LABEL, storable_text
from benchdash.vocabulary.near import near

Record = TypeVar("Record", bound=Model)
_RECORDS = ("configuration", "environment", "study", "run")


@dataclass(frozen=True, slots=True)
class Assignment:
    """Where the runs of a file belong; `run` is the one whose traces fio's bare logs become."""

    configuration: Configuration | None = None
    environment: Environment | None = None
    study: Study | None = None
    label: str = ""
    started_at: datetime | None = None
    run: Run | None = None

    def as_json(self) -> dict[str, Any]:
        """What is given, by ids: kept with the upload, so that it can be read later."""
        records = {name: getattr(self, name) for name in _RECORDS}
        document = {name: record.pk for name, record in records.items() if record is not None}
        if self.label:
            document["label"] = storable_text(self.label, LONGEST_LABEL)
        if self.started_at:
            document["started_at"] = self.started_at.isoformat()
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
    )


def study_named(name: str) -> Study:
    """The study of that title or address; Refused with near titles where there is none."""
    found = Study.objects.filter(Q(title=name) | Q(slug=name)).first()
    if found is None:
        sentence = N_("There is no study “{name}”.", name=name)
        titles = Study.objects.values_list("title", flat=True)
        raise Refused(near(sentence, name, titles), "study")
    return found


def _run(pk: int) -> Run:
    found = Run.objects.filter(pk=pk, deleted_at=None).first()
    if found is None:
        raise Refused("There is no run {pk}.", "run", pk=pk)
    return found
