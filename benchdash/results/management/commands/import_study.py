"""`manage.py import_study FILE…`: studies out of their files, with the raw outputs beside them.

An archive of a file and its outputs, as pages give it, is taken as it is.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from benchdash.errors import Refused
from benchdash.parsers.unpacking import kind_of
from benchdash.results.study_archives import unpacked
from benchdash.results.study_files import import_study


class Command(BaseCommand):
    """Exit 0: all are stored. Exit 1: at least one was refused, with the line of what is wrong."""

    help = "Store studies that are described in YAML, with the raw outputs that they name."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", type=Path)
        parser.add_argument(
            "--replace",
            action="store_true",
            help="let a file take the place of a study of its address",
        )

    def handle(self, *_: Any, files: list[Path], replace: bool, **_options: Any) -> None:
        refused = [path for path in files if not self._stored(path, replace=replace)]
        if refused:
            sys.exit(1)

    def _stored(self, path: Path, *, replace: bool) -> bool:
        try:
            with _opened(path) as (text, folder):
                study = import_study(text, replace=replace, folder=folder, remark=self.stderr.write)
        except Refused as refused:
            self.stderr.write(f"{path}: {refused.sentence}")
        except (OSError, UnicodeDecodeError) as error:
            self.stderr.write(f"{path}: {error}")
        else:
            self.stdout.write(f"{path}: {study}")
            return True
        return False


@contextmanager
def _opened(path: Path) -> Iterator[tuple[str, Path]]:
    """The text of a study and the folder of its outputs; both may be packed in an archive."""
    data = path.read_bytes()
    if kind_of(data) is None:
        yield data.decode(), path.parent
        return
    with unpacked(data, path.name) as (text, folder):
        yield text, folder
