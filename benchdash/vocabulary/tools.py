"""The tools whose output is read: everything that is known of a tool but its format.

Its parser, which reads the live lines too, is registered by the name (`parsers.PARSERS`); recipes,
lists of runs, probes and workers take the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

Measures = tuple[tuple[str, str], ...]  # (operation, metric)


def _measures(metrics: str, operations: str) -> Measures:
    """Each metric of each operation, one metric after the other."""
    return tuple((each, metric) for metric, each in product(metrics.split(), operations.split()))


@dataclass(frozen=True, slots=True)
class Tool:
    """`process` is the name in /proc/PID/stat, `package` the Debian package that installs it.

    `version_command` runs without a shell and measures nothing; its output matches
    `version_pattern`. `version_line` is a shell command that prints one line, "" where
    `version_command` does. Ceph's tools have no version of their own: it is that of `ceph`.
    `headlines` are the means that people look for first, in that order.
    """

    name: str
    process: str
    package: str
    version_command: str
    headlines: Measures
    version_pattern: str = ""
    version_line: str = ""


_SIDES = "seq_write seq_read rand_write rand_read mixed_write mixed_read write read mixed"

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
        ),
        Tool(
            name="dbench",
            process="dbench",
            package="dbench",
            version_command="dbench --version",
            version_pattern=r"version (\d[\w.]*)",
            headlines=_measures("throughput latency", "load"),
        ),
        Tool(
            name="pgbench",
            process="pgbench",
            package="postgresql-contrib",
            version_command="pgbench --version",
            version_pattern=r"\(PostgreSQL\) (\S+)",
            headlines=_measures("transactions latency", "transaction"),
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
        ),
        Tool(
            name="rados",
            process="rados",
            package="ceph-common",
            version_command="rados --version",
            headlines=_measures("throughput iops latency", "write seq_read rand_read read"),
        ),
        Tool(
            name="rbd",
            process="rbd",
            package="ceph-common",
            version_command="rbd --version",
            headlines=_measures("throughput iops", _SIDES),
        ),
    )
}
