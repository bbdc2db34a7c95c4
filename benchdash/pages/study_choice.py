"""Studies to choose from, by their titles in the reader's language."""

from __future__ import annotations

from typing import Any

from django import forms

from benchdash.results.models import Study
from benchdash.results.titles import study_text

_LIVING = Study.objects.filter(deleted_at=None)


def study_choices() -> list[tuple[str, str]]:
    """(slug, title) of each, the newest first; one query."""
    studies = _LIVING.only("slug", "title", "translations")
    return [(study.slug, study_text(study, "title")) for study in studies]


class StudyChoice(forms.ModelChoiceField):  # type: ignore[type-arg] # no generic at run time
    """One of all studies, or none."""

    def __init__(self, **options: Any) -> None:
        super().__init__(_LIVING.only("slug", "title", "translations"), **options)

    def label_from_instance(self, obj: Study) -> str:
        return study_text(obj, "title")
