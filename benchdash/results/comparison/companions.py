"""The latency that goes with a rate: a second plot under the same axis, or one against the other."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from benchdash.results.parameters import MeasureName
from benchdash.vocabulary.measures import METRICS

_RATES = ("throughput", "iops", "transactions", "metadata")
# dbench prints no mean
_LATENCIES = (
    ("latency", "mean"),
    ("completion_latency", "mean"),
    ("latency", "max"),
)


def companion(measure: MeasureName, there: Collection[MeasureName]) -> MeasureName | None:
    """The latency, among those that are there, of what `measure` counts by the second."""
    if METRICS[measure.metric].family not in _RATES:
        return None
    names = (MeasureName(measure.operation, *words) for words in _LATENCIES)
    return next((name for name in names if name in there), None)


def companions(
    measures: Iterable[MeasureName], there: Collection[MeasureName]
) -> list[MeasureName]:
    """Those of all measures, each once."""
    found = (companion(measure, there) for measure in measures)
    return list(dict.fromkeys(name for name in found if name))
