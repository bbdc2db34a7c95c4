"""What counts once: snapshots of one run (`--status-interval`), and one run in two formats.

The same result pasted twice is left as it is: the records link the second to the first.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from benchdash.parsers.result import Result

_SHORTEST_INTERVAL_S = 0.02


class _Side(NamedTuple):
    run_s: float
    amount: float
    fastest: float
    slowest: float


def _sides(result: Result) -> dict[str, _Side]:
    values = {(m.operation, m.metric, m.statistic): m.value for m in result.measurements}
    return {
        what: _Side(
            run_s,
            values.get((what, "bytes", "total"), 0.0),
            values.get((what, "completion_latency", "min"), 0.0),
            values.get((what, "completion_latency", "max"), 0.0),
        )
        for (what, metric, _), run_s in values.items()
        if metric == "duration" and what != "run"
    }


def _identity(result: Result) -> tuple[str, int | None]:
    return result.label, result.details.get("groupid")


def goes_on(earlier: list[Result], later: list[Result], *, clocks_agree: bool) -> bool:
    """Is `later` a newer snapshot of the same jobs as `earlier`?

    Sums only grow, the fastest I/O only gets faster and the slowest slower. Two runs of one job
    can look like that too, so where no clock says that both began at the same time the run must
    have gone on for a measurable while.
    """
    if list(map(_identity, earlier)) != list(map(_identity, later)):
        return False
    pairs = [
        (before, after.get(what))
        for before_all, after in zip(map(_sides, earlier), map(_sides, later), strict=True)
        for what, before in before_all.items()
    ]
    if not all(after is not None and _grew(before, after) for before, after in pairs):
        return False
    longest = max((after.run_s - before.run_s for before, after in pairs if after), default=0.0)
    return longest > (0 if clocks_agree else _SHORTEST_INTERVAL_S)


def _grew(before: _Side, after: _Side) -> bool:
    same_time, same_amount = after.run_s == before.run_s, after.amount == before.amount
    return (
        after.run_s >= before.run_s
        and after.amount >= before.amount
        and same_time == same_amount
        and after.fastest <= before.fastest
        and after.slowest >= before.slowest
    )


def began_together(one: datetime | None, other: datetime | None) -> bool:
    """Do two clocks, whole seconds both, say the same start?"""
    if one is None or other is None:
        return False
    return abs((one - other).total_seconds()) < 2


def without_copies(kept: list[Result], others: list[Result]) -> list[Result]:
    """`others` less those that are in `kept` in another format: same job, same run times."""
    if not kept or not others:
        return others
    runs = [(_identity(result), _run_times(result)) for result in kept]
    left = []
    for result in others:
        run = (_identity(result), _run_times(result))
        if run[1] and run in runs:
            runs.remove(run)
        else:
            left.append(result)
    return left


def _run_times(result: Result) -> dict[str, float]:
    """Run time by side, whatever the pattern: what two formats print exactly alike."""
    return {what.rsplit("_", 1)[-1]: side.run_s for what, side in _sides(result).items()}
