"""What a person wants run, before it is a plan: forms and the API make it, `planning.py` takes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchdash.inventory.models import Configuration
from benchdash.jobs.models import Target
from benchdash.recipes import Recipe
from benchdash.results.models import Study


@dataclass(frozen=True, slots=True)
class Wanted:
    """The recipe, the targets by the parts they play, values and factors.

    The first target is the measured one. With `zones` each level of the factor `zone` has targets of
    its own, and `targets` has none. `factors` and `repeats` None take the recipe's own.
    `until_percent` ends the repeats earlier, once the interval of each cell is within ± so much.
    `seed` is that of the order within rounds, None for one by chance.
    """

    recipe: Recipe
    targets: Mapping[str, Target]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    factors: Mapping[str, Sequence[Any]] | None = None
    repeats: int | None = None
    until_percent: float | None = None
    seed: int | None = None
    title: str = ""
    study: Study | None = None
    configuration: Configuration | None = None
    priority: int = 0
    zones: Mapping[str, Mapping[str, Target]] = field(default_factory=dict)

    @property
    def sets(self) -> Mapping[str, Mapping[str, Target]]:
        """By zone the targets by role; that of a plan without zones is ""."""
        return self.zones or {"": self.targets}
