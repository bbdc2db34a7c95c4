"""What the files of published studies say since they were loaded, added to those that are there.

Only what is missing: an empty field, a key of a mapping, a setting of a run. What people wrote stays.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.db import transaction

from benchdash.results.models import Run, Study
from benchdash.results.study_document import StudyDocument, read_study
from benchdash.results.study_zones import zones_by_condition
from benchdash.vocabulary.settings import ZONE, Settings, with_settings

FIELDS = ("source_url", "published_as", "series", "charts", "measured_by", "translations")


@transaction.atomic
def bring_up_to_date(slug: str, folder: Path) -> bool:
    """Whether something was added to the study of this address; a deleted one is left alone."""
    study = Study.objects.select_for_update().filter(slug=slug, deleted_at=None).first()
    if study is None:
        return False
    document = read_study((folder / "study.yaml").read_text(encoding="utf-8"))
    fields = {name: _with_missing(getattr(study, name), document.fields[name]) for name in FIELDS}
    if fields["measured_by"].get("recipe") != document.fields["measured_by"].get("recipe"):
        fields["measured_by"] = study.measured_by  # another recipe has other factors
    changed = [name for name, value in fields.items() if value != getattr(study, name)]
    for name in changed:
        setattr(study, name, fields[name])
    if changed:
        study.save(update_fields=changed)
    return _add_settings(study, document, folder) or bool(changed)


def _with_missing(own: Any, ours: Any) -> Any:
    """The same with the keys that it lacks; what it says otherwise stays, and all beside that."""
    if not own:
        return ours
    if not isinstance(own, Mapping) or not isinstance(ours, Mapping):
        return own
    filled = {name: _with_missing(own[name], ours[name]) for name in own if name in ours}
    return {**own, **filled, **{name: ours[name] for name in ours if name not in own}}


def _add_settings(study: Study, document: StudyDocument, folder: Path) -> bool:
    """Give the runs of our outputs the settings that they lack."""
    by_digest = {
        sha256(_output(folder / name)).hexdigest(): settings
        for name, settings in _settings_of(study, document)
        if settings and (folder / name).is_file()
    }
    runs = Run.objects.filter(study=study, artifact__sha256__in=by_digest)
    changed = []
    for run in runs.select_related("artifact").only("settings", "artifact__sha256"):
        wanted = with_settings(by_digest[run.artifact.sha256], run.settings)
        if wanted != run.settings:
            run.settings = wanted
            changed.append(run)
    Run.objects.bulk_update(changed, ["settings"], batch_size=500)
    return bool(changed)


def _output(file: Path) -> bytes:
    """What a run's artifact is of: of a compressed file its content."""
    content = file.read_bytes()
    return gzip.decompress(content) if file.suffix == ".gz" else content


def _settings_of(study: Study, document: StudyDocument) -> Iterator[tuple[str, Settings]]:
    """What was set, by the name of an output's file."""
    zones = zones_by_condition(study)
    for planned in document.conditions:
        if planned.label in zones:
            for name in planned.outputs:
                yield name, {ZONE: zones[planned.label]}
    for measured in document.measured:
        for output in measured.outputs:
            yield output.file, measured.settings
