"""What was measured for a study, as its file says it: raw outputs and all that they do not print.

Nothing is stored here: `study_measured.py` does.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime

from benchdash.errors import N_, Refused
from benchdash.recipes.document import Part
from benchdash.results.annotations import LONGEST_TAG, tag_names
from benchdash.results.assignment import Command
from benchdash.results.dismissals import LONGEST_REASON
from benchdash.results.storable import LONGEST_LABEL
from benchdash.vocabulary.doubts import KINDS, Doubt
from benchdash.vocabulary.settings import Settings, settings_from
from benchdash.vocabulary.workloads import AXES, typed

CELL = ("configuration", "environment", "settings", "workload", "outputs")
OUTPUT = (
    *("file", "label", "started_at", "command", "files"),
    *("doubts", "dismissed", "repeat", "tags", "logs"),
)
TOGETHER = ("round", "together")


@dataclass(frozen=True, slots=True)
class Output:
    """A raw output beside the file; `command` is what was run, `doubts` those of what its host did meanwhile.

    `dismissed` are kinds of doubts that a person found to be none, with the reason; a `repeat` has
    the numbers of another one, and was measured again all the same. `logs` are fio's, each with the
    place of its result in the file.
    """

    part: Part
    file: str
    label: str = ""
    started_at: datetime | None = None
    command: Command | None = None
    doubts: tuple[Doubt, ...] = ()
    dismissed: tuple[tuple[str, str], ...] = ()
    repeat: bool = False
    tags: tuple[str, ...] = ()
    logs: tuple[tuple[Part, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Measured:
    """The outputs of one cell and round that began together: one, or one of each host.

    `configuration` and `environment` are "" where they are unknown.
    """

    part: Part
    configuration: str
    environment: str
    settings: Settings
    workload: Mapping[str, Any]
    round: int | None
    outputs: tuple[Output, ...]


def read_measured(part: Part) -> list[Measured]:
    """What stands below `measured`, cell by cell; Refused with the line of a mistake."""
    return [one for cell in part.items() for one in _cell(cell)]


def _cell(part: Part) -> list[Measured]:
    keys = part.mapping(CELL)
    if "outputs" not in keys:
        part.refuse(N_("“{name}” is needed here", name="outputs"))
    settings = _settings(keys["settings"]) if "settings" in keys else {}
    workload = _workload(keys["workload"]) if "workload" in keys else {}
    found = []
    for one in keys["outputs"].items():
        own = one.mapping((*OUTPUT, *TOGETHER))
        together = own["together"].items() if "together" in own else [one]
        found.append(
            Measured(
                part,
                keys["configuration"].text() if "configuration" in keys else "",
                keys["environment"].text() if "environment" in keys else "",
                settings,
                workload,
                own["round"].count() if "round" in own else None,
                tuple(_output(each) for each in together),
            )
        )
    return found


def _settings(part: Part) -> Settings:
    try:
        return settings_from({name: one.plain() for name, one in part.mapping().items()})
    except Refused as refused:
        part.refuse(refused.sentence.rstrip("."))


def _workload(part: Part) -> dict[str, Any]:
    """Axes in their own type and unit."""
    try:
        return typed({name: one.plain() for name, one in part.mapping(tuple(AXES)).items()})
    except (TypeError, ValueError):
        part.refuse(N_("workload axes are needed here, as in block_bytes: 4096"))


def _output(part: Part) -> Output:
    keys = part.mapping((*OUTPUT, *TOGETHER))
    if "file" not in keys:
        part.refuse(N_("“{name}” is needed here", name="file"))
    files = keys["files"].mapping() if "files" in keys else {}
    label = keys["label"].text() if "label" in keys else ""
    if len(label) > LONGEST_LABEL:
        keys["label"].refuse(
            N_("text of 1 to {most} characters is needed here", most=LONGEST_LABEL)
        )
    return Output(
        part,
        keys["file"].text(),
        label,
        _moment(keys["started_at"]) if "started_at" in keys else None,
        _command(keys["command"], {name: one.text() for name, one in files.items()})
        if "command" in keys
        else None,
        tuple(_doubt(one) for one in keys["doubts"].items()) if "doubts" in keys else (),
        tuple(_dismissal(one) for one in keys["dismissed"].items()) if "dismissed" in keys else (),
        keys["repeat"].switch() if "repeat" in keys else False,
        tuple(_tag(one) for one in keys["tags"].items()) if "tags" in keys else (),
        tuple(_log(one) for one in keys["logs"].items()) if "logs" in keys else (),
    )


def _moment(part: Part) -> datetime:
    try:
        moment = parse_datetime(part.text())
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        part.refuse(N_("a time such as 2026-11-23T17:05:00Z is needed here"))
    return moment


def _command(part: Part, files: Mapping[str, str]) -> Command:
    try:
        return Command(shlex.split(part.text()), files)
    except ValueError:
        part.refuse(N_("a quotation mark is not closed"))


def _doubt(part: Part) -> Doubt:
    """`{load: "The load was 3.1 …"}`: its kind, the sentence, and the `operations` where not all."""
    keys = part.mapping((*KINDS, "operations"))
    operations = keys.pop("operations", None)
    kind, sentence = _kind(part, keys)
    concerned = (one.text() for one in operations.items()) if operations else ()
    return Doubt(kind, sentence, tuple(concerned))


def _dismissal(part: Part) -> tuple[str, str]:
    """`{load: "The disks were idle"}`: the kind of doubt, and why it is none."""
    kind, reason = _kind(part, part.mapping(tuple(KINDS)))
    if not 0 < len(reason) <= LONGEST_REASON:
        part.refuse(N_("text of 1 to {most} characters is needed here", most=LONGEST_REASON))
    return kind, reason


def _log(part: Part) -> tuple[Part, str, int]:
    """`seq_bw.1.log`, or `{file: seq_bw.1.log, result: 2}` where the output has several results."""
    if not isinstance(part.value, dict):
        return part, part.text(), 1
    keys = part.mapping(("file", "result"))
    if "file" not in keys:
        part.refuse(N_("“{name}” is needed here", name="file"))
    return part, keys["file"].text(), keys["result"].count() if "result" in keys else 1


def _tag(part: Part) -> str:
    try:
        (name,) = tag_names(part.text())
    except (Refused, ValueError):
        part.refuse(
            N_("a tag of at most {n} characters, without a comma, is needed here", n=LONGEST_TAG)
        )
    return name


def _kind(part: Part, keys: dict[str, Part]) -> tuple[str, str]:
    if len(keys) != 1:
        part.refuse(N_("a kind of doubt and its sentence are needed here"))
    kind, sentence = keys.popitem()
    return kind, sentence.text()
