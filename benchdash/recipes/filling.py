"""A step of a recipe with its holes filled: the exact arguments, and what they touch."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from pathlib import PurePosixPath
from typing import Any, cast

from benchdash.errors import N_, Refused
from benchdash.recipes.durations import expected_s, timeout_s
from benchdash.recipes.holes import OF_NETWORKS, filled, holes
from benchdash.recipes.parameters import Parameter, Value, is_this_host
from benchdash.recipes.recipe import Recipe, StepTemplate, Words
from benchdash.recipes.requirements import holds
from benchdash.recipes.steps import Place, Step, Touch, TunableValue
from benchdash.recipes.tunables import tunable
from benchdash.vocabulary.tools import TOOLS

LONGEST_ARGUMENT = 30_000
TOO_FEW_VALUES = N_("{called}: {wanted} needed, {given} given.")
_DEVICES = re.compile(r"/dev/[\w.+@:/-]+", re.ASCII)
_A_PATH = re.compile(r"/(?!dev/)|~|file:|(?:.*/)?\.\.?(?:/|$)")
_AN_ADDRESS = re.compile(r"://|\b(?:host|hostaddr|server|service)\s*=", re.IGNORECASE)
_HARMLESS = ("/dev/null", "/dev/zero", "/dev/stdin", "/dev/stdout", "/dev/stderr")


@dataclass(frozen=True, slots=True)
class Draft:
    """A template on one node, for one of the values of `each`."""

    template: StepTemplate
    node: str
    each: str


def version_of(tool: str, place: Place, node: str = "") -> str:
    """The version of a tool on a node (the first where none is named), "" where it is unknown."""
    chosen = place.nodes.get(node) or next(iter(place.nodes.values()))
    return chosen.tools.get(tool, "")


def needs_root(template: StepTemplate, values: dict[str, Value]) -> bool:
    """Whether a step runs as root with these values."""
    return template.root if isinstance(template.root, bool) else holds(template.root, values)


def taken(of: Words | StepTemplate, recipe: Recipe, values: Mapping[str, Value]) -> tuple[str, ...]:
    """The values of `each` that are taken; Refused where more are to be than were given."""
    given = cast("tuple[str, ...]", values[of.each] or ())
    if of.count:
        wanted = int(cast("int", values[of.count]))
        if wanted > len(given):
            called = recipe.parameters[of.each].called
            raise Refused(TOO_FEW_VALUES, of.each, wanted=wanted, called=called, given=len(given))
        given = given[:wanted]
    return {"first": given[:1], "peers": given[1:]}.get(of.part, given)


@dataclass(frozen=True)
class Filling:
    """One draft with everything that fills it; `folder` is the name of the step's folder."""

    recipe: Recipe
    values: dict[str, Value]
    place: Place
    draft: Draft
    folder: str

    def step(self) -> Step:
        """The step, ready to be run; Refused where a value does not fit."""
        template = self.draft.template
        setting = self._tunable()
        argv = (
            self._argv()
            if setting is None
            else tunable(setting.name).write(setting.where, setting.value)
        )
        files = {name: self._text(text) for name, text in template.files.items()}
        tool = self._text(template.tool)
        return Step(
            name=template.name,
            phase=template.phase,
            node=self.draft.node,
            folder=self.folder,
            argv=argv,
            files=files,
            root=setting is not None or needs_root(template, self.values),
            timeout_s=timeout_s(template, self.values),
            expected_s=expected_s(template.expected, self.values),
            estimated=bool(template.expected and template.expected.estimated),
            together=template.together,
            tool=tool if tool in TOOLS else None,
            result=template.result or None,
            touches=() if setting else self._touches(argv, files),
            tunable=setting,
            shared=template.shared,
        )

    def _tunable(self) -> TunableValue | None:
        template = self.draft.template.tunable
        if template is None:
            return None
        where, value = self._text(template.where), self._text(template.value)
        return tunable(template.name).checked(where, value)

    def _argv(self) -> tuple[str, ...]:
        argv = self._filled(self.draft.template.words)
        if any(len(word) > LONGEST_ARGUMENT or "\x00" in word for word in argv):
            raise Refused(
                "An argument of {name} is too long.", "recipe", name=self.draft.template.name
            )
        return argv

    def _filled(self, words: tuple[Words, ...]) -> tuple[str, ...]:
        return tuple(word for some in words for word in self._words(some))

    def _words(self, words: Words) -> list[str]:
        if not self._applies(words):
            return []
        if words.split:
            return _split(str(self.values[words.split]), words.split)
        if words.each:
            argv = words.argv or ("{each}",)
            return [
                self._text(word, each)
                for each in taken(words, self.recipe, self.values)
                for word in argv
            ]
        return [self._text(word) for word in words.argv]

    def _applies(self, words: Words) -> bool:
        version = version_of(self._text(self.draft.template.tool), self.place, self.draft.node)
        return holds(words.requirement, self._all, version)

    def _text(self, text: str, each: str = "") -> str:
        values = self._all | {"each": each} if each else self._all
        return filled(text, values, self.recipe.parameters)

    @cached_property
    def _all(self) -> dict[str, Any]:
        """All values of holes: scratch paths below the job's folders, and what the place provides."""
        parameters = self.recipe.parameters.items()
        scratch = [name for name, parameter in parameters if parameter.scratch]
        paths = {name: self._scratch(str(self.values[name])) for name in scratch}
        given = {f"{name}:given": self.values[name] for name in scratch}
        networks = [name for name, parameter in parameters if parameter.kind == "network"]
        addresses = {
            f"{name}:{form}": node.address_in(str(self.values[name])) if node else ""
            for name in networks
            for form, node in zip_longest(OF_NETWORKS, [*self.place.nodes.values()][:2])
        }
        user = self.place.nodes[self.draft.node].user
        return {
            "block": self._folder_of_block(),  # unless a recipe of before calls a parameter so
            **self.values,
            **paths,
            **given,
            **addresses,
            "work": self._work(),
            "step": ".",
            "node": self.draft.node,
            "root": "root" if user == "root" else "",
            "each": self.draft.each,
        }

    def _work(self) -> str:
        """The job's own folder; of what is shared, the block's, which is the same for all its jobs."""
        return self._folder_of_block() if self.draft.template.shared else self._folder_of_job()

    def _folder_of_job(self) -> str:
        return self.place.nodes[self.draft.node].work or self.place.work

    def _folder_of_block(self) -> str:
        own = PurePosixPath(self._folder_of_job())
        return str(own.with_name(self.place.block)) if self.place.block else str(own)

    def _scratch(self, path: str) -> str:
        """The own folder below `path`, so that cleaning up never removes what others put there."""
        token = PurePosixPath(self._work()).name
        if not path:
            path = str(PurePosixPath(self._work()).parent)
        return f"{path.rstrip('/')}/benchdash-{token}"

    def _touches(self, argv: tuple[str, ...], files: dict[str, str]) -> tuple[Touch, ...]:
        """Devices anywhere in the command, paths outside the job's folder, servers."""
        template = self.draft.template
        devices = [
            device.rstrip("/")
            for text in (*argv, *files.values())
            for device in _DEVICES.findall(text)
            if device not in _HARMLESS
        ]
        found = [Touch("device", name) for name in (*devices, *self._filled(template.touches))]
        for name in sorted(self._used()):
            found += self._reached(self.recipe.parameters[name], self.values[name])
        return tuple(dict.fromkeys(found))

    def _used(self) -> set[str]:
        """Names of the parameters that appear in this step."""
        template = self.draft.template
        stand = [some for some in template.words if self._applies(some)]
        texts = (*(word for some in stand for word in some.argv), *template.files.values())
        named = {name for text in texts for name, _ in holes(text)}
        return (named | {some.each for some in stand}) & self.recipe.parameters.keys()

    def _reached(self, parameter: Parameter, value: Value) -> Iterator[Touch]:
        """What a value lets the step access, by the kind of its parameter.

        A tool may take any text that looks like a path or a connection for one, so it counts as one.
        """
        for each in map(str, value if isinstance(value, tuple) else (value,)):
            if parameter.kind == "server" and not is_this_host(each):
                yield Touch("server", each)
            if parameter.kind == "network" and each:
                yield from self._peers_in(each, parameter.name)
            if parameter.kind == "path" and each and not self._inside(each):
                yield Touch("file" if parameter.reads else "path", each)
            if parameter.kind == "text" and _A_PATH.match(each):
                yield Touch("file", each)
            if parameter.kind == "text" and _AN_ADDRESS.search(each):
                yield Touch("server", each)

    def _peers_in(self, network: str, field: str) -> Iterator[Touch]:
        """The addresses of the other hosts in a network; Refused where a host has none."""
        for role, node in self.place.nodes.items():
            address = node.address_in(network)
            if not address:
                raise Refused(
                    "{host} had no address in {network} at its last check: check its "
                    "connection, or name another network.",
                    field,
                    host=next(iter(node.known_as), role),
                    network=network,
                )
            if role != self.draft.node:
                yield Touch("server", address)

    def _inside(self, path: str) -> bool:
        """Whether it is below the working folder, where the job's own folder is."""
        return PurePosixPath(path).is_relative_to(PurePosixPath(self._work()).parent)


def _split(command: str, field: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise Refused(
            "The command cannot be split into arguments: {error}.", field, error=error
        ) from None
    if not words:
        raise Refused("The command is empty.", field)
    return words
