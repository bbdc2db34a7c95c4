"""`make types`: the shape of what charts draw, from Python to `frontend/src/charts/view.ts`.

    python -m tools.chart_types

The schema between them is kept too, so that each side can be tested without the other.
"""

from __future__ import annotations

import json
import os

import django

from tools.install import npm
from tools.project import ROOT

SCHEMA = ROOT / "frontend" / "charts.schema.json"


def schema_text() -> str:
    """The schema as its file has it."""
    from benchdash.pages.charts import chart_schema  # noqa: PLC0415 - Django's settings come first

    return json.dumps(chart_schema(), indent=2) + "\n"


def main() -> None:
    """Write the schema, and the types that follow from it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdash.settings")
    django.setup()
    SCHEMA.write_text(schema_text(), encoding="utf-8")
    npm("run", "--silent", "chart-types")


if __name__ == "__main__":
    main()
