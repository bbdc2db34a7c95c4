"""Stride, stripe-width and where data begin, held against figures that others published."""

from __future__ import annotations

import pytest
from hypothesis import given

from benchdash.vocabulary.storage.alignment import aligned, alignments, misalignments
from benchdash.vocabulary.storage.notation import parse, print_stack
from tests.vocabulary.strategies import stacks

# Six disks, chunk 128 KiB, 4 KiB blocks: stride=32, stripe-width=128 and a first PE at 1.00m, in the
# published study of ext4 on LVM on RAID 6.
RAID6 = "md level=6 devices=6 chunk=128\npartition start=40G count=6\ndisk"
PUBLISHED = f"ext4 block_size=4K stride=32 stripe_width=128\nlvm data_alignment_bytes=1M\n{RAID6}"


def mends_of(text):
    return [(one.sentence, one.mend) for one in misalignments(parse(text))]


@pytest.mark.parametrize(
    ("filesystem", "raid", "expected"),
    [
        ("ext4", RAID6, "mkfs.ext4 -b 4096 -E stride=32,stripe-width=128"),
        # "4 drives in RAID5, with 256K chunks and a 4K file system block size"
        (
            "ext3",
            "md level=5 chunk=256\ndisk count=4",
            "mkfs.ext3 -b 4096 -E stride=64,stripe-width=192",
        ),
        # "a 4-disk RAID 5 … chunk size of 64 KiB": su=64k, sw=3
        ("xfs", "md level=5 chunk=64\ndisk count=4", "mkfs.xfs -b size=4096 -d su=64k,sw=3"),
        # of ten disks as RAID 10, five hold data
        ("xfs", "raid level=10 devices=10 chunk=64", "mkfs.xfs -b size=4096 -d su=64k,sw=5"),
        # far copies lie behind a RAID 0 over all disks
        (
            "xfs",
            "md level=10 layout=f2 devices=2 chunk=512",
            "mkfs.xfs -b size=4096 -d su=512k,sw=2",
        ),
        ("ext4 block_size=1K", "lvm stripes=3 stripesize=64\ndisk count=3", "mkfs.ext4 -b 1024 -E stride=64,stripe-width=192"),
        ("ext4", "md level=5 chunk=64 devices=3 spares=1\ndisk count=4", "mkfs.ext4 -b 4096 -E stride=16,stripe-width=32"),
        ("ext4", "drbd\n- md level=0 chunk=64\n  disk count=2\n- disk @node-b", "mkfs.ext4 -b 4096 -E stride=16,stripe-width=32"),
    ],
)  # fmt: skip
def test_the_options_of_mkfs_are_those_that_were_published(filesystem, raid, expected):
    of_filesystem = alignments(parse(f"{filesystem}\n{raid}"))[0]
    assert (of_filesystem.number, of_filesystem.mend) == (0, expected)
    assert not of_filesystem.sentence and of_filesystem.missing


@pytest.mark.parametrize(
    "text",
    [
        "ext4 stride=7\ndisk",
        "ext4 stride=7\nmd level=1\ndisk count=2",
        "ext4 stride=7\nmd level=6\ndisk count=6",  # the chunk is not stated
        "ext4 stride=7 block_size=64K\nmd level=0 chunk=32\ndisk count=2",
        "ext4 stride=7\nraid level=60 devices=8 chunk=64",  # in how many parts is not stated
        "ext4 stride=7\nloop\nxfs\nmd level=0 chunk=64\ndisk count=2",
        "ext4 stride=7\ndrbd\n- disk\n- md @node-b level=0 chunk=64\n  disk count=2",
        "ext4 stride=7\nlvm\n- md level=0 chunk=64\n  disk count=2\n- md level=0 chunk=128\n  disk count=2",
    ],
)
def test_nothing_is_claimed_where_no_one_striping_is_known(text):
    assert [one for one in alignments(parse(text)) if one.number == 0] == []


def test_the_published_stack_is_aligned():
    assert mends_of(PUBLISHED) == []


def test_a_filesystem_that_was_made_otherwise_is_named_with_the_right_options():
    sentence = (
        "ext4 has stride=16, stripe_width=64, but below it are 4 data disks with chunks of 128 KiB: "
        "stride=32, stripe_width=128 is aligned to them."
    )
    halved = PUBLISHED.replace("stride=32 stripe_width=128", "stride=16 stripe_width=64")
    assert mends_of(halved) == [(sentence, "mkfs.ext4 -b 4096 -E stride=32,stripe-width=128")]
    # five disks of RAID 0 with chunks of 64 KiB: "sunit is 128 and my swidth is 640"
    ((sentence, mend),) = mends_of("xfs sunit=128 swidth=512\nmd level=0 chunk=64\ndisk count=5")
    assert "swidth=640 is aligned" in sentence and "sunit" not in sentence
    assert mend == "mount -o sunit=128,swidth=640"
    ((_sentence, mend),) = mends_of(PUBLISHED.replace("ext4", "ext4 stripe=32"))
    assert mend == "mount -o stripe=128"


def test_data_that_begin_beside_a_stripe_are_named_with_where_to_begin():
    sentence = (
        "LVM: its data begin at 1 MiB, which is not a multiple of 2 MiB, the full stripe of the RAID "
        "below it."
    )
    assert mends_of(
        "ext4\nlvm data_alignment_bytes=1M\n" + RAID6.replace("chunk=128", "chunk=512")
    ) == [(sentence, "pvcreate --dataalignment 2048k")]
    # without parity a write within a stripe costs nothing more: the chunk counts
    mirrored = "xfs\nlvm data_alignment_bytes={}\nmd level=10 chunk=64\ndisk count=6"
    assert mends_of(mirrored.format("1M")) == []
    assert [mend for _words, mend in mends_of(mirrored.format("96K"))] == [
        "pvcreate --dataalignment 1024k"
    ]


def test_partitions_begin_at_a_sector_of_the_disk_and_at_a_stripe_of_the_raid():
    of_old = "ext4\nmd level=5 chunk=64\npartition start=32256 count=4\ndisk"  # sector 63
    sentence = (
        "partition: its data begin at 32256 B, which is not a multiple of 4 KiB, the sector of "
        "today's disks."
    )
    assert mends_of(of_old) == [(sentence, "parted mkpart data 1024KiB 100%")]
    on_raid = (
        "ext4\nlvm data_alignment_bytes={}\npartition start={}\nmd level=5 chunk=512\ndisk count=4"
    )
    assert [mend for _words, mend in mends_of(on_raid.format("1536K", "1M"))] == [
        "parted mkpart data 1536KiB 100%"
    ]
    assert mends_of(on_raid.format("1536K", "1536K")) == []
    assert [mend for _words, mend in mends_of(on_raid.format("1M", "1536K"))] == [
        "pvcreate --dataalignment 1536k"
    ]


def test_what_follows_is_filled_in_and_is_aligned_then():
    text = "ext4 stride=9\nlvm\nmd level=6 chunk=512\ndisk count=8"
    assert print_stack(aligned(parse(text))) == (
        "ext4 stride=128 stripe_width=768\nlvm data_alignment_bytes=3M\n"
        "md level=6 chunk_bytes=512K\ndisk count=8"
    )


@given(stacks)
def test_every_stack_that_follows_what_is_stated_is_aligned(tree):
    assert misalignments(aligned(tree)) == []
