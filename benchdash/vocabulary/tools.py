"""The tools whose output is read: everything that is known of a tool but its format.

A parser (and a live reader) registers under the tool's name; recipes, the list of runs, probes and
workers use the rest.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tool:
    """`process` is the name in /proc/PID/stat, `package` the Debian package that installs it.

    `version_command` runs without a shell and measures nothing; its output matches
    `version_pattern`. `version_line` is a shell command that prints one line, "" where
    `version_command` does. Ceph's tools have no version of their own: it is that of `ceph`.
    """

    name: str
    process: str
    package: str
    version_command: str
    version_pattern: str = ""
    version_line: str = ""


TOOLS = {
    tool.name: tool
    for tool in (
        Tool("fio", "fio", "fio", "fio --version", r"fio[- ](?:HEAD-)?v?(\d[\w.+-]*)"),
        Tool(
            "bonnie++",
            "bonnie++",
            "bonnie++",
            # at the end of its usage; without an option that it rejects it would start to measure
            "bonnie++ -h",
            r"Version:? *(\d[\w.]*)",
            "bonnie++ -version 2>&1 | sed -n 's/^Version: */bonnie++ /p'",
        ),
        Tool("dbench", "dbench", "dbench", "dbench --version", r"version (\d[\w.]*)"),
        Tool(
            "pgbench",
            "pgbench",
            "postgresql-contrib",
            "pgbench --version",
            r"\(PostgreSQL\) (\S+)",
        ),
        Tool("rados", "rados", "ceph-common", "rados --version"),
        Tool("rbd", "rbd", "ceph-common", "rbd --version"),
        Tool("sysbench", "sysbench", "sysbench", "sysbench --version", r"sysbench (\d\S*)"),
    )
}
