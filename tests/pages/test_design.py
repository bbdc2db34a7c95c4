"""The page of components knows every token, and asks nothing of anybody."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.conf import settings

from benchdash.jobs.models import Job
from benchdash.pages.design import COLOURS, ROUNDED, SIZES, SPACES
from benchdash.pages.design_jobs import CONDITIONS, FINDINGS

pytestmark = [pytest.mark.django_db, pytest.mark.once]
TOKENS = settings.BASE_DIR / "frontend" / "styles" / "tokens.css"
# said in words on the page: a page has one width, and shadows are under its cards
UNSEEN = {"font", "font-mono", "shadow", "shadow-raised", "page-width", "text-width"}


def test_every_token_is_shown():
    named = set(re.findall(r"^  --([a-z0-9-]+):", TOKENS.read_text(), re.MULTILINE))
    shown = {*SIZES, *SPACES, *ROUNDED, *(name for names in COLOURS.values() for name in names)}
    assert named - UNSEEN == shown


@pytest.mark.parametrize("language", ["en", "ja"])
def test_components_stand_in_both_themes_under_names_of_their_own(
    client, settings, language, django_assert_num_queries
):
    settings.PUBLIC_READ = True
    with django_assert_num_queries(0):
        page = client.get("/design/", headers={"accept-language": language})
    assert page.status_code == 200
    ids = re.findall(r'\bid="([^"]+)"', page.text)
    assert len(ids) == len(set(ids))
    assert {"light-name", "dark-name"} <= set(ids)
    assert 'data-chart="percentiles"' in page.text
    assert 'class="table-box numbers-of"' in page.text


def test_charts_are_requested_at_once_and_bring_all_they_need(client, settings):
    settings.PUBLIC_READ = True
    page = client.get("/design/").text
    scripts = re.findall(r'<script type="module" src="/static/([^"]+)"', page)
    assert len(scripts) == 2
    assert scripts[0].startswith("chunks/all-")
    dist = settings.BASE_DIR / "frontend" / "dist"
    for path in (dist / scripts[0], dist / "main.js"):
        assert not re.search(r'(?:^|;)import *(?:["{*]|\w+ *from)', path.read_text()), path


def test_remote_runs_are_shown_by_the_parts_that_their_pages_have(client, settings):
    settings.PUBLIC_READ = True
    page = client.get("/design/")
    shown = {template.name for template in page.templates}
    rooms = settings.BASE_DIR / "frontend" / "templates"
    pages = {"jobs/job.html", "jobs/progress.html", "plans/plan.html", "hosts/target.html"}
    used = {
        name
        for each in pages
        for name in re.findall(
            r'include "((?:jobs|plans|hosts)/\w+\.html)"', (rooms / each).read_text()
        )
    }
    assert used - pages <= shown
    for state in Job.State.values:
        assert f">{Job.State(state).label}</span>" in page.text
    assert 'data-part="live-points"' in page.text


def test_what_lists_comparisons_and_histories_are_made_of_is_shown(client, settings):
    settings.PUBLIC_READ = True
    page = client.get("/design/")
    shown = {template.name for template in page.templates}
    assert shown >= {"compare/differing.html", "history/figure.html", "runs/facets.html"}
    assert 'data-zoom="in"' in page.text
    assert 'class="segments"' in page.text and "warns" in page.text
    assert 'data-chart="history"' in page.text and "5.10 → 6.1" in page.text


def test_what_is_stated_of_remote_runs_is_japanese_too(client, settings):
    settings.PUBLIC_READ = True
    english, japanese = (
        unescape(client.get("/design/", headers={"accept-language": language}).text)
        for language in ("en", "ja")
    )
    for one in (*CONDITIONS, *FINDINGS):
        sentence = one.get("sentence", one.get("text"))
        assert sentence in english
        assert sentence not in japanese


def test_the_menu_knows_where_a_page_belongs(house, signed_in):
    admin = signed_in("admin")
    for address, entry in (
        (f"/plans/{house.job.plan_id}/", "Jobs"),
        ("/recipes/new/", "Jobs"),
        (f"/targets/{house.target.pk}/", "Hosts"),
        (f"/c/{house.permalink.slug}/", "Compare"),
        (f"/runs/{house.run.pk}/", "Runs"),
    ):
        assert f'aria-current="true">{entry}</a>' in admin.get(address).text
    assert "aria-current" not in re.sub("<main.*", "", admin.get("/").text, flags=re.DOTALL)
