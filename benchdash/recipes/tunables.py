"""Tunables: what a recipe can set on a host for a job; how each is read, set, and read back.

Every command is a fixed script with its arguments as positional parameters. All tunables of all
nodes must be read before the first is set: setting DRBD's protocol on one node changes its peer
as well, whose new value would then be recorded as its old one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from benchdash.errors import N_, Refused
from benchdash.recipes import mount_options
from benchdash.recipes.steps import TunableValue
from benchdash.vocabulary.near import near

Argv = tuple[str, ...]

_DEVICE = re.compile(r"(/dev/)?[\w.+:-]+(/[\w.+:-]+)*", re.ASCII)
_MOUNT_POINT = re.compile(r"/([\w.+@-]+/?)*", re.ASCII)
_RESOURCE = re.compile(r"[A-Za-z0-9_][\w.+-]*", re.ASCII)
_QUEUE_SETTING = re.compile(r"^((?:iosched/)?\w+):(-?\d+)$", re.MULTILINE)
_SYSCTL = re.compile(r"(vm|fs|kernel|net)(\.[\w-]+)+", re.ASCII)

# of each two the kernel keeps one, and 0 for the other, which it does not take
# https://docs.kernel.org/admin-guide/sysctl/vm.html#dirty-bytes
_EITHER_OR = {
    f"vm.dirty_{which}{one}": f"vm.dirty_{which}{other}"
    for which in ("", "background_")
    for one, other in (("bytes", "ratio"), ("ratio", "bytes"))
}

# The name below /sys/block: the device that a link points to, with "!" for "/" (cciss).
_BLOCK = (
    'd=$(readlink -f "/dev/${1#/dev/}") || exit 1; '
    "d=$(printf %s \"${d#/dev/}\" | tr / '!'); f=/sys/block/$d/"
)
# what a change of the scheduler sets to what the kernel thinks right, by its path below queue/
_READ_SCHEDULER = (
    _BLOCK + 'queue/scheduler; cat "$f" || exit 1; cd "${f%/*}"; '
    'grep -H "" nr_requests iosched/* 2>/dev/null; :'
)
_WRITE_SCHEDULER = _BLOCK + (
    'queue/scheduler; set -- $2; printf \'%s\\n\' "$1" > "$f" || exit 1; shift; cd "${f%/*}"; '
    'for one; do printf \'%s\\n\' "${one#*=}" > "${one%%=*}" || exit 1; done'
)


@dataclass(frozen=True, slots=True)
class Tunable:
    """A tunable. `value(output, wanted)` is the current value, spelled as `wanted` is.

    `along` is the same with what changes along with it, where something does.

    `read(where)` and `write(where, value)` are commands; writing needs root. `where` and `values`
    are patterns of what is allowed.
    """

    name: str
    title: str
    where: re.Pattern[str]
    values: re.Pattern[str]
    read: Callable[[str], Argv]
    write: Callable[[str, str], Argv]
    value: Callable[[str, str], str]
    offered: Callable[[str], list[str]] = lambda _output: []  # what it takes, where that is read
    along: Callable[[str, str], str] | None = None

    def to_put_back(self, output: str, wanted: str) -> str:
        """The current value as it has to be again after `wanted` was set; "" where there is none."""
        return (self.along or self.value)(output, wanted)

    def checked(self, where: str, value: str) -> TunableValue:
        """The setting; Refused where this tunable does not take one of them."""
        if not self.where.fullmatch(where) or ".." in where.split("/"):
            raise Refused(
                "{title} cannot be set on “{where}”.",
                self.name,
                title=self.title,
                where=where[:80],
            )
        if self.name == "mount_options":
            value = ",".join(mount_options.checked(value))  # as it is read back
        elif not self.values.fullmatch(value):
            raise Refused(
                "{title} cannot be set to “{value}”.",
                self.name,
                title=self.title,
                value=value[:80],
            )
        return TunableValue(self.name, where, value)

    def check_restorable(self, where: str, old: str) -> None:
        """Refused where the host would not take its present value again."""
        if self.name == "sysctl" and old == "0" and where in _EITHER_OR:
            raise Refused(
                "{where} is 0 and cannot be set back to 0 once changed: change {other}, "
                "which is set there instead.",
                self.name,
                where=where,
                other=_EITHER_OR[where],
            )


def tunable(name: str) -> Tunable:
    """The tunable of that name; Refused with the nearest known one."""
    if name not in TUNABLES:
        sentence = N_("There is no tunable “{name}”.", name=name[:80])
        raise Refused(near(sentence, name, TUNABLES, TUNABLES), "tunable")
    return TUNABLES[name]


def _script(script: str, *arguments: str) -> Argv:
    return ("sh", "-c", script, "sh", *arguments)


def _read_block(file: str) -> Callable[[str], Argv]:
    return lambda where: _script(_BLOCK + file + '; cat "$f"', where)


def _write_block(file: str) -> Callable[[str, str], Argv]:
    script = _BLOCK + file + '; printf \'%s\\n\' "$2" > "$f"'
    return lambda where, value: _script(script, where, value)


def _line(output: str, _wanted: str) -> str:
    """The first line, with runs of blanks collapsed: `net.ipv4.tcp_rmem` has three numbers."""
    return " ".join((output.splitlines() or [""])[0].split())


def _scheduler(output: str, wanted: str) -> str:
    """The one in brackets of `noop [deadline] cfq`; a lone `none` has no brackets.

    With those settings of its queue that `wanted` names, as in `deadline nr_requests=64`.
    """
    match = re.search(r"\[([\w-]+)\]", output)
    names = [one.partition("=")[0] for one in wanted.split()[1:]]
    has = dict(_QUEUE_SETTING.findall(output))
    settings = [f"{name}={has[name]}" for name in names if name in has]
    return " ".join([match[1] if match else _line(output, ""), *settings])


def _scheduler_with_settings(output: str, wanted: str) -> str:
    """The same with all settings of its queue, unless `wanted` is what is there."""
    present = _scheduler(output, "")
    if present == wanted:
        return present
    return " ".join([present, *("=".join(one) for one in _QUEUE_SETTING.findall(output))])


def _schedulers(output: str) -> list[str]:
    """All of `noop [deadline] cfq`."""
    return re.findall(r"[\w-]+", _line(output, ""))


def _protocol(output: str, _wanted: str) -> str:
    """The protocol of `drbdsetup show`, which leaves out the default C unless --show-defaults is given.

    Connections may differ; `A,C` is refused then, since it could not be restored as one value.
    """
    if not re.search(r"\bresource\b|^\S+ \{", output, re.MULTILINE):
        return ""
    return ",".join(sorted(set(re.findall(r"\bprotocol\s+([ABC])\s*;", output)))) or "C"


def _two_primaries(output: str, _wanted: str) -> str:
    match = re.search(r"\ballow-two-primaries\s+(yes|no)\s*;", output)
    return match[1] if match else "no" if _protocol(output, "") else ""


def _role(output: str, _wanted: str) -> str:
    """This node's role, the first of `Primary/Secondary`; DRBD 9 prints it alone."""
    match = re.match(r"(Primary|Secondary)\b", output.strip())
    return match[1].lower() if match else ""


