"""A small study for tests of the compare page, and the text of a page."""

from __future__ import annotations

import re
from html import unescape

from benchdash.results.models import Condition, Study
from tests.measured import a_configuration, a_run

WRITE, CREATE = "seq_write.throughput.mean", "seq_create.rate.mean"


def study_of_two_disks():
    """A local disk and its mirror, a run each; files are created too fast on the mirror."""
    study = Study.objects.create(slug="drbd", title="DRBD")
    local, mirror = a_configuration("local"), a_configuration("mirror", drbd__protocol="C")
    note = {"operation": "seq_create", "metric": "rate", "note": "too fast to measure"}
    for position, (configuration, speed) in enumerate([(local, 90.2e6), (mirror, 32.8e6)]):
        Condition.objects.create(
            study=study,
            position=position,
            label=f"{configuration.name} <disk>",
            configuration=configuration,
            is_baseline=configuration is local,
        )
        a_run(
            configuration,
            {WRITE: speed} | ({CREATE: 800.0} if configuration is local else {}),
            study=study,
            notes=[] if configuration is local else [note],
            workload={"file_bytes": 2 ** (30 + position)},
        )
    return study


def text_of(response):
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode())))
