"""What each number of bonnie++ is called, held against the text it came from."""

from __future__ import annotations

import pytest

from benchdash.parsers import parse
from benchdash.parsers.result import ParseError
from tests.parsers.golden import SAMPLES

TABLE_103 = """\
Version 1.03c       ------Sequential Output------ --Sequential Input- --Random-
                    -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--
Machine        Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  /sec %CP
host             1G   101   1   102   2   103   3   104   4   105   5 106.0   6
                    ------Sequential Create------ --------Random Create--------
                    -Create-- --Read--- -Delete-- -Create-- --Read--- -Delete--
              files  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP
                 16   107   7   108   8   109   9   110  10   111  11   112  12
"""
CSV_103 = "host,1G,101,1,102,2,103,3,104,4,105,5,106.0,6,16,107,7,108,8,109,9,110,10,111,11,112,12"
CSV_200 = (
    "1.98,2.00a,host,1,1700000000,1G,,8192,5,101,1,102,2,103,3,104,4,105,5,106.0,6,16,,,,,"
    "107,7,108,8,109,9,110,10,111,11,112,12,"
    "1us,2us,3us,4us,5us,6us,7us,8us,9us,10us,11us,12us"
)
HEADER_48 = (SAMPLES / "bonnie++/local-2.00a-x3.txt").read_text().splitlines()[1]


def read(text):
    return parse(text.encode())


def numbers(result):
    return {(m.operation, m.metric): m.value for m in result.measurements}


@pytest.mark.parametrize("text", [TABLE_103, CSV_103, CSV_200])
@pytest.mark.parametrize(
    ("heading", "rate", "cpu"),
    [
        ("Sequential Output, Per Chr", ("seq_write_char", "throughput", 101 * 1024), 0.01),
        ("Sequential Output, Block", ("seq_write", "throughput", 102 * 1024), 0.02),
        ("Sequential Output, Rewrite", ("seq_rewrite", "throughput", 103 * 1024), 0.03),
        ("Sequential Input, Per Chr", ("seq_read_char", "throughput", 104 * 1024), 0.04),
        ("Sequential Input, Block", ("seq_read", "throughput", 105 * 1024), 0.05),
        ("Random, Seeks", ("rand_seek", "iops", 106), 0.06),
        ("Sequential Create, Create", ("seq_create", "rate", 107), 0.07),
        ("Sequential Create, Read", ("seq_stat", "rate", 108), 0.08),
        ("Sequential Create, Delete", ("seq_delete", "rate", 109), 0.09),
        ("Random Create, Create", ("rand_create", "rate", 110), 0.10),
        ("Random Create, Read", ("rand_stat", "rate", 111), 0.11),
        ("Random Create, Delete", ("rand_delete", "rate", 112), 0.12),
    ],
)
def test_each_column_has_its_name(text, heading, rate, cpu):
    found = numbers(read(text).results[0])
    operation, metric, value = rate
    assert (found[operation, metric], found[operation, "cpu"]) == (value, cpu), heading


def test_latencies_of_the_csv_line_stand_in_the_order_of_the_tests():
    (result,) = read(CSV_200).results
    latencies = [m.value for m in result.measurements if m.metric == "latency"]
    assert latencies == [n / 1_000_000 for n in range(1, 13)]
    assert {m.statistic for m in result.measurements if m.metric == "latency"} == {"max"}


def test_the_48_names_of_the_header_do_not_shift_the_50_fields_under_it():
    (alone,) = read(CSV_200).results
    (headed,) = read(f"{HEADER_48}\n{CSV_200}\n").results
    assert numbers(headed) == numbers(alone)
    assert headed.details["seeks"] == 8192


def test_table_and_csv_line_of_one_run_count_once_and_the_csv_names_the_host():
    (result,) = read(TABLE_103.replace("host  ", "hos   ") + CSV_103).results
    assert (result.label, result.format, result.tool_version) == (
        "host",
        "bonnie++/csv-1.03",
        "1.03c",
    )


@pytest.mark.parametrize(
    "text",
    [
        TABLE_103 + CSV_103 + "\n" + TABLE_103 + CSV_103,
        TABLE_103 * 2 + f"{CSV_103}\n" * 2,
        f"{CSV_103}\n{TABLE_103}" * 2,
    ],
)
def test_equal_numbers_twice_are_two_results(text):
    assert len(read(text).results) == 2


