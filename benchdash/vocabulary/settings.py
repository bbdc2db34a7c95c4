"""What else was set when something was measured: guests=4, caches_dropped=yes.

A setting is what no axis of the workload, no layer option and no fact of a machine says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from benchdash.errors import Refused

Setting: TypeAlias = int | float | bool | str
Settings: TypeAlias = dict[str, Setting]

MOST_SETTINGS = 50
NO_SETTING = "~"  # as a value: the setting is taken away, as filters write that there is none
ZONE = "zone"  # of several sets of hosts that a plan was laid over, the name of one
LONGEST_VALUE = 200
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,49}")
# what a switch is called where it is an option of a layer
OPTIONS_OF_SWITCHES = {"drop_caches": {False: "never", True: "before each run"}}
_QUOTED = re.compile(r"([^=]*)=\s*\"(.*)\"")
_PAIR = re.compile(rf"{NAME.pattern}=(?!-)")
_WORDS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
_LARGEST = 2**63 - 1


def setting_from_text(name: str, text: str) -> Setting:
    """The value that people type: `4`, `0.5`, `yes`, else a text; Refused for an impossible one."""
    if not NAME.fullmatch(name):
        raise Refused(
            "“{name}” cannot be the name of a setting: use at most 50 lower-case letters, "
            "digits, - and _.",
            "settings",
            name=name,
        )
    text = text.strip()
    if not text or len(text) > LONGEST_VALUE or "\x00" in text:
        raise Refused(
            "The setting “{name}” needs a value of at most {n} characters.",
            "settings",
            name=name,
            n=LONGEST_VALUE,
        )
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        # as a number 1.10 would be 1.1, and of two versions they are not the same one
        rewritten = isinstance(number, float) and setting_text(number) != text
        if abs(number) <= _LARGEST and not rewritten:  # neither infinite nor NaN
            return number
    return text


def option_text(name: str, value: Setting) -> str:
    """A setting as the option of a layer of the same name has it: `4`, `never`."""
    if isinstance(value, bool) and name in OPTIONS_OF_SWITCHES:
        return OPTIONS_OF_SWITCHES[name][value]
    return setting_text(value)


def settings_from(values: Mapping[str, Setting]) -> Settings:
    """Settings by name, texts read as people type them; Refused for an impossible one."""
    found = {
        name: setting_from_text(name, setting_text(value) if _is_number(value) else str(value))
        for name, value in ((name.strip().lower(), value) for name, value in values.items())
    }
    return _few(found)


def settings_from_text(text: str) -> Settings:
    """Settings of `guests=4, caches_dropped=yes`; Refused where one is none, or they are too many."""
    pairs = [*filter(None, map(str.strip, re.split(r"[,\n]", text)))]
    for pair in pairs:
        words = [word for word in re.split(r"[;\s]+", _QUOTED.sub("", pair)) if word]
        # but for the options of a command, as in mount=-o data=journal
        if len(words) > 1 and all(_PAIR.match(word) for word in words):
            raise Refused(
                "“{pair}” looks like several settings: put commas between them, as in "
                "guests=4, cache=dropped, or quotation marks around the value.",
                "settings",
                pair=pair,
            )
    return settings_of_pairs(_QUOTED.sub(r"\1=\2", pair) for pair in pairs)


def settings_of_pairs(pairs: Iterable[str]) -> Settings:
    """Settings of `guests=4` and others, each by itself; Refused as by `settings_from_text`."""
    found: dict[str, Setting] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise Refused(
                "“{pair}” is not a setting; write NAME=VALUE, as in guests=4.",
                "settings",
                pair=pair,
            )
        found[name] = value
    return settings_from(found)


def _is_number(value: Setting) -> bool:
    return isinstance(value, int | float)


def with_settings(settings: Mapping[str, Setting], added: Mapping[str, Setting]) -> Settings:
    """Both, `added` over the others, less those that it takes away; Refused where they are too many."""
    together = {**settings, **added}
    return _few({name: value for name, value in together.items() if value != NO_SETTING})


def _few(settings: Settings) -> Settings:
    if len(settings) > MOST_SETTINGS:
        raise Refused("A run can have at most {n} settings.", "settings", n=MOST_SETTINGS)
    return settings


def setting_text(value: Setting) -> str:
    """The inverse of `setting_from_text`: `4`, `0.5`, `yes`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(value) if isinstance(value, float) else str(value)


def settings_text(settings: Mapping[str, Setting]) -> list[str]:
    """`NAME=VALUE` of each, by name."""
    return [f"{name}={setting_text(settings[name])}" for name in sorted(settings)]
