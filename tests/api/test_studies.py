"""`/api/v1/studies/`: a question with its conditions."""

from __future__ import annotations

import pytest

from benchdash.inventory.records import record_configuration, record_environment
from benchdash.results.models import Condition, Study
from benchdash.vocabulary.storage.notation import parse

pytestmark = pytest.mark.django_db

QUESTION = {
    "title": "Mirror or not?",
    "question": "What does the mirror cost?",
    "words": "**Much.**",
    "translations": {"ja": {"title": "ミラーするか"}},
    "factors": ["layer.drbd.protocol"],
    "charts": ["family=throughput&percent=1"],
    "conditions": [
        {"configuration": "local", "environment": "lab", "is_baseline": True},
        {"configuration": "mirror", "label": "Mirrored"},
    ],
}


@pytest.fixture
def client(contributor):
    record_configuration("local", parse("ext3\ndisk"))
    record_configuration("mirror", parse("ext3\ndrbd protocol=C\n- disk\n- disk @node-b"))
    record_environment({"node-a": {"kernel": "6.1"}}, name="lab")
    return contributor


def post(client, **body):
    return client.post("/api/v1/studies/", QUESTION | body, format="json")


def test_a_study_is_written_with_its_conditions(client):
    made = post(client)
    assert made.status_code == 201
    body = made.json()
    assert body["slug"] == "mirror-or-not"
    assert [
        (each["configuration"]["name"], each["environment"] and each["environment"]["name"])
        for each in body["conditions"]
    ] == [("local", "lab"), ("mirror", None)]
    assert [each["is_baseline"] for each in body["conditions"]] == [True, False]
    assert client.get(body["url"]).json() == body
    for name in ("title", "question", "words", "translations", "factors", "charts"):
        assert body[name] == QUESTION[name]


@pytest.mark.parametrize(
    ("body", "status", "field", "words"),
    [
        ({"title": ""}, 400, "title", "blank"),
        ({"factors": ["colour"]}, 422, "factors", "colour"),
        ({"charts": ["family=colour"]}, 422, "family", "colour"),
        ({"conditions": [{"configuration": "lokal"}]}, 422, "configuration", "“local”"),
        (
            {"conditions": [{"configuration": "local", "environment": "lob"}]},
            422,
            "environment",
            "“lab”",
        ),
        ({"conditions": [{"configuration": "local"}] * 2}, 422, "configuration", "already"),
        ({"source_url": "javascript:alert(1)"}, 400, "source_url", "URL"),
        (
            {"translations": {"ja": {"title": 5 * "ミラー" * 20}}},
            400,
            "translations.ja.title",
            "200",
        ),
    ],
)
def test_what_cannot_be_is_a_problem_and_leaves_nothing(client, body, status, field, words):
    answer = post(client, **body)
    assert answer.status_code == status
    assert answer.json()["field"] == field
    assert words in answer.json()["detail"]
    assert not Study.objects.exists()


def test_a_title_that_is_taken_is_refused(client):
    post(client)
    again = post(client)
    assert (again.status_code, again.json()["field"]) == (422, "title")


def test_words_change_and_conditions_are_added(client):
    place = post(client, conditions=[]).json()["url"]
    added = {"configuration": "mirror", "is_baseline": True}
    changed = client.patch(place, {"words": "Less.", "conditions": [added]}, format="json").json()
    assert changed["words"] == "Less." and changed["title"] == QUESTION["title"]
    assert [each["configuration"]["name"] for each in changed["conditions"]] == ["mirror"]
    refused = client.patch(place, {"words": "?", "conditions": [added]}, format="json")
    assert refused.status_code == 422
    assert Study.objects.get().words == "Less." and Condition.objects.count() == 1


def test_lists_and_details_cost_few_queries(client, django_assert_num_queries):
    for number in range(6):
        last = post(client, title=f"Study {number}").json()
    with django_assert_num_queries(3):  # token with person and groups, studies, their tags
        found = client.get("/api/v1/studies/").json()["results"]
    assert [each["condition_count"] for each in found] == [2] * 6
    with django_assert_num_queries(6):  # … conditions with configurations, environments, notes
        client.get(last["url"])


def test_words_have_a_greatest_length(contributor):
    form = {"title": "Long", "words": "![" * 500_000}
    refused = contributor.post("/api/v1/studies/", form, format="json")
    assert refused.status_code == 422
    assert refused.json()["field"] == "words"
    assert refused.json()["detail"].startswith("Text is limited to 20000 characters")
    form |= {"words": "", "translations": {"ja": {"words": "![" * 10_001}}}
    assert contributor.post("/api/v1/studies/", form, format="json").status_code == 422
    assert contributor.get("/api/v1/studies/").json()["results"] == []
    made = contributor.post("/api/v1/studies/", {"title": "Long"}, format="json").json()
    longer = {"words": "a" * 20_001}
    assert contributor.patch(made["url"], longer, format="json").status_code == 422


def test_the_smallest_difference_that_matters_is_a_percentage_or_the_installations(client):
    assert post(client).json()["delta"] is None
    address = Study.objects.get().slug
    changed = client.patch(f"/api/v1/studies/{address}/", {"delta": 5}, format="json")
    assert changed.json()["delta"] == Study.objects.get().delta == 5.0
    for wrong in (0, -1, 101, "much", "nan"):
        answer = client.patch(f"/api/v1/studies/{address}/", {"delta": wrong}, format="json")
        assert (answer.status_code, answer.json()["field"]) == (400, "delta")
    again = client.patch(f"/api/v1/studies/{address}/", {"delta": None}, format="json")
    assert again.json()["delta"] is None
