"""A stack that is named and one that was found: what both state otherwise."""

from __future__ import annotations

import pytest

from benchdash.vocabulary.storage.contradictions import contradictions
from benchdash.vocabulary.storage.notation import parse

RAID = "ext4 data=ordered\nlvm\nmd level=6 devices=6 stripe_cache_size=256\ndisk model=A scheduler=none"


@pytest.mark.parametrize(
    ("named", "found", "expected"),
    [
        (RAID, RAID, []),
        ("ext4\nlvm\nmd level=6\ndisk", RAID, []),
        (RAID, "ext4\nlvm\nmd level=6\ndisk", []),
        (RAID, RAID.replace("disk model", "partition\ndisk model"), []),
        ("system drop_caches=never\n" + RAID, RAID, []),
        (RAID.replace("none", "bfq"), RAID, [("disk scheduler", "bfq", "none")]),
        (RAID.replace("=256", "=512"), RAID, [("md stripe_cache_size", "512", "256")]),
        ("xfs\nlvm\nmd level=6\ndisk", RAID, [("layer", "xfs", "ext4")]),
        ("ext4\ndisk", RAID, [("layer", "disk", "lvm")]),
        (
            "ext4\ndrbd protocol=A\n- disk\n- disk @node-b",
            "ext4\ndrbd protocol=C\n- disk model=x\n- disk @node-b model=y",
            [("drbd protocol", "A", "C")],
        ),
        (
            "ext4\nmd level=0\n- disk model=x\n- disk model=y",
            "ext4\nmd level=0\n- disk model=y\n- disk model=x",
            [],
        ),
        (
            "ext4\nmd level=0\n- disk model=x\n- disk model=y",
            "ext4\nmd level=0\ndisk model=z count=3",
            [("layers below md", "2", "3")],
        ),
    ],
)
def test_what_both_state_otherwise_is_named_from_the_top_down(named, found, expected):
    assert [tuple(one) for one in contradictions(parse(named), parse(found))] == expected


def test_what_was_not_read_contradicts_nothing():
    other = parse(RAID.replace("none", "bfq").replace("=256", "=512"))
    unread = ["disk.scheduler", "md.*"]
    assert contradictions(other, parse(RAID), unread) == ()
    assert len(contradictions(other, parse(RAID))) == 2
