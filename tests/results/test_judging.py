"""What comparisons say of their groups: each rule at the level of a whole comparison."""

from __future__ import annotations

import csv
from datetime import UTC, datetime, timedelta

import pytest

from benchdash.errors import Refused
from benchdash.results.comparison import compare
from benchdash.results.comparison.compare import compare_together
from benchdash.results.comparison.export import as_csv, as_markdown
from benchdash.results.criteria import read_query
from benchdash.results.models import Run, Study
from tests.measured import a_configuration, a_run, an_environment

pytestmark = pytest.mark.django_db

READ, WRITE = "rand_read.iops.mean", "seq_write.throughput.mean"
TAIL = "rand_read.completion_latency.p99.9"
DAY = datetime(2026, 11, 22, tzinfo=UTC)
NOISE = (100.0, 101.0, 99.5, 100.5, 99.0, 100.2, 100.8, 99.7)


def minutes(number):
    return DAY + timedelta(minutes=number)


def in_rounds(values, measure=READ, places=None, **columns):
    """`{configuration: [value, …]}` measured in turns, the order of a round changing."""
    places = places or {}
    for nth in range(max(map(len, values.values()))):
        turn = list(values.items())[:: 1 if nth % 2 else -1]
        for place, (configuration, own) in enumerate(turn):
            at = minutes(nth * len(values) + place)
            where = {"environment": places[configuration]} if places else {}
            a_run(configuration, {measure: own[nth]}, started_at=at, **where, **columns)


def one_after_the_other(values, measure=READ, **columns):
    at = 0
    for configuration, own in values.items():
        for value in own:
            a_run(configuration, {measure: value}, started_at=minutes(at), **columns)
            at += 1


def test_a_page_of_two_charts_of_a_study_allows_for_both():
    local, mirror = a_configuration("local"), a_configuration("mirror")
    slower = [value * 0.8 for value in NOISE]
    in_rounds({local: NOISE[:5], mirror: slower[:5]})
    in_rounds({local: NOISE[:5], mirror: slower[:5]}, measure=WRITE, workload={"pattern": "write"})
    chosen = f"configuration={local.pk}&configuration={mirror.pk}&baseline={local.pk}&measure="

    def verdicts(*charts):
        together = compare_together([chosen + chart for chart in charts], binary=False)
        rows = [one.view.sections[0].figures[0].rows[1] for one in together]
        return [(row.verdict, row.against.comparisons) for row in rows]

    assert verdicts(READ) == [("worse", 1)]
    assert verdicts(READ, READ) == [("worse", 1)] * 2  # the same said twice
    assert verdicts(READ, WRITE) == [("leans_worse", 2)] * 2


def compared(query):
    return compare(read_query(query)).view


def figures(query):
    return {
        figure.measure: figure for section in compared(query).sections for figure in section.figures
    }


def rows(query, measure=READ):
    return {row.label: row for row in figures(query)[measure].rows}


def scaled(factor, values=NOISE):
    return [factor * value for value in values]


def test_where_some_lack_a_round_the_order_says_how_many_there_are():
    names = [a_configuration(name) for name in ("a", "b", "c")]
    in_rounds({one: [1e4 + nth for nth in range(6)] for one in names})
    Run.objects.filter(configuration=names[2]).order_by("-started_at").first().delete()
    (section,) = compared("tool=fio").sections
    assert section.order.text == "interleaved: 5 to 6 rounds"
    assert section.order.rounds == 5


def test_interleaved_rounds_are_firm_and_the_order_is_stated():
    local, mirror = a_configuration("local"), a_configuration("mirror")
    in_rounds({local: NOISE, mirror: scaled(0.9, NOISE[::-1])})
    view = compared(f"tool=fio&baseline={local.pk}")
    (section,) = view.sections
    row = section.figures[0].rows[1]
    assert row.verdict == "worse" and row.against.rounds == 8
    assert row.against.sentence.startswith("worse: 90.0 % of the baseline (95 % interval ")
    assert row.against.sentence.endswith("; 8 interleaved rounds; a difference of at least 2 %")
    assert (section.order.kind, section.order.text) == ("interleaved", "interleaved: 8 rounds")
    assert [mark.group for mark in section.order.marks[:4]] == [
        str(one.pk) for one in (mirror, local, local, mirror)
    ]
    assert [mark.seconds for mark in section.order.marks[:3]] == [0, 60, 120]


def test_one_after_the_other_leans_and_an_unknown_order_too():
    local, mirror = a_configuration("local"), a_configuration("mirror")
    one_after_the_other({local: NOISE, mirror: scaled(0.95)})
    (section,) = compared(f"tool=fio&baseline={local.pk}").sections
    assert (section.order.kind, section.order.text) == ("sequential", "not interleaved")
    assert section.figures[0].rows[1].verdict == "leans_worse"
    assert "not interleaved, so drift" in section.figures[0].rows[1].against.sentence
    a_run(mirror, {READ: 95.0})
    (section,) = compared(f"tool=fio&baseline={local.pk}").sections
    assert (section.order.kind, section.order.marks) == ("unknown", ())
    assert section.figures[0].rows[1].against.reason == "unknown_order"


