"""Studies and configurations that were deleted: offered nowhere, and brought back whole."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.django_db


def delete(client, house):
    """Both records of the run that stays."""
    for address in (f"/studies/{house.study.slug}/", f"/configurations/{house.local.pk}/"):
        assert 'value="delete"' in client.get(f"{address}edit/").text
        answer = client.post(f"{address}change/", {"act": "delete"}, follow=True)
        assert "can be restored for 30 days" in answer.text


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("/studies/", "DRBD on two PCs"),
        ("/configurations/", "Local disk</a>"),
        ("/configurations/diff/", "Local disk"),
        ("/search/?q=DRBD+on+two", "DRBD on two PCs</a>"),
        ("/search/?q=Local+disk", "Local disk</a>"),
        ("/uploads/", "DRBD on two PCs"),
        ("/runs/change/", "DRBD on two PCs"),
        ("/compare/", "DRBD on two PCs"),
        ("/", "DRBD on two PCs"),
    ],
)
def test_lists_searches_and_choices_leave_them_out(house, contributor, address, name):
    assert name in contributor.get(address).text
    delete(contributor, house)
    contributor.get(address)  # says for the last time what was done
    assert name not in contributor.get(address).text


def test_a_plan_can_be_given_neither(house, signed_in):
    operator = signed_in("operator")
    names = ("DRBD on two PCs</option>", "Local disk</option>")
    page = operator.get("/plans/new/fio/").text
    assert all(name in page for name in names)
    delete(operator, house)
    page = operator.get("/plans/new/fio/").text
    assert not any(name in page for name in names)


def test_runs_stay_and_say_to_what_they_belonged(house, contributor):
    delete(contributor, house)
    page = contributor.get(f"/runs/{house.run.pk}/").text
    assert 'DRBD on two PCs</a> <span class="badge bad">deleted</span>' in page
    assert 'Local disk</a> <span class="badge bad">deleted configuration</span>' in page
    study = contributor.get(f"/studies/{house.study.slug}/").text
    assert 'Local disk</a> <span class="badge bad">deleted</span>' in study
    compared = contributor.get(f"/compare/?study={house.study.slug}").text
    assert "DRBD C" in compared


def test_they_are_listed_apart_and_come_back_whole(house, contributor):
    delete(contributor, house)
    assert "DRBD on two PCs" in contributor.get("/studies/?deleted=1").text
    assert "Local disk" in contributor.get("/configurations/?deleted=on").text
    for address in (f"/studies/{house.study.slug}/", f"/configurations/{house.local.pk}/"):
        assert 'value="restore"' in contributor.get(address).text
        contributor.post(f"{address}change/", {"act": "restore"})
        assert 'value="restore"' not in contributor.get(address).text
    house.study.refresh_from_db()
    assert house.study.deleted_at is None
    assert house.study.conditions.count() == 2
    assert "No study is deleted." in contributor.get("/studies/?deleted=1").text


def test_a_viewer_reads_what_was_deleted_and_cannot_bring_it_back(house, signed_in, contributor):
    delete(contributor, house)
    viewer = signed_in("viewer")
    for address in (f"/studies/{house.study.slug}/", f"/configurations/{house.local.pk}/"):
        page = viewer.get(address).text
        assert "refer to it" in page
        assert 'value="restore"' not in page
        assert viewer.post(f"{address}change/", {"act": "restore"}).status_code == 403


def test_the_title_of_a_deleted_study_stays_its_own(house, contributor):
    delete(contributor, house)
    answer = contributor.post("/studies/new/", {"title": "DRBD on two PCs"})
    assert "A deleted study has this title" in answer.text
