"""Series of a study: what its author published, and what was measured for it since, side by side.

A run is of the series that its setting `series` names: plans of a study give theirs the month of their
launch. What names none is the author's, where the study says what that is called.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from benchdash.inventory.models import Facet
from benchdash.results.models import Study
from benchdash.vocabulary.settings import Setting, option_text

Options = frozenset[tuple[str, str]]  # name and text of each


def varied_options(configurations: Collection[int], study: Study) -> dict[int, Options]:
    """Of each configuration, by ids, the layer options that the study varies; one query."""
    names = [factor.removeprefix("layer.") for factor in study.factors if factor[:6] == "layer."]
    found: dict[int, set[tuple[str, str]]] = {pk: set() for pk in configurations}
    rows = Facet.objects.filter(key__in=names, stack__configurations__in=configurations)
    for pk, key, text in rows.values_list("stack__configurations", "key", "text"):
        if pk in found:  # a stack can have other names too
            found[pk].add((key, text))
    return {pk: frozenset(own) for pk, own in found.items()}


def repeated_conditions(
    options: Mapping[int, Options], conditions: Mapping[int, int]
) -> dict[int, int]:
    """Which condition each configuration repeats, by ids; `conditions`: their places by configuration.

    That is the one with the same of the `varied_options`: disks and machines may be others. What a
    condition leaves unsaid of a layer that it has, such as DRBD's roles, contradicts nothing; where
    several fit, the one that says most. None repeats another where the study varies no option of a
    layer.
    """
    if not any(options.values()):
        return {}
    found = {}
    for pk, own in options.items():
        fitting = [each for each in conditions if _repeats(own, options[each])]
        most = max((len(options[each]) for each in fitting), default=0)
        closest = [each for each in fitting if len(options[each]) == most]
        if pk not in conditions and len(closest) == 1:
            found[pk] = conditions[closest[0]]
    return found


def _repeats(own: Options, condition: Options) -> bool:
    """Whether a configuration has all that a condition says, and no other layer besides."""
    return condition <= own and _layers(condition) == _layers(own)


def _layers(options: Options) -> set[str]:
    return {key.partition(".")[0] for key, _text in options}


def is_set_by(own: Options, settings: Mapping[str, Setting]) -> bool:
    """Whether settings say all options of a condition: what is `vm.guests=4` there was `guests=4`."""
    stated = {(name, option_text(name, value)) for name, value in settings.items()}
    return bool(own) and {(key.rpartition(".")[2], text) for key, text in own} <= stated
