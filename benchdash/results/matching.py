"""Which stored run is which result of a second reading."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from benchdash.results.models import Run

Fields = dict[str, Any]

# the same numbers; else the same place in the text; else the next one of that tool and label
_KEYS: tuple[Callable[[Fields], Hashable], ...] = (
    lambda fields: fields["digest"],
    lambda fields: tuple(fields["lines"]) if any(fields["lines"]) else None,
    lambda fields: (fields["tool"], fields["label"]),
)


def matched(runs: Sequence[Run], results: Sequence[Fields]) -> list[Run | None]:
    """For each result (fields as `fields_of` gives them) its run, or None where it is new."""
    found: list[Run | None] = [None] * len(results)
    for key in _KEYS:
        taken = {run.pk for run in found if run}
        waiting: dict[Hashable, deque[Run]] = defaultdict(deque)
        for run in runs:
            if run.pk not in taken:
                waiting[key(vars(run))].append(run)
        for index, fields in enumerate(results):
            value = key(fields)
            if found[index] is None and value is not None and waiting[value]:
                found[index] = waiting[value].popleft()
    return found
