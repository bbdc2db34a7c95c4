"""Rounds until each interval is narrow: after each one, whether a plan gets a further one.

The interval is the one that comparisons show of a group, that of the median, of the measure that the
matrix shows first. It exists from five samples on, so the first look is after five rounds. Each look
counts: a plan that had several needs more for a firm word (docs/verdicts.md).
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q

from benchdash.analysis.summary import summarise
from benchdash.analysis.verdicts import ENOUGH
from benchdash.errors import Refused
from benchdash.jobs import matrix
from benchdash.jobs.models import Job, Plan, StoppingLook

LEAST_PERCENT, MOST_PERCENT = 0.1, 100.0
NAMED = 20  # cells of each kind that a look keeps; it counts all
_ENDED = StoppingLook.objects.filter(StoppingLook.ENDED, plan=OuterRef("pk"))
DECIDING = Q(until_percent__isnull=False) & ~Exists(_ENDED)
Decision = StoppingLook.Decision


@dataclass(frozen=True, slots=True)
class Widths:
    """Numbers of the cells that are `wider` than wanted, five samples or not, and `without` any.

    `widest` is a share of its median, None where no cell has an interval.
    """

    measure: str
    widest: float | None
    wider: list[int]
    without: list[int]


def check(until_percent: float | None, rounds: int) -> None:
    """Refused where such rounds could never end by their intervals."""
    if until_percent is None:
        return
    if not LEAST_PERCENT <= until_percent <= MOST_PERCENT:
        raise Refused(
            "The width can be ± {least} to ± {most} % of the median.",
            "until_percent",
            least=LEAST_PERCENT,
            most=f"{MOST_PERCENT:g}",
        )
    if rounds < ENOUGH:
        raise Refused(
            "An interval needs {n} rounds: plan at least that many, or leave the width empty.",
            "repeats",
            n=ENOUGH,
        )


def rounds_to_make(plan: Plan) -> int:
    """How many rounds may be made now: up to the next look."""
    if not plan.is_deciding:
        return plan.rounds_planned
    last = plan.stopping_looks.last()
    return min(last.rounds + 1 if last else ENOUGH, plan.rounds_planned)


def look(plan: Plan) -> None:
    """Decide about a further round where all that may be made are over. Its row is locked.

    Otherwise, or where that was decided before, nothing happens.
    """
    if not plan.is_deciding or plan.jobs.filter(ended_at=None).exists():
        return
    rounds = rounds_to_make(plan)
    if plan.to_make > plan.cell_count * (plan.rounds_planned - rounds):
        return
    found = widths(plan)
    decision = _decision(plan, rounds, found)
    plan.stopping_looks.create(
        rounds=rounds,
        measure=found.measure,
        widest_percent=None if found.widest is None else 100 * found.widest,
        wider=len(found.wider),
        without=len(found.without),
        cells={"wider": found.wider[:NAMED], "without": found.without[:NAMED]},
        decision=decision,
    )
    if decision == Decision.FURTHER:
        plan.looks += 1
    else:
        plan.rounds_planned, plan.to_make = rounds, 0
    plan.save(update_fields=["looks", "rounds_planned", "to_make"])


def widths(plan: Plan) -> Widths:
    """How wide the interval of each cell is."""
    offer = matrix.offer_of(plan)
    values = (
        matrix.values_of(plan, offer.part, offer.measure) if offer.part and offer.measure else {}
    )
    summaries = {cell: summary for cell, own in values.items() if (summary := summarise(own))}
    known = {
        cell: half for cell, each in summaries.items() if (half := each.half_width) is not None
    }
    wanted = (plan.until_percent or 0.0) / 100
    return Widths(
        measure=str(offer.measure or ""),
        widest=max(known.values(), default=None),
        wider=sorted(cell for cell in summaries if known.get(cell, wanted + 1) > wanted),
        without=sorted({*range(1, plan.cell_count + 1)} - summaries.keys()),
    )


def _decision(plan: Plan, rounds: int, found: Widths) -> str:
    if not found.wider and len(found.without) < plan.cell_count:
        return Decision.NARROW
    if rounds >= plan.rounds_planned:
        return Decision.MOST
    # what fails goes on failing; what a person cancelled was not tried
    tried = Q(state=Job.State.DONE) | Q(state=Job.State.CANCELLED)
    cells = plan.jobs.filter(tried, round=rounds).values_list("cell", flat=True)
    return Decision.UNMEASURED if set(cells).isdisjoint(found.wider) else Decision.FURTHER
