"""The storage stack under a path, built from answers: from the mount down to the disks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchdash.capture.answers import DAMAGED
from benchdash.capture.layer import Options, Tree, layer
from benchdash.capture.probe import Gap
from benchdash.capture.probes import block_devices, ceph, filesystems, volumes
from benchdash.capture.probes.block_devices import Block
from benchdash.capture.probes.drbd import State, drbd
from benchdash.capture.probes.drbd_setup import Setup, at_the_peer
from benchdash.capture.probes.filesystems import Mount, mount_of
from benchdash.errors import N_, Refused
from benchdash.vocabulary.storage import KINDS
from benchdash.vocabulary.storage.normal_form import DEEPEST, MOST_LAYERS, normalised

LIBRBD = "rbd:"
LIBRADOS = "rados:"
_ANYWHERE = "*.below"


def stack_under(
    path: str,
    answers: Mapping[str, Any],
    unread: list[str],
    peers: Sequence[Mapping[str, Any]] = (),
    gaps: list[Gap] | None = None,
) -> Tree | None:
    """The stack in its normal form; what could not be determined goes into `unread` as sentences.

    What that leaves open in its layers goes into `gaps`. `peers` are the answers of other machines; of DRBD's peers among them the legs are known too.
    """
    sentences: list[str] = []
    open_layers: list[Gap] = []
    try:
        found = _Stack(answers, sentences, open_layers, peers).under(path)
        tunables = answers.get("tunables", {})
        tree = normalised(layer("system", tunables, [found])) if found else None
    except (Refused, *DAMAGED) as error:
        if peers:  # a damaged answer of a peer costs its legs, never this machine's stack
            return stack_under(path, answers, unread, gaps=gaps)
        if not isinstance(error, Refused):
            raise
        sentences.append(
            N_(
                "The storage under “{path}” could not be determined: {sentence}",
                path=path,
                sentence=error.sentence,
            )
        )
        tree = None
    unread += sentences
    if gaps is not None:
        gaps += open_layers
    return tree


class _Stack:
    """Walks down the devices of one machine."""

    def __init__(
        self,
        answers: Mapping[str, Any],
        unread: list[str],
        gaps: list[Gap],
        peers: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        self.answers = answers
        self.unread = unread
        self.gaps = gaps
        self.peers = peers
        self.blocks: dict[str, Block] = block_devices.blocks(answers)
        self.nodes: Mapping[str, str] = answers.get("nodes", {})
        self.count = 0
        self.by_number = {block.files.get("dev", ""): name for name, block in self.blocks.items()}

    def under(self, path: str) -> Tree | None:
        """The layers under a folder, a device, an RBD image or a pool."""
        if path.startswith(LIBRBD):
            return ceph.rbd(path.removeprefix(LIBRBD), self.answers)
        if path.startswith(LIBRADOS):
            return ceph.pool(path.removeprefix(LIBRADOS), self.answers)
        location = self.answers.get("place")
        if location is None:
            self.unread.append(N_("Where “{path}” is stored could not be determined.", path=path))
            return None
        if location.is_device:
            return self._device(self.by_number.get(self.nodes.get(path, ""), ""), path, 1)
        if not location.is_there:
            self.unread.append(
                N_(
                    "“{path}” does not exist; “{found}” was looked at instead.",
                    path=path,
                    found=location.path,
                )
            )
        mount = mount_of(location.path, self.mounts)
        if mount is None or mount.kind not in filesystems.NAMES:
            self.unread.append(
                N_(
                    "“{path}” is on {kind}, which is not a known filesystem: its storage could "
                    "not be determined.",
                    path=path,
                    kind=mount.kind,
                )
                if mount
                else N_(
                    "“{path}” is on no known mount: its storage could not be determined.", path=path
                )
            )
            return None
        return self._filesystem(mount, self.answers, 1)

    def _leave_open(self, sentence: str, layers: str) -> None:
        self.unread.append(sentence)
        self.gaps.append(Gap((layers,), sentence))

    def _counted(self) -> None:
        """ValueError where devices stand on each other in a circle, or are too many."""
        self.count += 1
        if self.count > MOST_LAYERS:
            raise ValueError("too many layers")

    @property
    def mounts(self) -> list[Mount]:
        return self.answers.get("mountinfo") or self.answers.get("mounts") or []

    def _filesystem(self, mount: Mount, answers: Mapping[str, Any], depth: int) -> Tree:
        """`answers` hold only what was asked about this very filesystem."""
        device = self._name_of(mount)
        below: list[Tree] = []
        if mount.kind == "btrfs" and device:
            legs = filesystems.members(device, answers)
            below = [self._device(name, mount.source, depth + 1) for name in legs]
        elif mount.source.startswith("/dev/") or device:
            below = [self._device(device, mount.source, depth + 1)]
        tree = filesystems.filesystem(mount, answers, device, below)
        if "mounted_on" in KINDS[tree["kind"]].options and device.startswith("drbd"):
            tree["options"] |= self._mounted_on(mount, self.blocks[device])
        return tree

    def _mounted_on(self, mount: Mount, block: Block) -> Options:
        """On how many nodes of a DRBD its filesystem is mounted; empty where a node is not known."""
        state, setup = self._drbd_of(block)
        links = setup.links if setup else ()
        nodes = 1
        for number, peer in enumerate(state.peers if state else ()):
            if peer.role == "Secondary":  # the kernel opens it for nobody
                continue
            answers, far = (
                at_the_peer(links[number], setup.volume, self.peers)
                if setup and number < len(links)
                else ({}, None)
            )
            mounts = answers.get("mountinfo")
            if far is None or mounts is None:
                return {}
            minors = [minor for minor, each in answers["drbd_show"].items() if each is far]
            device = block.files.get("dev", "").partition(":")[0] + f":{minors[0]}"
            nodes += any(one.kind == mount.kind and one.number == device for one in mounts)
        return {"mounted_on": nodes} if state else {}

    def _name_of(self, mount: Mount) -> str:
        """The kernel's name of a mount's device."""
        for number in (mount.number, self.nodes.get(mount.source, "")):
            if number in self.by_number:
                return self.by_number[number]
        name = mount.source.rsplit("/", 1)[-1]
        return name if name in self.blocks else ""

    def _device(self, name: str, source: str, depth: int) -> Tree:
        self._counted()
        block = self.blocks.get(name)
        if block is None or depth > DEEPEST:
            sentence = N_("What is below “{name}” could not be determined.", name=source or name)
            self._leave_open(sentence, _ANYWHERE)
            return layer("disk", {})
        if block.disk:
            below = self._device(block.disk, block.disk, depth + 1)
            return block_devices.partition(block, self.blocks.get(block.disk), below)
        if name.startswith("drbd"):
            return self._drbd(block, depth)
        if name.startswith("loop"):
            return volumes.loop(block, self._backing(block, depth))
        if name.startswith("rbd") and (image := self.answers.get("rbd_mapped", {}).get(name)):
            return ceph.rbd(image, self.answers, block)
        return self._composed(block, depth)

    def _composed(self, block: Block, depth: int) -> Tree:
        """A device that stands on others, or a disk."""
        volume = self.answers.get("lvs", {}).get(self._mapper_name(block))
        if volumes.volume_group(block) or volume:
            return self._lvm(block, volume, depth)
        below = [self._device(each, each, depth + 1) for each in block.below]
        if "md/level" in block.files:
            return volumes.md(block, below)
        if "bcache/cache_mode" in block.files:
            return volumes.bcache(block, below)
        if not below:
            return block_devices.disk(block)
        if found := volumes.mapped(block, below):
            return found
        sentence = N_("“{name}” is of an unknown kind; it is left out.", name=block.name)
        self._leave_open(sentence, _ANYWHERE)
        return below[0]

    def _lvm(self, block: Block, volume: Mapping[str, str] | None, depth: int) -> Tree:
        """A volume on the disks of its group, without the hidden volumes in between (_rimage_0 …)."""
        if volume is None:
            self._leave_open(N_("The options of LVM could not be read: lvs needs root."), "lvm.*")
        names = self._physical(block, volumes.volume_group(block), depth)
        below = [self._device(name, name, depth + 1) for name in names]
        return volumes.lvm(volume, self.answers.get("pvs", {}), below)

    def _physical(self, block: Block, group: str, depth: int) -> list[str]:
        self._counted()
        names: dict[str, None] = {}
        for name in block.below:
            inner = self.blocks.get(name)
            if inner and group and volumes.volume_group(inner) == group and depth <= DEEPEST:
                names |= dict.fromkeys(self._physical(inner, group, depth + 1))
            else:
                names[name] = None
        return list(names)

    def _mapper_name(self, block: Block) -> str:
        """The name in /dev/mapper, on old kernels by a node in /dev of the same number."""
        if "dm/name" in block.files:
            return block.files["dm/name"]
        number = block.files.get("dev", "")
        for name, of in self.nodes.items():
            match of == number and name.removeprefix("/dev/").split("/"):
                case ["mapper", mapped]:
                    return mapped
                case [group, volume]:
                    return f"{group.replace('-', '--')}-{volume.replace('-', '--')}"
        return ""

    def _drbd(self, block: Block, depth: int) -> Tree:
        state, setup = self._drbd_of(block)
        below = []
        if setup and setup.disk:
            below = [self.named(setup.disk, depth + 1)]
        elif block.below:
            below = [self._device(each, each, depth + 1) for each in block.below[:1]]
        elif not (state and state.disk == "Diskless"):
            sentence = N_("What is below “{name}” could not be determined.", name=block.name)
            self._leave_open(sentence, "drbd.below")
        return drbd(state, setup, below, self._legs(setup, depth) if setup else ())

    def _drbd_of(self, block: Block) -> tuple[State | None, Setup | None]:
        minor = int(block.files.get("dev", "").partition(":")[2] or -1)
        states = self.answers.get("drbd_status") or self.answers.get("drbd") or {}
        return states.get(minor), self.answers.get("drbd_show", {}).get(minor)

    def named(self, disk: str, depth: int) -> Tree:
        """The layers under a device by its name in /dev."""
        name = self.by_number.get(self.nodes.get(disk, ""), "")
        return self._device(name or disk.rsplit("/", 1)[-1], disk, depth)

    def _legs(self, setup: Setup, depth: int) -> list[Tree | None]:
        """What stands below on each peer, None of those that were not asked."""
        legs: list[Tree | None] = []
        for link in setup.links:
            answers, far = at_the_peer(link, setup.volume, self.peers)
            leg = None
            if far and far.disk:
                leg = _Stack(answers, self.unread, self.gaps).named(far.disk, depth + 1)
            legs.append(leg)
        return legs

    def _backing(self, block: Block, depth: int) -> list[Tree]:
        """The filesystem of a loop device's file; in a container its path may mean nothing."""
        file = block.files.get("loop/backing_file", "")
        mount = mount_of(file, self.mounts) if file else None
        if mount is None or mount.kind not in filesystems.NAMES or depth > DEEPEST:
            sentence = N_(
                "What holds the file of “{name}” could not be determined.", name=block.name
            )
            self._leave_open(sentence, "loop.below")
            return []
        # the other answers are about the filesystem of the path, these are about all of them
        rest = {name: self.answers[name] for name in ("ext4", "btrfs") if name in self.answers}
        return [self._filesystem(mount, rest, depth + 1)]
