"""Japanese is complete: every text that people can see has its translation."""

from __future__ import annotations

import string

import pytest
from babel.messages.pofile import read_po
from django.test import Client

from benchdash.workshop.messages import LOCALE, catalogue

PATH = LOCALE / "ja" / "LC_MESSAGES" / "django.po"


@pytest.fixture(scope="module")
def japanese():
    with PATH.open("rb") as file:
        return read_po(file, locale="ja", domain="django")


def test_every_text_is_translated_and_no_translation_is_left_over(japanese):
    wanted = {(message.id, message.context) for message in catalogue() if message.id}
    known = {(message.id, message.context): message.string for message in japanese if message.id}
    assert sorted(map(str, wanted - known.keys())) == []
    assert sorted(map(str, known.keys() - wanted)) == []
    assert [key for key, text in known.items() if not text or text == ("",)] == []


def test_a_translation_fills_in_the_same_values(japanese):
    for message in japanese:
        texts = message.id if isinstance(message.id, tuple) else (message.id,)
        translated = message.string if isinstance(message.string, tuple) else (message.string,)
        for text in translated if message.id else ():
            assert fields(text) <= set().union(*map(fields, texts)), message.id
            if len(texts) == 1:
                assert fields(text) == fields(texts[0]), message.id


def fields(text):
    """Names that are filled in, in both ways: `%(name)s` and `{name}`."""
    braces = text if not text.startswith('{"') else ""
    named = {name for _t, name, _f, _c in string.Formatter().parse(braces) if name}
    return named | {part.split(")s")[0] for part in text.split("%(")[1:]}


def test_the_texts_of_code_templates_and_vocabulary_are_all_found():
    found = {message.id for message in catalogue()}
    assert "Drop files or folders here" in found  # a template
    assert "Tick the runs first." in found  # code
    assert "I/O scheduler of the queue." in found  # the vocabulary


@pytest.mark.django_db
def test_the_language_follows_the_browser_and_the_switch():
    browser = Client(headers={"accept-language": "ja,en;q=0.5"})
    assert '<html lang="ja"' in browser.get("/sign-in/").text
    browser.post("/language/", {"language": "en", "next": "/sign-in/"})
    assert '<html lang="en"' in browser.get("/sign-in/").text


@pytest.mark.django_db
def test_numbers_and_dates_follow_the_language(house, contributor):
    address = f"/runs/{house.run.pk}/"
    assert "年" in contributor.get(address, headers={"accept-language": "ja"}).text
    assert "16,384" in contributor.get(address, headers={"accept-language": "en"}).text
