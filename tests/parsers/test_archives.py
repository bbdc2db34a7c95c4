"""Archives give their files within limits, and never more than names and bytes."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import time
import tracemalloc
import zipfile

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from benchdash.parsers.archives import members
from benchdash.parsers.unpacking import Budget, Limits

TEXT = b"tps = 12.5 (without initial connection time)\n"
PACKERS = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.compress,
}


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def tarred(files: dict[str, bytes], *extra: tarfile.TarInfo) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for info in extra:
            archive.addfile(info)
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def special(name: str, kind: bytes) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, "/etc/passwd"
    return info


def content(data: bytes, name: str = "a", limits: Limits | None = None) -> dict[str, bytes | str]:
    """Name to bytes, or to the sentence that says why there are none."""
    found = members(data, name, Budget(limits or Limits()))
    return {each.name: each.error or each.data for each in found}


def test_a_plain_file_is_its_own_only_member():
    (member,) = members(TEXT, "p.txt")
    assert (member.name, member.data, member.archive, member.error) == ("p.txt", TEXT, "", "")


def test_a_zip_gives_its_files_in_their_order():
    found = list(members(zipped({"z.txt": TEXT, "d/a.txt": b"2"}), "a.zip"))
    assert [(m.name, m.data, m.archive) for m in found] == [
        ("a.zip/z.txt", TEXT, "a.zip"),
        ("a.zip/d/a.txt", b"2", "a.zip"),
    ]


def test_a_tar_gives_its_files():
    assert content(tarred({"r/fio.txt": TEXT}), "r.tar") == {"r.tar/r/fio.txt": TEXT}


@pytest.mark.parametrize("packing", PACKERS)
def test_a_packed_file_is_named_without_its_ending(packing):
    packed = PACKERS[packing](TEXT)
    assert content(packed, f"dir/p.txt.{packing}") == {f"dir/p.txt.{packing}/p.txt": TEXT}


@pytest.mark.parametrize("packing", PACKERS)
def test_a_packed_tar_is_one_archive(packing):
    packed = PACKERS[packing](tarred({"p.txt": TEXT, "q.txt": b"2"}))
    assert content(packed, "r") == {"r/p.txt": TEXT, "r/q.txt": b"2"}


@pytest.mark.parametrize("packing", PACKERS)
def test_packed_files_one_after_the_other_are_one_file(packing):
    assert content(PACKERS[packing](TEXT) * 2, "r") == {"r/r": TEXT * 2}


def test_an_archive_in_an_archive_is_opened_too():
    inner = gzip.compress(tarred({"p.txt": TEXT}))
    assert content(zipped({"r.tar.gz": inner}), "a.zip") == {"a.zip/r.tar.gz/p.txt": TEXT}


def test_the_name_of_a_file_says_nothing_about_its_content():
    assert content(TEXT, "liar.zip") == {"liar.zip": TEXT}
    assert content(zipped({"p": TEXT}), "honest.txt") == {"honest.txt/p": TEXT}


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../evil.txt", "evil.txt"),
        ("/etc/passwd", "etc/passwd"),
        ("C:\\Users\\me\\r.txt", "Users/me/r.txt"),
        ("a/./b/../c", "a/b/c"),
        ("..", "unnamed"),
        ("tab\there\x1b[31m\u202etxt", "tab\ufffdhere\ufffd[31m\ufffdtxt"),
        ("研究/結果.txt", "研究/結果.txt"),
        ("x" * 300, "…" + "x" * 200),
    ],
)
def test_names_are_made_safe_to_show(name, shown):
    assert content(zipped({name: TEXT}), "a") == {f"a/{shown}": TEXT}
    assert content(tarred({name: TEXT}), "a") == {f"a/{shown}": TEXT}


@pytest.mark.parametrize("encoding", ["utf-8", "cp932"])
def test_japanese_names_without_the_utf8_flag_are_read(encoding):
    data = zipped({"__________.txt": TEXT})
    raw = "測定結果".encode(encoding).ljust(14, b"_")[:14]
    assert content(data.replace(b"__________.txt", raw), "a") == {f"a/{raw.decode(encoding)}": TEXT}


def test_what_macos_and_windows_add_is_passed_over():
    junk = ["__MACOSX/._p.txt", ".DS_Store", "d/.DS_Store", "d/._p.txt", "Thumbs.db", "desktop.ini"]
    files = dict.fromkeys(junk, b"x") | {"p.txt": TEXT}
    assert content(zipped(files)) == content(tarred(files)) == {"a/p.txt": TEXT}


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE])
def test_links_are_named_and_not_followed(kind):
    found = content(tarred({"p.txt": TEXT}, special("latest", kind)))
    assert found == {"a/latest": "a link, which is not followed", "a/p.txt": TEXT}


def test_a_link_in_a_zip_is_not_followed():
    info = zipfile.ZipInfo("latest")
    info.external_attr = 0o120777 << 16
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(info, "/etc/passwd")
    assert content(buffer.getvalue()) == {"a/latest": "a link, which is not followed"}


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_devices_and_pipes_are_named_and_left(kind):
    assert "not a plain file" in str(content(tarred({}, special("dev", kind)))["a/dev"])


def test_an_encrypted_file_is_refused_by_name_and_the_others_are_read():
    data = bytearray(zipped({"secret.txt": TEXT, "p.txt": TEXT}))
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + flags] |= 1
    found = content(bytes(data))
    assert "password" in str(found["a/secret.txt"]) and found["a/p.txt"] == TEXT


def test_a_method_that_is_not_read_is_refused_by_name():
    found = content(zipped({"p.txt": TEXT}, zipfile.ZIP_LZMA))
    assert "method" in str(found["a/p.txt"])


def test_a_spreadsheet_is_no_archive_of_results():
    found = content(zipped({"[Content_Types].xml": b"<x/>", "xl/a.xml": b"<x/>"}), "r.xlsx")
    assert list(found) == ["r.xlsx"] and "office" in str(found["r.xlsx"])


@pytest.mark.parametrize("empty", [zipped({}), tarred({}, special("d", tarfile.DIRTYPE))])
def test_an_archive_without_files_says_so(empty):
    assert content(empty) == {"a": "an archive with no files in it"}


@pytest.mark.parametrize("packing", PACKERS)
def test_a_bomb_is_refused_without_unpacking_it(packing):
    bomb = PACKERS[packing](bytes(200 * 2**20))
    tracemalloc.start()
    (sentence,) = content(bomb).values()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "200 times its size" in str(sentence)
    assert peak < 100 * 2**20


def test_a_zip_bomb_is_refused_whatever_size_it_states():
    data = zipped({"bomb": bytes(200 * 2**20)})
    lying = data.replace(struct.pack("<I", 200 * 2**20), struct.pack("<I", 100))
    for bomb in (data, lying):
        started = time.perf_counter()
        (sentence,) = content(bomb).values()
        assert isinstance(sentence, str) and sentence
        assert time.perf_counter() - started < 2


def test_a_bomb_of_bombs_has_one_budget():
    layer = gzip.compress(bytes(10 * 2**20))
    found = content(zipped({f"{n}.gz": layer for n in range(50)}))
    assert "times its size" in str(found["a"])
    assert sum(len(data) for data in found.values() if isinstance(data, bytes)) < 200 * 2**20


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(files=2), "more than 2 files"),
        (Limits(packed_bytes=10), "larger than"),
        (Limits(unpacked_bytes=100), "unpacks to more than"),
        (Limits(depth=1), "deep"),
    ],
)
def test_each_limit_is_named_when_it_is_met(limits, words):
    data = zipped({"1": TEXT, "2": zipped({"3": TEXT * 9}), "4": TEXT})
    assert words in str(content(data, limits=limits)["a"])
    assert words in str(
        content(gzip.compress(tarred({"1": TEXT, "2": data, "3": TEXT})), limits=limits)["a"]
    )


def test_a_file_that_is_too_large_is_refused_and_the_others_are_read():
    files = {"big": bytes(2**20) + TEXT, "p.txt": TEXT}
    limits = Limits(file_bytes=2**20)
    for data in (zipped(files, zipfile.ZIP_STORED), tarred(files)):
        assert content(data, limits=limits) == {"a/big": "larger than 1 MiB", "a/p.txt": TEXT}


def test_what_stands_before_the_damage_is_read():
    data = tarred({"p.txt": TEXT, "q.txt": b"2" * 9000})[:4096]
    assert content(data) == {"a/p.txt": TEXT, "a": "the archive is damaged: unexpected end of data"}


@pytest.mark.parametrize("packing", PACKERS)
def test_a_cut_archive_is_refused_in_a_sentence(packing):
    packed = PACKERS[packing](b"".join(b"%d " % n for n in range(9999)))
    (sentence,) = content(packed[: len(packed) // 2]).values()
    assert str(sentence).startswith("the archive")


def peak_of(data: bytes) -> tuple[str, int]:
    """The one sentence on an archive, and the most memory that it took."""
    tracemalloc.start()
    errors = [each.error for each in members(data, "a")]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return errors[-1], peak


def test_a_list_of_very_many_files_is_not_made():
    one = zipped({"a": b""})
    start = one.index(b"PK\x01\x02")
    entry, number = one[start : start + 47], 200_000
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, len(entry) * number, 4, 0)
    sentence, peak = peak_of(b"PK\x03\x04" + entry * number + end)
    assert "more than 5000 files" in sentence
    assert peak < 2**20


def sparse_with_very_many_holes(blocks: int) -> bytes:
    """A GNU tar header whose list of pieces goes on for so many blocks."""
    info = tarfile.TarInfo("holes")
    info.type = tarfile.GNUTYPE_SPARSE
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    piece = b"%011o\0" % 1 * 2
    header[386:482] = piece * 4
    header[482:495] = b"\1" + b"%011o\0" % 1
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    more = (piece * 21).ljust(504, b"\0") + b"\1".ljust(8, b"\0")
    return bytes(header) + more * blocks


def long_names(size: int) -> bytes:
    """A pax header of one attribute of this size."""
    info = tarfile.TarInfo("x")
    info.pax_headers = {"comment": "c" * size}
    return info.tobuf(tarfile.PAX_FORMAT)


@pytest.mark.parametrize("data", [sparse_with_very_many_holes(100_000), long_names(50_000_000)])
def test_what_a_tar_says_before_a_file_is_bounded(data):
    sentence, peak = peak_of(data)
    assert "longer than any name" in sentence
    assert peak < 8 * 2**20


ARCHIVES = [
    zipped({"p.txt": TEXT, "q": TEXT * 9}),
    zipped({"p.txt": TEXT}, zipfile.ZIP_BZIP2),
    tarred({"p.txt": TEXT, "x" * 200: TEXT}),
    *(pack(tarred({"p.txt": TEXT})) for pack in PACKERS.values()),
]


@given(st.sampled_from(ARCHIVES), st.data())
def test_damage_raises_nothing(archive, data):
    mutable = bytearray(archive)
    for _ in range(data.draw(st.integers(1, 8))):
        place = data.draw(st.integers(0, len(mutable) - 1))
        mutable[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(mutable)))
    for member in members(bytes(mutable[:cut]), "a"):
        assert member.error or member.data is not None
