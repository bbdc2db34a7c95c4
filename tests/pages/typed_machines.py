"""Machines as a browser sends them: the texts of fields, and how many forms there are."""

from __future__ import annotations

import re

from benchdash.pages.machine_forms import ROWS, Machines


def sent(machines: Machines) -> dict[str, str]:
    """The texts of all fields, by name."""
    forms = [machines.network_form, *machines.formset]
    forms += [row for rows in machines.formsets[1:] for row in rows]
    return counted({field.html_name: field.value() or "" for form in forms for field in form})


def counted(form: dict[str, str]) -> dict[str, str]:
    """With the hidden numbers of machines, and of rows in each of their parts."""
    numbers = _numbers(form, r"m([0-9]+)-")
    counts = {"m": numbers} | {
        f"m{number}-{part}": _numbers(form, rf"m{number}-{part}-([0-9]+)-")
        for number in range(min(numbers, 100))
        for part in ROWS
    }
    return form | {
        f"{prefix}-{name}_FORMS": count
        for prefix, number in counts.items()
        for name, count in (("TOTAL", number), ("INITIAL", 0))
    }


def _numbers(form: dict[str, str], pattern: str) -> int:
    return 1 + max(
        (int(found[1]) for name in form if (found := re.match(pattern, name))), default=-1
    )
