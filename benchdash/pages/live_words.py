"""What a chart of a running job needs to speak: titles and units in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from benchdash.jobs.models import JobStep
from benchdash.vocabulary.measures import METRICS, OPERATIONS

_OPERATIONS = ("read", "write", "trim", "load", "transaction")


def live_words(steps: Iterable[JobStep], *, binary: bool) -> dict[str, Any]:
    """`{metrics, operations, steps, seconds}`; values are divided by a metric's `factor`."""
    units = {
        "throughput": ("MiB/s", 2**20) if binary else ("MB/s", 10**6),
        "iops": ("IOPS", 1),
        "transactions": ("/s", 1),
        "cpu": ("%", 0.01),
    }
    return {
        "metrics": {
            metric: {"title": _(METRICS[metric].title), "unit": unit, "factor": factor}
            for metric, (unit, factor) in units.items()
        },
        "operations": {name: _(OPERATIONS[name].title) for name in _OPERATIONS}
        | {"host": _("all CPUs of the host")},
        "steps": {step.pk: f"{step.name} {step.node}" for step in steps if step.tool},
        "seconds": _("seconds"),
    }
