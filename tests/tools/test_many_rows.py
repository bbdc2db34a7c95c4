"""The rows that the benchmark of scale copies into the database."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db.models import CharField, TextField

from benchmarks.within.many_rows import Table

MODELS = [*apps.get_app_config("jobs").get_models(), *apps.get_app_config("results").get_models()]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_texts_that_nobody_gives_are_empty_where_they_may_not_be_missing(model):
    table = Table(model, "")
    given = dict(zip(table.columns, table.rest.rstrip("\n").split("\t")[1:], strict=True))
    missing = [
        field.column
        for field in model._meta.concrete_fields
        if isinstance(field, CharField | TextField)
        and not (field.null or field.primary_key or field.choices)
        and given[field.column] == r"\N"
    ]
    assert missing == []
