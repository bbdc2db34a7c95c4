"""`manage.py reparse`: read stored artifacts again with the parsers as they are now."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import Q
from tqdm import tqdm

from benchdash.results.models import Artifact, Upload
from benchdash.results.reparse import Changes, reparse
from benchdash.results.uploads import read_kept


class Command(BaseCommand):
    """Runs keep their ids; what vanished is withdrawn, what is new is added."""

    help = "Read stored artifacts again: all, or those of a tool or of some runs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tool", default="", help="only runs of this tool")
        parser.add_argument("--run", type=int, nargs="+", metavar="ID", help="only these runs")
        parser.add_argument(
            "--refused", action="store_true", help="files that could not be read when they came"
        )

    def handle(self, *_: Any, refused: bool, **options: Any) -> None:
        if refused:
            self._read_refused()
            return
        wanted = Q(runs__isnull=False) | Q(traces__isnull=False)
        if options["tool"]:
            wanted &= Q(runs__tool=options["tool"]) | Q(traces__run__tool=options["tool"])
        if options["run"]:
            wanted &= Q(runs__in=options["run"]) | Q(traces__run__in=options["run"])
        artifacts = Artifact.objects.filter(wanted).order_by("pk").distinct()
        ids = list(artifacts.values_list("pk", flat=True))
        changed = 0
        for pk in tqdm(ids, unit=" files", disable=not sys.stderr.isatty()):
            changes = reparse(pk)
            lines = list(_lines(changes))
            changed += bool(lines) and not changes.skipped
            for line in lines:
                self.stdout.write(line)
        self.stdout.write(f"{len(ids)} files read again, {changed} changed.")

    def _read_refused(self) -> None:
        refused = Upload.objects.filter(outcome=Upload.Outcome.REFUSED, artifact__purge=None)
        uploads = list(refused.select_related("artifact", "created_by").order_by("pk"))
        for upload in tqdm(uploads, unit=" files", disable=not sys.stderr.isatty()):
            read_kept([upload])
            if upload.outcome != Upload.Outcome.REFUSED:
                self.stdout.write(f"{upload.name}: {upload.get_outcome_display()}")


def _lines(changes: Changes) -> list[str]:
    """What a person should know, a line for each run."""
    lines = [f"run {pk}: added" for pk in changes.added]
    lines += [f"run {pk}: withdrawn, its result is found no more" for pk in changes.withdrawn]
    for pk, numbers in changes.numbers.items():
        changed = [
            f"{' '.join(name)} {_shown(before)} → {_shown(now)}"
            for name, (before, now) in numbers.items()
        ]
        lines.append(f"run {pk}: {'; '.join(changed)}")
    if (lines or changes.skipped) and changes.sentence:
        lines.append(changes.sentence)
    return [f"{changes.name}: {line}" for line in lines]


def _shown(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"
