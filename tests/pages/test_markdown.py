"""Markdown as people write it, in scripts with blanks and without."""

from __future__ import annotations

import time

import pytest

from benchdash.inventory.records import LONGEST_TEXT
from benchdash.pages.markdown import markdown


def test_japanese_lines_join_without_a_blank_and_english_ones_with_one():
    assert markdown("同じ\nゾーンの場合、\n別の") == "<p>同じゾーンの場合、別の</p>\n"
    assert markdown("one\ntwo") == "<p>one\ntwo</p>\n"
    assert markdown("測定\nfio") == "<p>測定\nfio</p>\n"
    assert markdown("*同じ*\nゾーン") == "<p><em>同じ</em>\nゾーン</p>\n"


def test_a_japanese_comma_or_full_stop_needs_no_blank_after_it():
    assert "分の 1 で、CPU は。ほか" in markdown("分の 1 で、\nCPU は。\nほか")


def test_lines_of_code_stay_lines():
    assert "測定\n測定" in markdown("```\n測定\n測定\n```")


@pytest.mark.parametrize("part", ["![", "[", "*a", "**a ", "[a](", "a|b\n-|-\n", "> ", "[^", "*_"])
def test_hostile_markdown_of_the_greatest_length_takes_a_bounded_time(part):
    text = (part * LONGEST_TEXT)[:LONGEST_TEXT]
    markdown.cache_clear()
    began = time.thread_time()
    markdown(text)
    assert time.thread_time() - began < 5  # 0.1 to 0.4 s of a processor; a megabyte takes minutes


def test_a_text_is_read_once():
    markdown.cache_clear()
    assert markdown("**once**") is markdown("**once**")
    assert markdown.cache_info().misses == 1


def test_stored_text_that_is_too_long_is_shown_as_plain_text_at_once():
    text = "<b>![" * 200_000 + "\n\nthe **end**"
    began = time.thread_time()
    shown = markdown(text)
    assert time.thread_time() - began < 5
    assert shown.startswith("<p>&lt;b&gt;![")
    assert shown.endswith("<p>the **end**</p>")


LONG = "![" * (LONGEST_TEXT // 2)


@pytest.mark.django_db
def test_words_and_notes_have_a_greatest_length_in_forms(house, contributor):
    sentence = "Text is limited to 20000 characters; this has 20001."
    study, local = f"/studies/{house.study.slug}/edit/", f"/configurations/{house.local.pk}/edit/"
    for address, field in [
        (study, "words"),
        (study, "ja_words"),
        (study, "question"),
        (local, "notes"),
    ]:
        form = contributor.get(address).context["form"].initial
        answer = contributor.post(address, form | {field: f"{LONG}!"})
        assert answer.context["form"].errors[field] == [sentence], field
    form = contributor.get(study).context["form"].initial
    assert contributor.post(study, form | {"words": LONG}).status_code == 302
    house.study.refresh_from_db()
    assert house.study.words == LONG


@pytest.mark.django_db
def test_words_that_were_stored_too_long_are_shown_and_hinder_no_other_change(house, contributor):
    house.study.words = f"{LONG} and more"
    house.study.save()
    assert "and more" in contributor.get(f"/studies/{house.study.slug}/").text
    address = f"/studies/{house.study.slug}/edit/"
    form = contributor.get(address).context["form"].initial | {"question": "Another one?"}
    assert contributor.post(address, form).status_code == 302
    house.study.refresh_from_db()
    assert (house.study.question, house.study.words) == ("Another one?", f"{LONG} and more")


def test_a_table_scrolls_in_a_box_of_its_own():
    html = markdown("| a | b |\n|---|---|\n| 1 | 2 |")
    assert html.startswith('<div class="table-box" tabindex="0"><table>')
    assert html.endswith("</table></div>\n")
