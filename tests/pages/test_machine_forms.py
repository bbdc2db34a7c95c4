"""Machines typed into fields: what they say, what is wrong, and rows with and without scripts."""

from __future__ import annotations

import pytest

from benchdash.inventory.models import Capture, Environment
from benchdash.inventory.queries import machines_of
from benchdash.inventory.records import record_environment
from benchdash.pages.machine_forms import Machines, after_button, machines_like, new_machines
from tests.pages.typed_machines import counted, sent

pytestmark = pytest.mark.django_db
ADDRESS = "/environments/new/"
# something in every place that there is
WHOLE = {
    "node-a": {
        "hostname": "xen01",
        "cpu_model": "Q9300",
        "cores": 4,
        "memory_bytes": 8 * 2**30,
        "kernel": "2.6.18",
        "disks": [
            {"model": "ST3500", "size_bytes": 500 * 10**9, "medium": "hdd", "count": 2},
            {"model": "X25-E", "medium": "ssd"},
        ],
        "nics": [{"model": "e1000e", "speed_bps": 10**9, "mtu": 9000}],
        "versions": {"drbd": "8.3.2", "mdadm": "2.6.9"},
    },
    "node-b": {"model": "SP35P2"},
}
NETWORK = {"speed_bps": 10**9, "round_trip_s": 0.0002, "switch": "none"}


def test_facts_are_typed_with_units_and_the_same_facts_are_one_environment(contributor):
    form = counted({"name": "Lab", "m0-role": "node-a", "m0-memory_bytes": "8G", "m0-kernel": ""})
    first = contributor.post(ADDRESS, form).url
    assert contributor.post(ADDRESS, form | {"name": "Cellar"}).url == first
    environment = Environment.objects.get()
    assert environment.title == "Cellar"
    assert machines_of(environment) == {"node-a": {"memory_bytes": 8 * 2**30}}


def test_every_fact_comes_back_in_its_field_and_says_the_same(contributor):
    whole = record_environment(WHOLE, NETWORK, name="Whole")
    texts = sent(machines_like(whole))
    machines = Machines(texts)
    assert machines.is_valid() and machines.error == ""
    assert (machines.facts, machines.network) == (WHOLE, NETWORK)
    contributor.post(ADDRESS, texts | {"name": "Copy"})
    assert Environment.objects.get().title == "Copy"


def test_a_copy_is_changed_and_the_first_one_stays(contributor):
    whole = record_environment(WHOLE, NETWORK, name="Whole")
    page = contributor.get(f"{ADDRESS}?from={whole.pk}").text
    assert 'name="m0-disks-1-model" value="X25-E"' in page
    assert '<option value="ssd" selected>' in page
    texts = sent(machines_like(whole))
    contributor.post(ADDRESS, texts | {"name": "Newer", "m0-kernel": "2.6.32"})
    newer = Environment.objects.latest("pk")
    assert newer != whole
    assert machines_of(newer)["node-a"] == WHOLE["node-a"] | {"kernel": "2.6.32"}
    assert machines_of(whole)["node-a"]["kernel"] == "2.6.18"


def test_what_is_only_good_to_know_stays_out_of_the_content(contributor):
    form = counted({"name": "Lab", "m0-role": "node-a", "m0-kernel": "6.1"})
    first = contributor.post(ADDRESS, form | {"m0-temperature_c": "21.5"}).url
    assert contributor.post(ADDRESS, form).url == first
    assert {"node-a": {"temperature_c": 21.5}} in Capture.objects.values_list("info", flat=True)


@pytest.mark.parametrize(
    ("typed", "place", "sentence"),
    [
        ({"m0-memory_bytes": "lots"}, "m0-memory_bytes", "“lots” is not a size such as 128K"),
        ({"m0-cores": "0"}, "m0-cores", "at least 1"),
        ({"m0-disks-0-size_bytes": "1 stone"}, "m0-disks-0-size_bytes", "a size"),
        ({"m0-disks-0-medium": "tape"}, "m0-disks-0-medium", "one of hdd, ssd, nvme, memory"),
        ({"m0-disks-0-count": "4"}, "m0-disks-0-count", "Describe what these are."),
        ({"m0-versions-0-name": "drbd"}, "m0-versions-0-version", "Enter its version"),
        ({"m0-versions-0-version": "9"}, "m0-versions-0-name", "Name the program"),
        (
            {"m0-versions-0-name": "two words", "m0-versions-0-version": "9"},
            "m0-versions-0-name",
            "not the name of a program",
        ),
        (
            {f"m0-versions-{n}-{key}": "drbd" for n in "01" for key in ("name", "version")},
            "m0-versions-1-name",
            "is listed twice",
        ),
        ({"m0-role": ""}, "m0-role", "Enter its role."),
        ({"m0-role": "Node A"}, "m0-role", "is not a role"),
        ({"m1-role": "node-a", "m1-kernel": "6"}, "m1-role", "Two machines have this role."),
        ({"m1-role": "node-b"}, "m1-role", "Enter at least one fact"),
        ({"network-mtu": "9"}, "network-mtu", "at least 68"),
    ],
)
def test_what_is_wrong_is_stated_beside_its_field_and_nothing_is_lost(
    contributor, typed, place, sentence
):
    form = {"name": "My lab", "m0-role": "node-a", "m0-kernel": "6.1 of mine"} | typed
    answer = contributor.post(ADDRESS, counted(form))
    assert answer.status_code == 200
    before, after = answer.text.split(f'id="{place}-error"><li>')
    assert sentence in after.split("</li>")[0]
    assert f'id="{place}"' in before[-900:]
    for text in form.values():
        assert text in answer.text
    assert not Environment.objects.exists()


