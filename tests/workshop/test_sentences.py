"""Sentences of rooms without gettext are read from the syntax tree as templates."""

from __future__ import annotations

import pytest

from benchdash.workshop.sentences import sentences, sentences_of_script


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('raise Refused("There is no such thing.", "field")', ["There is no such thing."]),
        ('raise ParseError(f"line {n} ends in {text[:40]!r}")', ["line {n} ends in {text}"]),
        ('raise ParseError(f"{a} of {a} and {b.c} parts")', ["{a} of {a2} and {c} parts"]),
        ('raise ParseError(f"more than {size >> 20} MiB")', ["more than {value} MiB"]),
        ('raise ParseError(f"{len(parts)} of {_MOST} parts")', ["{parts} of {most} parts"]),
        ('problem = "no figures" if x else f"cut off at {n}"', ["no figures", "cut off at {n}"]),
        ('self.damage = (number, "a table without figures")', ["a table without figures"]),
        ('problems += [f"line {n}: no job here" for n in lines]', ["line {n}: no job here"]),
        ('problems.append("no job here")', ["no job here"]),
        ('def f():\n    return "the archive ends too early", 3', ["the archive ends too early"]),
        ('Member(name, None, error="an empty archive")', ["an empty archive"]),
        ('more = f", and {n} more places"', ["{sentence}, and {n} more places"]),
        ('at = f"Line {n}: "', ["Line {n}: {sentence}"]),
        ('raise Refused(f"There is no “{x}”.{near(x, y)}")', ["There is no “{x}”."]),
        ('raise Refused(f"{x} holds {{ and {y}{z}")', ["{x} holds {{ and {y}"]),
    ],
)
def test_a_template_is_what_is_said_with_its_holes_named(source, found):
    assert list(sentences(source)) == found


@pytest.mark.parametrize(
    "source",
    [
        '"""A docstring that says something."""',
        're.compile(r"progress: ([0-9]+) of them (?:all)")',
        'if "drastic I/O error" not in text: pass',
        'assert rest, "every part of it is optional"',
        'kinds = {"Update only accounts": "simple update"}',
        'def f():\n    return f"{kind} {value}"',
        'def f():\n    return f"command -v {tool} >/dev/null || exit 127"',
        "raise ValueError(text)",
    ],
)
def test_what_nobody_reads_is_no_sentence(source):
    assert list(sentences(source)) == []


def test_a_shell_script_says_sentences_too():
    script = """
      say "$dev is held by $held"
      *) say "$dev is opened by dm-crypt ($(cat "$holder/dm/name"))" ;;
      swap) echo "is swap by its signature" ;;
      command -v "$1" >/dev/null
    """
    assert list(sentences_of_script(script)) == [
        "{dev} is held by {held}",
        "{dev} is opened by dm-crypt ({value})",
        "{name} is swap by its signature",
    ]
