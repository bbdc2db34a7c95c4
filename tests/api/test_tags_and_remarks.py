"""Tags and notes by the API: read with their records, written with a token."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from benchdash.results.annotations import set_tags
from benchdash.results.models import Note, Study
from benchdash.results.records import write_study
from tests.measured import a_configuration, a_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def records():
    """`{address: record}` of each kind."""
    run, configuration = a_run(), a_configuration("DRBD C")
    study = write_study(Study(), title="Two PCs")
    return {
        f"/api/v1/runs/{run.pk}/": run,
        f"/api/v1/configurations/{configuration.pk}/": configuration,
        f"/api/v1/studies/{study.slug}/": study,
    }


def test_tags_are_set_and_read_with_the_record(contributor, records):
    for address in records:
        fields = {"tags": ["ext3", " slow   disk ", "ext3"]}
        answer = contributor.put(f"{address}tags/", fields, format="json")
        assert answer.json() == {"tags": ["ext3", "slow disk"]}
        assert contributor.get(f"{address}tags/").json() == {"tags": ["ext3", "slow disk"]}
        assert contributor.get(address).json()["tags"] == ["ext3", "slow disk"]
        assert contributor.put(f"{address}tags/", {"tags": []}, format="json").json() == {
            "tags": []
        }


def test_tags_stand_in_the_lists(contributor, records):
    for address, record in records.items():
        set_tags(record, ["ext3"])
        parent = address.rstrip("/").rpartition("/")[0]
        assert contributor.get(f"{parent}/").json()["results"][0]["tags"] == ["ext3"]


def test_a_note_is_written_changed_and_taken_away(contributor, records):
    for address in records:
        written = contributor.post(f"{address}remarks/", {"text": "*Idle* switch."}, format="json")
        assert written.status_code == 201
        note = contributor.get(address).json()["remarks"][0]
        assert note == written.json()
        assert (note["text"], note["created_by"]) == ("*Idle* switch.", "contributor")
        there = f"/api/v1/remarks/{note['id']}/"
        changed = contributor.patch(there, {"text": "Busy."}, format="json").json()
        assert (changed["text"], changed["changed_by"]) == ("Busy.", "contributor")
        assert contributor.get(f"{address}remarks/").json() == [changed]
        assert contributor.delete(there).status_code == 204
        assert contributor.get(address).json()["remarks"] == []


def test_runs_are_tagged_together(contributor):
    runs = [a_run().pk, a_run().pk]
    fields = {"runs": runs, "tags": ["weekly"]}
    assert contributor.post("/api/v1/runs/tag/", fields, format="json").json() == {"changed": 2}
    assert len(contributor.get("/api/v1/runs/?tag=weekly").json()["results"]) == 2
    fields["runs"] = runs[:1]
    assert contributor.post("/api/v1/runs/untag/", fields, format="json").json() == {"changed": 1}
    assert len(contributor.get("/api/v1/runs/?tag=weekly").json()["results"]) == 1


@pytest.mark.parametrize(
    ("part", "fields", "field"),
    [("tags", {"tags": ["x" * 51]}, "tags"), ("remarks", {"text": "x" * 20_001}, "text")],
)
def test_what_is_too_long_is_refused_with_its_field(contributor, records, part, fields, field):
    for address in records:
        send = contributor.put if part == "tags" else contributor.post
        answer = send(f"{address}{part}/", fields, format="json")
        assert (answer.status_code, answer.json()["field"]) == (422, field)


def test_visitors_read_without_names_and_viewers_write_nothing(signed_in, records, settings):
    settings.PUBLIC_READ = True
    author, viewer = signed_in("contributor"), signed_in("viewer")
    for address in records:
        author.post(f"{address}remarks/", {"text": "Idle."}, format="json")
        seen = APIClient().get(address).json()["remarks"][0]
        assert (seen["text"], seen["created_by"]) == ("Idle.", None)
        assert viewer.put(f"{address}tags/", {"tags": []}, format="json").status_code == 403
        assert viewer.post(f"{address}remarks/", {"text": "x"}, format="json").status_code == 403
    note = Note.objects.first()
    assert viewer.delete(f"/api/v1/remarks/{note.pk}/").status_code == 403
    assert Note.objects.count() == 3
