"""What runs that stand under one bar do not share: pools are compared within what both have.

For each pair of groups by itself, so that a third one changes nothing between the two.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from django.utils.translation import gettext as _

from benchdash.results.comparison.groups import RUN, Group, points_at
from benchdash.results.comparison.records import Records
from benchdash.results.comparison.selected_runs import SelectedRun
from benchdash.results.comparison.values import value_of
from benchdash.results.factors import NAMED, Factor
from benchdash.results.titles import factor_title

_PLAIN = ("tool", "version", "beside", "options", "label")
# a difference that no factor tells: by its record
_RECORDS: dict[Factor, Callable[[SelectedRun, Records], Hashable]] = {
    Factor("configuration"): lambda run, records: (
        records.configurations[run.configuration_id].stack if run.configuration_id else None
    ),
    Factor("environment"): lambda run, _records: run.environment_id or run.machine,
}


class Pools:
    """The groups of a part by what differs within them, but for what the comparison is `about`."""

    def __init__(
        self,
        groups: Sequence[Group],
        varying: Sequence[Factor],
        about: Sequence[Factor],
        records: Records,
    ) -> None:
        self._records = records
        self._known: dict[tuple[object, ...], str] = {}
        factors = [
            factor
            for factor in varying
            if factor not in about
            and ((factor.kind in NAMED and factor.name) or factor.kind in _PLAIN)
        ]
        alone = RUN in about
        self._pooled = {group.key: () if alone else self._of(group, factors) for group in groups}

    def between(self, one: Group, other: Group) -> tuple[Factor, ...]:
        """What differs within one of the two."""
        return tuple(dict.fromkeys(self._pooled[one.key] + self._pooled[other.key]))

    def stratum(self, run: SelectedRun, factors: Sequence[Factor]) -> str:
        """The part of a pool that the run belongs to; "" where nothing differs."""
        return " · ".join(self._text(run, factor) for factor in factors)

    def _of(self, group: Group, factors: Sequence[Factor]) -> tuple[Factor, ...]:
        unlike = list({points_at(run): run for run in group.runs}.values())
        if len(unlike) == 1:
            return ()
        found = [
            factor for factor in factors if len({self._text(run, factor) for run in unlike}) > 1
        ]
        for factor, record in _RECORDS.items():
            pairs = {(self.stratum(run, found), record(run, self._records)) for run in unlike}
            if len(pairs) > len({stratum for stratum, _record in pairs}):
                found.append(factor)
        return tuple(found)

    def _text(self, run: SelectedRun, factor: Factor) -> str:
        key = (factor, *points_at(run))
        if key not in self._known:
            if factor in _RECORDS:
                self._known[key] = f"#{_RECORDS[factor](run, self._records)}"
            else:
                self._known[key] = value_of(run, factor, self._records).text
        return self._known[key]


def named(factors: Sequence[Factor]) -> str:
    """`drbd.protocol, Kernel`."""
    return _(", ").join(map(factor_title, factors))