def test_a_table_of_other_numbers_is_another_run():
    assert len(read(TABLE_103.replace("  112  12", "  113  12") + CSV_103).results) == 2


def test_plus_signs_are_stated_to_be_too_fast_and_are_no_number():
    (result,) = read(CSV_103.replace(",105,5,", ",+++++,+++,")).results
    assert ("seq_read", "throughput") not in numbers(result)
    noted = [(note.operation, note.metric, note.note) for note in result.notes]
    assert noted == [
        ("seq_read", "throughput", "too fast to measure"),
        ("seq_read", "cpu", "too fast to measure"),
    ]


def test_file_rates_of_the_2_00_table_are_left_out_and_the_reason_is_stated():
    text = (SAMPLES / "bonnie++/local-2.00a-c4-table.txt").read_text()
    (result,) = read(text).results
    assert ("seq_create", "rate") not in numbers(result)
    assert numbers(result)["seq_create", "cpu"] == 0.17
    (note,) = [n for n in result.notes if n.note.startswith("left out")]
    assert (note.operation, note.metric) == ("seq_create", "rate")


def test_zero_of_bon_csv2txt_is_no_measurement_and_its_file_rates_are_right():
    first, _ = parse((SAMPLES / "bonnie++/local-2.00a-csv2txt.txt").read_bytes()).results
    assert ("seq_write", "throughput") not in numbers(first)
    assert numbers(first)["seq_create", "rate"] == 2486


@pytest.mark.parametrize(("text", "seconds"), [("9829us", 0.009829), ("226ms", 0.226), ("1s", 1)])
def test_latency_units(text, seconds):
    (result,) = read(CSV_200.replace(",2us,", f",{text},")).results
    assert numbers(result)["seq_write", "latency"] == seconds


@pytest.mark.parametrize(
    ("seed", "year"), [("1700000000", 2023), ("12345", None), ("9999999999", None), ("x.img", None)]
)
def test_the_seed_is_a_date_where_it_can_be_one(seed, year):
    (result,) = read(CSV_200.replace("1700000000", seed)).results
    assert (result.started_at and result.started_at.year) == year
    assert result.details["seed"] == seed


@pytest.mark.parametrize(
    ("damaged", "sentence"),
    [
        (CSV_103.replace("host", "a,b"), "line 1: a CSV line of bonnie++ 1.03 has 27 fields, this"),
        (CSV_200 + ",0", "line 1: a CSV line of bonnie++ 2.00a has 50 fields, this one has 51"),
        (CSV_200.replace("1.98,", "1.99,", 1) + ",1", "line 1: a CSV line of bonnie++ 2.00a has"),
        (
            CSV_103.replace(",102,", ",-102,"),
            "line 1: expected the throughput of seq_write from bonnie++, found '-102'",
        ),
        (
            CSV_103.replace(",102,", ",1e309,"),
            "line 1: expected the throughput of seq_write from bonnie++, found '1e309'",
        ),
        (CSV_103.replace("1G", "1 G"), "no result found"),
        (
            CSV_103.replace(",102,2,", ",102,+++,"),
            "line 1: rates and CPU shares do not pai",
        ),
        (
            CSV_200.replace(",6us,", ",6,"),
            "line 1: expected the latency of rand_seek from bonnie++, found '6'",
        ),
        (CSV_200[:-4], "line 1: a CSV line of bonnie++ 2.00a is cut off before its last latency"),
        (TABLE_103[:250], "line 1: a bonnie++ table without figures"),
        ("Rewriting...done\n", "line 1: only bonnie++ progress, no result in the file"),
        ("Can't write() - disk full?\n", "line 1: bonnie++ failed: Can't write() - disk full?"),
    ],
)
def test_damage_is_refused_with_the_line_and_the_reason(damaged, sentence):
    with pytest.raises(ParseError) as refused:
        read(damaged)
    assert refused.value.sentence.startswith(sentence)


