"""A typed parameter of a recipe: what people may type, and the value that it means.

Values are plain data: sizes in bytes, durations in seconds, `many` as a tuple; "" is not given.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from ipaddress import ip_network
from typing import Any, Literal, get_args

from benchdash.errors import N_, Refused
from benchdash.vocabulary.near import near
from benchdash.vocabulary.options import Option, Type
from benchdash.vocabulary.storage.notation import parse
from benchdash.vocabulary.storage.stack import facets

Kind = Literal[
    "choice",
    "integer",
    "size",
    "duration",
    "text",
    "path",
    "device",
    "server",
    "network",
    "boolean",
    "hosts",
]
Value = bool | int | float | str | tuple[str, ...]

KINDS: tuple[str, ...] = get_args(Kind)
EFFECTS = ("tuning", "incidental")
CONFIGURATION = "configuration"
_PLACES = ("path", "device", "server", "network")
LONGEST_TEXT = 200
LONGEST_LINES = 20_000
MOST_ITEMS = 64
_OPTION_TYPES: dict[str, Type] = {
    "choice": "choice",
    "integer": "integer",
    "size": "bytes",
    "boolean": "switch",
}
_DURATION = re.compile(r"(\d{1,9}(?:\.\d{1,3})?) ?(ms|s|m|min|h|d|)")
_SECONDS = {"ms": 1e-3, "s": 1.0, "": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86_400.0}
# Nothing that a tool reads as a list, a variable or an option: fio splits file names at ":".
_PATH = re.compile(r"/(?:[\w.+@-]+/?)*", re.ASCII)
# A host name or address, or the folder of a socket; a single one, though tools accept lists.
_SERVER = re.compile(r"[A-Za-z0-9:][\w.:-]{0,252}|/[\w.+@-]+(?:/[\w.+@-]+)*", re.ASCII)
# What people call a set of hosts.
_ZONE = re.compile(r"\w(?:[\w .+-]{0,38}[\w.+])?")
_DEVICE = re.compile(r"/dev/[\w.+@-]+(?:/[\w.+@-]+)*", re.ASCII)


@dataclass(frozen=True)
class Parameter:
    """One parameter; `label` and `help` by language, `default` and `example` as typed.

    A default of "" makes it optional, None makes it required. `scratch` (a path): the job gets a
    folder of its own below it, in the working folder where it is left out. `reads`: a path that is
    only read. `lies_on`: the layer that a path is meant to lie on, such as `drbd diskless=yes`. A `server` is
    what the tool connects to, a `network` that in which the hosts reach each other. `hosts` is the name
    of one of the plan's sets of hosts, "" where it has one set alone.
    `lines` allows a text of several lines, `job_file` one that is a job file of fio; `pattern` has to
    match a text as a whole.

    `effect`: a `tuning` can change a number, what is `incidental` cannot; "" is incidental for a
    place or several lines, tuning for anything else. `axis` is the axis of the workload that it is, or
    `configuration`.
    """

    name: str
    kind: Kind
    label: dict[str, str]
    help: dict[str, str] = field(default_factory=dict)
    default: Any = None
    example: Any = None
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    unit: str = ""
    pattern: str = ""
    many: bool = False
    scratch: bool = False
    lines: bool = False
    job_file: bool = False
    reads: bool = False
    lies_on: str = ""
    effect: str = ""
    axis: str = ""

    def read(self, raw: object) -> Value:
        """`raw` as its value; Refused names the parameter and what it takes."""
        if raw is None or (isinstance(raw, str) and not raw.strip()):
            return self._left_out()
        if not self.many:
            return self._one(raw)
        items = raw if isinstance(raw, list | tuple) else re.split(r"[\s,]+", str(raw).strip(" ,"))
        if not 1 <= len(items) <= MOST_ITEMS:
            raise Refused(
                "{called} takes 1 to {most} values.", self.name, called=self.called, most=MOST_ITEMS
            )
        return tuple(dict.fromkeys(str(self._one(item)) for item in items))

    @cached_property
    def facets_meant(self) -> frozenset[tuple[str, str]]:
        """(key, text) of what it is meant to lie on: `layer`, `drbd` and `drbd.diskless`, `yes`."""
        found = facets(parse(self.lies_on)) if self.lies_on else ()
        return frozenset((key, text) for key, text, _number in found)

    @property
    def required(self) -> bool:
        """True where a person has to give it."""
        return self.default is None

    @property
    def is_place(self) -> bool:
        """True for a path, a device, a server or a network: hosts alone know what its name means."""
        return self.kind in _PLACES

    @property
    def is_setting(self) -> bool:
        """True where it can change a number and is no axis."""
        return not self.axis and (self.effect or EFFECTS[self.is_place or self.lines]) == "tuning"

    @property
    def allowed(self) -> str:
        """What it takes, to end a sentence: "a size such as 128K, at least 512"."""
        if self._option:
            return self._option.allowed
        if self.kind == "duration":
            return self._with_bounds(N_("a time such as 30s, 10m or 2h"))
        if self.is_place:
            return self._name
        if self.kind == "hosts":
            return N_("a name such as near, of up to 40 letters, digits, spaces and .+_-")
        if self.pattern:
            return N_("text that matches {pattern}", pattern=self.pattern)
        most = LONGEST_LINES if self.lines else LONGEST_TEXT
        return N_("text of up to {most} characters that does not begin with a dash", most=most)

    @property
    def _name(self) -> str:
        if self.kind == "path":
            return N_("an absolute path of letters, digits and ._+@- without ..")
        if self.kind == "device":
            return N_("a device such as /dev/sdb, without a colon in its name")
        if self.kind == "network":
            return N_("a network such as 10.99.0.0/24")
        return N_("a host name or address, or the folder of a socket")

    @property
    def called(self) -> str:
        """Its label and name, to begin a refusal."""
        return f"{self.label['en']} ({self.name})"

    def _left_out(self) -> Value:
        if self.required:
            raise Refused("{called} is required.", self.name, called=self.called)
        return self._default

    @cached_property
    def _default(self) -> Value:
        return "" if self.default == "" else self.read(self.default)

    @cached_property
    def _option(self) -> Option | None:
        kind = _OPTION_TYPES.get(self.kind)
        if kind is None:
            return None
        low = self.minimum if self.minimum is not None or kind != "bytes" else 0
        return Option(
            self.name, kind, "", self.unit, self.choices, minimum=low, maximum=self.maximum
        )

    def _one(self, raw: object) -> Value:
        value = self._option.read(raw) if self._option else self._word(raw)
        if value is None:
            shown = str(raw)[:80].encode("unicode_escape").decode()
            sentence = N_(
                "{called} cannot be “{shown}”: it takes {allowed}.",
                called=self.called,
                shown=shown,
                allowed=self.allowed,
            )
            choices = self.choices if self.kind == "choice" else ()
            raise Refused(near(sentence, str(raw), choices), self.name)
        return value

    def _word(self, raw: object) -> Value | None:
        if not isinstance(raw, str | int | float) or isinstance(raw, bool):
            return None
        if self.kind == "duration":
            return self._seconds(raw)
        text = str(raw) if self.lines else str(raw).strip()
        if self.kind == "path" and text != "/":
            text = text.rstrip("/")
        return text if self._fits(text) else None

    def _fits(self, text: str) -> bool:
        if self.kind == "path":
            return bool(_PATH.fullmatch(text)) and ".." not in text.split("/") and len(text) < 1000
        if self.kind == "device":
            return bool(_DEVICE.fullmatch(text)) and not {".", ".."} & set(text.split("/"))
        if self.kind in ("server", "hosts"):
            form = _SERVER if self.kind == "server" else _ZONE
            return bool(form.fullmatch(text)) and ".." not in text.split("/")
        if self.kind == "network":
            return _is_network(text)
        if self.lines:
            return len(text) <= LONGEST_LINES and text.translate(_BREAKS).isprintable()
        is_plain = text.isprintable() and not text.startswith("-") and len(text) <= LONGEST_TEXT
        return is_plain and (not self.pattern or bool(re.fullmatch(self.pattern, text, re.ASCII)))

    def _seconds(self, raw: object) -> float | None:
        match = _DURATION.fullmatch(str(raw).strip().casefold())
        if match is None:
            return None
        seconds = float(match[1]) * _SECONDS[match[2]]
        low, high = self.minimum or 0, self.maximum or 30 * 86_400
        return seconds if low <= seconds <= high else None

    def _with_bounds(self, words: str) -> str:
        """The same, with the bounds where there are any."""
        if self.minimum is not None:
            least = f"{self.minimum:g}"
            words = N_("{sentence}, at least {least} s", sentence=words, least=least)
        if self.maximum is not None:
            most = f"{self.maximum:g}"
            words = N_("{sentence}, at most {most} s", sentence=words, most=most)
        return words


def _is_network(text: str) -> bool:
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def is_this_host(server: str) -> bool:
    """Whether a server is the host itself: loopback, a folder of sockets, or not given."""
    loopback = r"localhost|127(?:\.\d{1,3}){3}|::1"
    return not server or server.startswith("/") or bool(re.fullmatch(loopback, server.casefold()))


_BREAKS = str.maketrans("\n\r\t", "   ")
