from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdash.errors import Refused
from benchdash.vocabulary import machines
from benchdash.vocabulary.machines import FACTS, GOOD_TO_KNOW, PARTS, normalised
from tests.vocabulary.strategies import TEXTS, values

TOOL = st.from_regex(r"[a-z][a-z0-9+._-]{0,12}", fullmatch=True)
VERSION = TEXTS.map(lambda text: " ".join(text.split())[:50].strip()).filter(bool)


def optional(words):
    return st.fixed_dictionaries({}, optional={w.name: values(w) for w in words.values()})


facts = st.builds(
    lambda plain, parts, versions: plain | parts | {"versions": versions},
    optional(FACTS | GOOD_TO_KNOW),
    st.fixed_dictionaries(
        {}, optional={name: st.lists(optional(words), max_size=4) for name, words in PARTS.items()}
    ),
    st.dictionaries(TOOL, VERSION, max_size=4),
)


@given(facts)
def test_the_canonical_form_of_canonical_facts_is_itself(raw):
    content, info = normalised(raw)
    assert normalised(content | info) == (content, info)
    assert normalised(json.loads(json.dumps(content))) == (content, {})


@given(facts, st.randoms())
def test_the_order_of_disks_and_words_means_nothing(raw, random):
    def shuffled(value):
        if isinstance(value, list):
            return random.sample(value, len(value))
        if isinstance(value, dict):
            return {key: shuffled(value[key]) for key in random.sample(sorted(value), len(value))}
        return value

    assert normalised(shuffled(raw)) == normalised(raw)


@given(facts)
def test_every_fact_is_a_line_with_words_of_its_own(raw):
    flat = machines.machine_lines(normalised(raw)[0])
    assert all(text and machines.key_title(key) for key, text in flat.items())


@given(facts)
def test_a_database_that_turns_keys_around_changes_no_line(raw):
    def turned(value):
        if isinstance(value, dict):
            return {key: turned(item) for key, item in reversed(value.items())}
        return [turned(item) for item in value] if isinstance(value, list) else value

    content = normalised(raw)[0]
    shown = machines.machine_lines(content)
    assert list(machines.machine_lines(turned(content)).items()) == list(shown.items())


def test_what_differs_at_each_look_is_no_content():
    content, info = normalised({"kernel": "6.1", "uptime_s": 86400, "load_1m": "0.5"})
    assert content == {"kernel": "6.1"}
    assert info == {"uptime_s": 86400.0, "load_1m": 0.5}


def test_alike_disks_are_one_part_with_a_count():
    disk = {"model": "WD30EZRX", "size_bytes": "3TB"}
    content, _ = normalised({"disks": [disk] * 6})
    assert content["disks"] == [{"model": "WD30EZRX", "size_bytes": 3 * 10**12, "count": 6}]
    assert machines.machine_lines(content) == {"disks": "6 × WD30EZRX, 3 TB"}


def test_an_environment_speaks_of_the_measured_machine_without_a_prefix():
    environment = {
        "node-b": {"kernel": "6.2", "zone": "b"},
        "node-a": {"kernel": "6.1", "versions": {"drbd": "9.0"}},
    }
    assert machines.lines(environment, {"speed_bps": 10**9, "measured_bytes_s": 112_000_000}) == {
        "roles": "node-a, node-b",
        "kernel": "6.1",
        "versions.drbd": "9.0",
        "node-b.zone": "b",
        "node-b.kernel": "6.2",
        "network.speed_bps": "1 Gbit/s",
        "network.measured_bytes_s": "112 MB/s",
    }


@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("kernel", "Kernel"),
        ("versions.drbd", "drbd version"),
        ("node-b.versions.bonnie++", "node-b: bonnie++ version"),
        ("network.switch", "Network: Switch"),
        ("node-b.disks", "node-b: Disks"),
        ("roles", "Machines"),
        ("nosuch", "nosuch"),
        ("network.nosuch", "network.nosuch"),
        ("node-b.nosuch.kernel", "node-b.nosuch.kernel"),
    ],
)
def test_every_line_has_words_for_people(key, title):
    assert machines.key_title(key) == title


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ({"kernal": "6"}, "The machine: “kernal” is not a machine fact. Did you mean “kernel”?"),
        (
            {"memory_bytes": "much"},
            "The machine: memory_bytes is “much”; it takes a size such as 128K, at least 0.",
        ),
        ({"disks": {}}, "The machine, disks is not a list of at most 1000 parts."),
        ({"disks": ["sda"]}, "The machine, disks is not an object of names and values."),
        ({"versions": {"a b": "1"}}, "The machine: “a b” is not the name of a program."),
        ([], "The machine is not an object of names and values."),
    ],
)
def test_facts_that_are_none_are_refused_by_name(raw, sentence):
    with pytest.raises(Refused) as refused:
        normalised(raw)
    assert refused.value.sentence == sentence


@pytest.mark.parametrize("name", ["cores", "memory_bytes", "uptime_s", "load_1m"])
@pytest.mark.parametrize("number", [10**400, -(10**400), "9" * 5000])
def test_a_number_beyond_all_measure_is_refused(name, number):
    with pytest.raises(Refused, match=f"The machine: {name} is “"):
        normalised({name: number})


def test_a_fact_that_was_left_empty_is_not_there():
    assert normalised({"kernel": "", "disks": [], "model": None, "versions": {"fio": ""}})[0] == {}


@pytest.mark.parametrize(
    ("typed", "speed"),
    [("1G", 10**9), ("10Gbit/s", 10**10), ("100 Mbps", 10**8), (10**9, 10**9), ("fast", None)],
)
def test_the_speed_of_a_link_is_1000_based(typed, speed):
    assert PARTS["nics"]["speed_bps"].read(typed) == speed


def test_memory_is_read_as_sizes_of_files_are():
    content = normalised({"memory_bytes": "15856M"})[0]
    assert machines.machine_lines(content) == {"memory_bytes": "15.5 GiB"}