def test_pools_are_compared_part_by_part_and_what_is_equal_there_is_not_better():
    """ext4 was measured mostly on the fast stack, btrfs mostly on the slow one."""
    values = {("ext4", "ssd"): 8, ("ext4", "disk"): 2, ("btrfs", "ssd"): 2, ("btrfs", "disk"): 8}
    for (kind, disk), count in values.items():
        configuration = a_configuration(f"{kind} on {disk}", filesystem=kind, layer=disk)
        for nth in range(count):
            a_run(configuration, {READ: (1000 if disk == "ssd" else 100) + nth % 2})
    found = rows("tool=fio&group=layer.filesystem&baseline=btrfs")["ext4"]
    assert found.verdict == "unclear" and found.ratio == pytest.approx(1, abs=0.01)
    assert "runs that differ in Layer are pooled, so they were compared part by part" in (
        found.against.sentence
    )


def test_pools_that_have_no_part_in_common_have_no_verdict():
    here, there, elsewhere = (an_environment(name, kernel=name) for name in ("a", "b", "c"))
    one, other = a_configuration("one"), a_configuration("other")
    for nth in range(5):
        a_run(one, {READ: 100.0 + nth}, environment=here)
        a_run(one, {READ: 100.0 + nth}, environment=there)
        a_run(other, {READ: 300.0 + nth}, environment=elsewhere)
    found = rows(f"tool=fio&group=configuration&baseline={one.pk}")["other"]
    assert (found.verdict, found.against.reason, found.ratio) == ("none", "no_common_stratum", None)
    assert "Kernel" in found.against.sentence


def test_runs_of_different_workloads_that_are_thrown_together_are_never_firm():
    one, other = a_configuration("one"), a_configuration("other")
    for nth, value in enumerate(NOISE):
        for depth in (1, 8):
            a_run(one, {READ: value * depth}, workload={"queue_depth": depth})
            a_run(other, {READ: NOISE[-nth] * depth / 2}, workload={"queue_depth": depth})
    found = rows(f"tool=fio&across=queue_depth&baseline={one.pk}")["other"]
    assert (found.verdict, found.against.reason) == ("leans_worse", "strata")
    assert found.ratio == pytest.approx(0.5, abs=0.01)


def test_a_measure_that_is_not_primary_leans_at_most():
    one, other = a_configuration("one"), a_configuration("other")
    in_rounds({one: NOISE, other: scaled(0.5)}, "rand_read.completion_latency.max")
    found = figures(f"tool=fio&family=latency&baseline={one.pk}")[
        "rand_read.completion_latency.max"
    ]
    assert not found.primary and found.winners == ()
    assert (found.rows[1].verdict, found.rows[1].against.reason) == ("leans_better", "descriptive")
    assert "best" not in found.sentence


@pytest.mark.parametrize(("block", "primary"), [(4096, READ), (2**20, "rand_read.throughput.mean")])
def test_of_fio_rates_the_block_size_chooses_the_primary_one(block, primary):
    one = a_configuration("one")
    for measures in ((READ, "rand_read.throughput.mean"), ("rand_read.throughput.mean",)):
        a_run(one, dict.fromkeys(measures, 5.0), workload={"block_bytes": block})
    both = figures("tool=fio&family=iops&family=throughput")
    assert [name for name, figure in both.items() if figure.primary] == [primary]
    # alone on the page it is the same number in another unit
    assert figures("tool=fio&family=throughput")["rand_read.throughput.mean"].primary


def test_p99_of_the_completion_latency_is_primary_where_it_was_printed():
    one = a_configuration("one")
    a_run(one, {"rand_read.completion_latency.mean": 1.0, "rand_read.completion_latency.p99": 2.0})
    only = figures("tool=fio&measure=rand_read.completion_latency.mean")
    assert not only["rand_read.completion_latency.mean"].primary
    assert figures("tool=fio&family=latency")["rand_read.completion_latency.p99"].primary


def test_cpu_is_judged_by_what_each_byte_costs():
    slow, fast = a_configuration("slow"), a_configuration("fast")
    for value in NOISE[:5]:
        a_run(slow, {WRITE: 1e8, "seq_write.cpu.mean": value / 1000}, tool="bonnie++")
        a_run(fast, {WRITE: 4e8, "seq_write.cpu.mean": value / 500}, tool="bonnie++")
    figure = figures(f"tool=bonnie%2B%2B&family=cpu&baseline={slow.pk}")["seq_write.cpu.mean"]
    row = next(row for row in figure.rows if row.label == "fast")
    assert figure.sentence == "" and figure.higher_is_better is None
    assert (row.ratio, row.ratio_interval) == (pytest.approx(2), None)
    assert row.against.per == "byte" and row.against.estimate == pytest.approx(0.5)
    assert row.verdict == "leans_better"  # CPU is no primary measure
    assert row.against.sentence.startswith("CPU per byte leans better: 50.0 % of the baseline")


