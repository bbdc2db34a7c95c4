"""What became of a permalink's runs since: other numbers, withdrawn, set aside, gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from benchdash.results.comparison.frozen import values_beside, values_shown
from benchdash.results.models import Measurement, Permalink, Run
from benchdash.results.parameters import MeasureName

State = Literal["counted", "set_aside", "same_result", "withdrawn", "deleted", "removed"]


class ChangedNumber(NamedTuple):
    """A value as it was shown, and as it is read now; None where there is no such number."""

    measure: MeasureName
    shown: float | None
    now: float | None


@dataclass(frozen=True, slots=True)
class ChangedRun:
    """A run that is not as it was shown. `now_version` is its parser's; None where it is removed."""

    run: int
    label: str
    state: State
    shown_version: int
    now_version: int | None
    numbers: tuple[ChangedNumber, ...]

    @property
    def state_text(self) -> str:
        """What became of it, in words; empty where it still counts."""
        return _(_STATES[self.state]) if self.state in _STATES else ""


class _Now(NamedTuple):
    pk: int
    parser_version: int
    digest: str
    counted: bool
    withdrawn_at: datetime | None
    deleted_at: datetime | None
    set_aside_reason: str


def changed_since(permalink: Permalink) -> list[ChangedRun]:
    """The runs that changed after the permalink was made, in their order; two queries."""
    runs = {run["id"]: run for run in permalink.shown["runs"]}
    rows = Run.objects.filter(pk__in=runs).values_list(*_Now._fields)
    now = {row[0]: _Now(*row) for row in rows}
    reread = [pk for pk, one in now.items() if one.digest != runs[pk]["digest"]]
    numbers = _changed_numbers(permalink, reread)
    found = (_changed(run, now.get(pk), numbers.get(pk, ())) for pk, run in runs.items())
    return [one for one in found if one.state != "counted" or one.numbers]


def _changed(
    run: dict[str, Any], now: _Now | None, numbers: tuple[ChangedNumber, ...]
) -> ChangedRun:
    return ChangedRun(
        run=run["id"],
        label=run["label"],
        state=_state(now),
        shown_version=run["parser_version"],
        now_version=now and now.parser_version,
        numbers=numbers,
    )


def _state(now: _Now | None) -> State:
    if now is None:
        return "removed"
    if now.counted:
        return "counted"
    if now.deleted_at:
        return "deleted"
    if now.withdrawn_at:
        return "withdrawn"
    return "set_aside" if now.set_aside_reason else "same_result"


def _changed_numbers(permalink: Permalink, runs: list[int]) -> dict[int, tuple[ChangedNumber, ...]]:
    """By run, the shown measures whose value is another now."""
    shown = values_beside(permalink) | values_shown(permalink)
    now = _values_now(runs)
    return {run: tuple(_different(run, shown, now)) for run in runs}


def _values_now(runs: list[int]) -> dict[tuple[int, MeasureName], float]:
    rows = Measurement.objects.filter(run__in=runs).values_list(
        "run", "measure__operation", "measure__metric", "measure__statistic", "value"
    )
    return {(run, MeasureName(*words)): value for run, *words, value in rows}


def _different(
    run: int,
    shown: dict[MeasureName, dict[int, float]],
    now: dict[tuple[int, MeasureName], float],
) -> Iterator[ChangedNumber]:
    for measure, values in shown.items():
        before, after = values.get(run), now.get((run, measure))
        if before != after:
            yield ChangedNumber(measure, before, after)


_STATES = {
    "set_aside": gettext_noop("set aside since"),
    "same_result": gettext_noop("known to be the same result as another run since"),
    "withdrawn": gettext_noop("withdrawn since: its file no longer gives this result"),
    "deleted": gettext_noop("deleted since"),
    "removed": gettext_noop("removed since, with its numbers"),
}
