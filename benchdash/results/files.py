"""Files and folders on disk, in portions that one transaction should hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from benchdash.errors import Refused
from benchdash.results.readings import File

_USUAL = (100, 16 * 2**20)  # files, bytes
_MOST = (1000, 64 * 2**20)


def paths_of(names: Iterable[str]) -> Iterator[Path]:
    """The files among `names` and in their folders, in order; hidden ones in folders left out."""
    for name in names:
        path = Path(name)
        if not path.is_dir():
            yield path
            continue
        for inner in sorted(path.rglob("*")):
            hidden = any(part.startswith(".") for part in inner.relative_to(path).parts)
            if inner.is_file() and not hidden:
                yield inner


def portions(paths: Iterable[Path]) -> Iterator[list[Path]]:
    """Paths in their order; a folder is divided only where it alone is too much.

    A log of fio needs the result that it lies beside.
    """
    portion: list[Path] = []
    size = 0
    for path in paths:
        limits = _MOST if portion and portion[-1].parent == path.parent else _USUAL
        if portion and (len(portion) >= limits[0] or size >= limits[1]):
            yield portion
            portion, size = [], 0
        portion.append(path)
        size += path.stat().st_size if path.exists() else 0
    if portion:
        yield portion


def read_file(path: Path, most_bytes: int) -> File:
    """The file with its path as its name; Refused where it cannot be read."""
    shown = str(path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    try:
        if not path.is_file() and path.exists():
            raise Refused("neither a file nor a folder")
        if path.stat().st_size > most_bytes:
            raise Refused(f"larger than {most_bytes >> 20} MiB (MAX_UPLOAD_BYTES)")
        return File(shown, path.read_bytes())
    except FileNotFoundError:
        raise Refused("there is no such file") from None
    except OSError as error:
        raise Refused(f"cannot be read: {error.strerror}") from None
