"""One set of names narrows the list of scripts, the page and the comparison alike."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs

import pytest

from benchdash.errors import Refused, UnknownName
from benchdash.jobs.models import Job, JobStep, Plan
from benchdash.results.comparison.choose import choose_runs
from benchdash.results.criteria import read_query
from benchdash.results.models import Artifact, Doubt, Run, Sample, Study, Tag
from benchdash.results.run_filters import FILTERS, read_filters
from tests.measured import a_configuration, a_run, an_environment

pytestmark = pytest.mark.django_db


@pytest.fixture
def runs():
    now = datetime.now(UTC)
    mirror, local = a_configuration("mirror", drbd__protocol="C"), a_configuration("local disk")
    there = an_environment("lab", host="store-a", kernel="6.1")
    study = Study.objects.create(title="Blocks", slug="blocks")
    made = {
        "wanted": a_run(
            mirror,
            workload={"pattern": "randwrite", "block_bytes": 4096, "queue_depth": 8},
            environment=there,
            started_at=now - timedelta(days=3),
            tool_version="3.36",
            label="wanted one",
        ),
        "old": a_run(
            mirror,
            workload={"pattern": "randwrite", "block_bytes": 4096},
            environment=there,
            started_at=now - timedelta(days=300),
            settings={"guests": 4},
            study=study,
        ),
        "large": a_run(local, workload={"pattern": "read", "block_bytes": 2**20}),
        "dbench": a_run(
            local, tool="dbench", format="dbench/4", started_at=datetime(2020, 5, 1, 12, tzinfo=UTC)
        ),
    }
    Tag.objects.create(name="weekly").runs.add(made["large"])
    Doubt.objects.create(run=made["old"], kind="short_run", sentence="It was short.")
    plan = Plan.objects.create(title="A sweep", recipe_name="fio", recipe="")
    job = Job.objects.create(plan=plan, position=0)
    JobStep.objects.create(
        job=job,
        position=0,
        name="fio",
        command="fio",
        timeout_s=60,
        artifact=made["dbench"].artifact,
    )
    made["plan"] = plan
    return made


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("host=store-a", {"wanted", "old"}),
        ("workload.pattern=randwrite&workload.block_bytes=4k&host=store-a&since=30d", {"wanted"}),
        ("workload.block_bytes=4096&workload.block_bytes=1MiB", {"wanted", "old", "large"}),
        ("workload.queue_depth=~", {"old", "large", "dbench"}),
        ("configuration={mirror}", {"wanted", "old"}),
        ("layer.drbd.protocol=C", {"wanted", "old"}),
        ("layer.drbd.protocol=~", {"large", "dbench"}),
        ("environment.kernel=6.1", {"wanted", "old"}),
        ("setting.guests=4", {"old"}),
        ("study=blocks", {"old"}),
        ("tool=dbench", {"dbench"}),
        ("version=3.36", {"wanted"}),
        ("tool_version=3.36", {"wanted"}),
        ("output_format=dbench/4", {"dbench"}),
        ("tag=weekly", {"large"}),
        ("plan={plan}", {"dbench"}),
        ("doubt=short_run", {"old"}),
        ("doubt=~", {"wanted", "large", "dbench"}),
        ("doubts=exclude", {"wanted", "large", "dbench"}),
        ("state=doubted", {"old"}),
        ("counted=true", {"wanted", "old", "large", "dbench"}),
        ("unassigned=false&tool=dbench", {"dbench"}),
        ("text=LOCAL", {"large", "dbench"}),
        ("label=wanted", {"wanted"}),
        ("run={wanted}", {"wanted"}),
        ("runs={wanted},{old}", {"wanted", "old"}),
        ("run={wanted}&execution={execution}", {"wanted", "old"}),
        ("sample={sample}", {"old"}),
        ("artifact={sha256}", {"large"}),
        ("artifact={artifact}", {"large"}),
        ("until=2020-05-01", {"dbench"}),
        ("until=2020-05-01T12:00:00Z", set()),
        ("since=2020-05-01T12:00:00Z&until=2020-05-01", {"dbench"}),
    ],
)
def test_every_interface_narrows_by_the_same_names(runs, query, expected, signed_in):
    query = query.format(
        mirror=runs["wanted"].configuration_id,
        plan=runs["plan"].pk,
        wanted=runs["wanted"].pk,
        old=runs["old"].pk,
        execution=runs["old"].execution_id,
        sample=runs["old"].sample_id,
        artifact=runs["large"].artifact_id,
        sha256=runs["large"].artifact.sha256,
    )
    wanted = {runs[name].pk for name in expected}
    compared = choose_runs(read_query(query)).runs
    assert (
        set(
            Run.objects.filter(read_filters(parse_qs(query)).condition).values_list("pk", flat=True)
        )
        == wanted
    )
    if query != "doubts=exclude":  # which alone asks for no runs
        assert {run.id for run in compared} == wanted
    listed = signed_in("viewer").get(f"/api/v1/runs/?{query}").json()["results"]
    assert {run["id"] for run in listed} == wanted


def test_a_run_that_is_picked_brings_its_sample(signed_in):
    sample = Sample.objects.create()
    one, other = a_run(sample=sample), a_run(sample=sample)
    listed = signed_in("viewer").get(f"/api/v1/runs/?run={one.pk}").json()["results"]
    assert {run["id"] for run in listed} == {one.pk, other.pk}


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("workload.block_byts", "block_bytes"),
        ("block_bytes", "workload.block_bytes"),
        ("hots", "host"),
        ("setings.guests", "setting"),
    ],
)
def test_a_name_that_no_filter_has_is_refused_with_the_nearest(name, nearest, signed_in):
    viewer = signed_in("viewer")
    listed = viewer.get(f"/api/v1/runs/?{name}=4")
    assert listed.status_code == 400
    assert listed.json()["field"] == name
    assert nearest in listed.json()["detail"]
    compared = viewer.get(f"/api/v1/compare/?{name}=4")
    assert compared.status_code in (400, 422)
    assert nearest in compared.json()["detail"]


def test_an_empty_value_of_an_unknown_name_is_refused_too():
    with pytest.raises(UnknownName):
        read_filters({"hots": [""]})
    assert not read_filters({"host": [" "]}).chosen


def test_the_address_of_filters_reads_as_the_same_filters():
    run_query = read_filters(
        parse_qs("workload.block_bytes=4k&tool=fio&tool=dbench&since=30d&host=a")
    )
    assert run_query.query() == "host=a&tool=dbench&tool=fio&since=30d&workload.block_bytes=4096"
    assert read_filters(parse_qs(run_query.query())) == run_query


def test_a_value_is_pressed_and_let_go():
    run_query = read_filters({"tool": ["fio"]})
    both = run_query.toggled("tool", "dbench")
    assert both.chosen == {"tool": ("dbench", "fio")}
    assert both.toggled("tool", "dbench") == run_query
    assert run_query.toggled("tool", "fio").chosen == {}
    assert read_filters({"since": ["7d"]}).toggled("since", "30d", alone=True).chosen == {
        "since": ("30d",)
    }


@pytest.mark.parametrize("name", [name for name in FILTERS if name not in ("text", "label")])
def test_no_filter_takes_a_nul_character_or_a_text_without_end(name):
    for value in ("a\x00b", "x" * 300):
        with pytest.raises(Refused):
            read_filters({name: [value]})


def test_the_artifact_of_a_file_that_is_gone_is_of_no_run():
    assert not Run.objects.filter(read_filters({"artifact": ["7" * 64]}).condition)
    assert not Artifact.objects.exists()


def test_runs_are_found_by_the_format_of_their_output(signed_in):
    viewer = signed_in("viewer")
    a_run(format="fio/json-3")
    terse = a_run(format="fio/terse-3")
    found = viewer.get("/api/v1/runs/?output_format=fio/terse-3&format=json").json()["results"]
    assert [run["id"] for run in found] == [terse.pk] and found[0]["format"] == "fio/terse-3"
    # `format` is that of the answer, as everywhere
    refused = viewer.get("/api/v1/runs/?format=fio/terse-3")
    assert refused.status_code == 404
    assert "The format of runs is the filter “output_format”." in refused.json()["detail"]
    assert "output_format" not in viewer.get("/api/v1/runs/?format=xml").json()["detail"]
