"""The chapters of docs/ as pages, and the help link of each page."""

from __future__ import annotations

import re
from urllib.parse import urldefrag

import pytest
from django.test import Client

from benchdash.pages.help_chapters import ABOUT, CHAPTERS, FOLDER, read
from tests.pages.addresses import addresses

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def anchors(name):
    return set(re.findall(r'<h\d id="([^"]+)"', read(name).html))


def test_every_file_of_docs_is_a_chapter():
    assert set(CHAPTERS) == {path.stem for path in FOLDER.glob("*.md")}


@pytest.mark.parametrize("about", sorted(set(ABOUT.values())))
def test_what_a_page_leads_to_is_there(about):
    name, part = urldefrag(about)
    assert name in CHAPTERS
    assert not part or part in anchors(name)


@pytest.mark.parametrize("name", CHAPTERS)
def test_links_between_chapters_arrive(name):
    links = re.findall(r'href="([^"]+)"', read(name).html)
    inside = [link for link in links if not link.startswith("http")]
    for link in inside:
        address, part = urldefrag(link)
        other = re.fullmatch(r"/help/(\w+)/", address or f"/help/{name}/")
        assert other and other[1] in CHAPTERS, link
        assert not part or part in anchors(other[1]), link


def test_each_page_has_a_help_link_in_its_head(signed_in, house):
    admin = signed_in("admin")
    known = addresses(house)
    for name, leads_to in {
        "home": "/help/",
        "compare": "/help/comparing/#how-they-are-shown",
        "new_host": "/help/remote/#on-the-storage-host",
        "job": "/help/remote/#states-and-failures",
        "uploads": "/help/uploading/",
        "runs": "/help/runs/",
        "new_configuration": "/help/stacks/#configurations",
        "profile": "/help/accounts/",
    }.items():
        head = admin.get(known[name][0]).text.partition("</header>")[0]
        assert re.findall(r'href="([^"]+)" rel="help"', head) == [leads_to]


def test_help_needs_no_account_and_is_linked_in_japanese_too(house):
    client = Client(headers={"accept-language": "ja"})
    text = client.get("/sign-in/").text
    assert 'rel="help" aria-label="このページのヘルプ"' in text
    page = client.get("/help/verdicts/")
    assert page.status_code == 200
    assert '<h2 id="doubts">Doubts</h2>' in page.text
    assert client.get("/help/nothing/").status_code == 404
    assert client.get("/help/../settings/").status_code == 404


def test_tables_of_numbers_need_no_style_and_head_no_empty_corner():
    html = read("verdicts").html
    assert '<td class="number">' in html and '<th class="number">' in html
    assert "style=" not in html
    assert "<th></th>" not in html


def test_a_chapter_has_its_parts_and_the_other_chapters_at_its_side(client):
    nav = re.search(
        r"<nav class=\"contents.*?</nav>", client.get("/help/verdicts/").text, re.DOTALL
    )[0]
    links = re.findall(r'href="([^"]+)"', nav)
    assert [link for link in links if link.startswith("/")] == [f"/help/{n}/" for n in CHAPTERS]
    assert {"#the-words", "#effects-of-a-matrix"} <= set(links)
    assert re.findall(r'href="([^"]+)" aria-current', nav) == ["/help/verdicts/"]


def test_titles_of_chapters_are_in_the_readers_language_and_the_chapter_says_that_it_is_not(client):
    japanese = {"accept-language": "ja"}
    assert ">リモート実行</a>" in client.get("/help/", headers=japanese).text
    page = client.get("/help/remote/", headers=japanese).text
    assert "<title>リモート実行" in page
    assert '<a href="#states-and-failures">状態と失敗</a>' in page
    assert '<article class="prose chapter" lang="en">' in page
    assert (
        '<a href="#states-and-failures">States and failures</a>'
        in client.get("/help/remote/", headers={"accept-language": "en"}).text
    )
