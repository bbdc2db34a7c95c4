"""The first page: how to begin, until there is something of one's own."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command

from benchdash.results.models import Study
from benchdash.results.records import write_study
from tests.jobs.records import a_target
from tests.measured import a_configuration, a_run

pytestmark = pytest.mark.django_db
FIRST = "You have a storage host"


def order(text):
    """The second headings of a page, in their order."""
    return re.findall(r"<h2>([^<]+)</h2>", text)


def test_a_newcomer_is_led_to_files_a_host_and_an_example(signed_in):
    call_command("load_demo")
    text = signed_in("admin").get("/").text
    assert 'action="/uploads/"' in text
    assert 'href="/hosts/new/"' in text
    assert re.search(r'class="button" href="/studies/[^"]+">Look at an example', text)
    assert "Newest runs" not in text
    assert order(text)[0] == "Examples: published studies"


def test_without_examples_none_is_offered(contributor):
    text = contributor.get("/").text
    assert FIRST in text
    assert "Look at an example" not in text


def test_each_is_offered_only_what_they_may_do(signed_in, client, settings):
    viewer = signed_in("viewer").get("/").text
    assert "An admin connects hosts" in viewer
    assert "/hosts/new/" not in viewer
    assert 'type="file"' not in viewer
    settings.PUBLIC_READ = True
    assert "/sign-in/?next=/uploads/" in client.get("/").text


@pytest.mark.parametrize("own", ["run", "host", "study", "run in an example"])
def test_the_lead_is_a_line_once_anything_is_ones_own(signed_in, own):
    call_command("load_demo")
    admin = signed_in("admin")
    assert FIRST in admin.get("/").text
    if own == "run":
        a_run(a_configuration("Two disks"))
    elif own == "host":
        a_target()
    elif own == "study":
        write_study(Study(), title="Own question")
    else:
        a_run(a_configuration("Two disks"), study=Study.objects.first(), created_by=admin.person)
    text = admin.get("/").text
    assert FIRST not in text
    assert "<h1>What is new</h1>" in text
    assert "Look at an example" in text


def test_ones_own_comes_before_the_examples(signed_in, house):
    write_study(Study(), title="Own question")
    shown = order(signed_in("admin").get("/").text)
    assert shown[:4] == ["Running now", "Newest runs", "Studies", "Examples: published studies"]


def test_runs_of_the_examples_are_no_news(signed_in):
    call_command("load_demo")
    own = a_run(a_configuration("Two disks"))
    text = signed_in("viewer").get("/").text
    assert set(re.findall(r'href="/runs/(\d+)/"', text)) == {str(own.pk)}


def test_a_card_without_numbers_is_small(signed_in):
    call_command("load_demo")
    Study.objects.create(slug="planned", title="Planned, and not measured yet")
    text = signed_in("viewer").get("/studies/").text
    cards = re.findall(r'<article class="card link( small)?">(.*?)</article>', text, re.DOTALL)
    assert len(cards) == 6
    assert {bool(small) == ("card-bars" not in card) for small, card in cards} == {True}
    assert any(small for small, _card in cards)
