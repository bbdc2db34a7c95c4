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
from benchdash.pages.layer_edits import Edited, Place, places
from benchdash.results.language import in_language
from benchdash.vocabulary.storage import KINDS, Kind, Option, kind_named
from benchdash.vocabulary.storage.notation import parse, print_stack
from benchdash.vocabulary.storage.shown import option_words

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
    """The inputs of one layer; open where an option has a value or was just added.

    `shows_all`: also the fields of options that have no value. `focus` is the button to go on with: "rise", "sink", or "title" where that one is gone.
    """

    place: Place
    kind: Kind
    fields: list[OptionField]
    shows_all: bool
    focus: str = ""

    @property
    def is_open(self) -> bool:
        return self.focus == "title" or any(field.text for field in self.fields)

    @property
    def node(self) -> str:
        return str(self.place.layer["node"])

    @property
    def title(self) -> str:
        """Kind and number, for lists in which kinds recur."""
        return f"{self.place.number + 1} · {self.kind.title}"


def written_in(posted: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The notation with what was typed into its fields, and a sentence for each that is wrong."""
    text = posted.get("layers", "")
    if not is_for(posted):
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
    tree: dict[str, Any],
    posted: Mapping[str, str],
    wrong: Mapping[str, str],
    after: Edited | None = None,
) -> list[LayerFields]:
    """The fields of a normalised tree, from the top down; `after` is the edit that made it."""
    found = []
    for place in places(tree):
        kind, options = kind_named(place.layer["kind"]), place.layer["options"]
        fields = [
            _field(f"option-{place.number}-{name}", option, options, posted, wrong)
            for name, option in kind.options.items()
        ]
        # once all are shown they stay: one that is being typed into must not vanish
        was_shown = f"all-{place.number}" in posted and is_for(posted)
        shows_all = was_shown or not any(field.text for field in fields)
        found.append(LayerFields(place, kind, fields, shows_all, _focus(place, after)))
    return found


def _focus(place: Place, after: Edited | None) -> str:
    if after is None or after.number != place.number:
        return ""
    goes_on = {"rise": place.can_rise, "sink": place.can_sink}
    return after.button if goes_on.get(after.button) else "title"


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
    for place in places(tree):
        layer = place.layer
        for name, option in KINDS[layer["kind"]].options.items():
            field = f"option-{place.number}-{name}"
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


def is_for(posted: Mapping[str, str]) -> bool:
    """Whether fields and buttons were made for the text as it is; old ones mean other layers."""
    return _plain(posted.get("layers", "")) == _plain(posted.get(MADE_FOR, ""))


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
