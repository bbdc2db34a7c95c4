"""The tools whose output is read: everything that is known of a tool but its format.

Its parser, which reads the live lines too, is registered by the name (`parsers.PARSERS`); recipes,
lists of runs, probes and workers take the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from benchdash.vocabulary.measures import MeasureName

Measures = tuple[tuple[str, str], ...]  # (operation, metric)
Alternatives = tuple[MeasureName, ...]  # the first of them that is there counts
SMALL_BLOCK_BYTES = 64 * 1024


def _measures(metrics: str, operations: str) -> Measures:
    """Each metric of each operation, one metric after the other."""
    return tuple((each, metric) for metric, each in product(metrics.split(), operations.split()))


def _first_of(choices: str, operations: str) -> tuple[Alternatives, ...]:
    """`metric.statistic …` of each operation, in order of preference."""
    pairs = [choice.split(".", 1) for choice in choices.split()]
    return tuple(
        tuple(MeasureName(each, metric, statistic) for metric, statistic in pairs)
        for each in operations.split()
    )


@dataclass(frozen=True, slots=True)
class Tool:
    """`process` is the name in /proc/PID/stat, `package` the Debian package that installs it.

    `version_command` runs without a shell and measures nothing; its output matches
    `version_pattern`. `version_line` is a shell command that prints one line, "" where
    `version_command` does. Ceph's tools have no version of their own: it is that of `ceph`.
    `headlines` are the means that people look for first, in that order. `primary` are the measures
    that verdicts may be firm about: few, since each costs the others. Of blocks above 64 KiB
    `primary_of_large_blocks`, where the tool has them.
    """

    name: str
    process: str
    package: str
    version_command: str
    headlines: Measures
    primary: tuple[Alternatives, ...]
    primary_of_large_blocks: tuple[Alternatives, ...] = ()
    version_pattern: str = ""
    version_line: str = ""

    def primary_for(self, block_bytes: int | None) -> tuple[Alternatives, ...]:
        """Those of a workload with such blocks; None: not printed."""
        large = block_bytes is not None and block_bytes > SMALL_BLOCK_BYTES
        return (large and self.primary_of_large_blocks) or self.primary


_SIDES = "seq_write seq_read rand_write rand_read mixed_write mixed_read write read mixed"
_FIO_LATENCY = "completion_latency.p99 completion_latency.mean latency.mean"

TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            name="fio",
            process="fio",
            package="fio",
            version_command="fio --version",
            version_pattern=r"fio[- ](?:HEAD-)?v?(\d[\w.+-]*)",
            headlines=_measures("throughput iops latency completion_latency", f"{_SIDES} trim"),
            # of one block size, throughput and IOPS are one number in two units
            primary=(
                *_first_of("iops.mean throughput.mean", f"{_SIDES} trim"),
                *_first_of(_FIO_LATENCY, f"{_SIDES} trim"),
            ),
            primary_of_large_blocks=(
                *_first_of("throughput.mean iops.mean", f"{_SIDES} trim"),
                *_first_of(_FIO_LATENCY, f"{_SIDES} trim"),
            ),
        ),
        Tool(
            name="bonnie++",
            process="bonnie++",
            package="bonnie++",
            # at the end of its usage; without an option that it rejects it would start to measure
            version_command="bonnie++ -h",
            version_pattern=r"Version:? *(\d[\w.]*)",
            version_line="bonnie++ -version 2>&1 | sed -n 's/^Version: */bonnie++ /p'",
            headlines=(
                *_measures("throughput", "seq_write seq_read seq_rewrite"),
                *_measures("iops", "rand_seek"),
                *_measures("rate", "seq_create rand_create seq_delete rand_delete"),
                *_measures("throughput", "seq_write_char seq_read_char"),
            ),
            primary=(
                *_first_of("throughput.mean", "seq_write seq_rewrite seq_read"),
                *_first_of("iops.mean", "rand_seek"),
                *_first_of("rate.mean", "seq_create rand_create rand_delete"),
            ),
        ),
        Tool(
            name="dbench",
            process="dbench",
            package="dbench",
            version_command="dbench --version",
            version_pattern=r"version (\d[\w.]*)",
            headlines=_measures("throughput latency", "load"),
            primary=(*_first_of("throughput.mean", "load"), *_first_of("latency.max", "load")),
        ),
        Tool(
            name="pgbench",
            process="pgbench",
            package="postgresql-contrib",
            version_command="pgbench --version",
            version_pattern=r"\(PostgreSQL\) (\S+)",
            headlines=_measures("transactions latency", "transaction"),
            primary=(
                *_first_of("transactions.mean", "transaction"),
                *_first_of("latency.mean", "transaction"),
            ),
        ),
        Tool(
            name="sysbench",
            process="sysbench",
            package="sysbench",
            version_command="sysbench --version",
            version_pattern=r"sysbench (\d\S*)",
            # run: 0.4.12 prints no rate of one side
            headlines=_measures(
                "throughput iops latency",
                "seq_write seq_read rand_write rand_read seq_rewrite run",
            ),
            primary=_first_of(
                "iops.mean", "seq_write seq_read rand_write rand_read seq_rewrite run"
            ),
        ),
        Tool(
            name="rados",
            process="rados",
            package="ceph-common",
            version_command="rados --version",
            headlines=_measures("throughput iops latency", "write seq_read rand_read read"),
            primary=_first_of("throughput.mean", "write seq_read rand_read read"),
        ),
        Tool(
            name="rbd",
            process="rbd",
            package="ceph-common",
            version_command="rbd --version",
            headlines=_measures("throughput iops", _SIDES),
            primary=_first_of("throughput.mean", _SIDES),
        ),
    )
}
