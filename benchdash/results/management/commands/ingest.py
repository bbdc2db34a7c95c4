"""`manage.py ingest PATH…`: files, folders and archives into the database."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from benchdash.errors import Refused
from benchdash.parsers.unpacking import kind_of
from benchdash.results.assignment import assignment_by_name
from benchdash.results.ingest import ingest
from benchdash.results.models import Upload
from benchdash.results.outcomes import Outcome
from benchdash.results.readings import File
from benchdash.vocabulary.settings import settings_of_pairs

# what one transaction holds: files, bytes
_USUAL = (100, 16 * 2**20)
_MOST = (1000, 64 * 2**20)  # of a folder, which is divided only where it alone is too much
_LARGE_ARCHIVE_BYTES = 2**18
_SHOWN = (Upload.Outcome.STORED, Upload.Outcome.KNOWN, Upload.Outcome.REFUSED)


class Command(BaseCommand):
    """Exit 0: all is stored now. Exit 1: at least one file was refused, with its reason."""

    help = "Store result files, folders and archives."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH", help="file, folder or archive")
        parser.add_argument("--configuration", default="", metavar="NAME")
        parser.add_argument("--environment", default="", metavar="NAME")
        parser.add_argument("--study", default="", metavar="NAME")
        parser.add_argument(
            *("--setting", "-s"),
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="what else was set, as in guests=4; may be given several times",
        )

    def handle(self, *_: Any, paths: list[str], **options: Any) -> None:
        names = {name: options[name] for name in ("configuration", "environment", "study")}
        try:
            settings_given = settings_of_pairs(options["setting"])
            assignment = assignment_by_name(**names, settings=settings_given)
        except Refused as refused:
            raise CommandError(refused.sentence) from None
        self.counts: Counter[str] = Counter()
        found = list(paths_of(paths))
        with tqdm(total=len(found), unit=" files", disable=not sys.stderr.isatty()) as self.bar:
            for portion in portions(found):
                files = (file for path in portion if (file := self._file(path)))
                for outcome in ingest(files, assignment):
                    self._report(outcome.upload.outcome, outcome.upload.name, _words(outcome))
                self.bar.update(len(portion))
        summary = ", ".join(f"{self.counts[each]} {each.label}" for each in _SHOWN)
        self.stdout.write(f"{summary}.")
        if self.counts[Upload.Outcome.REFUSED]:
            sys.exit(1)

    def _file(self, path: Path) -> File | None:
        try:
            return read_file(path, settings.MAX_UPLOAD_BYTES)
        except Refused as refused:
            self._report(Upload.Outcome.REFUSED, str(path), refused.sentence)
            return None

    def _report(self, outcome: str, name: str, words: str) -> None:
        self.counts[outcome] += 1
        self.bar.clear()
        self.stdout.write(f"{Upload.Outcome(outcome).label}: {name}: {words}")


def _words(outcome: Outcome) -> str:
    """What was recognised and the runs it became; or the sentence."""
    words = [
        f"{f'{tool} {version}'.strip()}, {count} {'result' if count == 1 else 'results'} ({kind})"
        for tool, version, kind, count in outcome.recognised
    ]
    return "; ".join([*words, *([outcome.sentence] if outcome.sentence else [])])


def paths_of(names: Iterable[str]) -> Iterator[Path]:
    """The files among `names` and in their folders, in order; hidden ones in folders left out."""
    for name in names:
        path = Path(name)
        if not path.is_dir():
            yield path
            continue
        for inner in sorted(path.rglob("*")):
            hidden = any(part.startswith(".") for part in inner.relative_to(path).parts)
            if inner.is_file() and not hidden:
                yield inner


def portions(paths: Iterable[Path]) -> Iterator[list[Path]]:
    """Paths in their order; a folder is divided only where it alone is too much.

    A log of fio needs the result that it lies beside. An archive that is not small is a portion of
    its own, so that its budget is, too.
    """
    portion: list[Path] = []
    size = 0
    for path in paths:
        if _is_large_archive(path):
            yield [path]
            continue
        limits = _MOST if portion and portion[-1].parent == path.parent else _USUAL
        if portion and (len(portion) >= limits[0] or size >= limits[1]):
            yield portion
            portion, size = [], 0
        portion.append(path)
        size += path.stat().st_size if path.exists() else 0
    if portion:
        yield portion


def _is_large_archive(path: Path) -> bool:
    try:
        if not path.is_file() or path.stat().st_size < _LARGE_ARCHIVE_BYTES:
            return False
        with path.open("rb") as file:
            return kind_of(file.read(2**10)) is not None
    except OSError:  # `read_file` gives the reason
        return False


def read_file(path: Path, most_bytes: int) -> File:
    """The file with its path as its name; Refused where it cannot be read."""
    shown = str(path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    try:
        if not path.is_file() and path.exists():
            raise Refused("neither a file nor a folder")
        if path.stat().st_size > most_bytes:
            raise Refused(
                "larger than {mebibytes} MiB (MAX_UPLOAD_BYTES)", mebibytes=most_bytes >> 20
            )
        return File(shown, path.read_bytes())
    except FileNotFoundError:
        raise Refused("there is no such file") from None
    except OSError as error:
        raise Refused("cannot be read: {error}", error=error.strerror) from None
