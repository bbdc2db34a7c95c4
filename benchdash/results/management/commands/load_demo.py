"""The five published studies."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from benchdash.results.demonstration import demo_folders, load


class Command(BaseCommand):
    help = "Load the five published studies; a study that is there already is left as it is."

    def handle(self, *_arguments: Any, **_options: Any) -> None:
        for folder in demo_folders():
            study = load(folder)
            self.stdout.write(f"loaded: {study}" if study else f"there already: {folder.name}")
