"""Files of several machines in one upload: each machine's are assigned together."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from benchdash.results.ingest import ingest
from benchdash.results.models import Run, Upload
from tests.measured import a_configuration
from tests.pages.house import sample
from tests.results.result_files import bonnie

pytestmark = pytest.mark.django_db


def two_machines(contributor):
    """Three files of two machines, listed on the page and ticked."""
    files = [
        bonnie(f"{n}.csv", host=host, write=n)
        for n, host in enumerate(("xen01", "xen02", "xen01"), 1)
    ]
    sent = [SimpleUploadedFile(file.name, file.data) for file in files]
    contributor.post("/uploads/files/", {"file": sent})
    uploads = list(Upload.objects.order_by("-pk").values_list("pk", flat=True)[:3])
    return {"shown": uploads, "assign": uploads}


def of_host(host):
    return {run.configuration and run.configuration.name for run in Run.objects.filter(label=host)}


def test_files_of_several_machines_are_assigned_machine_by_machine(house, contributor):
    listed = two_machines(contributor)
    page = contributor.post("/uploads/machines/", listed)
    assert [(one.machine.name, len(one.machine.runs)) for one in page.context["machines"]] == [
        ("xen01", 2),
        ("xen02", 1),
    ]
    fields = {"machine-0": "xen01", "configuration-0": "DRBD C", "machine-1": "xen02"}
    answer = contributor.post("/uploads/", listed | fields | {"study": house.study.title})
    assert "3 runs assigned." in answer.text
    assert (of_host("xen01"), of_host("xen02")) == ({"DRBD C"}, {None})
    assert set(Run.objects.filter(label="xen02").values_list("study", flat=True)) == {
        house.study.pk
    }


def test_what_fits_a_machine_is_suggested_and_never_assigned_by_itself(house, contributor):
    a_configuration("xen02 with XFS")
    before = ingest([bonnie("old.csv", host="xen01", write=99)])
    Run.objects.filter(artifact=before[0].upload.artifact_id).update(configuration=house.local)
    listed = two_machines(contributor)
    first, second = contributor.post("/uploads/machines/", listed).context["machines"]
    assert first.machine.seen_with == ["Local disk"]
    assert second.machine.named_alike == ["xen02 with XFS"]
    contributor.post("/uploads/", listed | {"machine-0": "xen01", "machine-1": "xen02"})
    assert of_host("xen02") == {None}
    chosen = {"machine-1": "xen02", "fitting-1": "xen02 with XFS"}
    contributor.post("/uploads/", listed | chosen)
    assert of_host("xen02") == {"xen02 with XFS"}


def test_a_name_that_nobody_knows_is_refused_at_its_machine_and_nothing_assigned(
    house, contributor
):
    listed = two_machines(contributor)
    fields = {"machine-0": "xen01", "configuration-0": "DRBD C"}
    fields |= {"machine-1": "xen02", "configuration-1": "DRBD X"}
    page = contributor.post("/uploads/", listed | fields)
    assert "There is no configuration “DRBD X”." in page.context["by_machine"][1].refused
    assert 'value="DRBD X"' in page.text
    assert of_host("xen01") == {None}


def test_files_of_one_machine_or_of_none_are_not_grouped(house, contributor):
    table = sample("bonnie++/local-2.00a-c4-table.txt")
    contributor.post("/uploads/files/", {"file": [SimpleUploadedFile(table.name, table.data)]})
    page = contributor.post("/uploads/machines/", {"shown": [Upload.objects.latest("pk").pk]})
    assert page.context["machines"] == []


def test_machines_cost_as_many_queries_however_many_they_are(
    contributor, django_assert_max_num_queries
):
    ingest([bonnie(f"{n}.csv", host=f"xen{n:02}", write=n) for n in range(1, 41)])
    shown = list(Upload.objects.values_list("pk", flat=True))
    with django_assert_max_num_queries(11):
        page = contributor.post("/uploads/machines/", {"shown": shown})
    assert len(page.context["machines"]) == 30
