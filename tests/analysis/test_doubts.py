"""Rules that find what speaks against a run, and against repeats."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import chain

import pytest

from benchdash.analysis.doubts import (
    Measured,
    drift,
    of_place,
    of_repeats,
    of_result,
    ran_longer_than_passed,
)
from benchdash.parsers.result import Trace
from benchdash.vocabulary.doubts import KINDS, OF_PLACE, OF_RESULT
from benchdash.vocabulary.hardware_limits import Limit, Limits

MB, GIB = 1e6, 2**30
WRITE = ("seq_write", "throughput", "mean")


def doubts(found):
    return [(each.kind, each.sentence, each.operations) for each in found]


def series(values, seconds=None):
    found = Trace("seq_write", "throughput")
    for second, value in zip(seconds or range(len(values)), values, strict=True):
        found.add(float(second), float(value))
    return found


def fio(**more):
    numbers = {WRITE: 100 * MB, ("seq_write", "duration", "total"): 30.0}
    return Measured("fio", **{"workload": {}, "numbers": numbers} | more)


def test_a_sound_run_has_no_doubt():
    assert of_result(fio()) == []
    assert of_place(fio(), Limits((), (), 16 * GIB)) == []


def test_a_phase_of_less_than_a_second_is_too_short():
    short = fio(numbers={WRITE: 1.0, ("seq_write", "duration", "total"): 0.25})
    sentence = "Sequential write took only 250 ms, too short for a reliable rate."
    assert doubts(of_result(short)) == [("short", sentence, ())]
    whole = fio(numbers={WRITE: 1.0, ("run", "duration", "total"): 1.0})
    assert of_result(whole) == []


def test_of_bonnie_the_time_follows_from_what_it_worked_on():
    numbers = {
        WRITE: 100 * MB,
        ("seq_create", "rate", "mean"): 1000.0,
        ("seq_stat", "rate", "mean"): 1_638_400.0,
    }
    run = Measured("bonnie++", {"file_bytes": 16 * GIB, "files": 16_384}, numbers)
    sentence = "Sequential stat took only 10 ms, too short for a reliable rate."
    # the other numbers of the run are as sound as they were
    assert doubts(of_result(run)) == [("short", sentence, ("seq_stat",))]


def test_errors_are_counted():
    numbers = {("transaction", "transactions", "mean"): 5.0, ("run", "errors", "total"): 3.0}
    assert doubts(of_result(Measured("pgbench", {}, numbers))) == [
        ("errors", "pgbench reported errors: 3.", ())
    ]
    none = numbers | {("run", "errors", "total"): 0.0}
    assert of_result(Measured("pgbench", {}, none)) == []


@pytest.mark.parametrize(
    ("printed", "sentence"),
    [
        (
            {"ss": "iops:5%", "duration": 60, "attained": 0},
            "The requested steady state (iops:5% over 60 s) was not reached.",
        ),
        ({"ss": "iops:5%", "duration": 60, "attained": 1}, None),
        (
            "attained=no, bw=9MiB/s, iops=2k",
            "The requested steady state was not reached: attained=no, bw=9MiB/s, iops=2k.",
        ),
        ("attained=yes, bw=9MiB/s, iops=2k", None),
    ],
)
def test_fio_says_whether_it_was_steady(printed, sentence):
    found = of_result(fio(details={"steadystate": printed}))
    assert [each.sentence for each in found] == ([sentence] if sentence else [])


def test_a_run_that_takes_longer_than_was_requested_has_stalled_or_its_clock_has():
    requested = {"duration_s": 10.0}
    assert doubts(of_result(fio(workload=requested))) == [
        ("clock", "It ran for 30 s instead of the requested 10 s.", ())
    ]
    assert of_result(fio(workload={"duration_s": 28.0})) == []
    # a size that was reached earlier is no trouble, a time that was to be filled is
    assert of_result(fio(workload={"duration_s": 60.0})) == []
    filled = fio(workload={"duration_s": 60.0}, details={"options": {"time_based": ""}})
    assert [each.kind for each in of_result(filled)] == ["clock"]


def test_no_tool_measures_longer_than_its_process_lives():
    assert ran_longer_than_passed(60.0, 59.5) is None
    found = ran_longer_than_passed(60.0, 12.0)
    assert found.sentence == "The tool printed a run time of 60 s, but only 12 s passed."


def test_a_run_that_falls_off_drifts():
    falling = [200 - place for place in range(100)]
    assert drift(falling) == pytest.approx(-0.285, abs=0.001)
    found = of_result(fio(traces=[series(falling)]))
    sentence = "Sequential write: the second half is 28 % slower than the first."
    assert doubts(found) == [("trend", sentence, ())]
    assert drift([100 + place / 10 for place in range(100)]) is None  # by 5 %
    assert drift(falling[:5]) is None


def test_noise_alone_hardly_ever_drifts():
    chance = random.Random(5)
    found = [drift([chance.lognormvariate(0, 0.5) for _ in range(40)]) for _ in range(2000)]
    assert sum(each is not None for each in found) < 2000 * 0.012


def test_several_jobs_in_one_log_are_no_series():
    once = [*range(200, 100, -5)]
    log = series(once + once, [*chain(range(20), range(20))])
    assert of_result(fio(traces=[log])) == []


def test_a_value_beyond_what_carries_it_is_doubted():
    limits = Limits(writes=(Limit(90 * MB, "the replication link"), Limit(95 * MB, "the network")))
    sentence = "Sequential write: 100 MB/s exceeds the 90 MB/s that the replication link can carry."
    assert doubts(of_place(fio(), limits)) == [("too_fast", sentence, ())]
    assert of_place(fio(), Limits(reads=limits.writes)) == []
    # rounded speeds are no proof
    assert of_place(fio(), Limits(writes=(Limit(96 * MB, "the network"),))) == []


@dataclass
class Cached:
    """A run on `size` bytes, and whether it fits into 16 GiB of memory."""

    size: int
    tool: str = "fio"
    workload: dict = field(default_factory=dict)
    options: dict = field(default_factory=lambda: {"rw": "write"})

    def kinds(self):
        numbers = {WRITE: 1.0, ("seq_create", "rate", "mean"): 1.0}
        workload = {"file_bytes": self.size} | self.workload
        run = Measured(self.tool, workload, numbers, {"options": self.options})
        found = of_place(run, Limits(memory_bytes=16 * GIB))
        return [(each.kind, each.operations) for each in found]


DOUBTED = [("cached", ("seq_write",))]


def test_files_that_fit_into_memory_are_doubted_unless_it_is_passed_by():
    assert Cached(28 * GIB).kinds() == DOUBTED
    # twice what the kernel left of the memory, as bonnie++ takes by itself
    assert Cached(31 * GIB).kinds() == []
    assert Cached(8 * GIB, workload={"jobs": 4}).kinds() == []
    # jobs that are reported one by one still work on all of their files
    assert Cached(8 * GIB, workload={"jobs": 1}, options={"numjobs": "4"}).kinds() == []
    assert Cached(GIB, workload={"direct": True}).kinds() == []
    assert Cached(GIB, workload={"direct": False}, options={}).kinds() == DOUBTED
    # text does not print the options: nobody knows
    assert Cached(GIB, options={}).kinds() == []
    assert Cached(GIB, workload={"engine": "rbd"}).kinds() == []
    assert Cached(GIB, workload={"sync": True}).kinds() == []
    assert Cached(GIB, tool="bonnie++").kinds() == DOUBTED
    assert Cached(GIB, tool="sysbench").kinds() == []


def test_the_size_is_stated_in_units_of_memory():
    run = Measured("bonnie++", {"file_bytes": 8 * GIB}, {WRITE: 1.0})
    (found,) = of_place(run, Limits(memory_bytes=16 * GIB))
    assert found.sentence == (
        "8 GiB of files is less than twice the 16 GiB of memory, and direct I/O was not used."
    )


def test_a_first_repeat_that_stands_apart_is_named():
    assert of_repeats([50, 100, 101, 99, 100.5, 99.5]) == (
        "The first of 6 repeats is 50 % below the others.",
    )
    assert of_repeats([130, 100, 101, 99, 100.5, 99.5]) == (
        "The first of 6 repeats is 30 % above the others.",
    )
    assert of_repeats([100.4, 100, 101, 99, 100.5, 99.5]) == ()
    assert of_repeats([50, 100, 101, 99]) == ()  # too few to know what is usual
    assert of_repeats([100.0] * 6) == ()


def test_repeats_that_rise_or_fall_are_named():
    assert of_repeats([100, 104.5, 107, 112.5, 116, 121]) == (
        "Over its 6 repeats it rises by 21 %.",
    )
    assert of_repeats([121, 116, 112.5, 107, 104.5, 100]) == (
        "Over its 6 repeats it falls by 17 %.",
    )


def test_noise_alone_hardly_ever_makes_repeats_doubted():
    chance = random.Random(7)
    found = [of_repeats([chance.lognormvariate(0, 0.1) for _ in range(8)]) for _ in range(2000)]
    assert sum(map(bool, found)) < 2000 * 0.03


def test_every_kind_that_rules_give_is_known():
    assert set(OF_RESULT) | set(OF_PLACE) <= KINDS.keys()
