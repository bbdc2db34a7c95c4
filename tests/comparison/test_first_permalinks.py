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

from benchdash.results.comparison import compare
from benchdash.results.criteria import read_query
from benchdash.results.models import Permalink, Study
from benchdash.results.permalinks import changed_since, frozen
from benchdash.results.permalinks_form_1 import in_words_of_form_1
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


def in_older_japanese(text):
    """Its lists and titles had a Latin comma, and its blanks were others."""
    text = re.sub(r"（(p[\d.]+|最大|最小|標準偏差)）", r", \1", text)
    return "".join(text.translate(str.maketrans("、：;", ",:,")).split())


def bare(text):
    """Without the marks between values and the groups that have them: `1 – a; 2 – b`, `1 (a), 2 (b)`."""
    return re.sub("[–()（）,;]", "", in_older_japanese(text))


def as_then(part):
    """An answer of the API without what it did not have then."""
    if isinstance(part, list):
        return [as_then(each) for each in part]
    if isinstance(part, str):
        return in_older_japanese(part)
    if not isinstance(part, dict):
        return part
    older = {key: as_then(each) for key, each in part.items() if key not in LATER}
    if "verdict" in part:
        older["verdict"] = "unknown" if part["verdict"] == "none" else part["verdict"]
        interval = part["ratio_interval"]
        older["ratio_interval"] = interval and [interval["low"], interval["high"]]
    return older


LATER = {"against", "samples", "delta", "order", "primary", "winners", "modes", "above", "coverage"}
LATER |= {"doubted", "left_out", "repeats", "overview", "like", "started", "intended"}
LATER |= {"more_runs", "parted_by", "words", "whole", "cells", "matrices", "unrecorded"}
WORDS = {"better", "worse", "no visible difference", "良い", "悪い", "差は見えない"}


def split(line):
    """The cells of a row of a table in Markdown."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def numbers_then(lines):
    """`{(measure, group): [n, median, interval …]}` of a table for each figure, as it was then."""
    found, title = {}, ""
    for line in lines:
        if line.startswith("### "):
            title = re.sub(r" [(（].*", "", line.removeprefix("### "))
        elif line.startswith("|  |"):
            heads = split(line)
            measure = f"{title} {heads[2].partition(' ')[2]}".rstrip()
        elif line.startswith("| ") and not line.startswith("| ---"):
            name, *own = split(line)
            # the latency under it was the last column
            if title + ":" in heads[-1]:
                found[heads[-1], name] = [own.pop()]
            found[measure, name] = own
    return found


def numbers_now(lines):
    """The same of the one table for all measures: each cell holds all of a group by one measure."""
    found, heads = {}, []
    for line in lines:
        if line.startswith("|  |"):
            heads = [re.sub(r" [(（].*", "", head) for head in split(line)]
        elif line.startswith("| ") and not line.startswith("| ---"):
            name, n, *own = split(line)
            for head, cell in zip(heads[2:], own, strict=True):
                found[head, name] = f"{n} {cell}"
    return found


# columns of then that are lines of a cell now
HEADS = {"Median", "Interval", "% of baseline", "中央値", "区間", "基準比 %"}


def is_in(words, found):
    """Whether a page says them, in a cell of its table or elsewhere."""
    # whether an interval is a range stands in the title of the cell
    if words in HEADS | {"range", "範囲", "95 %"}:
        return True
    if words[:1].isdigit():  # a number is no part of another
        number = re.compile(rf"(?<![\d.]){re.escape(words)}(?![\d.])")
        return any(map(number.search, found))
    # the kind of a chart stands in its title now, its unit beside it
    return all(any(part in each for each in found) for part in words.split(" · "))


def test_pages_api_and_exports_have_the_words_that_they_had(links, client):
    assert len(LINKS) == 6
    for name, link in LINKS.items():
        for language in link.keys() & {"en", "ja"}:
            stored, headers = link[language], {"Accept-Language": language}
            place = f"/api/v1/permalinks/{name}/"
            now = client.get(place, headers=headers).json()
            assert (now["changed"], now["rules_changed"]) == ([], True)
            assert as_then(now["comparison"]) == as_then(stored["comparison"])

            rows = csv.DictReader(
                client.get(f"{place}?format=csv", headers=headers).text.splitlines()
            )
            for before, after in zip(csv.DictReader(stored["csv"]), rows, strict=True):
                assert before == {key: after[key] for key in before}
                assert after["sentence"] in {"", *WORDS}

            tables = client.get(f"{place}?format=md", headers=headers).text.splitlines()
            sentences = [line for line in tables if line[:1] not in "<#|*"]
            numbers = numbers_now(tables)
            for place, cells in numbers_then(stored["md"]).items():
                assert [cell for cell in cells if cell not in numbers[place]] == [], place
            page = client.get(f"/c/{name}/", headers=headers).text
            found = _Words(page).found
            older = {bare(each) for each in found}
            missing = [words for words in stored["words"] if not is_in(words, found)]
            assert [words for words in missing if bare(words) not in older] == []
            assert {line.replace("\\", "").removeprefix("- ") for line in sentences} - {""} <= set(
                found
            )


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


def test_sizes_and_kinds_of_layers_were_written_as_they_are_stored():
    for name, size, kind in (("one", "64K", "xfs"), ("other", "1280K", "cloud_volume")):
        configuration = a_configuration(name, md__chunk_bytes=size, layer=kind)
        a_run(configuration, {"seq_write.throughput.mean": 1e6})
    grouped = compare(read_query("tool=fio&group=layer.md.chunk_bytes")).view
    labels = [group.label for group in in_words_of_form_1(grouped).groups]
    assert labels == ["md chunk 64K", "md chunk 1280K"]
    apart = in_words_of_form_1(compare(read_query("tool=fio&group=configuration")).view)
    texts = {one.factor: one.texts for one in apart.differences}
    assert texts["layer.md.chunk_bytes"] == ("64K", "1280K")
    assert texts["layer.layer"] == ("xfs", "cloud_volume")
