"""A view that was stored opens in every later version: `stored_view.json` is what a permalink keeps.

Until a version that stores it is out, `REGOLDEN=1` writes it anew; from then on it stays.
"""

from __future__ import annotations

import json
import os
from html import unescape
from pathlib import Path

import pytest

from benchdash.results.models import Permalink, Run
from benchdash.results.permalinks import FORM, make_permalink
from tests.comparison.test_first_permalinks import build_records

# ids are part of what was stored: they begin at one here
pytestmark = pytest.mark.django_db(transaction=True, reset_sequences=True)

FILE = Path(__file__).with_name("stored_view.json")
QUERY = "study=load&family=cpu&percent=1"


def holds(now, stored):
    """Whether all that was stored is there, beside what came later."""
    if isinstance(stored, dict):
        return all(key in now and holds(now[key], value) for key, value in stored.items())
    if isinstance(stored, list):
        return len(now) == len(stored) and all(map(holds, now, stored))
    return now == stored


def test_a_stored_view_opens_as_it_was(client, settings):
    settings.PUBLIC_READ = True
    build_records()
    if "REGOLDEN" in os.environ:
        baseline = Run.objects.latest("pk").configuration_id
        made = make_permalink(f"{QUERY}&baseline={baseline}", None)
        text = json.dumps(made.shown, ensure_ascii=False, indent=1)
        FILE.write_text(f"{text}\n", encoding="utf-8")
    shown = json.loads(FILE.read_text(encoding="utf-8"))
    assert shown["form"] == FORM
    Permalink.objects.create(slug="kept", query=QUERY, shown=shown)
    for language, view in shown["views"].items():
        headers = {"Accept-Language": language}
        now = client.get("/api/v1/permalinks/kept/", headers=headers).json()["comparison"]
        assert holds(now, view)
        page = unescape(client.get("/c/kept/", headers=headers).text)
        rows = [row for figure in view["sections"][0]["figures"] for row in figure["rows"]]
        sentences = [row["against"]["sentence"] for row in rows if row["against"]]
        assert sentences
        assert all(sentence in page for sentence in sentences)
