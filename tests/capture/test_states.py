"""What storage did beside a step, as states.sh wrote it down, alone and with the kernel's log."""

from __future__ import annotations

import pytest

from benchdash.capture import conditions_during
from benchdash.capture.probes.kernel_log import KernelLog
from benchdash.errors import Sentence
from benchdash.vocabulary.doubts import KINDS

START = 1795269276  # 2026-11-21 13:54:36 UTC
MIRROR = "md0 : active raid1 sdb1[1] sda1[0]\n      1046528 blocks super 1.2 [2/2] [UU]\n"
FAILED = "md0 : active raid1 sdb1[1](F) sda1[0]\n      1046528 blocks super 1.2 [2/1] [U_]\n"
RECOVERS = f"{FAILED.replace('sdb1[1](F)', 'sdc1[2]')}  recovery =\n"
CHECKED = f"{MIRROR}  check =\n"
WAITS = f"{MIRROR}      \tresync=DELAYED\n"
RAID6 = "md1 : active raid6 vdf[3] vde[2] vdd[1] vdc[0]\n      1044480 blocks [4/4] [UUUU]\n"
LINKED = " 0: cs:Connected ro:Primary/Secondary ds:UpToDate/UpToDate\n"
CUT = " 0: cs:NetworkFailure ro:Primary/Unknown ds:UpToDate/DUnknown\n"
AWAY = " 0: cs:WFConnection ro:Primary/Unknown ds:UpToDate/DUnknown\n"
SYNCS = " 0: cs:SyncSource ro:Primary/Secondary ds:UpToDate/Inconsistent\n"
WITHOUT_DISK = " 0: cs:Connected ro:Primary/Secondary ds:Diskless/UpToDate\n"
THREE = """\
lab role:Primary
  disk:UpToDate
  node-b role:Secondary
    peer-disk:UpToDate
  node-c role:Secondary
    peer-disk:UpToDate
"""
ONE_AWAY = THREE.replace("node-b role:Secondary\n    peer-disk:UpToDate", "node-b connection:{}")
ONE_SYNCS = THREE.replace(
    "node-b role:Secondary\n    peer-disk:UpToDate",
    "node-b role:Secondary\n    replication:SyncSource peer-disk:Inconsistent",
)
VOLUMES = """\
r0 role:Primary
  volume:0 disk:UpToDate
  volume:1 disk:UpToDate
  peer role:Secondary
    volume:0 replication:Established peer-disk:UpToDate
    volume:1 replication:{} peer-disk:{}

r1 role:Secondary
  disk:{}
"""


def log(source, *states, end=None, boot=5000):
    """A log of `(second, text)`; the look at them ends at second `end`."""
    written = ""
    for second, text in states:
        lines = "".join(f"|{line}\n" for line in text.splitlines())
        written += f"@ {START + second} {boot + second}.25 {source}\n{lines}"
    if end is not None:
        written += f"@ {START + end} {boot + end}.25 end\n"
    return written.encode()


def sentences_of(*states, kernel=None, since=0.0):
    found = conditions_during(kernel, since if kernel else None, states)
    assert all(each.name in KINDS and each.blocking for each in found)
    return [each.sentence for each in found]


def test_a_link_that_was_lost_twice_and_healed_is_reported_with_times_and_seconds():
    away = ONE_AWAY.format("Connecting")
    states = (0, THREE), (10, away), (22, THREE), (100, away), (125, THREE)
    (sentence,) = sentences_of(log("drbd_status", *states, end=200))
    assert sentence == (
        "drbd lab node-b lost its connection for 12, 25 s while the job ran. "
        "It began at 2026-11-21 13:54:46, 2026-11-21 13:56:16 UTC by the host’s clock."
    )
    assert isinstance(sentence, Sentence)  # it can be shown in another language


def test_the_steps_of_an_outage_are_one():
    away = ONE_AWAY.format("NetworkFailure"), ONE_AWAY.format("Connecting")
    states = (0, THREE), (10, away[0]), (11, away[1]), (22, ONE_SYNCS), (25, THREE)
    assert sentences_of(log("drbd_status", *states, end=200)) == [
        (
            "drbd lab node-b lost its connection for 12 s while the job ran. "
            "It began at 2026-11-21 13:54:46 UTC by the host’s clock. "
            "drbd lab node-b ran a resync or a check for 3 s while the job ran. "
            "It began at 2026-11-21 13:54:58 UTC by the host’s clock."
        )
    ]


