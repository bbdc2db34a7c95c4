"""fio 1.3 to 3.x: normal text, JSON and JSON+, terse version 2 to 5, and bare logs.

Commands: `fio JOB [--output-format=normal|json|json+|terse|…]`, several formats at once, with
progress (`--eta`), snapshots (`--status-interval`) or clients (`--client`) around them. One result
is one job, or one reporting group under its first job's name; group lines are a result only where
no job is. Figures of half-second samples (`bw_mean`, `iops_mean`, …) are details: they are not the
run's rate. Each module is the manual of its part.
"""

from __future__ import annotations

from benchdash.parsers.fio import json_documents, json_results, logs, mixture
from benchdash.parsers.result import Parsed
from benchdash.parsers.source import Source

TOOL = "fio"
VERSION = 4


def read(source: Source) -> Parsed | None:
    """All fio results of a file in reading order.

    None where no fio output stands in it; ParseError where nothing of it can be trusted.
    """
    document = json_documents.whole(source.utf8)
    if document is not None:
        return Parsed(json_results.results(document, {}), whole=True)
    if source.mentions(*mixture.MARKS):
        return mixture.read(source)
    if b"," in source.utf8 and logs.looks_like_one(source.text, source.name):
        return Parsed([logs.read_log(source.text, source.name)], whole=True)
    return None
