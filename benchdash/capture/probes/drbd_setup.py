"""How DRBD was set up, by `drbdsetup show` of 8.3, 8.4 and 9; and which machine is the other end.

The text is words, braces and semicolons; what follows # says the unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from benchdash.capture.probe import Probe
from benchdash.errors import N_

_LEXEME = re.compile(r'"(?:\\.|[^"\\\n])*"|[{};]|#[^\n]*|[^\s{};"#]+')
_DEEPEST = 20
_SHOW = (
    "command -v drbdsetup >/dev/null || exit 127; "
    "{ drbdsetup show 2>/dev/null || for drbd in /dev/drbd[0-9]*; do "
    'echo "resource ${drbd##*/} {"; drbdsetup "$drbd" show; echo "}"; done; }'
    # a shared secret stays on its machine
    " | sed '/shared-secret/d'"
)


class Link(NamedTuple):
    """The addresses of both ends, "" where none is shown; `name` is the peer's `uname -n`.

    Only DRBD 9 shows the name, and has none for peers that are known by address alone.
    """

    own: str
    other: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Setup:
    """A volume as it was set up: the device below, the options that were set, the peers in order."""

    disk: str | None
    meta_disk: str | None
    peers: int
    options: dict[str, str] = field(default_factory=dict)
    volume: str = "0"
    links: tuple[Link, ...] = ()


@dataclass(slots=True)
class Section:
    """`net { … }`: its words, its statements (`max-buffers 8000;`) and the sections inside."""

    words: list[str]
    statements: list[list[str]] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)

    def value(self, *words: str) -> str | None:
        """The rest of the first statement that begins with these words."""
        for statement in self.statements:
            if statement[: len(words)] == [*words] and len(statement) > len(words):
                return statement[len(words)]
        return None

    def named(self, name: str) -> list[Section]:
        """The sections of that name inside."""
        return [section for section in self.sections if section.words[:1] == [name]]

    def walk(self) -> Iterator[Section]:
        """This section and all inside."""
        yield self
        for section in self.sections:
            yield from section.walk()


def at_the_peer(
    link: Link, volume: str, peers: Sequence[Mapping[str, Any]]
) -> tuple[Mapping[str, Any], Setup | None]:
    """(its answers, its set-up) of the other end of a link; None where it is not among the `peers`.

    Both ends have to name each other's address. Where several machines do it is none of them:
    many a pair has the same addresses on its own cable.
    """
    found = [
        (answers, setup)
        for answers in peers
        for setup in answers.get("drbd_show", {}).values()
        if setup.volume == volume and link.own and _is_named(answers, link.name)
        if (link.other, link.own) in (far[:2] for far in setup.links)
    ]
    return found[0] if len(found) == 1 else ({}, None)


def unread_peers(answers: Mapping[str, Any], peers: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The addresses, without ports, and names of DRBD's peers that are not among the `peers`."""
    setups: list[Setup] = [*answers.get("drbd_show", {}).values()]
    far = (
        word
        for setup in setups
        for link in setup.links
        if not at_the_peer(link, setup.volume, peers)[1]
        for word in (link.other.rpartition(":")[0].strip("[]"), link.name)
    )
    return tuple(dict.fromkeys(filter(None, far)))


def _is_named(answers: Mapping[str, Any], name: str) -> bool:
    """True where a machine can be the one of that name, as far as both names are known."""
    own = answers.get("system", {}).get("facts", {}).get("hostname", name)
    return not name or bool(own == name)


def _show(output: str) -> dict[int, Setup]:
    """`{minor: set-up}` of all resources."""
    found = {}
    for resource in _parse(output).sections:
        for volume in resource.walk():
            device = volume.value("device", "minor") or ""
            if re.fullmatch(r"\d{1,7}", device):
                found[int(device)] = _setup(resource, volume)
    return found


def _setup(resource: Section, volume: Section) -> Setup:
    peers = resource.named("connection") or [
        section
        for section in resource.walk()
        if section.words[:1] == ["_remote_host"] or section.value("_remote_host")
    ]
    options: dict[str, str] = {}
    for section in (resource, *_options_of(resource), volume, *_options_of(volume)):
        for words in section.statements:
            if len(words) <= 2:
                options.setdefault(words[0], "".join(words[1:]))
    disk, meta = options.pop("disk", None), volume.value("meta-disk")
    kind = None if disk in (None, "none") else "internal" if meta == "internal" else "external"
    number = volume.words[1] if volume.words[:1] == ["volume"] and volume.words[1:] else "0"
    links = tuple(_link_of(resource, peer) for peer in peers)
    return Setup(None if disk == "none" else disk, kind, len(peers), options, number, links)


def _link_of(resource: Section, peer: Section) -> Link:
    """By the path of a connection (9), else by the sections of this host and the remote one (8.x)."""
    own, other = (_address(peer, resource, whose) for whose in ("_this_host", "_remote_host"))
    name = next(filter(None, (section.value("_name") for section in peer.walk())), "")
    # with a colon it is an address, which DRBD 9 shows of a peer that has no name
    return Link(own, other, "" if ":" in name else name)


def _address(peer: Section, resource: Section, whose: str) -> str:
    for statement in (each for path in peer.named("path") for each in path.statements):
        if statement[0] == whose:
            return statement[-1]
    for statement in (each for host in resource.named(whose) for each in host.statements):
        if statement[0] == "address":
            return statement[-1]
    return ""


def _options_of(section: Section) -> list[Section]:
    names = ("options", "net", "disk", "syncer", "connection")
    found = [inner for inner in section.sections if inner.words[:1] and inner.words[0] in names]
    return [each for inner in found for each in (inner, *_options_of(inner))]


def _parse(text: str) -> Section:
    """The whole as one section without words; ValueError where braces do not match."""
    stack, words = [Section([])], list[str]()
    for lexeme in _LEXEME.findall(text):
        if lexeme == "{":
            stack[-1].sections.append(Section(words))
            stack.append(stack[-1].sections[-1])
        elif lexeme in "};" and words:
            # drbd-utils 8.3 prints defaults too, and marks them
            if words[-1] != "_is_default":
                stack[-1].statements.append(words)
        elif not lexeme.startswith("#") and lexeme not in "};":
            words.append(lexeme.strip('"'))
            continue
        if lexeme == "}":
            stack.pop()
        if not 1 <= len(stack) <= _DEEPEST:
            raise ValueError("braces do not match")
        if lexeme in "{};":
            words = []
    if len(stack) != 1:
        raise ValueError("braces do not match")
    return stack[0]


SHOW = Probe(
    "drbd_show",
    N_("How DRBD was set up"),
    _show,
    _SHOW,
    only_if="any /proc/drbd",
    layers=("drbd.*",),
)