@pytest.mark.parametrize(
    ("source", "states", "expected"),
    [
        ("mdstat", (MIRROR, FAILED, RECOVERS, MIRROR), "md0 was degraded for 20 s"),
        ("mdstat", (MIRROR + RAID6, CHECKED + RAID6, MIRROR), "md0 ran a resync or a check for 10 s"),
        ("mdstat", (MIRROR, WAITS, MIRROR), "md0 ran a resync or a check for 10 s"),
        ("drbd", (LINKED, CUT, AWAY, LINKED), "drbd0 lost its connection for 20 s"),
        ("drbd", (LINKED, WITHOUT_DISK, LINKED), "drbd0 was not up to date for 10 s"),
        (
            "drbd_status",
            [VOLUMES.format(*each, "UpToDate") for each in (("Established", "UpToDate"), ("SyncSource", "Inconsistent"), ("Established", "UpToDate"))],
            "drbd r0 peer ran a resync or a check for 10 s",
        ),
        (
            "drbd_status",
            [VOLUMES.format("Established", "UpToDate", each) for each in ("UpToDate", "Failed", "UpToDate")],
            "drbd r1 was not up to date for 10 s",
        ),
        ("ceph", ("HEALTH_OK", "HEALTH_WARN", "HEALTH_OK"), "Ceph was not healthy for 10 s"),
    ],
)  # fmt: skip
def test_what_changed_and_healed_is_reported(source, states, expected):
    one_after_another = ((10 * number, text) for number, text in enumerate(states))
    (sentence,) = sentences_of(log(source, *one_after_another, end=200))
    assert sentence == (
        f"{expected} while the job ran. It began at 2026-11-21 13:54:46 UTC by the host’s clock."
    )


@pytest.mark.parametrize("text", [MIRROR, FAILED, CHECKED])
def test_what_stays_as_it_was_is_no_change(text):
    assert sentences_of(log("mdstat", (0, text), end=100)) == []


def test_what_is_bad_from_a_look_on_is_reported_as_far_as_is_known():
    stays = log("drbd", (0, LINKED), (30, AWAY), end=100)
    assert sentences_of(stays)[0].startswith("drbd0 lost its connection for at least 70 s while")
    heals = log("mdstat", (0, RECOVERS), (40, MIRROR), end=100)
    assert sentences_of(heals) == ["md0 was degraded for at least 40 s while the job ran."]
    # whoever looked was ended before it could write that it was
    assert sentences_of(log("drbd", (0, LINKED), (30, AWAY), (33, CUT)))[0].startswith(
        "drbd0 lost its connection for at least 3 s while"
    )


def test_each_step_of_a_job_has_its_log():
    first = log("drbd", (0, LINKED), (10, AWAY), (22, LINKED), end=60)
    second = log("drbd", (70, LINKED), (75, AWAY), (100, LINKED), end=160)
    (sentence,) = sentences_of(first, second)
    assert sentence.startswith("drbd0 lost its connection for 12, 25 s while the job ran. ")


# of a host with DRBD 8.4.11 and md, as states.sh kept it: the link of DRBD was cut, a disk of the
# array failed, was taken out and came back
RECORDED = b"""\
@ 1795393227 1243.93 mdstat
|md7 : active raid1 loop2[2] loop1[0]
|      64512 blocks super 1.2 [2/2] [UU]
@ 1795393227 1244.36 drbd
| 0: cs:Connected ro:Primary/Secondary ds:UpToDate/UpToDate
@ 1795393246 1263.21 drbd
| 0: cs:WFConnection ro:Primary/Unknown ds:UpToDate/DUnknown
@ 1795393249 1266.52 mdstat
|md7 : active raid1 loop2[2](F) loop1[0]
|      64512 blocks super 1.2 [2/1] [U_]
@ 1795393278 1294.74 mdstat
|md7 : active raid1 loop1[0]
|      64512 blocks super 1.2 [2/1] [U_]
@ 1795393284 1300.80 mdstat
|md7 : active raid1 loop2[2] loop1[0]
|      64512 blocks super 1.2 [2/1] [U_]
|  recovery =
@ 1795393290 1306.69 mdstat
|md7 : active raid1 loop2[2] loop1[0]
|      64512 blocks super 1.2 [2/2] [UU]
@ 1795393302 1318.78 drbd
| 0: cs:WFBitMapS ro:Primary/Secondary ds:UpToDate/Consistent
@ 1795393306 1321.33 drbd
| 0: cs:Connected ro:Primary/Secondary ds:UpToDate/UpToDate
@ 1795393308 1325.62 end
"""


def test_the_log_of_a_real_host_is_read():
    assert sentences_of(RECORDED) == [
        (
            "md7 was degraded for 40 s while the job ran. "
            "It began at 2026-11-23 00:20:49 UTC by the host’s clock."
        ),
        (
            "drbd0 lost its connection for 56 s while the job ran. "
            "It began at 2026-11-23 00:20:46 UTC by the host’s clock. "
            "drbd0 ran a resync or a check for 3 s while the job ran. "
            "It began at 2026-11-23 00:21:42 UTC by the host’s clock."
        ),
    ]


def kernel(*lines, newest=6000.0):
    return KernelLog(tuple(lines), newest)


