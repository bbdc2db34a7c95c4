"""fio's bare logs hang on a run: named, or lying beside it without doubt."""

from __future__ import annotations

import pytest

from benchdash.results.assignment import Assignment
from benchdash.results.comparison import compare
from benchdash.results.criteria import read_query
from benchdash.results.ingest import ingest
from benchdash.results.models import Run, Trace, Upload
from benchdash.results.outcomes import outcomes_of
from benchdash.results.readings import File
from benchdash.results.reparse import reparse
from benchdash.results.traces import points_of
from benchdash.results.uploads import reassign
from tests.measured import a_configuration
from tests.results.result_files import fio, fio_job, fio_log, zipped

pytestmark = pytest.mark.django_db


def owners():
    """`{name of the log: label of the run it hangs on}`"""
    rows = Trace.objects.values_list("artifact__uploads__name", "run__label")
    return {name.rpartition("/")[2]: label for name, label in rows}


def test_a_log_beside_the_only_result_hangs_on_it():
    outcomes = ingest([fio_log(), fio(fio_job())])
    assert [outcome.upload.outcome for outcome in outcomes] == ["stored", "stored"]
    trace = Trace.objects.get()
    assert outcomes[0].runs == [trace.run]
    assert (trace.measure.operation, trace.measure.metric) == ("write", "throughput")
    seconds, values = points_of(trace)
    assert list(seconds) == [0, 1, 2, 3, 4]
    assert list(values) == [(900 + n) * 1024.0 for n in range(5)]


def test_a_log_hangs_on_the_job_that_wrote_it_under_that_name():
    jobs = fio_job("one", write_bw_log="trial"), fio_job("two", 2000, write_bw_log="other")
    ingest([fio(*jobs), fio_log("other_bw.2.log")])
    assert owners() == {"other_bw.2.log": "two"}


def test_numbered_logs_of_one_name_hang_on_the_jobs_in_their_order():
    jobs = fio_job("one", write_bw_log="trial"), fio_job("two", 2000, write_bw_log="trial")
    logs = fio_log("trial_bw.1.log"), fio_log("trial_bw.2.log", points=6)
    ingest([zipped("a.zip", {file.name: file.data for file in (fio(*jobs), *logs)})])
    assert owners() == {"trial_bw.1.log": "one", "trial_bw.2.log": "two"}


def test_all_logs_of_a_group_hang_on_its_one_result():
    job = fio_job("group", numjobs="2", group_reporting="1", write_bw_log="trial")
    ingest([fio(job), fio_log("trial_bw.1.log"), fio_log("trial_bw.2.log", points=6)])
    assert owners() == {"trial_bw.1.log": "group", "trial_bw.2.log": "group"}


def test_a_log_that_could_be_of_several_runs_asks_which():
    (_, log) = ingest([fio(fio_job("a"), fio_job("b", 2000)), fio_log("x_bw.log")])
    assert log.upload.outcome == Upload.Outcome.REFUSED
    assert "which run" in log.sentence
    assert not Trace.objects.exists()


def test_a_log_from_another_folder_is_not_guessed_at():
    files = {"a/out.json": fio(fio_job()).data, "b/seq_bw.1.log": fio_log().data}
    outcomes = ingest([zipped("a.zip", files)])
    assert [outcome.upload.outcome for outcome in outcomes] == ["stored", "refused"]


def test_a_log_hangs_on_the_run_that_is_named():
    ingest([fio(fio_job("a"), fio_job("b", 2000))])
    run = Run.objects.get(label="b")
    (outcome,) = ingest([fio_log("x_bw.log")], Assignment(run=run))
    assert outcome.upload.outcome == Upload.Outcome.STORED and outcome.runs == [run]
    (again,) = ingest([fio_log("x_bw.log")])
    assert again.upload.outcome == Upload.Outcome.KNOWN and again.runs == [run]


def test_a_refused_log_is_given_its_run_afterwards():
    ingest([fio(fio_job())])
    (refused,) = ingest([fio_log()])
    reassign(refused.upload, Assignment(run=Run.objects.get()))
    upload = Upload.objects.get(pk=refused.upload.pk)
    assert upload.outcome == Upload.Outcome.STORED
    assert outcomes_of([upload])[0].runs == [Run.objects.get()]
    assert Run.objects.get().traces.count() == 1


def test_a_log_on_the_wrong_run_is_moved_and_its_run_stays_where_it_belongs():
    ingest([fio(fio_job("a"), fio_job("b", 2000))], Assignment(configuration=a_configuration("c")))
    wrong, right = Run.objects.order_by("position")
    ingest([fio_log()], Assignment(run=wrong))
    (known,) = ingest([fio_log()], Assignment(run=right, configuration=a_configuration("d")))
    assert known.differs == ["run"]
    reassign(known.upload, Assignment())
    assert Trace.objects.get().run == right
    assert set(Run.objects.values_list("configuration__name", flat=True)) == {"c"}


def test_a_log_that_came_with_a_known_result_hangs_on_it_too():
    ingest([fio(fio_job())])
    outcomes = ingest([fio(fio_job()), fio_log()])
    assert [outcome.upload.outcome for outcome in outcomes] == ["known", "stored"]


def test_a_log_is_read_again_where_it_hangs():
    outcome, _ = ingest([fio_log(), fio(fio_job())])
    reparse(outcome.upload.artifact_id)
    assert Run.objects.get().traces.count() == 1


@pytest.mark.parametrize(("version", "unit"), [("fio-3.1", 1e-9), ("fio-2.16", 1e-6)])
def test_latencies_that_do_not_say_their_unit_have_that_of_the_run_beside_them(version, unit):
    result = fio(fio_job())
    result = File("out.json", result.data.replace(b"fio-3.33", version.encode()))
    log = File("seq_lat.1.log", b"".join(b"%d, 700, 1, 4096\n" % n for n in range(100, 110)))
    (alone,) = ingest([log])
    assert alone.upload.outcome == Upload.Outcome.REFUSED
    _, beside = ingest([result, log])
    assert beside.upload.outcome == Upload.Outcome.STORED
    _, values = points_of(Trace.objects.get())
    assert values[0] == pytest.approx(700 * unit)
    reparse(beside.upload.artifact_id)
    assert points_of(Trace.objects.get())[1] == values


def test_a_failed_job_is_stored_and_set_aside():
    ingest([fio(fio_job(error=28, bandwidth=5))])
    run = Run.objects.get()
    assert run.error and "error" in run.set_aside_reason and not run.counted


def test_a_log_stands_below_the_comparison_of_what_its_run_did():
    """The log says that it wrote, the run beside it that it wrote at random."""
    for number in (1, 2):
        job = fio_job(f"job {number}", 1000 * number, rw="randwrite")
        ingest([fio(job), fio_log(points=4 + number)])
    view = compare(read_query("tool=fio&group=run")).view
    (section,) = view.sections
    (course,) = section.over_time
    assert (course.operation, course.metric) == ("rand_write", "throughput")
    assert len(course.lines) == 2
