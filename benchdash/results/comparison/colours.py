"""Which colour a group has: its configuration's own, as far as there is one."""

from __future__ import annotations

from collections.abc import Sequence

from benchdash.results.comparison.records import Records
from benchdash.results.comparison.values import Value
from benchdash.results.factors import Factor

CONFIGURATION, ENVIRONMENT = Factor("configuration"), Factor("environment")
# a configuration and, where one was measured in several, an environment; keys as in addresses
Place = tuple[str, str | None]


def slots_of(
    ordered: Sequence[tuple[Value, ...]], factors: Sequence[Factor], records: Records
) -> dict[tuple[Value, ...], int]:
    """The number of each group's colour, from 0.

    Within a study a configuration keeps it whatever else is chosen or grouped by; elsewhere it is
    as they come.
    """
    if CONFIGURATION not in factors:
        return {values: index for index, values in enumerate(ordered)}
    places = {values: place_of(values, factors) for values in ordered}
    own = {place: _in_study(place, records) for place in places.values()}
    known = len(records.conditions) + len(records.others)
    strangers = [place for place, slot in own.items() if slot is None]
    slots = {place: known + index for index, place in enumerate(strangers)}
    slots |= {place: slot for place, slot in own.items() if slot is not None}
    return {values: slots[place] for values, place in places.items()}


def place_of(values: Sequence[Value], factors: Sequence[Factor]) -> Place:
    """The configuration of a group, and its environment where that is grouped by."""
    keys = {factor: value.key for factor, value in zip(factors, values, strict=True)}
    return keys[CONFIGURATION], keys.get(ENVIRONMENT)


def condition_of(place: Place, records: Records) -> int | None:
    """The number of the one condition that it is; None where there are several or none."""
    fitting = [
        number
        for number, one in enumerate(records.conditions)
        if _fits(place, one.configuration_id, one.environment_id)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _in_study(place: Place, records: Records) -> int | None:
    """Conditions come first, then what else the study has runs of."""
    condition = condition_of(place, records)
    if condition is not None:
        return condition
    fitting = (number for number, one in enumerate(records.others) if _fits(place, *one))
    number = next(fitting, None)
    return None if number is None else len(records.conditions) + number


def _fits(place: Place, configuration: int, environment: int | None) -> bool:
    wanted, where = place
    return str(configuration) == wanted and (
        environment is None or where in (None, str(environment))
    )
