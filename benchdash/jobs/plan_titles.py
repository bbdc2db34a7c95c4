"""What a plan is called where nobody named it: recipe, factors, hosts and time.

`fio · Block size × Queue depth · store-a · 22 Nov 08:45`, in English as the titles of its jobs.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import override

from benchdash.recipes import Cells

LONGEST_TITLE = 200
_BETWEEN = " · "
_MOST_NAMES = 3  # of factors and of hosts
_HAS_TIME = re.compile(rf".*{_BETWEEN}\d\d? [A-Z][a-z]{{2}} \d\d:\d\d", re.DOTALL)


def proposed_title(cells: Cells, hosts: Collection[str], moment: datetime) -> str:
    """The title of a plan that nobody named; factors of one level go without saying."""
    varied = [
        cells.recipe.parameters[name].label["en"]
        for name, levels in cells.axes.items()
        if len(levels) > 1
    ]
    with override("en"):
        time = date_format(localtime(moment), "j M H:i")
    parts = (cells.recipe.title["en"], _few(varied, " × "), _few([*hosts], " + "), time)
    return _BETWEEN.join(filter(None, parts))[:LONGEST_TITLE]


def own_title(title: str, recipe_title: str) -> str:
    """What people called a plan; "" where its title was proposed: the time in it is that plan's."""
    return "" if title == recipe_title or _HAS_TIME.fullmatch(title) else title


def title_for_host(title: str, before: str, host: str) -> str:
    """The title of a plan on `before`, for one that is alike on another host."""
    parts = title.split(_BETWEEN)
    if before in parts:
        parts[parts.index(before)] = host
        return _BETWEEN.join(parts)[:LONGEST_TITLE]
    ending = f"{_BETWEEN}{host}"
    return f"{title[: LONGEST_TITLE - len(ending)]}{ending}"


def _few(names: list[str], between: str) -> str:
    more = [f"{len(names) - _MOST_NAMES} more"] if len(names) > _MOST_NAMES else []
    return between.join([*names[:_MOST_NAMES], *more])