def test_an_environment_without_machines_is_refused(contributor):
    answer = contributor.post(ADDRESS, counted({"name": "Lab", "network-mtu": "9000"}))
    assert "at least one machine" in answer.text
    assert 'value="9000"' in answer.text


def test_rows_are_added_and_removed_without_a_script_and_keep_what_was_typed(contributor):
    form = sent(new_machines()) | {
        "name": "Lab", "m0-disks-0-model": "ST3500", "m0-cores": "not yet",
    }  # fmt: skip
    more = contributor.post(ADDRESS, form | {"add": "m0-disks"}).text
    assert 'name="m0-disks-1-model"' in more
    assert 'value="ST3500"' in more
    assert 'value="not yet"' in more
    assert 'value="Lab"' in more
    assert 'class="errors"' not in more
    less = contributor.post(ADDRESS, form | {"drop": "m0-disks-0"}).text
    assert "ST3500" not in less
    assert not Environment.objects.exists()


def test_a_machine_is_added_copied_and_removed():
    texts = sent(new_machines())
    texts |= {"m0-hostname": "xen01", "m0-kernel": "6.1", "m0-disks-0-model": "ST3500"}
    two = sent(after_button(texts | {"copy": "m0"}))
    assert (two["m1-kernel"], two["m1-disks-0-model"]) == ("6.1", "ST3500")
    assert (two["m1-role"], two["m1-hostname"]) == ("", "")
    assert sent(after_button(texts | {"add": "machine"}))["m1-role"] == ""
    one = sent(after_button(two | {"drop": "m0"}))
    assert one == texts | {"m0-role": "", "m0-hostname": ""}
    assert after_button(texts | {"name": "Lab"}) is None


def test_a_row_goes_and_those_behind_it_move_up():
    rows = {"m0-disks-0-model": "ST3500", "m0-disks-1-model": "X25-E", "m0-disks-2-count": "two"}
    left = sent(after_button(counted(rows | {"drop": "m0-disks-0"})))
    assert (left["m0-disks-0-model"], left["m0-disks-1-count"]) == ("X25-E", "two")
    assert left["m0-disks-TOTAL_FORMS"] == 2


def test_a_form_without_its_hidden_numbers_is_refused_and_stores_nothing(contributor):
    form = {"name": "Lab", "m0-role": "node-a", "m0-kernel": "6.1"}
    for missing, sentence in (("m", "at least one machine"), ("m0-nics", "m0-nics-TOTAL_FORMS")):
        whole = counted(form)
        del whole[f"{missing}-TOTAL_FORMS"]
        answer = contributor.post(ADDRESS, whole)
        assert sentence in answer.text.split('class="errors"')[1].split("</ul>")[0]
    assert not Environment.objects.exists()


def test_the_fields_alone_are_what_a_script_asks_for(contributor):
    answer = contributor.post("/environments/rows/", sent(new_machines()) | {"add": "m0-nics"})
    assert answer.text.strip().startswith('<div class="flow" id="machines"')
    assert 'name="m0-nics-1-model"' in answer.text


def test_the_fields_speak_japanese(contributor):
    form = {"name": "Lab", "m0-role": "node-a", "m0-memory_bytes": "lots"}
    text = contributor.post(ADDRESS, counted(form), headers={"accept-language": "ja"}).text
    assert "128K のようなサイズ" in text
    assert "メモリー" in text


@pytest.mark.parametrize(
    ("kept", "beyond"),
    [("m{}-kernel", "m{}-role"), ("m0-disks-{}-model", "m0-disks-{}-firmware")],
)
@pytest.mark.parametrize("act", [{}, {"add": "machine"}])
def test_beyond_a_hundred_is_refused_in_one_sentence_and_a_hundred_stay(
    contributor, act, kept, beyond
):
    form = sent(new_machines()) | {"name": "Mine", "network-switch": "of mine"}
    form |= {kept.format(n): f"typed {n}." for n in range(100)}
    form |= {beyond.format(n): "too many" for n in range(100, 2000)}
    answer = contributor.post(ADDRESS, counted(form) | act)
    sentence = "A form holds at most 100 machines, and 100 rows in each part of one"
    assert answer.text.count(sentence) == 1
    assert "too many" not in answer.text
    assert all(f'value="typed {n}."' in answer.text for n in range(100))
    assert all(f'value="{text}"' in answer.text for text in ("Mine", "node-a", "of mine"))
    assert not Environment.objects.exists()


def test_digits_of_other_alphabets_are_no_place(contributor):
    form = sent(new_machines()) | {
        "name": "Lab",
        "m0-kernel": "6.1",
        "m٣-kernel": "lost",
        "m0-disks-٣-model": "x",
    }
    contributor.post(ADDRESS, form)
    assert machines_of(Environment.objects.get()) == {"node-a": {"kernel": "6.1"}}
    assert [len(machine.parts[0]) for machine in Machines(form).formset] == [1]


def test_a_hundred_machines_fit_into_a_form(contributor):
    form = {"name": "Guests"}
    for n in range(100):
        form |= {f"m{n}-role": f"guest-{n}", f"m{n}-kernel": "6.1", f"m{n}-disks-0-model": ""}
        form |= {f"m{n}-disks-0-{key}": "" for key in ("firmware", "device", "role", "count")}
        form |= {f"m{n}-{key}": "" for key in ("zone", "os", "tuning", "cores", "threads")}
    contributor.post(ADDRESS, counted(form))
    assert len(machines_of(Environment.objects.get())) == 100
