"""What people write down about a study: its texts, and the conditions that it compares."""

from __future__ import annotations

from itertools import count
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from benchdash.errors import Refused
from benchdash.inventory.models import Configuration, Environment
from benchdash.inventory.records import checked_text
from benchdash.results.models import Condition, Study

LONGEST_SLUG = 60
RESERVED = ("new", "import", "of-runs")  # addresses of pages


def write_study(study: Study, **fields: Any) -> Study:
    """Save `study` with new values; the first time, its title becomes its address, for ever.

    Refused where one of them is too long, or the title is another study's.
    """
    _check_length(study, fields)
    for name, value in fields.items():
        setattr(study, name, value)
    if not study.slug:
        study.slug = _free_slug(study.title)
    try:
        with transaction.atomic():
            study.save()
    except IntegrityError as error:
        if Study.objects.filter(title=study.title).exclude(deleted_at=None).exists():
            sentence = _("A deleted study has this title: restore it, or choose another title.")
            raise Refused(sentence, "title") from error
        raise Refused(_("There is already a study with this title."), "title") from error
    return study


def delete_study(study: Study) -> None:
    """Show it nowhere any more; its runs and configurations stay, and runs say that it was theirs."""
    Study.objects.filter(pk=study.pk, deleted_at=None).update(deleted_at=timezone.now())


def restore_study(study: Study) -> None:
    """Bring a deleted study back, with all that it had."""
    Study.objects.filter(pk=study.pk).update(deleted_at=None)


def add_condition(
    study: Study, configuration: Configuration, environment: Environment | None, label: str = ""
) -> Condition:
    """Compare one more configuration, after those that are there; Refused where it is there."""
    last = study.conditions.aggregate(last=Max("position"))["last"]
    try:
        with transaction.atomic():
            return Condition.objects.create(
                study=study,
                configuration=configuration,
                environment=environment,
                label=label,
                position=0 if last is None else last + 1,
            )
    except IntegrityError as error:
        raise Refused(
            "This study already compares “{name}” in this environment.",
            "configuration",
            name=configuration.name,
        ) from error


def remove_condition(condition: Condition) -> None:
    """Stop comparing it; the configuration and its runs stay."""
    condition.delete()


@transaction.atomic
def choose_baseline(condition: Condition) -> None:
    """Make it what the others are measured against."""
    condition.study.conditions.filter(is_baseline=True).update(is_baseline=False)
    Condition.objects.filter(pk=condition.pk).update(is_baseline=True)


def _check_length(study: Study, fields: dict[str, Any]) -> None:
    """Refuse long texts that are too long, in each language; what is stored already may stay."""
    for part in ("question", "words"):
        checked_text(fields.get(part, ""), part, getattr(study, part))
        for language, texts in fields.get("translations", {}).items():
            before = study.translations.get(language, {}).get(part, "")
            checked_text(texts.get(part, ""), f"{language}_{part}", before)


def _free_slug(title: str) -> str:
    """A readable address that no other study has; titles without Latin letters are numbered."""
    stem = slugify(title)[:LONGEST_SLUG].strip("-") or "study"
    taken = set(Study.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    if stem not in taken and stem not in ("study", *RESERVED):
        return stem
    return next(slug for n in count(2) if (slug := f"{stem}-{n}") not in taken)