def test_cpu_without_what_it_was_spent_on_has_no_direction():
    one, other = a_configuration("one"), a_configuration("other")
    for value in NOISE[:5]:
        a_run(one, {"run.cpu.mean": value / 1000})
        a_run(other, {"run.cpu.mean": value / 100})
    found = rows(f"tool=fio&family=cpu&baseline={one.pk}", "run.cpu.mean")["other"]
    assert (found.verdict, found.against.reason) == ("none", "no_direction")


def test_zero_against_zero_is_equal():
    one, other = a_configuration("one"), a_configuration("other")
    for _ in range(5):
        a_run(one, {"run.errors.total": 0.0})
        a_run(other, {"run.errors.total": 0.0})
    figure = figures(f"tool=fio&measure=run.errors.total&baseline={one.pk}")["run.errors.total"]
    assert (figure.rows[1].against.text, figure.rows[1].ratio) == ("equal", 1.0)
    assert figure.rows[1].against.sentence == "equal: every value is the same, 5 + 5 samples"
    assert figure.sentence.startswith("Whole run · Errors: equal: one, other")


@pytest.mark.parametrize(("operations", "reason"), [(5_000, "thin_tail"), (50_000, "few")])
def test_a_percentile_with_few_operations_above_it_has_no_verdict(operations, reason):
    one, other = a_configuration("one"), a_configuration("other")
    for nth in range(2):
        for configuration, factor in ((one, 1), (other, 3)):
            numbers = {TAIL: factor * (0.01 + nth / 1e5)}
            a_run(configuration, numbers | {"rand_read.operations.total": operations + nth})
    found = rows(f"tool=fio&measure={TAIL}&baseline={one.pk}", TAIL)["other"]
    assert found.against.reason == reason
    assert found.above == pytest.approx(operations / 1000)


def test_two_modes_are_both_shown_and_no_number_stands_for_them():
    one, other = a_configuration("one"), a_configuration("other")
    in_rounds({one: scaled(1, NOISE[:5] * 2), other: scaled(1, NOISE[:5]) + scaled(1.5, NOISE[:5])})
    found = rows(f"tool=fio&baseline={one.pk}")["other"]
    assert found.modes == (100.0, 150.0) and found.ratio is None
    assert (found.verdict, found.against.reason) == ("none", "two_modes")
    text = as_markdown(compared(f"tool=fio&baseline={one.pk}"), address="x")
    assert "| 100 / 150; two modes" in text


def test_modes_that_are_none_to_a_verdict_are_not_shown_as_two():
    one, other = a_configuration("one"), a_configuration("other")
    # ten times as wide a gap as the upper part, not three times the lower one, which doubles
    apart = [100.0, 125, 150, 175, 200, 1000, 1010, 1020, 1035, 1050]
    in_rounds({one: scaled(1, NOISE[:5] * 2), other: apart})
    found = rows(f"tool=fio&baseline={one.pk}")["other"]
    assert (found.modes, found.against.reason == "two_modes") == ((), False)


def test_a_smaller_delta_is_asked_of_the_address_the_study_or_the_installation(settings):
    study = Study.objects.create(slug="tuning", title="Tuning")
    one, other = a_configuration("one"), a_configuration("other")
    in_rounds({one: NOISE, other: scaled(0.95)}, study=study)
    query = f"study=tuning&baseline={one.pk}"

    def found(more=""):
        row = rows(query + more)["other"]
        return row.verdict, row.against.delta

    assert found() == ("worse", 0.02)
    settings.DELTA_PERCENT = 10.0
    assert found() == ("no_difference", 0.10)
    Study.objects.update(delta=4.0)
    assert found() == ("worse", 0.04)
    assert found("&delta=8") == ("no_difference", 0.08)
    assert found("&delta=8&delta=iops:1") == ("worse", 0.01)
    assert "no difference above 8 %" in rows(f"{query}&delta=8")["other"].against.sentence


@pytest.mark.parametrize("text", ["0", "-1", "nan", "1e1", "speed:2", "101", "", ":", "²"])
def test_a_delta_that_is_none_is_refused(text):
    if not text:
        assert read_query(f"delta={text}").deltas == ()
        return
    with pytest.raises(Refused):
        read_query(f"delta={text}")


def test_a_delta_stands_in_the_address_as_it_was_stated():
    assert read_query("delta=latency:5&delta=2.5").query() == "delta=2.5&delta=latency%3A5"


def test_exports_carry_word_sentence_interval_and_n():
    one, other = a_configuration("one"), a_configuration("other")
    in_rounds({one: NOISE, other: scaled(0.9, NOISE[::-1])})
    view = compared(f"tool=fio&baseline={one.pk}")
    sentence = view.sections[0].figures[0].rows[1].against.sentence
    _own, line = csv.DictReader(as_csv(view).splitlines())
    assert (line["n"], line["baseline_n"], line["verdict"], line["reason"]) == (
        "8",
        "8",
        "worse",
        "",
    )
    assert line["sentence"] == sentence
    assert float(line["ratio_low"]) < float(line["ratio_to_baseline"]) < float(line["ratio_high"])
    text = as_markdown(view, address="x")
    assert sentence in text and view.sections[0].figures[0].sentence in text
    assert "(99 %)" in text and "interleaved: 8 rounds" in text


# what must not change the words
