"""The published studies that a fresh installation shows: data files, read through the usual doors.

A study is `demo/NUMBER-ADDRESS/study.yaml` beside its raw outputs. Where its address is taken
already, nothing is touched: what people have changed since stays as they left it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import yaml
from django.db import transaction

from benchdash.inventory.records import record_configuration, record_environment
from benchdash.results.assignment import Assignment
from benchdash.results.ingest import ingest
from benchdash.results.models import Study
from benchdash.results.readings import File
from benchdash.results.records import add_condition, choose_baseline, write_study
from benchdash.results.run_actions import assign
from benchdash.vocabulary.storage.notation import parse

DEMO = Path(__file__).parent / "demo"
_WORDS = ("slug", "title", "question", "words", "translations", "factors", "charts")


@dataclass(frozen=True, slots=True)
class Planned:
    """One condition as its file has it; `outputs` are names of raw outputs."""

    label: str
    configuration: str
    environment: str
    baseline: bool = False
    outputs: list[str] = field(default_factory=list)


def demo_folders() -> list[Path]:
    """The last one first: so the first study is the newest, and on top of the list."""
    return sorted((path.parent for path in DEMO.glob("*/study.yaml")), reverse=True)


@cache
def demo_slugs() -> frozenset[str]:
    """The addresses of the studies that come with the installation."""
    return frozenset(folder.name.partition("-")[2] for folder in demo_folders())


def load(folder: Path) -> Study | None:
    """The study of a folder with all its records and runs; None where it is there already."""
    document = yaml.safe_load((folder / "study.yaml").read_text(encoding="utf-8"))
    if Study.objects.filter(slug=document["slug"]).exists():
        return None
    with transaction.atomic():
        study = write_study(
            Study(), **{word: document[word] for word in _WORDS if word in document}
        )
        environments = {
            name: record_environment(described["machines"], described.get("network"), name=name)
            for name, described in document["environments"].items()
        }
        configurations = {
            name: record_configuration(
                name, parse(described["layers"]), notes=described.get("notes", "")
            )
            for name, described in (document.get("configurations") or _grid(document)).items()
        }
        for planned in _conditions(document):
            configuration = configurations[planned.configuration]
            environment = environments[planned.environment]
            condition = add_condition(study, configuration, environment, planned.label)
            if planned.baseline:
                choose_baseline(condition)
            _measure(folder, planned.outputs, Assignment(configuration, environment, study))
    return study


def _measure(folder: Path, outputs: list[str], assignment: Assignment) -> None:
    """Store the outputs; runs that were stored before and belong nowhere are assigned too."""
    files = [File(name, (folder / name).read_bytes()) for name in outputs]
    for outcome in ingest(files, assignment):
        assert outcome.runs, f"{folder.name}: {outcome.sentence}"
        unassigned = [r.pk for r in outcome.runs if not (r.configuration_id or r.study_id)]
        if unassigned:
            assign(unassigned, assignment)


def _conditions(document: dict[str, Any]) -> Iterator[Planned]:
    if "grid" not in document:
        yield from (Planned(**condition) for condition in document["conditions"])
        return
    grid = document["grid"]
    for cell in _cells(grid):
        yield Planned(
            label=grid["label"].format(**cell),
            configuration=grid["name"].format(**cell),
            environment=grid["environment"],
            baseline=cell == grid["baseline"],
        )


def _grid(document: dict[str, Any]) -> dict[str, dict[str, str]]:
    """A configuration for each combination of the axes."""
    grid = document["grid"]
    return {
        grid["name"].format(**cell): {"layers": grid["layers"].format(**cell)}
        for cell in _cells(grid)
    }


def _cells(grid: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for values in product(*grid["axes"].values()):
        yield dict(zip(grid["axes"], values, strict=True))
