from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdash.vocabulary.measures import METRICS, shown
from benchdash.vocabulary.prefixes import shown_unit
from benchdash.vocabulary.units import (
    about_bytes,
    amount_shown,
    bits_from,
    bits_text,
    bytes_from,
    bytes_shown,
    bytes_text,
    human,
)


@given(st.integers(0, 2**53))
def test_what_is_written_is_read_as_the_same(value):
    assert bytes_from(bytes_text(value)) == value
    assert bytes_from(bytes_shown(value)) == value
    assert bits_from(bits_text(value)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("128K", 131072),
        ("128k", 131072),
        ("128KiB", 131072),
        ("1TB", 10**12),
        ("1.5 G", 1610612736),
        ("512", 512),
        ("512B", 512),
        ("0.3K", None),
        ("K", None),
        ("1e3", None),
        ("-1", None),
        ("", None),
    ],
)
def test_a_bare_prefix_is_1024_based_and_one_with_b_1000_based(text, value):
    assert bytes_from(text) == value


@pytest.mark.parametrize(
    ("value", "shown"),
    [(131072, "128 KiB"), (10**12, "1 TB"), (1000, "1 kB"), (7, "7 B"), (0, "0 B")],
)
def test_sizes_are_shown_with_the_prefix_that_is_exact(value, shown):
    assert bytes_shown(value) == shown


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("throughput", 87e6),
        ("iops", 9.0),
        ("latency", 0.0012),
        ("cpu", 0.36),
        ("transactions", 999.6),
        ("bytes", 2e9),
        ("duration", 12_345.0),
    ],
)
def test_a_measured_number_reads_the_same_in_lists_and_in_tables(metric, value):
    unit = shown_unit(METRICS[metric], [value])
    blank = "" if unit.name == "" else " "
    assert shown(value, metric) == f"{unit.text(value)}{blank}{unit.name}"


def test_sentences_that_are_stored_keep_their_numbers():
    assert human(87e6, "B/s") == "87 MB/s"


@pytest.mark.parametrize(
    ("metric", "text"),
    [("iops", "23.6 kIOPS"), ("transactions", "23.6 kTPS"), ("rate", "23.6 k/s")],
)
def test_rates_are_read_in_the_words_of_their_axes(metric, text):
    assert shown(23_610.0, metric) == text


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (4096, "4 KiB"),
        (4095, "4095 B"),
        (100_000_000, "100 MB"),
        (10**12, "1 TB"),
        (15856 * 2**20, "15.5 GiB"),
        (7972 * 2**20, "7.79 GiB"),
        (1536 * 2**20, "1.5 GiB"),
    ],
)
def test_an_amount_reads_the_same_wherever_it_stands(size, text):
    assert amount_shown(size) == text
    assert about_bytes(text) == pytest.approx(size, rel=0.005)
