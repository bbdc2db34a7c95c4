"""What people and tools wrote is shown, never run."""

from __future__ import annotations

import pytest
from django.test import Client

from benchdash.pages.markdown import markdown
from benchdash.results.models import Note, Run, Study, Tag
from tests.pages.addresses import addresses

FILES = ("run_raw", "upload_raw", "study_file", "study_with_outputs")
NASTY = "<script>alert('x')</script>"


@pytest.mark.django_db
def test_a_script_for_a_name_is_text_on_every_page(house, contributor):
    Run.objects.update(label=NASTY, set_aside_reason=NASTY, details={"command": NASTY})
    Study.objects.update(title=NASTY, question=NASTY, words=NASTY, translations={})
    type(house.local).objects.filter(pk=house.local.pk).update(name=NASTY, notes=NASTY)
    type(house.upload).objects.update(name=NASTY, sentence=NASTY)
    Note.objects.update(text=NASTY)
    Tag.objects.update(name=NASTY)
    house.environment.names.update(name=NASTY)
    shown = 0
    for name, (address, view) in addresses(house).items():
        if view.needs_to_write == "a person" or name in FILES:
            continue
        answer = contributor.get(address)
        assert "<script>alert" not in answer.text, name
        shown += "&lt;script&gt;alert" in answer.text
    assert shown > 10


@pytest.mark.django_db
def test_raw_output_is_never_a_page_of_ours(house, contributor):
    answer = contributor.get(f"/runs/{house.run.pk}/raw/")
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer.content.startswith(b"Version 1.03c")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>"),
        ('<img src=x onerror="alert(1)">', "&lt;img"),
        ("**bold** `code`", "<strong>bold</strong> <code>code</code>"),
        ("|a|\n|-|\n|b|", "<td>b</td>"),
    ],
)
def test_markdown_keeps_words_and_loses_harm(text, kept):
    html = markdown(text)
    assert kept in html
    assert "onerror=" not in html.replace("&quot;", '"').split("&lt;")[0]


def test_a_link_does_not_tell_where_its_reader_came_from():
    assert 'rel="noopener noreferrer"' in markdown("[there](https://example.org)")


@pytest.mark.django_db
def test_nothing_may_come_from_another_origin():
    policy = Client().get("/sign-in/")["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