def test_one_bad_line_among_good_ones_is_named_and_the_others_are_kept():
    parsed = read(f"{CSV_103}\n{CSV_103.replace(',102,', ',nan,')}\n{CSV_200}\n")
    assert len(parsed.results) == 2
    assert parsed.incomplete == (
        "line 2: expected the throughput of seq_write from bonnie++, found 'nan'"
    )


@pytest.mark.parametrize("separator", [";", "\t"])
def test_spreadsheets_change_separators_add_quotes_and_empty_fields(separator):
    quoted = separator.join(f'"{field}"' for field in CSV_200.split(","))
    for line in (quoted, CSV_200.replace(",", separator) + separator * 3):
        assert numbers(read(line).results[0]) == numbers(read(CSV_200).results[0])


@pytest.mark.parametrize(
    "mangled",
    [
        "\n".join("> " + line for line in TABLE_103.splitlines()),
        "\n".join(line.lstrip() for line in TABLE_103.splitlines()),
        "\n".join(" ".join(line.split()) for line in TABLE_103.splitlines()),
        TABLE_103.replace("   ", "\t"),
        TABLE_103.replace("\n", "\r\n"),
        "| " + TABLE_103.replace("\n", " |\n| "),
    ],
)
def test_a_table_is_read_after_its_journey(mangled):
    (result,) = read(mangled).results
    (whole,) = read(TABLE_103).results
    assert numbers(result) == numbers(whole)


@pytest.mark.parametrize("length", range(len(TABLE_103) + 1, len(TABLE_103 + CSV_103)))
def test_a_csv_line_cut_anywhere_never_adds_a_second_result(length):
    parsed = read((TABLE_103 + CSV_103)[:length])
    assert [numbers(result) for result in parsed.results] == [numbers(read(TABLE_103).results[0])]


def test_a_line_in_which_no_test_was_run_is_no_result():
    with pytest.raises(ParseError, match="no test was run: all cells are empty"):
        read("host,1G" + "," * 12 + ",16" + "," * 12)


def test_a_file_of_very_many_runs_is_refused_before_it_fills_the_memory():
    lines = (b"x,%dM,1,2" % size + b"," * 23 + b"\n" for size in range(1, 10_100))
    with pytest.raises(ParseError, match="line 10001: more than 10000 bonnie\\+\\+ runs: split"):
        parse(b"".join(lines))


@pytest.mark.parametrize(
    ("row", "wrapped", "line"),
    [
        ("   105   5", "\n105   5", 5),  # what is left looks like a row of -f
        ("  12\n", "  1\n2\n", 9),  # as a terminal of 80 columns does
    ],
)
def test_a_table_whose_rows_were_wrapped_is_refused(row, wrapped, line):
    with pytest.raises(ParseError, match=f"line {line}: a row of figures is split across lines"):
        read(TABLE_103.replace(row, wrapped))


def test_a_table_whose_right_edge_is_cut_off_is_refused():
    wide = TABLE_103.replace("   6\n", "  65\n")  # one digit less is a figure too
    cut = "\n".join(line[:78] for line in wide.splitlines())
    with pytest.raises(ParseError, match="line 3: the table is cut off on the right"):
        read(cut)


def test_a_row_wider_than_its_heads_that_is_cut_off_is_refused():
    wide = TABLE_103.replace("   103   3", " 410230  93").replace("   6\n", "  65\n")
    assert numbers(read(wide).results[0])["rand_seek", "cpu"] == 0.65
    cut = "\n".join(line[:79] for line in wide.splitlines())
    with pytest.raises(ParseError, match="line 4: the table is cut off on the right"):
        read(cut)


@pytest.mark.parametrize("changed", [("host ",), ("16 ",), ("host ", "16 ")])
def test_a_table_pasted_as_a_diff_is_the_run_before_and_the_run_after(changed):
    after = TABLE_103.replace(" 10", " 20")
    lines = zip(TABLE_103.splitlines(), after.splitlines(), strict=True)
    pasted = [
        f"-{old}\n+{new}" if old.strip().startswith(changed) else f" {old}" for old, new in lines
    ]
    before, now = read("\n".join([*pasted, "", "and so on", ""])).results
    assert (before.label, now.label) == ("host", "host")
    assert numbers(before) == numbers(read(TABLE_103).results[0])
    assert numbers(before).keys() == numbers(now).keys()
    assert numbers(before) != numbers(now)
