"""Permalinks that were stored before the view was kept show what they showed: `first_permalinks/`.

Each file is a link of then, `{"query", "shown"}`, and by language what its page, API and exports
said. They were written by the last version that stored them, and are never written again.
"""

from __future__ import annotations

import csv
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from benchdash.results.models import Permalink, Study
from benchdash.results.permalinks import changed_since, frozen
from tests.comparison.golden import build_tuning
from tests.measured import a_configuration, a_run

# ids are part of what was stored: they begin at one here
pytestmark = pytest.mark.django_db(transaction=True, reset_sequences=True)

LINKS = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in (Path(__file__).parent / "first_permalinks").glob("*.json")
}


def build_records():
    """What the links are about."""
    build_tuning()
    study = Study.objects.create(slug="load", title="Load")
    for place, name in enumerate(("little", "much"), 1):
        configuration = a_configuration(name)
        for nth in range(5):
            shares = {"run.cpu.mean": 0.1 * place + nth / 100, "run.cpu_user.mean": 0.05}
            a_run(configuration, shares, study=study)


@pytest.fixture
def links(settings):
    settings.PUBLIC_READ = True
    build_records()
    for name, link in LINKS.items():
        Permalink.objects.create(slug=name, query=link["query"], shown=link["shown"])


class _Words(HTMLParser):
    """What stands in the figures of a comparison, and in words above them."""

    def __init__(self, page):
        super().__init__()
        self.found, self.inside, self.is_data = [], False, False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        classes = (dict(attrs).get("class") or "").split()
        self.inside = self.inside or (tag == "section" and "compared-section" in classes)
        self.is_data = tag == "script"

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "section"
        self.is_data = self.is_data and tag != "script"

    def handle_data(self, data):
        if self.inside and not self.is_data and (words := " ".join(data.split())):
            self.found.append(words)


def as_then(part):
    """An answer of the API without what it did not have then."""
    if isinstance(part, list):
        return [as_then(each) for each in part]
    if not isinstance(part, dict):
        return part
    kept = {key: as_then(each) for key, each in part.items() if key not in LATER}
    if "verdict" in part:
        kept["verdict"] = "unknown" if part["verdict"] == "none" else part["verdict"]
        interval = part["ratio_interval"]
        kept["ratio_interval"] = interval and [interval["low"], interval["high"]]
    return kept


LATER = {"against", "samples", "delta", "order", "primary", "winners", "modes", "above", "coverage"}
LATER |= {"doubted", "left_out", "repeats", "overview", "like"}
WORDS = {"better", "worse", "no visible difference", "良い", "悪い", "差は見えない"}


def cells(lines):
    """Of a table in Markdown, cell by cell; an interval without what it is."""
    found = [cell.strip() for line in lines for cell in line.split("|") if cell.strip("- :")]
    return [re.sub(r" \((95 %|range|範囲)\)$", "", cell) for cell in found]


def added(before, after):
    """What stands in `after` and not in `before`, which is there whole and in its order."""
    more, waiting = [], iter(before)
    wanted = next(waiting, None)
    for each in after:
        if each == wanted:
            wanted = next(waiting, None)
        else:
            more.append(each)
    assert wanted is None
    return set(more)


def test_pages_api_and_exports_say_what_they_said(links, client):
    assert len(LINKS) == 6
    for name, link in LINKS.items():
        for language in link.keys() & {"en", "ja"}:
            told, headers = link[language], {"Accept-Language": language}
            place = f"/api/v1/permalinks/{name}/"
            now = client.get(place, headers=headers).json()
            assert (now["changed"], now["rules_changed"]) == ([], True)
            assert as_then(now["comparison"]) == as_then(told["comparison"])

            rows = csv.DictReader(
                client.get(f"{place}?format=csv", headers=headers).text.splitlines()
            )
            for before, after in zip(csv.DictReader(told["csv"]), rows, strict=True):
                assert before == {key: after[key] for key in before}
                assert after["sentence"] in {"", *WORDS}

            tables = client.get(f"{place}?format=md", headers=headers).text.splitlines()
            sentences = [line for line in tables if line[:1] not in "<#|*"]
            assert added(cells(told["md"]), cells(tables)) <= {
                "verdict",
                "判定",
                *WORDS,
                *sentences,
            }
            page = client.get(f"/c/{name}/", headers=headers).text
            found = _Words(page).found
            assert added(told["words"], found) <= {"95 %"}
            assert {line.replace("\\", "") for line in sentences} - {""} <= set(found)


def test_their_words_are_of_every_kind():
    """So that none of the old rules is held by nothing."""
    figures = [
        figure
        for link in LINKS.values()
        for section in link["en"]["comparison"]["sections"]
        for figure in section["figures"]
    ]
    rows = [row for figure in figures for row in figure["rows"]]
    assert {row["verdict"] for row in rows} == {"better", "worse", "no_difference", "unknown"}
    kinds = {row["interval"]["kind"] for row in rows if row["interval"]}
    assert kinds == {"range", "bootstrap"}
    sentences = " ".join(figure["sentence"] for figure in figures)
    assert "is best with" in sentences and "no visible difference between" in sentences


def test_the_oldest_have_no_curves(links):
    link = Permalink.objects.get(slug="own-difference")
    before = frozen(link).view.sections
    del link.shown["beside"], link.shown["courses"]
    (section,) = frozen(link).view.sections
    assert (section.figures, section.percentiles) == (before[0].figures, ())
    assert changed_since(link) == []
