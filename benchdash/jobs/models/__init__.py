from benchdash.jobs.models.job import (
    HostLock,
    Job,
    JobEvent,
    JobNode,
    JobStep,
    KnobChange,
    LogChunk,
)
from benchdash.jobs.models.plan import Plan
from benchdash.jobs.models.target import HostEvent, Target

__all__ = [
    "HostEvent",
    "HostLock",
    "Job",
    "JobEvent",
    "JobNode",
    "JobStep",
    "KnobChange",
    "LogChunk",
    "Plan",
    "Target",
]
