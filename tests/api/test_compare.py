"""The comparison as JSON, CSV and Markdown."""

from __future__ import annotations

import csv
import io

import pytest
import yaml
from jsonschema import ValidationError, validate

from tests.measured import a_configuration, a_run

pytestmark = pytest.mark.django_db

WRITE, CREATE = "seq_write.throughput.mean", "seq_create.rate.mean"
ADDRESS = "/api/v1/compare/"


@pytest.fixture
def pair():
    local, mirror = a_configuration("local"), a_configuration("=mirror|*", drbd__protocol="C")
    note = {"operation": "seq_create", "metric": "rate", "note": "too fast to measure"}
    for index in range(5):
        a_run(local, {WRITE: 1e8 + index, CREATE: 9.5}, tool="bonnie++")
        a_run(mirror, {WRITE: 3.3e7 + index}, tool="bonnie++", notes=[note])
    return local, mirror


def query(pair, **extra):
    return {"configuration": [one.pk for one in pair], "baseline": pair[0].pk, **extra}


@pytest.fixture
def viewer(signed_in):
    return signed_in("viewer")


def test_the_answer_is_as_it_is_described(viewer, pair):
    described = yaml.safe_load(viewer.get("/api/schema/").content)["components"]
    kind = strict(described["schemas"]["Comparison"]) | {"components": strict(described)}
    answer = viewer.get(ADDRESS, query(pair)).json()
    validate(answer, kind)
    del answer["sections"][0]["figures"][0]["rows"][0]["verdict"]
    with pytest.raises(ValidationError):
        validate(answer, kind)


def strict(schema):
    """A part of an OpenAPI description as JSON Schema that knows no other keys."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: strict(value) for key, value in schema.items()}
    if "properties" in schema and isinstance(schema.get("type"), str):
        found |= {"additionalProperties": False, "required": list(schema["properties"])}
    return {"anyOf": [found, {"type": "null"}]} if schema.get("nullable") else found


def test_values_are_in_base_units_and_the_shown_unit_stands_beside(viewer, pair):
    figure, *_others = viewer.get(ADDRESS, query(pair)).json()["sections"][0]["figures"]
    assert (figure["measure"], figure["unit"]) == (WRITE, "B/s")
    assert figure["shown"] == {"name": "MB/s", "factor": 1e6}
    mirror, local = figure["rows"]
    assert local["median"] == 1e8 + 2
    assert mirror["ratio"] == pytest.approx(0.33)
    assert mirror["verdict"] == "worse"
    assert len(mirror["values"]) == mirror["n"] == 5


def test_units_are_those_of_the_person_unless_the_address_says(viewer, pair):
    def unit(**extra):
        answer = viewer.get(ADDRESS, query(pair, **extra)).json()
        return answer["sections"][0]["figures"][0]["shown"]["name"]

    viewer.person.binary_units = True
    viewer.person.save()
    assert unit() == "MiB/s"
    assert unit(units="decimal") == "MB/s"


def test_nonsense_is_a_problem_that_names_its_parameter(viewer):
    answer = viewer.get(ADDRESS, {"family": "speed"})
    assert answer.status_code == 422
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["field"] == "family"


@pytest.mark.parametrize("wanted", ["csv", "md"])
def test_nonsense_is_a_problem_in_every_format(viewer, wanted):
    answer = viewer.get(ADDRESS, {"family": "speed", "format": wanted})
    assert answer.status_code == 422
    assert answer.json()["field"] == "family"


def test_csv_has_every_digit_and_no_formula(viewer, pair):
    answer = viewer.get(ADDRESS, query(pair, format="csv", family="throughput"))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert "comparison.csv" in answer["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [row["group"] for row in rows] == ["'=mirror|*", "local"]
    assert float(rows[1]["median"]) == 1e8 + 2
    assert (rows[0]["n"], rows[0]["unit"], rows[0]["interval_kind"]) == (
        "5",
        "B/s",
        "order_statistics",
    )
    assert float(rows[0]["ratio_to_baseline"]) == pytest.approx(0.33)


def test_what_is_missing_is_empty_in_csv_and_stated(viewer, pair):
    answer = viewer.get(ADDRESS, query(pair, format="csv", family="metadata"))
    mirror, _local = csv.DictReader(io.StringIO(answer.content.decode()))
    assert (mirror["n"], mirror["median"], mirror["notes"]) == ("0", "", "too fast to measure")


def test_markdown_is_a_table_with_its_address(viewer, pair):
    answer = viewer.get(ADDRESS, query(pair, format="md"))
    assert answer["Content-Type"] == "text/markdown; charset=utf-8"
    text = answer.content.decode()
    assert f"<http://testserver/compare/?configuration={pair[0].pk}" in text
    assert "| local (baseline) | 5 | 100, " in text
    assert "| =mirror\\|\\* | 5 | 33.0, " in text


@pytest.mark.parametrize("public", [True, False])
def test_visitors_compare_where_reading_is_public(client, settings, public):
    settings.PUBLIC_READ = public
    assert client.get(ADDRESS).status_code == (200 if public else 401)
