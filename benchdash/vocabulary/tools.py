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


TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            "fio",
            "fio",
            "fio",
            "fio --version",
            _measures(
                "throughput iops latency completion_latency",
                "seq_write seq_read rand_write rand_read mixed_write mixed_read write read mixed "
                "trim",
            ),
            r"fio[- ](?:HEAD-)?v?(\d[\w.+-]*)",
        ),
        Tool(
            "bonnie++",
            "bonnie++",
            "bonnie++",
            # at the end of its usage; without an option that it rejects it would start to measure
            "bonnie++ -h",
            _measures(
                "throughput iops rate",
                "seq_write seq_read seq_rewrite rand_seek seq_create rand_create seq_delete "
                "rand_delete",
            )
            + _measures("throughput", "seq_write_char seq_read_char"),
            r"Version:? *(\d[\w.]*)",
            "bonnie++ -version 2>&1 | sed -n 's/^Version: */bonnie++ /p'",
        ),
        Tool(
            "dbench",
            "dbench",
            "dbench",
            "dbench --version",
            _measures("throughput latency", "load"),
            r"version (\d[\w.]*)",
        ),
        Tool(
            "pgbench",
            "pgbench",
            "postgresql-contrib",
            "pgbench --version",
            _measures("transactions latency", "transaction"),
            r"\(PostgreSQL\) (\S+)",
        ),
        Tool(
            "rados",
            "rados",
            "ceph-common",
            "rados --version",
            _measures("throughput iops latency", "write seq_read rand_read read"),
        ),
        Tool(
            "rbd",
            "rbd",
            "ceph-common",
            "rbd --version",
            _measures(
                "throughput iops",
                "seq_write seq_read rand_write rand_read mixed_write mixed_read write read mixed",
            ),
        ),
        Tool(
            "sysbench",
            "sysbench",
            "sysbench",
            "sysbench --version",
            # run: 0.4.12 prints no rate of one side
            _measures(
                "throughput iops latency",
                "seq_write seq_read rand_write rand_read seq_rewrite run",
            ),
            r"sysbench (\d\S*)",
        ),
    )
}
