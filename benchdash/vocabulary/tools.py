"""The tools whose output is read: what everyone else needs to know of one stands here once.

A parser (and a live reader) registers by the name; recipes, the list of runs, probes and workers
take the rest.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tool:
    """`process` is the program as /proc/PID/stat names it, `package` Debian's that installs it.

    `asks_version` runs without a shell and measures nothing; its first words match
    `version_pattern`. `version_line` is for a shell and prints one line, "" where it is the same.
    Ceph's tools have no version of their own: it is that of `ceph`.
    """

    name: str
    process: str
    package: str
    asks_version: str
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
            # at the end of its usage; without a word that it does not know it would measure
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
