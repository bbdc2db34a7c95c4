"""Remarks that say the same of many files are one sentence, whenever they were stored."""

from __future__ import annotations

from django.utils.translation import override

from benchdash.errors import N_, from_stored, side_by_side, to_stored
from benchdash.results import study_remarks
from benchdash.results.language import in_language
from benchdash.results.study_remarks import grouped, remarks_in

STAYS = "The runs of {file} already existed and stay where they belong."
CHART = N_("A chart shows the runs of the study “{slug}”, not those of this one.", slug="one")


def stays(*files):
    return [N_(STAYS, file=file) for file in files]


def test_remarks_that_differ_in_their_file_alone_are_one():
    first, *others = grouped([*stays("a.txt"), CHART, *stays("b.txt", "c.txt")])
    assert first == "The runs of 3 of the files already existed and stay where they belong."
    assert others == [CHART]
    purged = N_("The bytes of {file} were purged: it is left out.", file="d.txt")
    assert grouped([*stays("a.txt"), purged]) == [*stays("a.txt"), purged]


def test_what_was_stored_names_its_files():
    stored = to_stored(side_by_side(grouped([*stays("a.txt", "b b.txt"), CHART]), " "))
    both, chart = remarks_in(from_stored(stored))
    assert both == (
        "The runs of 2 of the files already existed and stay where they belong.",
        2,
        ["a.txt", "b b.txt"],
    )
    assert chart == (CHART, 0, [])
    with override("ja"):
        assert in_language(both.sentence) == (
            "2 個のファイルの測定は以前から保存されているため、元の割り当て先に残しました。"
        )


def test_those_that_were_stored_before_are_grouped_as_well():
    more = N_("There are {n} further remarks.", n=99)
    stored = to_stored(side_by_side([*stays("a.txt", "b.txt"), more], " "))
    assert remarks_in(from_stored(stored)) == [
        (
            "The runs of 2 of the files already existed and stay where they belong.",
            2,
            ["a.txt", "b.txt"],
        ),
        (more, 0, []),
    ]
    plain = "study.yaml: Line 1: nobody knows {this} s0"
    assert remarks_in(plain) == [(plain, 0, [])]
    assert remarks_in("") == []


def test_of_very_many_files_the_first_are_named(monkeypatch):
    monkeypatch.setattr(study_remarks, "MOST_NAMED", 2)
    (one,) = remarks_in(*grouped(stays("a", "b", "c", "d")))
    assert (one.number, one.files) == (4, ["a", "b"])
    assert one.sentence == "The runs of 4 of the files already existed and stay where they belong."
