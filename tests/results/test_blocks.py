"""What is said of samples that share what was made: blocks count once, and the page says so."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import exp, log
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from benchdash.inventory.models import Configuration
from benchdash.jobs.models import Job
from benchdash.results.comparison import compare
from benchdash.results.comparison.export import as_markdown
from benchdash.results.criteria import read_query
from tests.jobs.records import a_job, a_plan, a_target
from tests.measured import a_configuration, a_run

pytestmark = [pytest.mark.django_db, pytest.mark.database]
WRITE = "rand_write.iops.mean"
BY_KIND = "tool=fio&group=setting.kind&across=setting.book&baseline=oak"
DAY = datetime(2026, 11, 22, tzinfo=UTC)
WOOD = ("ash", "oak", "pine")


def measured(*, rounds=8, kinds=WOOD, apart=0.05, gain=(1.0, 1.05), of_ash=1.0, blocks=True):
    """Each kind once a round as a block of two books; blocks are off by `apart`, books by their gain."""
    chance, on = Random(7), a_target()
    plan = a_plan(launched_at=timezone.now())
    configuration = Configuration.objects.filter(name="shelf").first() or a_configuration("shelf")
    minute = 0
    for number in range(1, rounds + 1):
        for kind in sorted(kinds, key=lambda _kind: chance.random()):
            off = chance.gauss(0, apart) + (log(of_ash) if kind == "ash" else 0)
            for book in sorted((0, 1), key=lambda _book: chance.random()):
                minute += 1
                run = a_run(
                    configuration,
                    {WRITE: 1000 * gain[book] * exp(off + chance.gauss(0, 0.005))},
                    settings={"kind": kind, "book": book},
                    workload={"block_bytes": 4096},
                    started_at=DAY + timedelta(minutes=minute),
                )
                block = f"{number}{kind}" if blocks else ""
                job = a_job(Job.State.DONE, on, plan, round=number, block=block)
                job.steps.filter(tool="fio").update(artifact=run.artifact)
    return plan


def effects_of(query="tool=fio"):
    (matrix,) = compare(read_query(query)).view.matrices
    (effects,) = matrix.effects
    return effects, {one.title: one for one in effects.factors}


def test_a_dear_factor_is_judged_by_blocks_and_the_others_within_them():
    measured()
    effects, factors = effects_of()
    assert (effects.n, effects.blocks, effects.rounds) == (48, 24, 8)
    kind, book = factors["kind"], factors["book"]
    assert kind.of_blocks and [level.n for level in kind.levels] == [8, 8, 8]
    assert kind.finding == "unseen"
    assert not book.of_blocks and [level.n for level in book.levels] == [24, 24]
    assert book.finding == "firm" and book.apart.low < 1.05 < book.apart.high
    # of blocks a difference of several percent would go unnoticed, within them hardly one
    assert kind.unnoticed > 0.03 and book.apart.high - book.apart.low < 0.02
    assert (
        "kind shows no effect" in effects.sentence and ", n counts blocks: 24" in effects.sentence
    )
    assert effects.remarks[0].startswith("What kind depends on was made once per block")
    assert sum(one.explained for one in effects.factors) + effects.unexplained <= 1.001
    with translation.override("ja"):
        japanese, _factors = effects_of()
    assert "n はブロック数" in japanese.sentence
    exported = as_markdown(compare(read_query("tool=fio")).view, address="")
    assert "n counts blocks" in exported


def test_what_blocks_really_do_is_found():
    plan = measured(apart=0.02, of_ash=1.3)
    effects, factors = effects_of(f"plan={plan.pk}")
    kind = factors["kind"]
    assert kind.of_blocks and kind.finding == "firm" and kind.highest == "ash"
    assert kind.apart.low < 1.3 < kind.apart.high and kind.explained > 0.8
    assert (effects.leader.label, effects.leader.near) == ("book 1 · ash", ())


def test_the_interval_of_a_group_is_that_of_its_blocks():
    measured(apart=0.1)
    (figure,) = (
        compare(read_query("tool=fio&group=setting.kind&across=setting.book"))
        .view.sections[0]
        .figures
    )
    for row in figure.rows:
        assert (row.n, row.interval.coverage) == (16, pytest.approx(0.9921875))  # 1 - 2 / 2**8
        assert "of 8 blocks" in row.repeats[0]
    measured(blocks=False, kinds=("elm",))
    (figure,) = (
        compare(read_query("setting.kind=elm&group=setting.kind&across=setting.book"))
        .view.sections[0]
        .figures
    )
    assert not any("blocks" in sentence for sentence in figure.rows[0].repeats)


def test_samples_of_one_block_have_no_interval_of_blocks():
    measured(rounds=1, kinds=("elm",))
    query = "tool=fio&group=setting.kind&across=setting.book"
    (figure,) = compare(read_query(query)).view.sections[0].figures
    (sentence,) = figure.rows[0].repeats
    assert sentence.startswith("All samples are of one block: ")


def test_without_blocks_nothing_is_said_of_them():
    measured(blocks=False)
    effects, factors = effects_of()
    assert effects.blocks is None and not any(one.of_blocks for one in factors.values())
    assert [level.n for level in factors["kind"].levels] == [16, 16, 16]
    assert "blocks" not in effects.sentence + " ".join(effects.remarks)


def test_too_few_blocks_leave_a_dear_factor_untold():
    measured(rounds=3, kinds=WOOD[:2])
    effects, factors = effects_of()
    assert [*factors] == ["book"] and effects.blocks == 6
    assert "6 blocks are too few to separate kind from what differs each time" in effects.remarks[0]


def test_groups_that_differ_in_what_is_dear_are_compared_by_blocks():
    measured(apart=0.03, gain=(1.0, 1.0))
    view = compare(read_query(BY_KIND)).view
    (section,) = view.sections
    rows = {row.label: row for row in section.figures[0].rows}
    against = rows["ash"].against
    assert against.of_blocks and (against.n, against.baseline_n, against.rounds) == (8, 8, 8)
    assert "; n counts blocks: 8 + 8" in against.sentence
    assert against.word not in ("better", "worse")
    assert rows["ash"].n == 16


def test_the_order_of_blocks_is_that_of_their_verdict():
    measured(kinds=("ash", "oak"))
    (section,) = compare(read_query(BY_KIND)).view.sections
    against = next(row.against for row in section.figures[0].rows if row.against)
    assert section.order.rounds == against.rounds == 8


def test_nobody_is_best_of_fewer_blocks_than_a_firm_word_needs():
    measured(rounds=3, of_ash=2.0, apart=0.001)  # six samples each, in three blocks
    (section,) = compare(read_query(BY_KIND)).view.sections
    assert section.figures[0].winners == ()


def test_groups_that_differ_within_blocks_are_compared_as_ever():
    measured(gain=(1.0, 1.1))
    view = compare(read_query("tool=fio&group=setting.book&baseline=0")).view
    against = next(row.against for row in view.sections[0].figures[0].rows if row.against)
    assert not against.of_blocks and "blocks" not in against.sentence
    one = compare(read_query("tool=fio&setting.kind=oak&group=setting.book&baseline=0")).view
    against = next(row.against for row in one.sections[0].figures[0].rows if row.against)
    assert (against.word, against.rounds, against.of_blocks) == ("better", 8, False)


def test_blocks_cost_no_further_query():
    measured(rounds=2)
    with CaptureQueriesContext(connection) as few:
        compare(read_query("tool=fio"))
    measured(rounds=3)
    with CaptureQueriesContext(connection) as more:
        compare(read_query("tool=fio"))
    assert len(few) == len(more)
