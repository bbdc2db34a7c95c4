"""What the one who brings a file says about it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from django.db.models import Model
from django.utils.dateparse import parse_datetime

from benchdash.inventory.models import Configuration, Environment
from benchdash.results.models import Run, Study
from benchdash.results.storable import LONGEST_LABEL, storable_text

Record = TypeVar("Record", bound=Model)
_RECORDS = ("configuration", "environment", "study", "run")


@dataclass(frozen=True, slots=True)
class Asked:
    """Where the runs of a file belong; `run` is the one that fio's bare logs hang on."""

    configuration: Configuration | None = None
    environment: Environment | None = None
    study: Study | None = None
    label: str = ""
    started_at: datetime | None = None
    run: Run | None = None

    def as_json(self) -> dict[str, Any]:
        """What is said, by ids: kept with the upload, so that it can be read later."""
        records = {name: getattr(self, name) for name in _RECORDS}
        document = {name: record.pk for name, record in records.items() if record is not None}
        if self.label:
            document["label"] = storable_text(self.label, LONGEST_LABEL)
        if self.started_at:
            document["started_at"] = self.started_at.isoformat()
        return document


def asked_from_json(document: dict[str, Any]) -> Asked:
    """The inverse of `as_json`; a record that was removed since is no longer asked for."""
    started_at = document.get("started_at")
    return Asked(
        configuration=_found(Configuration, document.get("configuration")),
        environment=_found(Environment, document.get("environment")),
        study=_found(Study, document.get("study")),
        label=document.get("label", ""),
        started_at=parse_datetime(started_at) if started_at else None,
        run=_found(Run, document.get("run")),
    )


def _found(model: type[Record], pk: int | None) -> Record | None:
    return model._default_manager.filter(pk=pk).first() if pk else None
