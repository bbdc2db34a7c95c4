"""In which order runs were made, as a small picture: a mark for each, a lane for each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from benchdash.results.comparison.tables import swatch
from benchdash.results.comparison.view import GroupView
from benchdash.results.comparison.view_order import Order, OrderMark

# more lanes than this are one: its colours tell the groups apart
MOST_LANES = 8
# more names than this nobody listens to
_MOST_NAMES = 24
# more marks than this are too narrow to be pointed at
_MOST_TITLES = 100
STEP = 12  # px from one mark to the next, where there is room


@dataclass(frozen=True, slots=True)
class Lane:
    """The marks of one group, or of all where `label` is empty, as SVG."""

    label: str
    swatch: str
    marks: SafeString


@dataclass(frozen=True, slots=True)
class OrderPicture:
    """`text` says the order in words, `names` who came after whom; `width` is in px."""

    text: str
    names: str
    lanes: tuple[Lane, ...]
    width: int
    left_out: int
    is_dense: bool  # marks that shrink to bars where there is no room, else to smaller dots


def order_picture(order: Order, groups: Sequence[GroupView]) -> OrderPicture | None:
    """The picture of `order`; None where there is nothing to be in an order."""
    if not order.text:
        return None
    labels = {group.key: group.label for group in groups}
    marked = dict.fromkeys(mark.group for mark in order.marks)
    keys = [group.key for group in groups if group.key in marked]
    if len(keys) <= MOST_LANES:
        slots = {mark.group: mark.slot for mark in order.marks}
        lanes = [
            Lane(labels[key], swatch(slots[key]), _marks(order.marks, labels, {key}))
            for key in keys
        ]
    else:
        lanes = [Lane("", "", _marks(order.marks, labels, set(keys)))]
    return OrderPicture(
        text=order.text,
        names=_names(order.marks, labels),
        lanes=tuple(lanes),
        width=STEP * len(order.marks),
        left_out=order.left_out,
        is_dense=len(order.marks) > _MOST_TITLES,
    )


def _marks(order: Sequence[OrderMark], labels: dict[str, str], keys: set[str]) -> SafeString:
    """A mark each, with its words; of many a path for each colour."""
    if len(order) > _MOST_TITLES:
        paths: dict[int, list[str]] = {}
        for place, mark in enumerate(order):
            if mark.group in keys:
                paths.setdefault(mark.slot, []).append(
                    f"M{STEP * place + 1} 0h{STEP - 2}v10h{2 - STEP}z"
                )
        return SafeString(
            "".join(
                f'<path class="{swatch(slot)}" d="{"".join(own)}"/>' for slot, own in paths.items()
            )
        )
    return SafeString(
        "".join(
            f'<rect class="{swatch(mark.slot)}" x="{STEP * place + 1}" width="{STEP - 2}" height="10"'
            f' rx="5"><title>{escape(_words(mark, labels))}</title></rect>'
            for place, mark in enumerate(order)
            if mark.group in keys
        )
    )


def _words(mark: OrderMark, labels: dict[str, str]) -> str:
    words = f"{labels.get(mark.group, '')} · #{mark.run}"
    if mark.round is None:
        return words
    return words + " · " + _("round %(n)s") % {"n": mark.round}


def _names(order: Sequence[OrderMark], labels: dict[str, str]) -> str:
    """Who came after whom; of many the first ones."""
    names = _(", ").join(labels.get(mark.group, "") for mark in order[:_MOST_NAMES])
    return f"{names} …" if len(order) > _MOST_NAMES else names
