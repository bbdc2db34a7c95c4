from benchdash.inventory.models.configuration import Configuration, Facet, Layer, Stack
from benchdash.inventory.models.environment import (
    Capture,
    Environment,
    EnvironmentMachine,
    EnvironmentName,
    Host,
    MachineSnapshot,
)

__all__ = [
    "Capture",
    "Configuration",
    "Environment",
    "EnvironmentMachine",
    "EnvironmentName",
    "Facet",
    "Host",
    "Layer",
    "MachineSnapshot",
    "Stack",
]
