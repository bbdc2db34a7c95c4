"""The damage of travel is undone before any parser looks."""

from __future__ import annotations

import codecs
import quopri

import pytest

from benchdash.parsers.result import ParseError
from benchdash.parsers.source import Source
from benchdash.parsers.text import numbered_lines

FIO = """\
mixed: (groupid=0, jobs=1): err= 0: pid=29814: Fri Nov 20 22:03:54 2026
  read: IOPS=15.5k, BW=60.6MiB/s (63.6MB/s)(121MiB/2001msec)
  IO depths    : 1=100.0%, 2=0.0%, 4=0.0%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%
"""
PGBENCH = 'transaction type: <builtin: TPC-B (sort of)>\nquery mode: "simple"\n'
JAPANESE = "ディスクの速度を測定した（２回目）\n" + FIO


def text(data: bytes) -> str:
    return Source(data).text


def test_plain_text_comes_through_untouched():
    assert text((FIO + PGBENCH).encode()) == FIO + PGBENCH


def test_utf8_is_not_copied_where_nothing_has_to_change():
    data = JAPANESE.encode()
    assert Source(data).utf8 is data


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "utf-8"])
def test_a_byte_order_mark_tells_the_encoding(encoding):
    mark = "\ufeff".encode(encoding)
    assert Source(mark + JAPANESE.encode(encoding)).utf8 == JAPANESE.encode()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_is_recognised_without_a_mark(encoding):
    assert text(FIO.encode(encoding)) == FIO


def test_utf16_that_was_cut_in_the_middle_of_a_character_is_read_up_to_there():
    assert text(codecs.BOM_UTF16_LE + FIO.encode("utf-16-le")[:-1]).startswith(FIO[:-1])


@pytest.mark.parametrize("encoding", ["cp932", "euc-jp", "utf-8"])
def test_japanese_comments_never_stop_an_ascii_result(encoding):
    assert text(JAPANESE.encode(encoding)) == JAPANESE


def test_each_line_may_have_an_encoding_of_its_own():
    parts = ["測定\n".encode("cp932"), "結果\n".encode("euc-jp"), "終了\n".encode(), FIO.encode()]
    assert text(b"".join(parts)) == "測定\n結果\n終了\n" + FIO


def test_a_very_long_line_is_not_cut_within_a_character():
    line = "速" * 700_000 + "\n"
    assert text((line + FIO).encode()) == line + FIO


def test_unknown_bytes_are_replaced_and_the_rest_is_read():
    assert text(b"caf\xe9 \xff\xfe\x80\n" + FIO.encode()).endswith(FIO)


@pytest.mark.parametrize("ends", ["\r\n", "\r", "\r\r\n"])
def test_line_ends_of_other_systems(ends):
    assert text(FIO.replace("\n", ends).encode()) == FIO


def test_each_progress_line_stands_alone():
    assert text(b"Jobs: 1 (f=1)\rJobs: 1 (f=1)  \r\nmixed: x\n") == (
        "Jobs: 1 (f=1)\nJobs: 1 (f=1)  \nmixed: x\n"
    )


@pytest.mark.parametrize(
    "escape",
    ["\x1b[33m", "\x1b(B", "\x1b[1;31;40m", "\x1b[2K", "\x1b[?25l", "\x1b]0;title\x07", "\x1b7"],
)
def test_terminal_escapes_are_dropped(escape):
    assert text(f"{escape}tps = 12.5{escape}\n".encode()) == "tps = 12.5\n"


def test_an_escape_that_never_ends_takes_nothing_with_it():
    assert text(b"\x1b]0;title\ntps = 12.5\n\x1b[").count("tps = 12.5") == 1


@pytest.mark.parametrize("space", ["\xa0", "\u2003", "\u202f", "\u3000"])
def test_odd_spaces_are_spaces(space):
    assert text(FIO.replace(" ", space).encode()) == FIO


@pytest.mark.parametrize("nothing", ["\u200b", "\ufeff", "\xad", "\u2060"])
def test_characters_without_width_are_dropped(nothing):
    assert text(FIO.replace("k,", f"k{nothing},").encode()) == FIO


def test_full_width_lines_are_read_as_ascii():
    wide = str.maketrans({c: chr(ord(c) + 0xFEE0) for c in "0123456789.=tps"})
    assert text(("tps = 1234.5\n".translate(wide)).encode()) == "tps = 1234.5\n"


def test_full_width_digits_in_a_name_stay_as_they_are():
    line = "テスト１: (groupid=0, jobs=1): err= 0: pid=1\n"
    assert text(line.encode()) == line


@pytest.mark.parametrize("quote", ["> ", ">", "> > ", ">> ", "  > ", "# ", "#", "    # "])
def test_quotations_and_comments_are_lifted(quote):
    quoted = "".join(f"{quote}{line}\n" for line in FIO.splitlines())
    assert [line.strip() for line in text(quoted.encode()).splitlines()] == [
        line.strip() for line in FIO.splitlines()
    ]


@pytest.mark.parametrize(
    "margin",
    [
        "2024-01-02T03:04:05.1234567Z ",
        "[2024-01-02 03:04:05,678] ",
        "2024-01-02T03:04:05+09:00 store1 fio[1234]: ",
        "Jan  2 03:04:05 ",
        "Jan 12 03:04:05 store1 bonnie++[1234]: ",
        "fio-1  | ",
        "[pod/fio-0/fio] 2024-01-02T03:04:05.123456789Z ",
        "    12\t",
        "// ",
        " * ",
        "% ",
        "-- ",
        "+",
    ],
)
@pytest.mark.parametrize("output", [FIO, PGBENCH * 2])
def test_what_stands_before_every_line_is_taken_away(margin, output):
    marked = "".join(f"{margin}{line}\n" for line in output.splitlines())
    assert text(marked.encode()) == output


