"""Remarks of an import, grouped: those that differ in their file alone are one, with all the names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from benchdash.errors import N_, Sentence

MOST_NAMED = 1000  # files that a sentence keeps
_FILES = N_("{n} of the files")


class ShownRemark(NamedTuple):
    """A remark; of several files with their number, and the names of the first."""

    sentence: str
    number: int
    files: list[str]


def grouped(remarks: Iterable[str]) -> list[str]:
    """Those that differ in their file alone as one of all these files, the others as they are."""
    alike: dict[object, list[str]] = {}
    for remark in remarks:
        alike.setdefault(_but_for_the_file(remark), []).append(remark)
    return [_of_all(each) if len(each) > 1 else each[0] for each in alike.values()]


def remarks_in(sentence: str) -> list[ShownRemark]:
    """What is stored as one sentence, part by part."""
    return [_shown(part) for part in grouped(_parts(sentence))]


def _but_for_the_file(remark: str) -> object:
    if not isinstance(remark, Sentence):
        return remark
    return remark.template, tuple((k, v) for k, v in remark.values.items() if k != "file")


def _of_all(remarks: list[str]) -> str:
    first = remarks[0]
    if not isinstance(first, Sentence) or "file" not in first.values:
        return first
    names = [each.values["file"] for each in remarks if isinstance(each, Sentence)]
    # the template has no hole for them: they go along for who lists them
    listed = {f"s{number}": name for number, name in enumerate(names[:MOST_NAMED])}
    files = Sentence(_FILES, n=len(names), **listed)
    return Sentence(first.template, **(first.values | {"file": files}))


def _parts(sentence: str) -> Iterator[str]:
    """The sentences that stand side by side in it."""
    values = sentence.values if isinstance(sentence, Sentence) else {}
    if isinstance(sentence, Sentence) and sentence.template == " ".join(f"{{{n}}}" for n in values):
        yield from (value for value in values.values() if isinstance(value, str))
    elif sentence:
        yield sentence


def _shown(part: str) -> ShownRemark:
    files = part.values.get("file") if isinstance(part, Sentence) else None
    if not isinstance(files, Sentence) or files.template != _FILES:
        return ShownRemark(part, 0, [])
    listed = dict(files.values)
    return ShownRemark(part, int(listed.pop("n")), [str(name) for name in listed.values()])
