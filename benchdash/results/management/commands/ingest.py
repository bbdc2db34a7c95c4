"""`manage.py ingest PATH…`: files, folders and archives into the database."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from benchdash.errors import Refused
from benchdash.results.files import paths_of, portions, read_file
from benchdash.results.ingest import ingest
from benchdash.results.models import Upload
from benchdash.results.naming import asked_by_name
from benchdash.results.outcomes import Outcome
from benchdash.results.readings import File


class Command(BaseCommand):
    """Exit 0: all is stored now. Exit 1: at least one file was refused, with its reason."""

    help = "Store result files, folders and archives."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH", help="file, folder or archive")
        parser.add_argument("--configuration", default="", metavar="NAME")
        parser.add_argument("--environment", default="", metavar="NAME")
        parser.add_argument("--study", default="", metavar="NAME")

    def handle(self, *_: Any, paths: list[str], **options: Any) -> None:
        names = {name: options[name] for name in ("configuration", "environment", "study")}
        try:
            asked = asked_by_name(**names)
        except Refused as refused:
            raise CommandError(refused.sentence) from None
        self.counts: Counter[str] = Counter()
        found = list(paths_of(paths))
        with tqdm(total=len(found), unit=" files", disable=not sys.stderr.isatty()) as self.bar:
            for portion in portions(found):
                files = [file for path in portion if (file := self._file(path))]
                for outcome in ingest(files, asked):
                    self._say(outcome.upload.outcome, outcome.upload.name, _words(outcome))
                self.bar.update(len(portion))
        summary = ", ".join(f"{self.counts[each]} {each.label}" for each in _SHOWN)
        self.stdout.write(f"{summary}.")
        if self.counts[Upload.Outcome.REFUSED]:
            sys.exit(1)

    def _file(self, path: Path) -> File | None:
        try:
            return read_file(path, settings.MAX_UPLOAD_BYTES)
        except Refused as refused:
            self._say(Upload.Outcome.REFUSED, str(path), refused.sentence)
            return None

    def _say(self, outcome: str, name: str, words: str) -> None:
        self.counts[outcome] += 1
        self.bar.clear()
        self.stdout.write(f"{Upload.Outcome(outcome).label}: {name}: {words}")


_SHOWN = (Upload.Outcome.STORED, Upload.Outcome.KNOWN, Upload.Outcome.REFUSED)


def _words(outcome: Outcome) -> str:
    """What was recognised and the runs it became; or the sentence."""
    words = [
        f"{f'{tool} {version}'.strip()}, {count} {'result' if count == 1 else 'results'} ({kind})"
        for tool, version, kind, count in outcome.recognised
    ]
    return "; ".join([*words, *([outcome.sentence] if outcome.sentence else [])])