LOGGED_84 = (
    (4990.0, "drbd r0: peer( Secondary -> Unknown ) conn( Connected -> NetworkFailure )"),
    (5002.4, "drbd r0: conn( WFConnection -> WFReportParams )"),
)
LOGGED_9 = (
    (4990.0, "drbd lab node-b: conn( Connected -> NetworkFailure ) peer( Secondary -> Unknown )"),
    (5002.4, "drbd lab node-b: conn( Connecting -> Connected ) peer( Unknown -> Secondary )"),
)
NINE = log("drbd_status", (0, THREE), (10, ONE_AWAY.format("Connecting")), (23, THREE), end=99)
EIGHT = log("drbd", (0, LINKED), (10, AWAY), (23, SYNCS), (26, LINKED), end=99)


@pytest.mark.parametrize(
    ("states", "lines", "name"),
    [(NINE, LOGGED_9, "drbd lab node-b"), (EIGHT, LOGGED_84, "drbd r0")],
    ids=["9", "8.4"],
)
def test_an_outage_that_the_kernel_logged_too_is_reported_once_with_its_length(states, lines, name):
    """The kernel's clock is not that of the states: it is 20 s behind here."""
    (sentence,) = sentences_of(states, kernel=kernel(*lines), since=4000.0)
    assert sentence.startswith(
        f"{name} lost its connection for 12 s while the job ran. "
        "It began at 2026-11-21 13:54:46 UTC by the host’s clock."
    )


@pytest.mark.parametrize(("newest", "seconds"), [(4991.0, 89), (5120.0, 130)])
def test_an_outage_that_does_not_end_is_as_long_as_either_of_them_saw(newest, seconds):
    """The kernel need not write anything after it; its log may be read after the step is over."""
    states = log("drbd", (0, LINKED), (10, AWAY), end=99)
    (sentence,) = sentences_of(states, kernel=kernel(LOGGED_84[0], newest=newest), since=4000.0)
    assert sentence.startswith(f"drbd r0 lost its connection for at least {seconds} s while")


def test_volumes_of_one_resource_share_its_outages():
    lines = [(at + 100, text) for at, text in LOGGED_84]
    looks = [(0, LINKED), (10, AWAY), (23, LINKED), (110, AWAY), (122, LINKED)]
    both = [(second, text + text.replace(" 0:", " 1:")) for second, text in looks]
    found = sentences_of(
        log("drbd", *both, end=199), kernel=kernel(*LOGGED_84, *lines), since=4000.0
    )
    assert found == [
        (
            "drbd r0 lost its connection for 12, 12 s while the job ran. "
            "It began at 2026-11-21 13:54:46, 2026-11-21 13:56:26 UTC by the host’s clock."
        )
    ]


def test_an_outage_that_only_one_of_them_knows_is_reported_as_well():
    lines = [(at - 900, text) for at, text in LOGGED_9]
    short = log("drbd_status", (0, THREE), (9, ONE_AWAY.format("Timeout")), (12, THREE), end=99)
    assert sentences_of(short, kernel=kernel(*LOGGED_9), since=4000.0) == [
        (
            "drbd lab node-b lost its connection for 12, 3 s while the job ran. "
            "It began at 2026-11-21 13:54:45 UTC by the host’s clock."
        )
    ]
    # the log of before the job is none of it
    found = sentences_of(short, kernel=kernel(*lines, newest=4150.0), since=4150.0)
    assert found[0].startswith("drbd lab node-b lost its connection for 3 s while")


def test_a_disk_that_an_array_lost_is_reported_with_how_long_it_was_degraded():
    lines = (
        (5000.0, "md/raid1:md0: Disk failure on sdb1, disabling device."),
        (5010.0, "md: recovery of RAID array md0"),
        (5011.0, "md: data-check of RAID array md1"),
    )
    states = log("mdstat", (0, MIRROR), (10, FAILED), (20, RECOVERS), (50, MIRROR), end=99)
    assert sentences_of(states, kernel=kernel(*lines), since=4000.0) == [
        (
            "md0 was degraded for 40 s while the job ran. "
            "It began at 2026-11-21 13:54:46 UTC by the host’s clock. "
            "An array lost the disk sdb1 while the job ran (1 ×)."
        ),
        "md1 started a resync or a check while the job ran (1 ×).",
    ]


def test_a_link_that_comes_and_goes_all_night_makes_one_short_sentence():
    states = [(second, (LINKED, AWAY)[second % 2]) for second in range(400)]
    (sentence,) = sentences_of(log("drbd", *states, end=500))
    assert sentence.startswith("drbd0 lost its connection for at least 1, 1, 1, 1, 1, 1, … s while")
    assert len(sentence) < 400 and isinstance(sentence, Sentence)


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"\xff\x00@@@",
        b"@ 1 2 drbd",
        b"|0: cs:X\n@ 9 9 nobody\n|x\n",
        b"@ 1 2 mdstat\n|md0\n@ 0",
    ],
)
def test_damage_is_passed_over(damaged):
    assert sentences_of(damaged) == []
    (sentence,) = sentences_of(damaged, EIGHT)
    assert sentence.startswith("drbd0 lost its connection for 13 s while the job ran. ")


def test_a_log_cut_anywhere_is_read_as_far_as_it_goes():
    whole = NINE + EIGHT
    for length in range(len(whole)):
        assert len(sentences_of(whole[:length])) <= 2
