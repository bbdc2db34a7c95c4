"""What a number is: operation x metric x statistic. The metric fixes the unit.

`higher_is_better` is None where more is neither good nor bad (bytes moved, run time; CPU, of which
a faster disk takes more: it is judged by what each byte or operation costs).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from benchdash.errors import N_
from benchdash.vocabulary.units import human, measured


@dataclass(frozen=True, slots=True)
class Metric:
    """A quantity: its unit, its direction, the family it is compared in."""

    name: str
    unit: str
    title: str
    family: str
    higher_is_better: bool | None


@dataclass(frozen=True, slots=True)
class Operation:
    """What the tool did while it measured."""

    name: str
    title: str


class MeasureName(NamedTuple):
    """`seq_write.throughput.mean`: what a number is."""

    operation: str
    metric: str
    statistic: str

    def __str__(self) -> str:
        return f"{self.operation}.{self.metric}.{self.statistic}"


FAMILIES = {
    "throughput": N_("Throughput"),
    "iops": N_("IOPS"),
    "metadata": N_("Metadata rates"),
    "latency": N_("Latency"),
    "transactions": N_("Transactions"),
    "cpu": N_("CPU"),
    "amount": N_("Amounts"),
}

METRICS = {
    metric.name: metric
    for metric in (
        Metric("throughput", "B/s", N_("Throughput"), "throughput", True),
        Metric("iops", "1/s", N_("IOPS"), "iops", True),
        Metric("rate", "1/s", N_("Rate"), "metadata", True),
        Metric("transactions", "1/s", N_("Transactions"), "transactions", True),
        Metric("latency", "s", N_("Latency"), "latency", False),
        Metric("submission_latency", "s", N_("Submission latency"), "latency", False),
        Metric("completion_latency", "s", N_("Completion latency"), "latency", False),
        Metric("cpu", "1", N_("CPU"), "cpu", None),
        Metric("cpu_user", "1", N_("CPU user"), "cpu", None),
        Metric("cpu_system", "1", N_("CPU system"), "cpu", None),
        Metric("bytes", "B", N_("Bytes moved"), "amount", None),
        Metric("duration", "s", N_("Run time"), "amount", None),
        Metric("errors", "1", N_("Errors"), "amount", False),
        Metric("operations", "1", N_("Operations"), "amount", None),
    )
}

OPERATIONS = {
    operation.name: operation
    for operation in (
        Operation("seq_read", N_("Sequential read")),
        Operation("seq_write", N_("Sequential write")),
        Operation("seq_rewrite", N_("Rewrite")),
        Operation("seq_read_char", N_("Sequential read per character")),
        Operation("seq_write_char", N_("Sequential write per character")),
        Operation("rand_seek", N_("Random seek")),
        Operation("rand_read", N_("Random read")),
        Operation("rand_write", N_("Random write")),
        Operation("mixed_read", N_("Mixed read")),
        Operation("mixed_write", N_("Mixed write")),
        Operation("read", N_("Read")),
        Operation("write", N_("Write")),
        Operation("mixed", N_("Mixed")),
        Operation("trim", N_("Trim")),
        Operation("sync", N_("Sync")),
        Operation("run", N_("Whole run")),
        Operation("seq_create", N_("Sequential create")),
        Operation("seq_stat", N_("Sequential stat")),
        Operation("seq_delete", N_("Sequential delete")),
        Operation("rand_create", N_("Random create")),
        Operation("rand_stat", N_("Random stat")),
        Operation("rand_delete", N_("Random delete")),
        Operation("load", N_("Load")),
        Operation("transaction", N_("Transaction")),
    )
}

STATISTICS = ("mean", "min", "max", "stddev", "total")
_PERCENTILE = re.compile(r"p(\d{1,2}(?:\.\d{1,6})?|100)")
_LOAD_ROW = re.compile(r"load_[a-z0-9_]{1,40}")


def is_operation(name: str) -> bool:
    """True for a name in the table above and for dbench's rows (`load_ntcreatex`)."""
    return name in OPERATIONS or _LOAD_ROW.fullmatch(name) is not None


def is_statistic(name: str) -> bool:
    """True for mean, min, max, stddev, total and percentiles (`p50`, `p99.9`)."""
    return name in STATISTICS or _PERCENTILE.fullmatch(name) is not None


def percentile(name: str) -> float | None:
    """`p99.9` as 99.9; None for any other statistic."""
    match = _PERCENTILE.fullmatch(name)
    return float(match[1]) if match else None


def percentile_name(percent: float) -> str:
    """99.9 as `p99.9`, 50.0 as `p50`."""
    return f"p{percent:.6f}".rstrip("0").rstrip(".")


def operation_title(name: str) -> str:
    """The English title of an operation; dbench's rows keep their printed name."""
    if name in OPERATIONS:
        return OPERATIONS[name].title
    return N_("Load: {name}", name=name.removeprefix("load_"))


def shown(value: float, metric: str, *, binary: bool = False) -> str:
    """A measured value for people, as tables have it: `87.0 MB/s`, `14.5 kIOPS`, `1.20 kTPS`, `36.0 %`."""
    if METRICS[metric].family == "cpu":
        return f"{measured(value * 100)} %"
    text = human(value, METRICS[metric].unit, binary=binary, digits=measured)
    unit = {"iops": "IOPS", "transactions": "TPS"}.get(metric)
    return f"{text.removesuffix('/s')}{unit}" if unit else text
