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
from benchdash.vocabulary.settings import ZONE

PHASES: tuple[Phase, ...] = ("prepare", "before", "measure", "after", "cleanup")


@dataclass(frozen=True, slots=True)
class Words:
    """Arguments that are part of the command where the requirement holds.

    `split` is a parameter whose text is split as a shell would do: for admins' recipes. `each` is one
    of many values, each of which is an argument, or fills `argv` once. `count` is a parameter with the
    number of those that are taken, `part` says which: "all" of them, the "first", or its "peers".
    """

    argv: tuple[str, ...]
    requirement: Requirement = ALWAYS
    split: str = ""
    each: str = ""
    count: str = ""
    part: str = "all"


@dataclass(frozen=True, slots=True)
class Expected:
    """Expected duration of a step: a sum of seconds and of parameters in seconds, times `times`.

    With `size` it is an estimate: that many bytes for each of `jobs`, `passes` times, at `speed`
    bytes per second. `layout` bytes of each are written beforehand, which extends the timeout. Where
    `writes` does not hold, `size` is only read.
    """

    seconds: tuple[float | str, ...] = ()
    estimated: bool = False
    size: str = ""
    jobs: str = ""
    passes: float = 1.0
    speed: float = 100e6
    times: str = ""
    layout: str = ""
    writes: Requirement = ALWAYS


@dataclass(frozen=True, slots=True)
class TunableTemplate:
    """A tunable with holes in where and value."""

    name: str
    where: str
    value: str


@dataclass(frozen=True, slots=True)
class NodeChoice:
    """A role, "first" (the measured one), "all" or "peers", where the requirement holds."""

    node: str
    requirement: Requirement = ALWAYS


@dataclass(frozen=True, slots=True)
class StepTemplate:
    """A step with holes; it runs on the first `node` whose requirement holds.

    `count` is a parameter with the number of nodes; `each` is a parameter of many values, with a step
    for every value: `count` and `part` are of these then, as those of `Words`. `touches` are devices
    that are not named in /dev by an argument. What is `shared` makes or unmakes what several cells have
    in common (blocks.py).
    """

    name: str
    phase: Phase
    words: tuple[Words, ...] = ()
    tunable: TunableTemplate | None = None
    node: tuple[NodeChoice, ...] = ()
    requirement: Requirement = ALWAYS
    each: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    root: bool | Requirement = False
    tool: str = ""
    result: str = ""
    expected: Expected | None = None
    timeout_s: float = 0
    count: str = ""
    part: str = "all"
    together: bool = False
    touches: tuple[Words, ...] = ()
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A combination of values that is refused although each of them is allowed.

    With `fewer` only where a parameter of many values has fewer than so many, with `below` only
    where a number is below so many times another one, and both are given.
    """

    requirement: Requirement
    sentence: str
    field: str
    fewer: Mapping[str, int]
    below: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Recipe:
    """What to run. `title` and `help` by language ("en", "ja"); `factors` are a plan's defaults.

    `study` is the address of the published study that it repeats, `text` the YAML source.
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

    @property
    def has_zones(self) -> bool:
        """Whether it can be laid over several sets of hosts, the zone as a factor."""
        return ZONE in self.parameters and self.parameters[ZONE].kind == "hosts"

    def zone_of(self, values: Mapping[str, Value]) -> str:
        """The set of hosts that a cell is for, "" where a plan has one set alone."""
        return str(values.get(ZONE, "")) if self.has_zones else ""

    def parameter(self, name: str) -> Parameter:
        """The parameter of that name; Refused with the nearest known one."""
        if name not in self.parameters:
            known = self.parameters
            shown = str(name)[:80]
            sentence = N_("{title} has no parameter “{name}”.", title=self.title["en"], name=shown)
            raise Refused(near(sentence, name, known, known), shown)
        return self.parameters[name]
