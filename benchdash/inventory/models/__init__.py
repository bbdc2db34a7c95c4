from benchdash.inventory.models.configuration import Configuration, Facet, Layer, Stack
from benchdash.inventory.models.environment import (
    Capture,
    Environment,
    EnvironmentMachine,
    EnvironmentName,
    Host,
    MachineSnapshot,
    hosts_text,
    title_without_name,
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
    "hosts_text",
    "title_without_name",
]
