"""`manage.py export_study NAME [--to FOLDER]`: a study as a file, on standard output or with its outputs."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from benchdash.errors import Refused
from benchdash.results.artifacts import pieces_of
from benchdash.results.assignment import study_named
from benchdash.results.models import Artifact
from benchdash.results.study_archives import FILE
from benchdash.results.study_files import export_study, export_with_outputs


class Command(BaseCommand):
    help = "Print a study as YAML, or write it to a folder with what was measured for it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="NAME", help="its title or address")
        parser.add_argument(
            "--to",
            type=Path,
            metavar="FOLDER",
            help="an empty or new folder, for study.yaml and the raw outputs of its runs",
        )

    def handle(self, *_: Any, study: str, to: Path | None, **_options: Any) -> None:
        try:
            found = study_named(study)
            if to is None:
                self.stdout.write(export_study(found), ending="")
                return
            to.mkdir(parents=True, exist_ok=True)
            if any(to.iterdir()):
                raise CommandError(f"{to} is not empty.")
            text, outputs = export_with_outputs(found, self.stderr.write)
            for name, artifact in outputs.items():
                with (to / name).open("wb") as file:
                    file.writelines(pieces_of(Artifact.objects.get(pk=artifact)))
            (to / FILE).write_text(text, encoding="utf-8")
        except Refused as refused:
            raise CommandError(refused.sentence) from None
        except OSError as error:
            raise CommandError(f"{to}: {error}") from None