TUNABLES = {
    one.name: one
    for one in (
        Tunable(
            "scheduler",
            N_("I/O scheduler"),
            _DEVICE,
            re.compile(r"[a-z][\w-]{1,30}( (iosched/)?\w+=-?\d+)*", re.ASCII),
            lambda where: _script(_READ_SCHEDULER, where),
            lambda where, value: _script(_WRITE_SCHEDULER, where, value),
            _scheduler,
            _schedulers,
            along=_scheduler_with_settings,
        ),
        Tunable(
            "stripe_cache_size",
            N_("stripe_cache_size"),
            _DEVICE,
            re.compile(r"[1-9]\d{1,4}", re.ASCII),
            _read_block("md/stripe_cache_size"),
            _write_block("md/stripe_cache_size"),
            _line,
        ),
        Tunable(
            "mount_options",
            N_("Mount options"),
            _MOUNT_POINT,
            re.compile(""),
            lambda where: _script(mount_options.READ, where),
            lambda where, value: _script(
                mount_options.WRITE, where, mount_options.for_mount(value)
            ),
            mount_options.present,
            along=mount_options.to_put_back,
        ),
        Tunable(
            "drbd_protocol",
            N_("DRBD protocol"),
            _RESOURCE,
            re.compile("[ABC]"),
            lambda where: ("drbdsetup", "show", where),
            # The user's guides of 8.4 and 9: holds until the next `drbdadm adjust`.
            lambda where, value: ("drbdadm", "net-options", f"--protocol={value}", where),
            _protocol,
        ),
        Tunable(
            "drbd_two_primaries",
            N_("DRBD allow-two-primaries"),
            _RESOURCE,
            re.compile("yes|no"),
            lambda where: ("drbdsetup", "show", where),
            lambda where, value: (
                "drbdadm",
                "net-options",
                f"--allow-two-primaries={value}",
                where,
            ),
            _two_primaries,
        ),
        Tunable(
            "drbd_role",
            N_("DRBD role"),
            _RESOURCE,
            re.compile("primary|secondary"),
            lambda where: ("drbdadm", "role", where),
            lambda where, value: ("drbdadm", value, where),
            _role,
        ),
        Tunable(
            "sysctl",
            N_("sysctl"),
            _SYSCTL,
            re.compile(r"-?\d{1,19}(?: \d{1,19}){0,2}|[a-z][\w-]{0,40}", re.ASCII),
            lambda where: ("sysctl", "-n", where),
            lambda where, value: ("sysctl", "-w", f"{where}={value}"),
            _line,
        ),
    )
}
