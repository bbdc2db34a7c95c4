"""What was asked for, fitted to the kernels of the hosts: names of before become those of today.

Linux 5.0 took cfq, deadline and noop away, 5.18 nobh. Recipes of studies that are older name them:
the plan says what it took instead, and which cells it leaves out since no host has anything alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from benchdash.errors import N_, Refused
from benchdash.jobs.models import Target
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import Recipe
from benchdash.recipes.holes import holes
from benchdash.recipes.mount_options import WITHOUT_NOBH, without_nobh

# blk-mq's schedulers and those before them, by what they do
ALIKE = {"cfq": "bfq", "deadline": "mq-deadline", "noop": "none"}
ALIKE |= {today: before for before, today in ALIKE.items()}
_KERNEL = re.compile(r"(\d+)\.(\d+)")

# A value as it is to be, and the sentence why; None where the host has nothing alike.
Fit = Callable[[str], tuple[str | None, str]]


def fitted(wanted: Wanted) -> tuple[Wanted, list[str]]:
    """The same for the hosts as their last check found them, and what was changed, in sentences.

    Refused where nothing of what was asked for is left.
    """
    remarks: list[str] = []
    for name, fit in _fits(wanted):
        wanted, found = _with(wanted, name, fit)
        remarks += found
    return wanted, list(dict.fromkeys(remarks))


def _fits(wanted: Wanted) -> Iterable[tuple[str, Fit]]:
    """The parameters that a kernel decides about, and how."""
    for name, wheres in _set_by(wanted.recipe, "scheduler").items():
        devices = {device for where in wheres for device in _texts(wanted, where)}
        for target in _targets(wanted):
            if known := schedulers_of(target, devices):
                yield name, partial(_scheduler, target.host.name, known)
    for name in _set_by(wanted.recipe, "mount_options"):
        for target in _targets(wanted):
            if _kernel_of(target) >= WITHOUT_NOBH:
                yield name, partial(_mount_options, target.host.name)


def _targets(wanted: Wanted) -> list[Target]:
    return [target for targets in wanted.sets.values() for target in targets.values()]


def _set_by(recipe: Recipe, tunable: str) -> dict[str, set[str]]:
    """The parameters that are values of a tunable, each with those that say where it is set."""
    found: dict[str, set[str]] = {}
    for step in recipe.steps:
        if step.tunable and step.tunable.name == tunable:
            wheres = {name for name, _form in holes(step.tunable.where)} | {step.each}
            for name, _form in holes(step.tunable.value):
                if name in recipe.parameters:
                    found.setdefault(name, set()).update(wheres & {*recipe.parameters})
    return found


def schedulers_of(target: Target, devices: Iterable[str] = ()) -> list[str]:
    """The schedulers that a host has for all of these devices (of all that it has, none is known)."""
    lists: dict[str, list[str]] = target.findings.get("schedulers") or {}
    loadable: list[str] = target.findings.get("loadable_schedulers") or []
    named = [lists[name] for each in devices if (name := PurePosixPath(each).name) in lists]
    offered = [one for each in named or lists.values() for one in each]
    # what only some of the disks have cannot be set on all; a module is loaded when it is asked for
    common = [one for one in offered if all(one in each for each in named)]
    return list(dict.fromkeys([*common, *loadable])) if lists else []


def _scheduler(host: str, known: Sequence[str], level: str) -> tuple[str | None, str]:
    if level in known:
        return level, ""
    shown, instead = ", ".join(known), ALIKE.get(level, "")
    if instead in known:
        sentence = N_(
            "{level} is measured as {instead}: {host} has {known}.",
            level=level,
            instead=instead,
            host=host,
            known=shown,
        )
        return instead, sentence
    sentence = N_(
        "{level} is left out, with no substitute: {host} has {known}.",
        level=level,
        host=host,
        known=shown,
    )
    return None, sentence


def _mount_options(host: str, level: str) -> tuple[str | None, str]:
    today = without_nobh(level)
    if today == level:
        return level, ""
    sentence = N_(
        "{level} is measured as {instead}: the kernel of {host} no longer has nobh.",
        level=level,
        instead=today or "–",
        host=host,
    )
    return today, sentence


def _with(wanted: Wanted, name: str, fit: Fit) -> tuple[Wanted, list[str]]:
    """A parameter's value or levels as they fit."""
    factors = dict(wanted.recipe.factors if wanted.factors is None else wanted.factors)
    given = name in factors
    default = wanted.recipe.parameters[name].default
    before = list(factors[name]) if given else [wanted.parameters.get(name, default)]
    found = [fit(str(level)) if level else (level, "") for level in before]
    after = list(dict.fromkeys(level for level, _sentence in found if level is not None))
    sentences = [sentence for _level, sentence in found if sentence]
    if not after:
        raise Refused(sentences[0], name)
    if after == before:
        return wanted, []
    if given:
        return replace(wanted, factors=factors | {name: after}), sentences
    return replace(wanted, parameters={**wanted.parameters, name: after[0]}), sentences


def _texts(wanted: Wanted, name: str) -> list[str]:
    """The words of a parameter, as a value or as levels."""
    levels: Sequence[Any] = (wanted.factors or {}).get(name) or [wanted.parameters.get(name, "")]
    return [
        word
        for level in levels
        for word in (
            level if isinstance(level, list | tuple) else str(level).replace(",", " ").split()
        )
    ]


def _kernel_of(target: Target) -> tuple[int, int]:
    found = _KERNEL.match(str(target.findings.get("kernel", "")))
    return (int(found[1]), int(found[2])) if found else (0, 0)
