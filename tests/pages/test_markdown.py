"""Markdown as people write it, in scripts with blanks and without."""

from __future__ import annotations

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
