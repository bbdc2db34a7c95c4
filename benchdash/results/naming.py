"""Names that people type to the records they mean."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict, Unpack

from django.db.models import Q
from django.utils.translation import gettext as _

from benchdash.errors import Refused
from benchdash.inventory.queries import configuration_named, environment_named
from benchdash.results.asked import Asked
from benchdash.results.models import Run, Study
from benchdash.vocabulary.near import near


class Said(TypedDict, total=False):
    """What was said in words; an empty text says nothing."""

    configuration: str
    environment: str
    study: str
    run: int | None
    label: str
    started_at: datetime | None


def asked_by_name(**said: Unpack[Said]) -> Asked:
    """What was said in words, as records; Refused with near names where one does not exist."""
    configuration = said.get("configuration", "").strip()
    environment = said.get("environment", "").strip()
    study = said.get("study", "").strip()
    run = said.get("run")
    return Asked(
        configuration=configuration_named(configuration) if configuration else None,
        environment=environment_named(environment) if environment else None,
        study=study_named(study) if study else None,
        run=None if run is None else _run(run),
        label=said.get("label", "").strip(),
        started_at=said.get("started_at"),
    )


def study_named(name: str) -> Study:
    """The study of that title or address; Refused with near titles where there is none."""
    found = Study.objects.filter(Q(title=name) | Q(slug=name)).first()
    if found is None:
        sentence = _("There is no study “{name}”.").format(name=name)
        raise Refused(sentence + near(name, Study.objects.values_list("title", flat=True)), "study")
    return found


def _run(pk: int) -> Run:
    found = Run.objects.filter(pk=pk, deleted_at=None).first()
    if found is None:
        raise Refused(_("There is no run {pk}.").format(pk=pk), "run")
    return found
