"""The options of each layer as typed fields beside the notation: one writes the other.

The fields say for which text they were made. Where the text is another by now, they are old and
the text counts; where it is the same, what was typed into them is written into it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from benchdash.errors import Refused
from benchdash.pages.stack_drawing import option_words
from benchdash.results.language import in_language
from benchdash.vocabulary.storage import KINDS, Kind, Option, kind_named
from benchdash.vocabulary.storage.notation import parse, print_stack

MADE_FOR = "fields_of"


@dataclass(frozen=True, slots=True)
class OptionField:
    """One input: what was typed where it cannot be read, else the value."""

    name: str
    option: Option
    words: str
    text: str
    error: str


@dataclass(frozen=True, slots=True)
class LayerFields:
    """The inputs of one layer; open where an option has a value."""

    kind: Kind
    node: str
    fields: list[OptionField]

    @property
    def is_open(self) -> bool:
        return any(field.text for field in self.fields)


def written_in(posted: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The notation with what was typed into its fields, and a sentence for each that is wrong."""
    text = posted.get("layers", "")
    if _plain(text) != _plain(posted.get(MADE_FOR, "")):
        return text, {}
    try:
        tree = deepcopy(parse(text))
    except Refused:
        return text, {}
    wrong = dict(_write(tree, posted))
    now = print_stack(tree)
    # how a person laid the text out stays while no value changes
    return (text if now == print_stack(parse(text)) else now), wrong


def layer_fields(
    tree: dict[str, Any], posted: Mapping[str, str], wrong: Mapping[str, str]
) -> list[LayerFields]:
    """The fields of a normalised tree, from the top down."""
    return [
        LayerFields(
            kind_named(layer["kind"]),
            layer["node"],
            [
                _field(f"option-{place}-{name}", option, layer["options"], posted, wrong)
                for name, option in kind_named(layer["kind"]).options.items()
            ],
        )
        for place, layer in enumerate(_layers(tree))
    ]


def _field(
    name: str,
    option: Option,
    values: Mapping[str, Any],
    posted: Mapping[str, str],
    wrong: Mapping[str, str],
) -> OptionField:
    text = option.text(values[option.name]) if option.name in values else ""
    if name in wrong:
        text = posted[name]
    return OptionField(name, option, option_words(option), text, wrong.get(name, ""))


def _write(tree: dict[str, Any], posted: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Change the options of `tree` in place; (field, sentence) for what cannot be read."""
    for place, layer in enumerate(_layers(tree)):
        for name, option in KINDS[layer["kind"]].options.items():
            field = f"option-{place}-{name}"
            if field not in posted:
                continue
            typed = posted[field].strip()
            value = option.read(typed) if typed else None
            if value is not None:
                layer["options"][name] = value
            elif typed:
                yield (
                    field,
                    gettext("“{typed}” is not {allowed}.").format(
                        typed=typed, allowed=in_language(option.allowed)
                    ),
                )
            else:
                layer["options"].pop(name, None)


def _layers(tree: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield tree
    for below in tree["below"]:
        yield from _layers(below)


def _plain(text: str) -> str:
    """Browsers send each end of a line as two characters."""
    return "\n".join(text.split("\r\n")).strip()


@dataclass(frozen=True, slots=True)
class CommonStack:
    """A name for the link, and the layers in the notation."""

    title: str | Promise
    layers: str


COMMON_STACKS = {
    "local": CommonStack(_("ext4 on one disk"), "ext4\ndisk"),
    "lvm": CommonStack(_("XFS on LVM"), "xfs\nlvm\ndisk"),
    "raid6": CommonStack(
        _("ext4 on LVM on RAID 6"),
        "ext4 barrier=1,data=ordered\nlvm\nmd level=6 chunk=512K\ndisk count=8",
    ),
    "drbd": CommonStack(
        _("ext4 on a DRBD pair"),
        "ext4\ndrbd protocol=C roles=Primary/Secondary\n- lvm\n  disk\n- lvm @node-b\n  disk",
    ),
    "gfs2": CommonStack(
        _("GFS2 on both nodes of a DRBD pair"),
        "gfs2 mounted_on=2\ndrbd protocol=C roles=Primary/Primary allow_two_primaries=yes\n"
        "- lvm\n  disk\n- lvm @node-b\n  disk",
    ),
    "ceph": CommonStack(
        _("Ceph RBD in a guest"),
        "vm guests=1 hypervisor=kvm bus=virtio cache=none\nrbd client=librbd\n"
        "ceph_pool size=3\nceph_osd store=bluestore count=9\ndisk",
    ),
}
