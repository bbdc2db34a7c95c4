"""A study to choose in a form, by its title in the reader's language."""

from __future__ import annotations

from typing import Any

from django import forms

from benchdash.results.models import Study
from benchdash.results.titles import study_text


class StudyChoice(forms.ModelChoiceField):  # type: ignore[type-arg] # no generic at run time
    """One of all studies, or none."""

    def __init__(self, **options: Any) -> None:
        living = Study.objects.filter(deleted_at=None)
        super().__init__(living.only("slug", "title", "translations"), **options)

    def label_from_instance(self, obj: Study) -> str:
        return study_text(obj, "title")
