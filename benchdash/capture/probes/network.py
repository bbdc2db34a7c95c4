"""Network cards: those that are hardware or a guest's stand-in for it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from benchdash.capture.probe import Files, Probe

_NET = "/sys/class/net/*/"
_TOOL = (
    "for card in /sys/class/net/*/device; do "
    '[ -e "$card" ] || continue; card=${card%/device}; card=${card##*/}; echo "# $card"; '
    'ethtool -i "$card"; ethtool "$card"; done 2>/dev/null; :'
)
_FASTEST_MBPS = 10_000_000


def _sysfs(files: Files) -> dict[str, dict[str, str]]:
    """`{card: {"speed": "1000", "mtu": "1500", "ifindex": "2"}}`."""
    cards: dict[str, dict[str, str]] = {}
    for path, text in files.items():
        match = re.fullmatch(r"/sys/class/net/([^/]+)/(\w+)", path)
        if match:
            cards.setdefault(match[1], {})[match[2]] = text
    return cards


def _drivers(links: str) -> dict[str, str]:
    """`{card: driver}` of every card with a device; "" where the driver is not known."""
    found: dict[str, str] = {}
    pattern = r"/sys/class/net/([^/\s]+)/device(/driver)? -> (\S+)"
    for card, driver, target in re.findall(pattern, links):
        found.setdefault(card, "")
        if driver:
            found[card] = target.rsplit("/", 1)[-1]
    return found


def _ethtool(output: str) -> dict[str, dict[str, str]]:
    """`{card: {"driver", "firmware-version", "Speed"}}`."""
    cards: dict[str, dict[str, str]] = {}
    fields: dict[str, str] = {}
    for line in output.splitlines():
        if line.startswith("# "):
            fields = cards.setdefault(line[2:].strip(), {})
        elif ":" in line:
            name, _, text = line.partition(":")
            fields.setdefault(name.strip(), text.strip())
    return cards


def _names(udev: str) -> dict[str, str]:
    """`{ifindex: model}` of udev's database."""
    return dict(re.findall(r"/n(\d+):E:ID_MODEL_FROM_DATABASE=(.+)$", udev, re.MULTILINE))


def cards(answers: Mapping[str, Any]) -> list[dict[str, object]]:
    """The `nics` of a machine's facts."""
    sysfs, tool = answers.get("net", {}), answers.get("ethtool", {})
    links, names = _drivers(answers.get("links", "")), _names(answers.get("udev", ""))
    found = []
    for card in sorted(links):
        kernel, driver = sysfs.get(card, {}), tool.get(card, {})
        part = {
            "model": names.get(kernel.get("ifindex", "")),
            "speed_bps": _speed(kernel.get("speed", "")) or _speed(driver.get("Speed", "")),
            "driver": links[card] or driver.get("driver"),
            "firmware": _firmware(driver.get("firmware-version", "")),
            "mtu": kernel.get("mtu"),
        }
        found.append({name: value for name, value in part.items() if value})
    return found


def _speed(text: str) -> int | None:
    """The kernel's or ethtool's Mbit/s in bit/s; None for -1 and 65535, which mean no link."""
    match = re.fullmatch(r"(\d{1,9})(?:Mb/s)?", text)
    mbps = int(match[1]) if match else 0
    return mbps * 10**6 if 0 < mbps <= _FASTEST_MBPS and mbps != 65535 else None


def _firmware(text: str) -> str:
    return "" if text.casefold() in ("n/a", "") else text


PROBES = (
    Probe("net", "", _sysfs, paths=(_NET + "speed", _NET + "mtu", _NET + "ifindex")),
    Probe("ethtool", "", _ethtool, _TOOL, only_if="command -v ethtool >/dev/null"),
)
