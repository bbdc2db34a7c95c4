from benchdash.results.models.artifact import Artifact, Upload
from benchdash.results.models.run import Measure, Measurement, Run, Trace, Workload
from benchdash.results.models.study import Condition, Study

__all__ = [
    "Artifact",
    "Condition",
    "Measure",
    "Measurement",
    "Run",
    "Study",
    "Trace",
    "Upload",
    "Workload",
]
