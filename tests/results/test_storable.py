"""Whatever a parser returns can be stored by both databases."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdash.errors import Refused
from benchdash.parsers.result import Result
from benchdash.results.models import Upload
from benchdash.results.storable import storable_document, storable_result, storable_text
from tests.measured import a_run

texts = st.text(st.characters(codec=None, exclude_categories=()))
documents = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(texts, st.integers(1, 40))
def test_a_text_keeps_its_length_and_what_can_be_stored(text, length):
    stored = storable_text(text, length)
    assert len(stored) <= length
    stored.encode()
    assert "\x00" not in stored
    if len(text) <= length and text.isprintable():
        assert stored == text


@given(documents)
def test_a_document_is_strict_json_that_can_be_encoded(document):
    stored = json.dumps(storable_document(document), allow_nan=False, ensure_ascii=False)
    stored.encode()
    assert "\\u0000" not in stored.replace("\\\\", "")


def test_what_is_fine_is_left_as_it_is():
    document = {"options": {"name": "表 \\u0000 \U0001f4be"}, "bins": [1, 2.5, None]}
    assert storable_document(document) == document


@pytest.mark.django_db
def test_both_databases_take_what_they_would_refuse_as_it_came():
    document = storable_document({"a\x00": "half \ud83d", "b": [float("nan"), float("-inf")]})
    run = a_run(details=document)
    run.refresh_from_db()
    assert run.details == {"a\ufffd": "half \ufffd", "b": ["nan", "-inf"]}
    Upload.objects.create(
        artifact=run.artifact, name=storable_text("\x00\ud83d", 500), outcome="stored"
    )


@pytest.mark.parametrize("size", [2**63, -(2**70)])
def test_an_axis_beyond_any_storage_is_refused_in_a_sentence(size):
    result = Result("fio", "3.33", "fio/json-3", workload={"file_bytes": size})
    with pytest.raises(Refused, match="File size"):
        storable_result(result)