def test_what_stands_before_some_lines_is_left():
    dated = f"2024-01-02 03:04:05 first\n{PGBENCH}2024-01-02 03:05:05 second\n{PGBENCH}"
    assert text(dated.encode()) == dated


def test_a_wrapped_depth_is_no_quotation():
    assert text(b">=64=0.0%\n") == ">=64=0.0%\n"


def test_a_quoted_printable_mail_is_decoded():
    mail = quopri.encodestring(JAPANESE.encode())
    assert b"=\n" in mail and b"=3D" in mail
    assert text(mail) == JAPANESE


def test_a_number_cut_in_two_by_a_soft_line_break_is_joined():
    line = "xen01,16G,72087,89,87962,17,38257,5,83055,90,85773,5,178.8,0,16,95510,100,90="
    assert text(f"{line}\n.7,98\n".encode()) == line[:-1] + ".7,98\n"


def test_equal_signs_at_line_ends_do_not_make_a_mail():
    rule = "=========== ================ =========\nsize=16 depth=20 BW=1AMiB/s =x =y\n"
    assert text(rule.encode()) == rule


def test_a_web_page_is_read_as_the_reader_saw_it():
    escaped = FIO.replace("<", "&lt;").replace(">", "&gt;")
    page = f"<!DOCTYPE html><html><body><h1>R</h1><pre>{escaped}</pre><p>end</p></body></html>"
    assert FIO.strip() in text(page.encode())


def test_lines_of_a_page_may_be_elements():
    page = "<pre>" + "<br>".join(FIO.replace(">", "&gt;").splitlines()) + "</pre>"
    assert text(page.encode()).strip() == FIO.strip()


def test_cells_of_a_table_stay_apart():
    assert "1 2" in text(b"<table><tr><td>1</td><td>2</td></tr></table>").replace("  ", " ")


def test_entities_without_a_page_are_read_too():
    escaped = PGBENCH.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    assert text(escaped.encode()) == PGBENCH
    assert text(FIO.replace(">", "&gt;").encode()) == FIO


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "R&amp;D", "=cmd|'/C calc'!A0", "a,b"]
)
def test_names_that_look_like_markup_are_left_alone_outside_of_pages(name):
    assert text(FIO.replace("mixed", name).encode()).startswith(name)


def test_the_words_of_pgbench_are_no_tags_even_on_a_page():
    assert "<builtin: TPC-B (sort of)>" in text(("<br>" + PGBENCH).encode())


@pytest.mark.parametrize(
    "data", [b"", b" \n\t\r\n", codecs.BOM_UTF8, codecs.BOM_UTF16_LE, b"\0\0\0"]
)
def test_an_empty_file_is_stated_to_be_empty(data):
    with pytest.raises(ParseError, match="empty file"):
        Source(data)


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n" + bytes(200),
        b"\xff\xd8\xff\xe0JFIF text",
        b"%PDF-1.7\n",
        bytes(range(256)) * 16,
        b"\x7fELF\x02\x01",
    ],
)
def test_a_binary_file_is_not_text(data):
    with pytest.raises(ParseError, match="not text"):
        Source(data)


def test_nul_bytes_inside_are_refused_with_their_line():
    with pytest.raises(ParseError, match="line 2 holds NUL"):
        Source(FIO.replace("15.5k", "15\0\0.5k").encode())


def test_nul_bytes_round_a_log_are_dropped():
    assert text(bytes(4096) + FIO.encode() + bytes(512)) == FIO


def test_lines_are_numbered_from_one():
    assert list(numbered_lines("a\n\nb")) == [(1, "a"), (2, ""), (3, "b")]
    many = [str(number) for number in range(1, 10_000)]
    assert list(numbered_lines("\n".join(many))) == list(enumerate(many, 1))


def test_a_word_is_found_wherever_it_stands():
    lines = [f"{number} of 9,999.00 lines" for number in range(9_999)]
    for place in (0, 5_000, 9_998):
        changed_lines = [*lines[:place], "=== tps 1.5 = 3 of 4", *lines[place:]]
        source = Source("\n".join(changed_lines).encode())
        assert source.mentions(b"nothing", b"tps 1.5")
        assert not source.mentions(b"tps 15", b"tps1.5", b"tps 1.5 of")


def test_a_word_is_found_in_the_middle_of_one_long_line():
    source = Source(b"x," * 2**17 + b"tps = 1" + b"x," * 2**17)
    assert source.mentions(b"tps = ")


@pytest.mark.parametrize("word", ["Gerät", "Träger-läuft", "données", "größe", "mesuré", "Übung"])
def test_western_letters_of_windows_stay_what_they_are(word):
    assert Source(f"job {word}: ok\r\n".encode("cp1252")).text == f"job {word}: ok\n"


@pytest.mark.parametrize(
    ("words", "encoding"),
    [
        ("a表b", "cp932"),
        ("測定a結果", "cp932"),
        ("測定a結果", "euc-jp"),
        ("job 速度: 1 MB/s", "cp932"),
        ("job 速度: 1 MB/s", "euc-jp"),
        ("ｶﾅ", "euc-jp"),
    ],
)
def test_japanese_stays_japanese(words, encoding):
    assert Source(f"{words}\n".encode(encoding)).text == f"{words}\n"
