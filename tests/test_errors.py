"""A sentence keeps its template and values, and is a plain text to everyone else."""

from __future__ import annotations

import copy
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdash.errors import N_, Refused, Sentence, from_stored, side_by_side, to_stored

NESTED = N_("line {line}: {sentence}", line=3, sentence=N_("“{word}” is no {{brace}}", word="{x}"))


def same(one, other):
    """Texts, templates and values alike, through and through."""
    if type(one) is not type(other) or one != other:
        return False
    if not isinstance(one, Sentence):
        return True
    names = one.values.keys() == other.values.keys()
    alike = all(same(value, other.values[name]) for name, value in one.values.items())
    return one.template == other.template and names and alike


def test_a_refusal_keeps_template_and_values():
    refused = Refused("line {line}: no “{name}”", "names", line=3, name="a{b}")
    assert refused.sentence == str(refused) == "line 3: no “a{b}”"
    assert refused.field == "names"
    assert refused.sentence.template == "line {line}: no “{name}”"
    assert refused.sentence.values == {"line": 3, "name": "a{b}"}


def test_a_text_without_values_is_no_template():
    assert Refused("a brace { as it {stands}").sentence == "a brace { as it {stands}"
    assert N_("a brace { as it {stands}") == "a brace { as it {stands}"


def test_a_value_that_is_neither_number_nor_text_is_its_text():
    assert N_("it is {error}", error=ValueError("no")).values == {"error": "no"}


@pytest.mark.parametrize("copied", [pickle.loads(pickle.dumps(NESTED)), copy.deepcopy(NESTED)])
def test_a_copy_keeps_template_and_values(copied):
    assert same(copied, NESTED)


def test_sentences_side_by_side_stay_sentences():
    both = side_by_side([NESTED, "a {text}"])
    assert both == "line 3: “{x}” is no {brace}; a {text}"
    assert same(both.values["s0"], NESTED)


def sentences(values):
    names = st.sampled_from(["line", "name", "sentence"])
    return st.dictionaries(names, values, min_size=1).map(
        lambda held: Sentence(" {{ ".join(f"{{{name}}}" for name in held), **held)
    )


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=20)
VALUES = st.recursive(
    st.integers() | TEXTS | st.floats(allow_nan=False) | TEXTS.map(N_), sentences, max_leaves=4
)


@given(sentences(VALUES))
def test_what_is_stored_is_the_same_sentence_again(sentence):
    assert to_stored(sentence).startswith(sentence)
    assert same(from_stored(to_stored(sentence)), sentence)


@given(TEXTS | TEXTS.map(lambda text: f'a\x1f["b {{x}}", {{"x": {json.dumps(text)}}}]'))
def test_a_plain_text_is_the_same_text_again_whatever_it_looks_like(text):
    assert from_stored(to_stored(text)) == text
    assert to_stored(text) == text or "\x1f" in text


@pytest.mark.parametrize(
    "text", ["old row", "a\x1f", "a\x1f{", "a\x1f[1]", 'a\x1f["b", 3]', "a\x1f3"]
)
def test_an_old_row_is_shown_as_it_stands(text):
    assert from_stored(text).startswith(text.partition("\x1f")[0])
