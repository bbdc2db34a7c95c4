"""In which order runs were made: whether rounds were interleaved, and the picture of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchdash.analysis.blocks import put_together
from benchdash.analysis.samples import Sample, Samples, rounds_of
from benchdash.results.comparison.groups import Group
from benchdash.results.comparison.view_order import Order, OrderKind, OrderMark

MOST_MARKS = 500
# pairs of groups that are looked at where there is no baseline
_MOST_PAIRS = 60


def order_of(groups: Sequence[Group], baseline: str | None, starts: Mapping[int, float]) -> Order:
    """The order of all runs of a part: of each group against the baseline, else of every two."""
    samples = {
        group.key: Samples(
            Sample(
                1.0,
                started=starts.get(run.id),
                round=run.look and (run.look.plan, run.look.round),
                block=run.look.block if run.look else "",
            )
            for run in group.runs
        )
        for group in groups
    }
    if baseline in samples:
        pairs = [(baseline, key) for key in samples if key != baseline]
    else:
        pairs = list(combinations(samples, 2))[:_MOST_PAIRS]
    rounds = [_rounds(samples[one], samples[other]) for one, other in pairs]
    kind = _kind(rounds, known=all(run.id in starts for group in groups for run in group.runs))
    marks = _marks(groups, starts) if kind != "unknown" else []
    fewest = min(rounds) if kind == "interleaved" else None
    return Order(
        kind=kind,
        rounds=fewest,
        text=_with_looks(_text(kind, rounds), groups) if pairs else "",
        marks=tuple(marks[:MOST_MARKS]),
        left_out=max(0, len(marks) - MOST_MARKS),
    )


def _rounds(one: Samples, other: Samples) -> int:
    """How many rounds the verdict on these two groups has: of blocks, where it counts those."""
    sides = put_together(one, other)
    return len(rounds_of(sides.subject, sides.baseline) if sides else rounds_of(one, other))


def _kind(rounds: Sequence[int], *, known: bool) -> OrderKind:
    # one run a side is no round: nothing was repeated
    if rounds and min(rounds) > 1:
        return "interleaved"
    if not known:
        return "unknown"
    return "partly" if rounds and max(rounds) > 1 else "sequential"


def _text(kind: OrderKind, rounds: Sequence[int]) -> str:
    if kind == "interleaved" and min(rounds) < max(rounds):  # some have failed, or are to come
        words = _("interleaved: %(few)s to %(many)s rounds")
        return words % {"few": min(rounds), "many": max(rounds)}
    if kind == "interleaved":
        words = ngettext("interleaved: %(n)s round", "interleaved: %(n)s rounds", rounds[0])
        return words % {"n": rounds[0]}
    return {
        "partly": _("some groups interleaved, others not"),
        "sequential": _("not interleaved"),
    }.get(kind, _("unknown, as not every run has a start time"))


def _with_looks(text: str, groups: Sequence[Group]) -> str:
    """And whether rounds are to come, or how often rounds were added to those that were planned."""
    looks = [run.look for group in groups for run in group.runs if run.look]
    if not all(look.over for look in looks):
        return _("%(order)s; more rounds still to run") % {"order": text}
    added = max((look.looks for look in looks), default=1) - 1
    if not added:
        return text
    words = ngettext(
        "%(order)s; second look, as rounds were added",
        "%(order)s; look %(look)s, as rounds were added",
        added,
    )
    return words % {"order": text, "look": added + 1}


def _marks(groups: Sequence[Group], starts: Mapping[int, float]) -> list[OrderMark]:
    every = [
        (starts[run.id], run.id, group, run.look.round if run.look else None)
        for group in groups
        for run in group.runs
        if run.id in starts
    ]
    every.sort(key=lambda entry: entry[:2])
    first = every[0][0] if every else 0.0
    return [
        OrderMark(run, group.key, group.slot, number, started - first)
        for started, run, group, number in every
    ]
