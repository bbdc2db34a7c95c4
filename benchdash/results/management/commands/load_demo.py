"""The five published studies."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from benchdash.results.demonstration import demo_folders, load, refresh


class Command(BaseCommand):
    help = (
        "Load the five published studies; a study that is there already is given what it lacks, "
        "and what was changed in it stays."
    )

    def handle(self, *_arguments: Any, **_options: Any) -> None:
        for folder in demo_folders():
            if study := load(folder):
                self.stdout.write(f"loaded: {study}")
            elif refresh(folder):
                self.stdout.write(f"brought up to date: {folder.name}")
            else:
                self.stdout.write(f"there already: {folder.name}")
