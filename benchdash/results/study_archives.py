"""A study in one archive with its raw outputs: what `export_study --to` and `import_study` have as a folder."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from benchdash.errors import N_, Refused
from benchdash.parsers.archives import Entry, entries
from benchdash.parsers.unpacking import CHUNK, Budget
from benchdash.results.artifacts import pieces_of
from benchdash.results.language import in_language
from benchdash.results.models import Artifact, Study
from benchdash.results.study_files import export_with_outputs

FILE = "study.yaml"
_LONGEST_NAME_BYTES = 255  # of a file on disk


def packed(study: Study) -> Iterator[bytes]:
    """A zip of the study's file and its raw outputs, piece by piece; equal studies give equal bytes.

    What the file cannot have is said in comments at its top: a download shows no messages.
    """
    remarks: list[str] = []
    text, outputs = export_with_outputs(study, remarks.append)
    comments = "".join(f"# {in_language(sentence)}\n" for sentence in remarks)
    return _zipped(comments + text, outputs)


def _zipped(text: str, outputs: dict[str, int]) -> Iterator[bytes]:
    made = _Made()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]  # it only writes
        yield from _member(archive, made, FILE, [text.encode()])
        for name, pk in outputs.items():
            artifact = Artifact.objects.get(pk=pk)
            yield from _member(archive, made, name, pieces_of(artifact), artifact.size_bytes)
    yield made.taken()


def _member(
    archive: zipfile.ZipFile,
    made: _Made,
    name: str,
    pieces: Iterable[bytes],
    size_bytes: int = 0,
) -> Iterator[bytes]:
    """What one file adds to the zip; its date is that of every other (1980)."""
    info = zipfile.ZipInfo(name)
    info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
    info.file_size = size_bytes  # whether it needs a header for very large ones
    with archive.open(info, "w") as member:
        for piece in pieces:
            member.write(piece)
            if made.size_bytes >= CHUNK:
                yield made.taken()


class _Made:
    """What zipfile has written and nobody has taken yet."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.size_bytes = 0

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        self.size_bytes += len(data)
        return len(data)

    def flush(self) -> None:
        """Nothing waits."""

    def taken(self) -> bytes:
        whole = b"".join(self._parts)
        self._parts, self.size_bytes = [], 0
        return whole


@contextmanager
def unpacked(data: bytes, name: str, budget: Budget | None = None) -> Iterator[tuple[str, Path]]:
    """The text of the one study in an archive, and a folder with what lies beside it in there.

    Refused, in one sentence, for an archive that is damaged, larger than those that are uploaded
    may be, or has no study; what is refused in the block, with the name of the study's file. Names
    in it decide nothing but which output is meant; the folder is removed with the block.
    """
    with TemporaryDirectory(prefix="benchdash-") as place:
        try:
            files = dict(_written(entries(data, name, budget or Budget()), Path(place)))
            study = _study_among(files)
            beside = Path(place, "beside")
            beside.mkdir()
            for file, path in files.items():
                if file.parent == study.parent:
                    path.rename(beside / file.name)
        except Refused as refused:
            sentence = N_("{file}: {what}.", file=name, what=refused.sentence)
            raise Refused(sentence, "file") from None
        text = (beside / study.name).read_text(encoding="utf-8", errors="replace")
        try:
            yield text, beside
        except Refused as refused:
            sentence = N_("{file}: {sentence}", file=study, sentence=refused.sentence)
            raise Refused(sentence, refused.field) from None


def _written(found: Iterable[Entry], place: Path) -> Iterator[tuple[PurePosixPath, Path]]:
    """Each file of the archive by its name there, written under a number of ours."""
    seen = set()
    for number, entry in enumerate(found):
        file = PurePosixPath(entry.name)
        if entry.data is None:
            raise Refused("{what} ({name})", what=entry.error, name=entry.name)
        if file in seen:
            raise Refused("“{name}” is in it twice", name=entry.name)
        if len(os.fsencode(file.name)) > _LONGEST_NAME_BYTES:
            raise Refused("a name in it is too long (“{name}”)", name=entry.name)
        seen.add(file)
        path = place / str(number)
        path.write_bytes(entry.data)
        yield file, path


def _study_among(files: Iterable[PurePosixPath]) -> PurePosixPath:
    found = [file for file in files if file.name == FILE]
    if not found:
        raise Refused(N_("there is no study.yaml in it"))
    if len(found) > 1:
        names = ", ".join(map(str, found[:3]))
        raise Refused("it has several studies ({names}): import them one by one", names=names)
    return found[0]
