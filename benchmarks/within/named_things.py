"""What people name beside many runs: hosts, environments, configurations, studies, tags.

They are as many whatever the number of runs: what grows in a year of nightly runs are the runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import product
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group
from django.test import Client

from benchdash.accounts.models import User
from benchdash.inventory.models import Configuration, Environment, Host
from benchdash.inventory.records import CaptureInfo, record_configuration, record_environment
from benchdash.jobs.models import Target
from benchdash.results.models import Condition, Study, Tag
from benchdash.vocabulary.storage.notation import parse

HOSTS, STUDIES = 24, 60
_KERNELS = ("6.1.0-18-amd64", "6.12.9-amd64")
_MACHINES = (
    ("Dell PowerEdge R740", "Intel Xeon Silver 4210", 20, "64G", "Samsung PM883", "ssd"),
    ("Supermicro AS-1114S", "AMD EPYC 7402P", 24, "128G", "Samsung PM9A3", "nvme"),
    ("HPE DL380 Gen9", "Intel Xeon E5-2630 v4", 20, "32G", "HGST HUC101812", "hdd"),
)
_TAGS = ("nightly", "release", "before update", "after update", "new disks", "odd", "talk", "2024")


@dataclass(frozen=True, slots=True)
class Named:
    """The records that runs point at; `environments` two a host: before and after its update."""

    environments: list[Environment]
    configurations: list[Configuration]
    studies: list[Study]
    tags: list[Tag]
    targets: list[Target]
    person: User


def record_named(since: datetime) -> Named:
    """All of them, the same at every call on an empty database."""
    person = User.objects.create(username="reader")
    person.groups.add(Group.objects.get_or_create(name="contributor")[0])
    configurations = [
        record_configuration(
            f"{filesystem}{f', DRBD {protocol}' if protocol else ''}, RAID {level}, {chunk}",
            parse(_stack(filesystem, protocol, level, chunk)),
        )
        for filesystem, protocol, level, chunk in product(
            ("ext4", "xfs"), ("", "A", "C"), (0, 5, 6, 10), ("64K", "512K")
        )
    ]
    environments = [_environment(host, kernel) for host in range(HOSTS) for kernel in _KERNELS]
    studies = [_study(number, configurations, environments) for number in range(STUDIES)]
    Study.objects.update(created_at=since)
    tags = [Tag.objects.create(name=name) for name in _TAGS]
    for number, study in enumerate(studies[::7]):
        study.tags.add(tags[number % len(tags)])
    for configuration in configurations[::12]:
        configuration.tags.add(tags[1])
    measured_on = Host.objects.exclude(name__endswith="-peer").order_by("name")
    targets = [
        Target.objects.create(host=host, address=f"10.0.0.{number}", user="bench")
        for number, host in enumerate(measured_on, 1)
    ]
    return Named(environments, configurations, studies, tags, targets, person)


def cookie_of(person: User) -> str:
    """The header of one who has signed in."""
    client = Client()
    client.force_login(person)
    name = settings.SESSION_COOKIE_NAME
    return f"{name}={client.cookies[name].value}"


def _stack(filesystem: str, protocol: str, level: int, chunk: str) -> str:
    above = f"{filesystem}\nlvm\n" + (f"drbd protocol={protocol}\n- " if protocol else "")
    indent = "  " if protocol else ""
    array = f"md level={level} chunk={chunk}\n" + f"{indent}- disk\n" * 4
    return above + array + ("- disk @node-b\n" if protocol else "")


def _environment(number: int, kernel: str) -> Environment:
    """Every third host has a peer that mirrors."""
    name = f"store-{number + 1:02}"
    model, cpu, cores, memory, disk, medium = _MACHINES[number % len(_MACHINES)]
    facts = {
        "hostname": name,
        "model": model,
        "cpu_model": cpu,
        "cores": cores,
        "memory_bytes": memory,
        "kernel": kernel,
        "os": "Debian 12",
        "disks": [{"model": disk, "medium": medium, "device": "/dev/sda"}],
    }
    machines = {"node-a": facts}
    if number % 3 == 2:
        machines["node-b"] = facts | {"hostname": f"{name}-peer"}
    return record_environment(
        machines, name=f"{name}, {kernel[:4].rstrip('.')}", capture=CaptureInfo(info={})
    )


def _study(
    number: int, configurations: list[Configuration], environments: list[Environment]
) -> Study:
    study = Study.objects.create(
        slug=f"study-{number + 1:02}",
        title=f"What does the mirror cost? {number + 1}",
        question="How much slower are small writes while a second host holds a copy?",
        factors=["drbd.protocol", "workload.block_bytes"],
    )
    for position, configuration in enumerate(of_study(number, configurations)):
        Condition.objects.create(
            study=study,
            position=position,
            configuration=configuration,
            environment=environments[number % len(environments)],
            is_baseline=position == 0,
        )
    return study


def of_study(number: int, records: list[Any]) -> list[Any]:
    """The two to four that a study compares."""
    start = number * 5 % len(records)
    return (records + records)[start : start + 8 * (2 + number % 3) : 8]
