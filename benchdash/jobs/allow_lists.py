"""What a target's lists allow steps to reach outside their own folders, and the refusal of all else.

An admin keeps the lists: of devices and folders to write to, of files to read, of servers to connect
to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from benchdash.errors import N_, Refused, Sentence, side_by_side
from benchdash.jobs.models import Target
from benchdash.recipes.steps import Touch


def refuse_what_is_not_allowed(touches: Iterable[tuple[Touch, Target]]) -> None:
    """Refused with all that is reached and not on its host's lists, a sentence for each list."""
    missing: dict[tuple[str, Target], list[str]] = {}
    for touch, target in touches:
        if not _is_listed(touch, target):
            kind = touch.kind if touch.kind in _NOT_LISTED else "path"
            names = missing.setdefault((kind, target), [])
            names += [touch.name] if touch.name not in names else []
    if missing:
        sentences = [_not_listed(kind, names, target) for (kind, target), names in missing.items()]
        raise Refused(side_by_side(sentences, " "), "targets")


def not_allowed(touch: Touch, target: Target) -> str:
    """Why a target's lists keep a step from what it reaches; empty where they do not."""
    kind = touch.kind if touch.kind in _NOT_LISTED else "path"
    return "" if _is_listed(touch, target) else _not_listed(kind, [touch.name], target)


def _is_listed(touch: Touch, target: Target) -> bool:
    lists = {"file": target.readable, "server": target.servers}
    return touch.name in lists.get(touch.kind, target.allowed)


# of one name, and of several
_NOT_LISTED = {
    "file": (
        N_(
            "{name} is not listed as a file that may be read on {host}: ask an admin to "
            "add it to the target {target}."
        ),
        N_(
            "{names} are not listed as files that may be read on {host}: ask an admin to "
            "add them to the target {target}."
        ),
    ),
    "server": (
        N_(
            "{name} is not listed as a server that {host} may connect to: ask an admin to "
            "add it to the target {target}."
        ),
        N_(
            "{names} are not listed as servers that {host} may connect to: ask an admin to "
            "add them to the target {target}."
        ),
    ),
    "path": (
        N_(
            "{name} is not listed as writable on {host}: ask an admin to add it to the "
            "target {target}."
        ),
        N_(
            "{names} are not listed as writable on {host}: ask an admin to add them to the "
            "target {target}."
        ),
    ),
}


def _not_listed(kind: str, names: Sequence[str], target: Target) -> str:
    one, several = _NOT_LISTED[kind]
    if len(names) > 1:
        return Sentence(several, names=", ".join(names), host=target.host.name, target=target)
    sentence = Sentence(one, name=names[0], host=target.host.name, target=target)
    above = (str(folder) for folder in PurePosixPath(names[0]).parents)
    listed = next((folder for folder in above if folder in target.allowed), None)
    if kind != "path" or listed is None:
        return sentence
    # a list names folders one by one: what lies in one of them may be another filesystem
    hint = N_("That {folder} is listed does not include what lies in it.", folder=listed)
    return side_by_side([sentence, hint], " ")
