"""What the stripes of a RAID ask of the layers above it, and where a stack states something else.

mke2fs(8): stride is the chunk in blocks, stripe-width that times the disks that hold data. mkfs.xfs(8):
su is the chunk in bytes, sw the number of data disks. Of n disks md(4) has n - 1 with data at the
levels 4 and 5, n - 2 at level 6; level 10 as raid10_nr_stripes() of the kernel counts them. Where data
begin at no multiple of a stripe with parity, writes of whole stripes read old data first (md(4)).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchdash.errors import N_, Sentence
from benchdash.vocabulary.options import Value
from benchdash.vocabulary.storage import Kind, kind_named
from benchdash.vocabulary.storage.normal_form import Tree, normalised
from benchdash.vocabulary.units import bytes_shown

DISK_SECTOR = 4096  # of an Advanced Format disk, whatever it says its sectors are
_FIRST = 2**20  # where LVM and today's partitioning tools let data begin by themselves
_MOUNT_SECTOR = 512  # sunit and swidth of mount(8)
_PARITY_DISKS = {"4": 1, "5": 1, "6": 2}
# Blocks stay in their order, though some layers put something in front of them of unknown size.
_BLOCKS_IN_ORDER = {"partition", "lvm", "drbd", "multipath", "dm_crypt", "bcache", "md", "raid"}
_BEGIN_ALIKE = {"partition", "lvm", "drbd", "multipath"}
_IN_ORDER = ("linear", "striped")  # segment types of LVM
_EXT = ("ext2", "ext3", "ext4")

_FILESYSTEM = N_(
    "{layer} has {found}, but below it are {disks} data disks with chunks of {chunk}: "
    "{right} is aligned to them."
)
_FULL_STRIPE = N_(
    "{layer}: its data begin at {start}, which is not a multiple of {unit}, the full stripe of the "
    "RAID below it."
)
_CHUNK = N_(
    "{layer}: its data begin at {start}, which is not a multiple of {unit}, the chunk of the RAID "
    "below it."
)
_SECTOR = N_(
    "{layer}: its data begin at {start}, which is not a multiple of {unit}, the sector of "
    "today's disks."
)


@dataclass(frozen=True, slots=True)
class Striping:
    """Chunks of `chunk_bytes` side by side on the `disks` of a stripe that hold data."""

    chunk_bytes: int
    disks: int
    has_parity: bool

    @property
    def stripe_bytes(self) -> int:
        """The data of one full stripe."""
        return self.chunk_bytes * self.disks

    @property
    def unit_bytes(self) -> int:
        """What the beginning of data should be a multiple of."""
        return self.stripe_bytes if self.has_parity else self.chunk_bytes


@dataclass(frozen=True, slots=True)
class Alignment:
    """Options of a layer as they fit the stripes below it; `number` counts layers from the top.

    `sentence` says what the layer states otherwise, "" where it does not; `mend` is the command with
    the right options. `missing` are options that it leaves unsaid.
    """

    number: int
    kind: Kind
    options: Mapping[str, int]
    missing: tuple[str, ...]
    sentence: str
    mend: str

    @property
    def text(self) -> str:
        """The options as they are typed: `stride=32, stripe_width=128`."""
        return _assigned(self.kind, self.options)


def alignments(tree: Tree) -> list[Alignment]:
    """What follows for each layer of a normalised tree, from the top down; nothing where too little is known."""
    reader = _Reader()
    reader.read(tree, "")
    return sorted(reader.found, key=lambda one: one.number)


def misalignments(tree: Tree) -> list[Alignment]:
    """What a normalised tree states otherwise than the stripes in it ask for."""
    return [one for one in alignments(tree) if one.sentence]


def proposals(tree: Tree) -> list[Alignment]:
    """What a normalised tree leaves unsaid or states otherwise."""
    return [one for one in alignments(tree) if one.missing or one.sentence]


def aligned(tree: Tree) -> Tree:
    """The same stack with every option that follows from its stripes."""
    right = deepcopy(tree)
    layers = list(_layers(right))
    for one in alignments(tree):
        layers[one.number]["options"].update(one.options)
    return normalised(right)


def striping_of(layer: Tree) -> Striping | None:
    """How one layer lays its data over what is below it, as far as that is stated."""
    options = layer["options"]
    if layer["kind"] == "lvm":
        chunk, disks = _whole(options, "stripe_bytes"), _whole(options, "stripes")
        has_parity = options.get("type") == "raid"
    elif layer["kind"] in ("md", "raid"):
        chunk, level = _whole(options, "chunk_bytes"), str(options.get("level", ""))
        disks = _data_disks(level, _members(layer), str(options.get("layout", "")))
        has_parity = level in _PARITY_DISKS
    else:
        return None
    return Striping(chunk, disks, has_parity) if chunk and disks > 1 else None


def _data_disks(level: str, members: int, layout: str) -> int:
    """How many of the members hold data of their own; 0 where that cannot be told."""
    if level == "10":
        copies = int(layout[1:]) if layout[:1] == "n" and layout[1:].isdecimal() else 0
        copies = copies or (1 if layout[:1] in ("f", "o") else 2)
        return members // copies if members % copies == 0 else members
    if level == "0" or level in _PARITY_DISKS:
        return members - _PARITY_DISKS.get(level, 0)
    return 0


def _members(layer: Tree) -> int:
    """As stated, else those below without the spares."""
    legs = sum(_whole(leg["options"], "count") or 1 for leg in layer["below"])
    spares = _whole(layer["options"], "spares")
    return _whole(layer["options"], "devices") or legs - spares


class _Ground(NamedTuple):
    """What a layer stands on: stripes, and how far from their beginning; None where unknown."""

    striping: Striping | None
    offset: int | None


_UNKNOWN = _Ground(None, None)


class _Reader:
    """Reads a tree from its end to its top, numbers its layers from the top."""

    def __init__(self) -> None:
        self.found: list[Alignment] = []
        self.count = 0

    def read(self, layer: Tree, node: str) -> _Ground:
        """What the layer is to the one above it."""
        number, node = self.count, layer["node"] or node
        self.count += 1
        below = [(leg, self.read(leg, node)) for leg in layer["below"]]
        ground = _together([one for leg, one in below if _has_the_data(layer, leg)])
        place = _Place(number, kind_named(layer["kind"]), node, layer["options"])
        if layer["kind"] in ("lvm", "partition"):
            ground = self._beginning(place, ground)
        elif ground.striping:
            self.found += _of_filesystem(place, ground.striping)
        if striping := striping_of(layer):
            return _Ground(striping, 0)
        if layer["kind"] not in _BLOCKS_IN_ORDER:
            return _UNKNOWN
        return ground if _begins_alike(layer) else ground._replace(offset=None)

    def _beginning(self, place: _Place, ground: _Ground) -> _Ground:
        """Where the data of LVM or a partition begin; what is above it stands on that."""
        name = "data_alignment_bytes" if place.kind.name == "lvm" else "start_bytes"
        striping, offset = ground
        start = _whole(place.options, name) if name in place.options else None
        if striping is None:
            if place.kind.name == "partition" and start is not None and start % DISK_SECTOR:
                sentence = place.sentence_of(_SECTOR, start=start, unit=DISK_SECTOR)
                self.found.append(place.alignment({name: _FIRST}, sentence, _mkpart(_FIRST)))
            return ground
        unit = striping.unit_bytes
        if offset is None or offset % unit:  # unknown, or said of a layer below already
            return _Ground(striping, None if start is None or offset is None else offset + start)
        right = -(-_FIRST // unit) * unit
        sentence = ""
        if start is not None and start % unit:
            template = _FULL_STRIPE if striping.has_parity else _CHUNK
            sentence = place.sentence_of(template, start=offset + start, unit=unit)
        if start is None or sentence:
            kib = right // 1024
            mend = (
                f"pvcreate --dataalignment {kib}k" if place.kind.name == "lvm" else _mkpart(right)
            )
            self.found.append(place.alignment({name: right}, sentence, mend))
        return _Ground(striping, None if start is None else offset + start)


@dataclass(frozen=True, slots=True)
class _Place:
    """A layer that is spoken of."""

    number: int
    kind: Kind
    node: str
    options: Mapping[str, Any]

    def alignment(self, right: Mapping[str, int], sentence: str, mend: str) -> Alignment:
        missing = tuple(name for name in right if name not in self.options)
        return Alignment(self.number, self.kind, right, missing, sentence, mend)

    def sentence_of(self, template: str, **sizes: int) -> str:
        layer = f"{self.kind.title} @{self.node}" if self.node else self.kind.title
        return Sentence(
            template, layer=layer, **{name: bytes_shown(n) for name, n in sizes.items()}
        )


def _of_filesystem(place: _Place, striping: Striping) -> Iterator[Alignment]:
    """The options of mkfs, and where they are stated those of the mount."""
    chunk, disks, kind = striping.chunk_bytes, striping.disks, place.kind.name
    block = _whole(place.options, "block_bytes") or 4096
    if chunk % block:
        return
    stride, width = chunk // block, striping.stripe_bytes // block
    if kind in _EXT:
        mend = f"mkfs.{kind} -b {block} -E stride={stride},stripe-width={width}"
        yield _held_against(place, striping, {"stride": stride, "stripe_width": width}, mend)
    if kind == "ext4" and "stripe" in place.options:
        yield _held_against(place, striping, {"stripe": width}, f"mount -o stripe={width}")
    if kind == "xfs":
        mend = f"mkfs.xfs -b size={block} -d su={chunk // 1024}k,sw={disks}"
        right = {"stripe_unit_bytes": chunk, "stripe_units": disks}
        yield _held_against(place, striping, right, mend)
        sunit, swidth = chunk // _MOUNT_SECTOR, striping.stripe_bytes // _MOUNT_SECTOR
        if {"sunit", "swidth"} & place.options.keys():
            right = {"sunit": sunit, "swidth": swidth}
            mend = f"mount -o sunit={sunit},swidth={swidth}"
            yield _held_against(place, striping, right, mend)


def _held_against(
    place: _Place, striping: Striping, right: Mapping[str, int], mend: str
) -> Alignment:
    stated = place.options
    other = [name for name in right if name in stated and stated[name] != right[name]]
    if not other:
        return place.alignment(right, "", mend)
    sentence = Sentence(
        _FILESYSTEM,
        layer=f"{place.kind.title} @{place.node}" if place.node else place.kind.title,
        found=_assigned(place.kind, {name: stated[name] for name in other}),
        disks=striping.disks,
        chunk=bytes_shown(striping.chunk_bytes),
        right=_assigned(place.kind, {name: right[name] for name in other}),
    )
    return place.alignment(right, sentence, mend)


def _assigned(kind: Kind, values: Mapping[str, Value]) -> str:
    """`stride=32, stripe_width=128`."""
    return ", ".join(f"{name}={kind.option_named(name).text(one)}" for name, one in values.items())


def _has_the_data(layer: Tree, leg: Tree) -> bool:
    """Whether what a layer stores lies on this leg, as seen from its own machine."""
    elsewhere = layer["kind"] == "drbd" and leg["node"]
    return leg["options"].get("use", "data") == "data" and not elsewhere


def _together(legs: list[_Ground]) -> _Ground:
    """The ground of several legs where it is the same; else nothing follows from it."""
    return legs[0] if legs and all(leg == legs[0] for leg in legs) else _UNKNOWN


def _begins_alike(layer: Tree) -> bool:
    """Whether its blocks begin where those below it do, but for what it states."""
    segments = layer["options"].get("type", "linear") if layer["kind"] == "lvm" else "linear"
    return layer["kind"] in _BEGIN_ALIKE and segments in _IN_ORDER


def _layers(tree: Tree) -> Iterator[Tree]:
    yield tree
    for leg in tree["below"]:
        yield from _layers(leg)


def _mkpart(start: int) -> str:
    return f"parted mkpart data {start // 1024}KiB 100%"


def _whole(options: Mapping[str, Any], name: str) -> int:
    """A stored number; 0 for what is not stated, and for what a version before stored otherwise."""
    value = options.get(name, 0)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
