from benchdash.jobs.models.job import (
    HostLock,
    Job,
    JobEvent,
    JobNode,
    JobStep,
    LogChunk,
    TunableChange,
)
from benchdash.jobs.models.plan import AddedRounds, OwnRecipe, Plan, StoppingLook
from benchdash.jobs.models.target import HostEvent, Target

__all__ = [
    "AddedRounds",
    "HostEvent",
    "HostLock",
    "Job",
    "JobEvent",
    "JobNode",
    "JobStep",
    "LogChunk",
    "OwnRecipe",
    "Plan",
    "StoppingLook",
    "Target",
    "TunableChange",
]
