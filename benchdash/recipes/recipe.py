"""A recipe as data: typed parameters, and the templates of the steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchdash.errors import N_, Refused
from benchdash.recipes.parameters import Parameter, Value
from benchdash.recipes.requirements import ALWAYS, Requirement
from benchdash.recipes.steps import Phase
from benchdash.vocabulary.near import near

PHASES: tuple[Phase, ...] = ("prepare", "before", "measure", "after", "cleanup")


@dataclass(frozen=True, slots=True)
class Words:
    """Arguments that stand in the command where the requirement holds.

    `split` is the parameter whose text is parted as a shell would: for admins' recipes.
    """

    argv: tuple[str, ...]
    requirement: Requirement = ALWAYS
    split: str = ""


@dataclass(frozen=True, slots=True)
class Expected:
    """How long a step takes: a sum of seconds and of parameters in seconds, times `times`.

    With `size` an estimate: that many bytes of each of `jobs`, `passes` times, at `speed` bytes a
    second. `layout` bytes of each are written before, for which there has to be time.
    """

    seconds: tuple[float | str, ...] = ()
    estimated: bool = False
    size: str = ""
    jobs: str = ""
    passes: float = 1.0
    speed: float = 100e6
    times: str = ""
    layout: str = ""


@dataclass(frozen=True, slots=True)
class TunableTemplate:
    """A tunable with holes in where and value."""

    name: str
    where: str
    value: str


@dataclass(frozen=True, slots=True)
class StepTemplate:
    """A step with holes; `node` is a role, "" for the measured one, "all" or "peers".

    `count` is a parameter: so many of the nodes; `each` a parameter of many values: a step for
    each. `touches` are devices that no argument shows by a /dev name.
    """

    name: str
    phase: Phase
    words: tuple[Words, ...] = ()
    tunable: TunableTemplate | None = None
    node: str = ""
    requirement: Requirement = ALWAYS
    each: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    root: bool | Requirement = False
    tool: str = ""
    result: str = ""
    expected: Expected | None = None
    timeout_s: float = 0
    count: str = ""
    together: bool = False
    touches: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """What is refused although each value is allowed by itself."""

    requirement: Requirement
    sentence: str
    field: str


@dataclass(frozen=True, slots=True)
class Recipe:
    """What to run. `title`, `help` by language ("en", "ja"); `factors` what it varies by itself.

    `study` is the address of the published study that it repeats, `text` the YAML it came from.
    """

    name: str
    title: dict[str, str]
    help: dict[str, str]
    admin: bool
    tools: tuple[str, ...]
    nodes: int
    parameters: Mapping[str, Parameter]
    factors: Mapping[str, tuple[Any, ...]]
    repeats: int
    rules: tuple[Rule, ...]
    steps: tuple[StepTemplate, ...]
    study: str = ""
    text: str = ""

    def read(self, raw: Mapping[str, object]) -> dict[str, Value]:
        """Every parameter's value from what was given; Refused names the first that is wrong."""
        for name in raw:
            self.parameter(name)
        return {name: parameter.read(raw.get(name)) for name, parameter in self.parameters.items()}

    def parameter(self, name: str) -> Parameter:
        """The parameter of that name; Refused with the nearest known one."""
        if name not in self.parameters:
            known = self.parameters
            shown = str(name)[:80]
            sentence = N_("{title} has no parameter “{name}”.", title=self.title["en"], name=shown)
            raise Refused(near(sentence, name, known, known), shown)
        return self.parameters[name]
