"""Runs for tests, straight into the records: what a comparison reads, without a file behind it."""

from __future__ import annotations

from array import array
from itertools import count

from benchdash.inventory.models import (
    Configuration,
    Environment,
    EnvironmentMachine,
    EnvironmentName,
    Facet,
    Host,
    MachineSnapshot,
    Stack,
)
from benchdash.results.joined import join_numbers
from benchdash.results.models import (
    Artifact,
    Execution,
    Measure,
    Measurement,
    Run,
    Sample,
    Trace,
    Workload,
)
from benchdash.results.run_names import with_names
from benchdash.results.traces import packed
from benchdash.vocabulary.canonical import digest
from benchdash.vocabulary.workloads import typed

_numbers = count(1)


def a_configuration(name, **facets):
    """A configuration by that name; `drbd__protocol="C"` is a facet of its stack."""
    disk = {"kind": "disk", "node": "", "options": {}, "below": []}
    stack = Stack.objects.create(digest=digest(["stack", next(_numbers)]), tree=disk)
    for key, value in facets.items():
        number = value if isinstance(value, int | float) else None
        Facet.objects.create(
            stack=stack, key=key.replace("__", "."), text=str(value), number=number
        )
    return Configuration.objects.create(name=name, stack=stack)


def an_environment(name, host=None, **facts):
    """An environment of one machine; "" leaves it without a name, as a capture does."""
    owner = Host.objects.get_or_create(name=host)[0] if host else None
    snapshot = MachineSnapshot.objects.create(
        digest=digest(["machine", next(_numbers)]), host=owner, facts=facts
    )
    environment = Environment.objects.create(digest=digest(["environment", next(_numbers)]))
    EnvironmentMachine.objects.create(environment=environment, role="node-a", snapshot=snapshot)
    if name:
        EnvironmentName.objects.create(name=name, environment=environment)
    return environment


def a_run(configuration=None, values=None, *, tool="fio", workload=None, **columns):
    """One run; `values` are `{"seq_write.throughput.mean": 90e6}`."""
    axes = typed(workload or {})
    workload_row, _ = Workload.objects.get_or_create(digest=digest(axes), defaults=axes)
    number = next(_numbers)
    artifact = Artifact.objects.create(sha256=digest(number), size_bytes=0, compressed=b"")
    execution = Execution.objects.create(
        artifact=artifact, number=0, round=columns.pop("round", None)
    )
    together = columns.pop("sample", None)
    sample = together or Sample.objects.create(beside=columns.pop("beside", ""))
    run = Run.objects.create(
        artifact=artifact,
        position=0,
        execution=execution,
        sample=sample,
        tool=tool,
        format=columns.pop("format", tool),
        parser_version=1,
        workload=workload_row,
        configuration=configuration,
        digest=digest(["run", number]),
        **columns,
    )
    for name, value in (values or {}).items():
        operation, metric, statistic = name.split(".", 2)
        measure, _ = Measure.objects.get_or_create(
            operation=operation, metric=metric, statistic=statistic
        )
        Measurement.objects.create(run=run, measure=measure, value=value)
    if together:
        join_numbers([together.pk])
    return run


def a_trace(run, name, values, seconds=None):
    """Points of `seq_write.throughput`, a second apart, on a run."""
    operation, metric = name.split(".")
    measure, _ = Measure.objects.get_or_create(operation=operation, metric=metric, statistic="mean")
    times = range(len(values)) if seconds is None else seconds
    return Trace.objects.create(
        run=run,
        artifact=Artifact.objects.create(
            sha256=digest(next(_numbers)), size_bytes=0, compressed=b""
        ),
        measure=measure,
        points=len(values),
        seconds=packed(array("d", times)),
        values=packed(array("d", values)),
    )


def named(run):
    """The run with all that its name reads."""
    return with_names(Run.objects.all()).get(pk=run.pk)
