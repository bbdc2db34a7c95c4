"""Doubts in a comparison: marked where a number stands, said with a verdict, left out on request."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils.translation import override

from benchdash.results.comparison import compare
from benchdash.results.comparison.export import as_csv, as_markdown
from benchdash.results.criteria import read_query
from benchdash.results.dismissals import dismiss
from benchdash.results.doubts import note_doubts
from benchdash.results.models import Doubt, Run, Study
from benchdash.results.permalinks import frozen, make_permalink
from benchdash.vocabulary.doubts import Doubt as Found
from tests.measured import a_configuration, a_run

pytestmark = pytest.mark.django_db
WRITE, CREATE = "seq_write.throughput.mean", "seq_create.rate.mean"
LOAD = Found("load", "The one-minute load average is 9 on 2 CPUs.")
SHORT = Found(
    "short", "Sequential create took only 10 ms, too short for a reliable rate.", ("seq_create",)
)
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.fixture
def pair():
    """Five runs of each of two configurations, in turn; of the mirror's the first two are doubted."""
    local, mirror = a_configuration("local"), a_configuration("mirror")
    for n in range(5):
        for place, (configuration, value) in enumerate(((local, 100e6), (mirror, 50e6))):
            a_run(
                configuration,
                {WRITE: value + n * 1e5, CREATE: 900.0 + n + place},
                tool="bonnie++",
                started_at=NOON + timedelta(minutes=2 * n + place),
            )
    runs = list(
        Run.objects.filter(configuration=mirror).order_by("pk").values_list("pk", flat=True)
    )
    note_doubts(runs[:2], [LOAD])
    note_doubts(runs[2:3], [SHORT])
    return local, mirror


def query(pair, **more):
    local, mirror = pair
    rest = "".join(f"&{name}={value}" for name, value in more.items())
    shown = f"measure={WRITE}&measure={CREATE}"
    return f"configuration={local.pk}&configuration={mirror.pk}&baseline={local.pk}&{shown}{rest}"


def rows(pair, **more):
    view = compare(read_query(query(pair, **more))).view
    found = {}
    for section in view.sections:
        for figure in section.figures:
            found[figure.measure] = {row.label: row for row in figure.rows}, figure
    return found


def test_what_is_left_out_is_left_out_of_the_overview_curves_and_second_plots_too():
    configuration = a_configuration("local")
    p50, p99, mean = (f"rand_read.latency.{name}" for name in ("p50", "p99", "mean"))
    iops = "rand_read.iops.mean"
    for n, depth in enumerate((1, 1, 1, 2, 2, 2, 4, 4, 4)):
        a_run(
            configuration,
            {iops: 1e4, p50: 1e-4, p99: 2e-4, mean: 1e-3 * (1 + 9 * (n % 3 == 0))},
            workload={"queue_depth": depth},
            started_at=NOON + timedelta(minutes=n),
        )
    note_doubts([Run.objects.order_by("pk")[0].pk], [LOAD])
    shown = f"configuration={configuration.pk}&group=workload.queue_depth&chart=lines&latency=under"
    shown += f"&measure={iops}&measure={p99}&doubts=exclude"
    view = compare(read_query(shown)).view
    (section,) = view.sections
    rate, tail = section.figures
    beside = {row.label: row.n for row in rate.latency.rows}
    assert list(beside.values()) == [row.n for row in rate.rows] == [2, 3, 3]
    assert [row.n for row in tail.rows] == [2, 3, 3]
    curves = [curve.n for one in section.percentiles for curve in one.curves]
    assert curves == [2, 3, 3]
    values = [value for row in view.overview.rows for cell in row.cells for value in cell.values]
    assert {value.n for value in values} == {2, 3}
    assert not any(value.doubted for value in values)


def test_doubted_samples_are_marked_where_they_stand_and_nowhere_else(pair):
    found = rows(pair)
    written, figure = found[WRITE]
    assert (written["mirror"].n, written["mirror"].doubted, written["local"].doubted) == (5, 2, 0)
    assert [one.doubted for one in written["mirror"].values] == [True, True, False, False, False]
    assert figure.sentence.endswith("2 of 10 samples are doubted.")
    with override("ja"):
        _written, figure = rows(pair)[WRITE]
    assert figure.sentence.endswith("。標本 10 個のうち 2 個に注意点があります。")
    created, _figure = found[CREATE]
    assert created["mirror"].doubted == 3


def test_a_verdict_that_rests_on_doubted_samples_says_so(pair, django_user_model):
    verdict_text = rows(pair)[WRITE][0]["mirror"].against.sentence
    assert verdict_text.endswith("2 of its 5 samples are doubted")
    somebody = django_user_model.objects.create(username="mika")
    dismiss(Doubt.objects.all(), "a backup elsewhere", somebody)
    written, figure = rows(pair)[WRITE]
    assert "doubted" not in written["mirror"].against.sentence + figure.sentence
    assert written["mirror"].doubted == 0


def test_one_switch_leaves_them_out_and_says_how_many(pair):
    view = compare(read_query(query(pair, doubts="exclude"))).view
    assert view.not_counted == {"doubted": 2}
    found = rows(pair, doubts="exclude")
    assert found[WRITE][0]["mirror"].n == 3
    assert (found[CREATE][0]["mirror"].n, found[CREATE][0]["mirror"].left_out) == (2, 1)
    assert "doubted" not in found[WRITE][0]["mirror"].against.sentence


def test_the_switch_is_one_of_whole_studies_too(pair):
    study = Study.objects.create(slug="mirror", title="What does the mirror cost?")
    Run.objects.update(study=study)
    for doubts, left_out in (("include", {}), ("exclude", {"doubted": 2})):
        view = compare(read_query(f"study=mirror&doubts={doubts}")).view
        assert (view.samples, view.not_counted) == (10 - sum(left_out.values()), left_out)


def test_exports_carry_them(pair):
    view = compare(read_query(query(pair))).view
    heads, *lines = as_csv(view).splitlines()
    assert heads.endswith("doubted,left_out,repeats")
    assert [line.split(",")[-3] for line in lines if WRITE in line] == ["0", "2"]
    assert ", 2 doubted," in as_markdown(view, address="https://bench.example/compare/")


def test_a_permalink_keeps_what_was_doubted(pair, django_user_model):
    link = make_permalink(query(pair), None)
    somebody = django_user_model.objects.create(username="mika")
    dismiss(Doubt.objects.all(), "a backup elsewhere", somebody)
    view = frozen(link).view
    (figure,) = (one for one in view.sections[0].figures if one.measure == WRITE)
    assert [row.doubted for row in figure.rows] == [0, 2]


def test_a_first_repeat_that_stands_apart_is_reported_with_the_view(pair):
    first = Run.objects.order_by("pk").first()
    first.measurements.filter(measure__metric="throughput").update(value=30e6)
    row = rows(pair)[WRITE][0]["local"]
    assert row.repeats == ("The first of 5 repeats is 70 % below the others.",)
    assert rows(pair)[WRITE][0]["mirror"].repeats != row.repeats
    Run.objects.filter(pk=first.pk).update(started_at=None)
    assert rows(pair)[WRITE][0]["local"].repeats == ()


def test_doubts_cost_a_comparison_one_query(pair, django_assert_num_queries):
    wanted = read_query(query(pair))
    compare(wanted)
    with django_assert_num_queries(9):
        compare(wanted)
