"""A plan as a table: a row for each cell of its factors, a column for each repeat."""

from __future__ import annotations

from dataclasses import dataclass

from benchdash.jobs.models import Job, Plan
from benchdash.jobs.progress import ACTIVE


@dataclass(frozen=True, slots=True)
class Matrix:
    """`rows` are (title, jobs by repeat, None where there is none); the latest attempt counts."""

    repeats: list[int]
    rows: list[tuple[str, list[Job | None]]]
    expected_s: float | None
    active: bool


def matrix_of(plan: Plan) -> Matrix:
    """The plan's jobs as they stand; one query."""
    latest = {job.position: job for job in plan.jobs.order_by("position", "attempt")}
    jobs = list(latest.values())
    repeats = sorted({job.repetition for job in jobs})
    cells: dict[str, dict[int, Job]] = {}
    for job in jobs:
        cells.setdefault(job.title, {})[job.repetition] = job
    seconds = [job.expected_s for job in jobs if job.expected_s is not None]
    return Matrix(
        repeats=repeats,
        rows=[(title, [row.get(n) for n in repeats]) for title, row in cells.items()],
        expected_s=sum(seconds) if len(seconds) == len(jobs) else None,
        active=any(job.state in ACTIVE for job in jobs),
    )
