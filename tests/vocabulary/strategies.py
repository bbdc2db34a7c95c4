"""Stacks as hypothesis draws them: any kinds, any allowed values, any legs."""

from __future__ import annotations

from hypothesis import strategies as st

from benchdash.vocabulary.storage import KINDS
from benchdash.vocabulary.storage.normal_form import normalised

TEXTS = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), min_size=1)


def values(option):
    low = int(option.minimum or 0)
    if option.name == "count":  # alike legs add up, to at most MOST_ALIKE
        return st.integers(1, 100)
    high = int(option.maximum if option.maximum is not None else 2**53)
    step = option.multiple_of
    if option.type == "switch":
        return st.booleans()
    if option.type == "choice":
        return st.sampled_from(option.choices)
    if option.type == "text":
        return TEXTS.map(lambda text: " ".join(text.split())[:200].strip()).filter(bool)
    whole = st.integers(-(-low // step), high // step).map(lambda number: number * step)
    if option.type in ("number", "seconds"):
        return whole | st.floats(low, high, allow_nan=False).map(lambda number: round(number, 6))
    return whole


def options(kind):
    return st.fixed_dictionaries({}, optional={o.name: values(o) for o in kind.options.values()})


NODES = st.sampled_from(["", "", "node-a", "node-b"])


@st.composite
def raw_stacks(draw, depth=3):
    kind = KINDS[draw(st.sampled_from(sorted(KINDS)))]
    below = [] if kind.leaf or not depth else draw(st.lists(raw_stacks(depth - 1), max_size=3))
    return {
        "kind": kind.name,
        "node": draw(NODES),
        "options": draw(options(kind)),
        "below": below,
    }


stacks = raw_stacks().map(normalised)
