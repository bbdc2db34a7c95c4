"""A probe that gives no answer leaves a gap: the stack is still the one that it is, and no other."""

from __future__ import annotations

import re

import pytest

from benchdash.capture import read_capture
from benchdash.capture.probes import CAPTURED
from benchdash.vocabulary.storage.matching import fits
from benchdash.vocabulary.storage.notation import parse
from tests.capture.golden import SAMPLES, samples

# before Linux 2.6.29 only lvs says that a device is of LVM: without it a whole layer is missing
UNKNOWN_KIND = {"composed-centos-5-drbd-8.3.capture": ("lvs",)}
WITH_LAYERS = [probe.name for probe in CAPTURED if probe.layers and probe.command]
STACKS = {
    path.name: read_capture(path.read_bytes()).stack
    for path in samples()
    if path.suffix == ".capture"
}


def without(output: bytes, probe: str, status: str = "137") -> bytes:
    """The same answer, where that probe was ended before it said anything."""
    frame = re.compile(rb"^@@ %s\n.*?(?=^@[@.])" % probe.encode(), re.MULTILINE | re.DOTALL)
    return frame.sub(b"@@ %s\n@= %s\n@! \n" % (probe.encode(), status.encode()), output)


def patterns(capture) -> list[str]:
    return [name for gap in capture.gaps for name in gap.layers]


def cases():
    for path in samples():
        for probe in WITH_LAYERS if path.suffix == ".capture" else ():
            if f"@@ {probe}\n".encode() in path.read_bytes():
                yield pytest.param(path, probe, id=f"{path.stem}-{probe}")


@pytest.mark.parametrize(("path", "probe"), list(cases()))
def test_a_stack_without_one_probe_fits_the_whole_one(path, probe):
    whole = STACKS[path.name]
    part = read_capture(without(path.read_bytes(), probe))
    if part.stack != whole:
        assert part.gaps and any(gap.is_passing for gap in part.gaps), part.unread
        assert not fits(part.stack, whole, [])
    if probe not in UNKNOWN_KIND.get(path.name, ()):
        assert fits(part.stack, whole, patterns(part)), (part.stack, whole)


def test_a_whole_stack_of_root_has_no_gaps():
    assert read_capture((SAMPLES / "raid6-lvm-ext4.capture").read_bytes()).gaps == ()


def test_a_gap_names_the_probe_and_why_and_whether_it_passes():
    output = (SAMPLES / "raid6-lvm-ext4.capture").read_bytes()
    (late,) = read_capture(without(output, "lvs")).gaps[:1]
    assert late.sentence == "lvs could not be read: no answer within 15 s."
    assert late.is_passing
    (denied,) = read_capture(without(output, "made", "1")).gaps
    assert denied.sentence.startswith("What the filesystem was made with could not be read")
    assert not denied.is_passing


def test_an_answer_that_breaks_off_leaves_open_all_that_comes_after():
    output = (SAMPLES / "raid6-lvm-ext4.capture").read_bytes()
    part = read_capture(output[: output.index(b"@@ lvs\n")])
    assert part.stack is not None and part.stack != STACKS["raid6-lvm-ext4.capture"]
    assert fits(part.stack, STACKS["raid6-lvm-ext4.capture"], patterns(part))
    assert all(gap.is_passing for gap in part.gaps if "lvm.stripes" in gap.layers)


def test_what_was_read_tells_stacks_apart_whatever_was_not():
    name = "raid6-lvm-ext4.capture"
    part = read_capture(without((SAMPLES / name).read_bytes(), "lvs"))
    fitting = [other for other, tree in STACKS.items() if fits(part.stack, tree, patterns(part))]
    assert fitting == [name]


KNOWN = parse(
    "system\next4 data=ordered journal=yes\nmd level=5\n- disk rpm=7200 count=2\n- disk rpm=5400"
)


@pytest.mark.parametrize(
    ("seen", "unread", "fitting"),
    [
        ("system\next4 data=ordered\nmd level=5\n- disk rpm=7200 count=2\n- disk rpm=5400",
         ["ext4.journal"], True),
        ("system\next4 data=ordered\nmd level=5\n- disk rpm=7200 count=2\n- disk rpm=5400",
         ["ext4.stride"], False),
        ("system\next4 data=journal\nmd level=5\n- disk rpm=7200 count=2\n- disk rpm=5400",
         ["ext4.journal"], False),
        ("system\next4 data=ordered journal=yes\nmd level=5\ndisk count=3", ["disk.rpm"], True),
        ("system\next4 data=ordered journal=yes\nmd level=5\ndisk count=4", ["disk.rpm"], False),
        ("system\next4 data=ordered journal=yes\nmd level=5\ndisk count=2", ["disk.rpm"], False),
        ("system\next4 data=ordered journal=yes\nmd level=5\ndisk rpm=5400 count=2",
         ["md.below"], False),
        ("system\next4 data=ordered journal=yes\nmd level=5\ndisk rpm=7200", ["md.below"], True),
        ("system\next4 data=ordered journal=yes\ndisk", ["*.below"], True),
        ("system\next4 data=ordered journal=yes\ndisk", ["md.below"], False),
        ("system\next4 data=ordered journal=yes\nmd level=5\ndisk count=9", ["md.below"], True),
        ("system\nxfs\ndisk", ["*.below", "ext4.*", "xfs.*"], False),
    ],
)  # fmt: skip
def test_parts_fit_a_whole_in_all_that_was_read(seen, unread, fitting):
    assert fits(parse(seen), KNOWN, unread) is fitting
