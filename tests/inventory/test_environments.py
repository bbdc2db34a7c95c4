from __future__ import annotations

from threading import Barrier, Thread

import pytest
from django.db import close_old_connections, connection

from benchdash.errors import Refused
from benchdash.inventory.models import (
    Capture,
    Environment,
    EnvironmentName,
    Host,
    MachineSnapshot,
)
from benchdash.inventory.queries import environment_named, environments, machines_of
from benchdash.inventory.records import (
    CaptureInfo,
    change_host,
    name_environment,
    record_environment,
)

pytestmark = pytest.mark.django_db

PAIR = {
    "node-a": {"hostname": "xen01", "kernel": "2.6.18", "versions": {"drbd": "8.2.6"}},
    "node-b": {"hostname": "xen02", "kernel": "2.6.18"},
}
NETWORK = {"switch": "PLANEX FXG-08IMV", "speed_bps": 10**9}


def test_the_same_facts_are_the_same_rows_with_one_more_capture():
    first = record_environment(PAIR, NETWORK)
    again = record_environment(
        dict(reversed(PAIR.items())), NETWORK, capture=CaptureInfo(Capture.Source.SSH)
    )
    assert again == first
    assert MachineSnapshot.objects.count() == 2
    assert Host.objects.count() == 2
    assert first.captures.count() == 2


def test_what_is_only_good_to_know_is_kept_with_the_capture():
    first = record_environment({"node-a": {"kernel": "6.1", "uptime_s": 5}})
    again = record_environment({"node-a": {"kernel": "6.1", "uptime_s": 900}})
    assert again == first
    assert {capture.info["node-a"]["uptime_s"] for capture in first.captures.all()} == {5, 900}


def test_another_kernel_or_another_part_is_another_environment():
    first = record_environment(PAIR)
    other_kernel = record_environment(PAIR | {"node-a": {"kernel": "3.10"}})
    other_part = record_environment({"node-a": PAIR["node-b"], "node-b": PAIR["node-a"]})
    assert len({first.pk, other_kernel.pk, other_part.pk}) == 3
    assert MachineSnapshot.objects.count() == 3


def test_a_name_means_its_newest_content():
    old = record_environment(PAIR, name="lab")
    new = record_environment(PAIR | {"node-a": {"kernel": "3.10"}}, name="lab")
    assert environment_named("lab") == new
    assert record_environment(PAIR, name="lab") == old
    assert environment_named("lab") == old
    assert EnvironmentName.objects.count() == 3


def test_naming_what_has_the_name_changes_nothing():
    environment = record_environment(PAIR, name="lab")
    name_environment(environment, " lab ")
    assert EnvironmentName.objects.count() == 1


def test_one_content_may_have_several_names():
    environment = record_environment(PAIR, name="lab")
    record_environment(PAIR, name="nightly")
    assert environment_named("lab") == environment_named("nightly") == environment
    assert environments().get().newest_name == "nightly"


def test_lists_know_names_without_a_query_for_each(django_assert_num_queries):
    record_environment(PAIR, name="lab")
    nameless = record_environment({"node-a": {"kernel": "6.1"}})
    with django_assert_num_queries(1):
        titles = [environment.newest_name for environment in environments()]
    assert titles == [None, "lab"]
    assert nameless.title == f"Environment {nameless.pk}"
    assert str(environment_named("lab")) == "lab"


def test_without_a_name_the_hosts_tell_environments_apart():
    one = record_environment({"node-a": {"hostname": "store-1", "kernel": "6.1"}})
    both = {"node-a": {"hostname": "store-1"}, "node-b": {"hostname": "store-2"}}
    two = record_environment(both)
    assert one.title == f"store-1 #{one.pk}"
    assert two.title == f"store-1 + store-2 #{two.pk}"
    record_environment(both, name="pair")
    assert Environment.objects.get(pk=two.pk).title == "pair"


def test_of_many_hosts_a_title_has_the_first():
    guests = {f"guest-{n}": {"hostname": f"vm-{n}"} for n in range(1, 6)}
    environment = record_environment(guests | {"server": {"hostname": "vm-1"}})
    assert environment.title == f"vm-1 + vm-2 + 3 more hosts #{environment.pk}"


def test_titles_follow_a_host_that_is_renamed():
    environment = record_environment({"node-b": {"hostname": "b"}, "node-a": {"hostname": "a"}})
    other = record_environment({"node-a": {"hostname": "c"}})
    change_host(Host.objects.get(name="b"), name="b.example.org", notes="")
    titles = [each.title for each in Environment.objects.order_by("pk")]
    assert titles == [f"a + b.example.org #{environment.pk}", f"c #{other.pk}"]


def test_a_name_that_is_not_there_is_refused_with_near_ones():
    record_environment(PAIR, name="lab pair")
    with pytest.raises(Refused) as refused:
        environment_named("lab pear")
    assert refused.value.sentence == (
        "There is no environment “lab pear”. Did you mean “lab pair”?"
    )
    assert refused.value.field == "environment"


@pytest.mark.parametrize(
    ("machines", "network"),
    [
        ({}, {}),
        ({"Node A": {}}, {}),
        ({"node-a": {"kernal": "6"}}, {}),
        ({"node-a": {}}, {"switsch": "x"}),
    ],
)
def test_what_is_refused_leaves_nothing_behind(machines, network):
    with pytest.raises(Refused):
        record_environment(machines, network, name="lab")
    assert not Environment.objects.exists()
    assert not MachineSnapshot.objects.exists()


@pytest.mark.parametrize("name", ["", "  ", "a" * 201, "a\x00b"])
def test_a_name_that_cannot_be_one_is_refused(name):
    environment = record_environment(PAIR)
    with pytest.raises(Refused) as refused:
        name_environment(environment, name)
    assert refused.value.field == "name"


def test_machines_of_prefetched_environments_need_no_query(django_assert_num_queries):
    record_environment(PAIR, NETWORK, name="lab")
    with django_assert_num_queries(4):
        (environment,) = environments().prefetch_related("parts__snapshot", "names")
        machines, title = machines_of(environment), environment.title
    assert (machines, title) == (PAIR, "lab")
    assert machines_of(Environment.objects.get()) == PAIR


def test_a_host_keeps_its_name_to_itself():
    record_environment(PAIR)
    first, second = Host.objects.all()
    with pytest.raises(Refused) as refused:
        change_host(first, name=second.name, notes="")
    assert refused.value.field == "name"
    assert change_host(first, name="xen01.example.org", notes="rack 3").notes == "rack 3"


@pytest.mark.django_db(transaction=True)
def test_people_who_record_the_same_facts_at_once_get_one_row():
    together, found = Barrier(4), []

    swapped = {"node-a": PAIR["node-b"], "node-b": PAIR["node-a"]}

    def record(number):
        together.wait()
        record_environment(swapped if number % 2 else PAIR)
        found.append(record_environment(PAIR, NETWORK, name="lab").pk)
        connection.close()

    threads = [Thread(target=record, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    close_old_connections()
    assert len(found) == 4 and len(set(found)) == 1
    assert environment_named("lab").parts.count() == 2
    assert MachineSnapshot.objects.count() == 2
    assert Capture.objects.count() == 8
