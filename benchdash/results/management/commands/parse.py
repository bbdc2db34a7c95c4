"""`manage.py parse FILE… [--json]`: read result files without storing anything."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from benchdash.errors import N_, Refused
from benchdash.parsers.archives import Member, members
from benchdash.parsers.report import as_json_line, as_table, report


class Command(BaseCommand):
    """Exit 0: all parsed. Exit 1: at least one did not, each with one line on stderr."""

    help = "Parse result files without storing anything."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files", nargs="+", metavar="FILE", help="a result file, an archive, or - for stdin"
        )
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    def handle(self, *_: Any, files: list[str], json: bool, **_options: Any) -> None:
        try:
            complaints = self._parse(files, as_json_line if json else as_table)
            self.stdout.flush()
        except OSError as error:
            # else Python complains once more at its exit about what is left in the buffer
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if isinstance(error, BrokenPipeError):  # who reads has seen enough
                sys.exit(1)
            raise CommandError(
                N_("the output cannot be written: {error}", error=error.strerror)
            ) from None
        if complaints:
            sys.exit(1)

    def _parse(self, files: list[str], rendered: Callable[[dict[str, Any]], str]) -> int:
        """How many files were not read, or not wholly."""
        complaints = 0
        for name in files:
            for member in _members(name):
                document = report(member)
                self.stdout.write(rendered(document))
                complaint = document.get("error") or document.get("incomplete")
                if complaint:
                    complaints += 1
                    self.stderr.write(f"{document['file']}: {complaint}")
        return complaints


def _members(name: str) -> Iterator[Member]:
    """The file, or what an archive holds; a name that cannot be read is a member with an error."""
    shown = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    try:
        data = _content(name)
    except Refused as refused:
        yield Member(shown, None, error=refused.sentence)
    else:
        yield from members(data, shown)


def _content(name: str) -> bytes:
    path = Path(name)
    if path.is_dir():
        raise Refused("this is a folder: give the files in it")
    try:
        return sys.stdin.buffer.read() if name == "-" else path.read_bytes()
    except FileNotFoundError:
        raise Refused("there is no such file") from None
    except OSError as error:
        raise Refused("cannot be read: {error}", error=error.strerror) from None
