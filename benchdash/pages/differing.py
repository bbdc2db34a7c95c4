"""What differs besides what groups are compared for, and what is the same for all: two lines that open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from benchdash.results.comparison.compare import ShownComparison
from benchdash.results.titles import SERIES, ZONE
from benchdash.vocabulary.importance import importance, is_of_machines, without_role

MOST_NAMED = 4  # in a line; the others are counted


class Unlike(NamedTuple):
    """A factor in which runs differ, and its values."""

    title: str
    texts: dict[str, None]


@dataclass(frozen=True, slots=True)
class Differs:
    """One factor: its text for each group, in their order; none where they do not differ in it."""

    factor: str
    title: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Differing:
    """The factors, the likeliest to matter first.

    `besides` differ although nobody asked for it, `meant` are what groups are compared for; `parted`
    are those that charts are parted by, with their values. `same` are titles and texts.
    """

    groups: tuple[str, ...]
    besides: tuple[Differs, ...]
    meant: tuple[Differs, ...]
    parted: tuple[tuple[str, str], ...]
    same: tuple[tuple[str, str], ...]

    @property
    def of_machines(self) -> list[Differs]:
        """Those of hardware and versions: the ones that spoil a comparison unseen."""
        return [one for one in self.besides if is_of_machines(one.factor)]

    @property
    def machines_named(self) -> str:
        """The first of them by name: `CPU, Kernel`."""
        return _named([one.title for one in self.of_machines])

    @property
    def others_named(self) -> str:
        """The same of what else differs besides."""
        machines = self.of_machines
        return _named([one.title for one in self.besides if one not in machines])

    @property
    def same_named(self) -> str:
        """The first that are the same: `Tool fio, Pattern randread`."""
        return _named([f"{title} {text}" for title, text in self.same])

    @property
    def columns(self) -> list[Differs]:
        """Those of the table."""
        return [one for one in (*self.besides, *self.meant) if one.texts]

    @property
    def rows(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Of each group its label, and title and text of each column."""
        return [
            (label, [(one.title, one.texts[place]) for one in self.columns])
            for place, label in enumerate(self.groups)
        ]


def differing_of(comparison: ShownComparison, unlike: Mapping[str, Unlike]) -> Differing:
    """What a comparison says of it; `unlike` is by factor what was measured."""
    view = comparison.view
    lines = {
        one.factor: Differs(one.factor, one.title, one.texts)
        for one in view.differences
        if one.factor not in view.group
    }
    parted = {name: one for name, one in unlike.items() if name not in (*lines, *view.group)}
    lines |= {name: Differs(name, one.title, ()) for name, one in parted.items()}
    ordered = sorted(lines.values(), key=lambda one: importance(one.factor))
    meant = _meant(comparison)
    return Differing(
        groups=tuple(group.label for group in view.groups),
        besides=tuple(one for one in ordered if not _begins(one.factor, meant)),
        meant=tuple(one for one in ordered if _begins(one.factor, meant)),
        parted=tuple((one.title, _(", ").join(one.texts)) for one in parted.values()),
        same=(
            *((one.title, one.text) for one in view.shared),
            *((one.title, one.text) for one in view.in_common),
        ),
    )


def _meant(comparison: ShownComparison) -> tuple[str, ...]:
    """How the names of factors begin that are compared."""
    view, facet = comparison.view, comparison.criteria.facet
    names = [without_role(one) for one in view.intended]
    if facet:
        names.append(str(facet))
    if "configuration" in view.group:
        names.append("layer.")
    if "environment.zone" in names:
        names.append(str(ZONE))  # the same by the name that a plan gives it
    # a zone is its machines; those of another series were not chosen with it
    is_by_zone = str(ZONE) in view.group and str(SERIES) not in view.group
    if is_by_zone or {"environment", "host"} & {*view.group}:
        names += ["environment.", "host"]
    return tuple(names)


def _begins(factor: str, names: tuple[str, ...]) -> bool:
    return without_role(factor).startswith(names)


def _named(texts: list[str]) -> str:
    named = _(", ").join(texts[:MOST_NAMED])
    if len(texts) <= MOST_NAMED:
        return named
    return _("%(named)s and %(n)s more") % {"named": named, "n": len(texts) - MOST_NAMED}
