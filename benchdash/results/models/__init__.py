from benchdash.results.models.annotation import Note, Tag
from benchdash.results.models.artifact import Artifact, Purge, Upload
from benchdash.results.models.doubt import Doubt, PastDismissal
from benchdash.results.models.execution import Execution, Sample
from benchdash.results.models.host_trace import HostTrace
from benchdash.results.models.permalink import Permalink, PermalinkSubject
from benchdash.results.models.run import (
    JoinedMeasurement,
    Measure,
    Measurement,
    Run,
    Trace,
    Workload,
)
from benchdash.results.models.saved_filter import SavedFilter
from benchdash.results.models.study import Condition, Study

__all__ = [
    "Artifact",
    "Condition",
    "Doubt",
    "Execution",
    "HostTrace",
    "JoinedMeasurement",
    "Measure",
    "Measurement",
    "Note",
    "PastDismissal",
    "Permalink",
    "PermalinkSubject",
    "Purge",
    "Run",
    "Sample",
    "SavedFilter",
    "Study",
    "Tag",
    "Trace",
    "Upload",
    "Workload",
]
