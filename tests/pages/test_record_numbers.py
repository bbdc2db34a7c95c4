"""Numbers of records that no record has, wherever a page takes one: never an error of ours."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.django_db
# more digits than Python reads, more than a database holds, digits of another alphabet
NUMBERS = ("9" * 5000, "9223372036854775808", "٣", "0", "-1", "1.5")


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    "address",
    [
        "/environments/new/?from={}",
        "/configurations/new/?from={}",
        "/runs/?before={}",
        "/runs/?after={}",
        "/uploads/refused/?before={}",
    ],
)
def test_a_number_in_an_address_that_no_record_has_is_as_good_as_none(
    house, contributor, address, number
):
    page = contributor.get(address.format(number))
    assert page.status_code == 200


@pytest.mark.parametrize("number", NUMBERS)
def test_a_ticked_number_that_no_record_has_is_nothing_ticked(house, contributor, number):
    refused = contributor.post("/uploads/refused/", {"uploads": number})
    assert "Tick the files first." in refused.text
    runs = contributor.post("/runs/", {"runs": number, "act": "count"})
    assert "Tick the runs first." in runs.text
    tray = contributor.post("/tray/", {"runs": number, "shown_runs": number})
    assert tray.status_code == 302
    files = contributor.post("/uploads/", {"shown": number, "assign": number})
    assert files.status_code == 200


@pytest.mark.parametrize("number", NUMBERS)
def test_a_log_is_hung_on_no_run_of_such_a_number(house, contributor, number):
    page = contributor.post(f"/uploads/{house.refused.pk}/", {"run": number})
    assert "Enter the number of the run" in page.text
