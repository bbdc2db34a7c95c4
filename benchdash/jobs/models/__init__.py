from benchdash.jobs.models.job import (
    HostLock,
    Job,
    JobEvent,
    JobNode,
    JobStep,
    KnobChange,
    LogChunk,
)
from benchdash.jobs.models.own_recipe import OwnRecipe
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
    "OwnRecipe",
    "Plan",
    "Target",
]
