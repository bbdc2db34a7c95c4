from __future__ import annotations

from threading import Barrier, Thread

import pytest
from django.db import close_old_connections, connection

from benchdash.accounts.models import User
from benchdash.capture import Capture, Gap
from benchdash.errors import Refused
from benchdash.inventory.models import Configuration, Host, MachineSnapshot
from benchdash.inventory.records import record_configuration, record_host
from benchdash.vocabulary.storage.notation import parse
from workers.recording import record_capture, record_captures

pytestmark = pytest.mark.django_db

EXT4 = parse("system vm.swappiness=60\next4 data=ordered\ndisk scheduler=none")
NOOP = parse("system vm.swappiness=60\next4 data=ordered\ndisk scheduler=noop")


def seen(stack=None, load=0.1, gaps=(), **facts) -> Capture:
    machine = {"hostname": "stor1", "kernel": "6.1", **facts}
    unread = ("The memory modules were not read.",)
    return Capture(machine, {"load_1m": load}, stack, unread, gaps=tuple(gaps))


@pytest.fixture
def host() -> Host:
    return record_host("storage one")


def test_a_machine_that_did_not_change_is_the_same_environment(host):
    first = record_capture(host, "node-a", seen(load=0.1)).environment
    again = record_capture(host, "node-a", seen(load=7.5)).environment
    other = record_capture(host, "node-a", seen(kernel="6.2")).environment
    assert again == first != other
    assert [look.info["node-a"]["load_1m"] for look in first.captures.order_by("pk")] == [0.1, 7.5]


def test_a_snapshot_belongs_to_the_host_that_was_asked_whatever_it_calls_itself(host):
    record_capture(host, "node-a", seen())
    assert MachineSnapshot.objects.get().host == host
    assert not Host.objects.filter(name="stor1").exists()


def test_who_looked_and_what_could_not_be_read_is_kept_with_the_look(host):
    user = User.objects.create(username="kenji")
    environment, *_ = record_capture(host, "node-a", seen(), user)
    look = environment.captures.get()
    assert (look.captured_by, look.source) == (user, "ssh")
    assert look.captured_at is not None
    assert look.info["unread"] == {"node-a": ["The memory modules were not read."]}


def test_without_a_path_there_is_no_configuration(host):
    assert record_capture(host, "node-a", seen()).configuration is None
    assert not Configuration.objects.exists()


def test_layers_that_are_known_are_the_configuration_that_has_them(host):
    mine = record_configuration("mine", EXT4)
    record_configuration("the same later", EXT4)
    assert record_capture(host, "node-a", seen(EXT4)).configuration == mine


def test_new_layers_get_a_name_that_says_them_and_that_is_free(host):
    user = User.objects.create(username="kenji")
    record_configuration("ext4, scheduler noop", parse("xfs\ndisk"))
    names = [
        record_capture(host, "node-a", seen(stack), user).configuration.name
        for stack in (EXT4, NOOP, EXT4)
    ]
    # its first name was taken by other layers: a second option, rather than a number
    assert names == ["ext4", "ext4, vm.swappiness 60, scheduler noop", "ext4"]
    assert Configuration.objects.get(name="ext4").created_by == user


LATE = Gap(("disk.scheduler",), "The queue: no answer within 5 s.", is_passing=True)
DENIED = Gap(("disk.scheduler",), "The queue: permission denied.")
PART = parse("system vm.swappiness=60\next4 data=ordered\ndisk")


def test_a_stack_that_was_read_in_part_is_the_one_that_it_fits_and_says_so(host):
    mine = record_configuration("mine", EXT4)
    record_configuration("another", parse("system vm.swappiness=10\next4 data=ordered\ndisk"))
    for gap in (LATE, DENIED):
        found = record_capture(host, "node-a", seen(PART, gaps=[gap]))
        assert found.configuration == mine
        assert found.remark == (
            f"The configuration is “mine”, as far as the storage could be read. {gap.sentence}"
        )
    assert Configuration.objects.count() == 2


def test_a_part_that_fits_several_is_none_of_them_and_names_them(host):
    for name, stack in (("mine", EXT4), ("yours", NOOP)):
        record_configuration(name, stack)
    found = record_capture(host, "node-a", seen(PART, gaps=[LATE]))
    assert found.configuration is None
    assert found.remark == (
        "No configuration: 2 match what could be read of the storage (“mine”, “yours”). "
        "The queue: no answer within 5 s."
    )
    assert Configuration.objects.count() == 2


def test_a_part_that_fits_nothing_waits_for_the_whole(host):
    record_configuration("another", parse("xfs\ndisk"))
    found = record_capture(host, "node-a", seen(PART, gaps=[LATE]))
    assert found.configuration is None
    assert found.remark.startswith(
        "No configuration: none matches what could be read of the storage."
    )
    assert Configuration.objects.count() == 1


def test_what_can_never_be_read_here_is_a_configuration_of_what_can(host):
    first = record_capture(host, "node-a", seen(PART, gaps=[DENIED]))
    assert first.configuration.stack.tree == PART and first.remark == ""
    again = record_capture(host, "node-a", seen(PART, gaps=[DENIED]))
    assert (again.configuration, again.remark) == (first.configuration, "")
    whole = record_capture(host, "node-a", seen(EXT4))
    assert whole.configuration != first.configuration


def test_a_timeout_does_not_lead_to_what_an_earlier_one_left_behind(host):
    part = record_configuration("part", PART)
    assert record_capture(host, "node-a", seen(PART, gaps=[LATE])).configuration == part
    mine = record_configuration("mine", EXT4)
    assert record_capture(host, "node-a", seen(PART, gaps=[LATE])).configuration == mine
    assert record_capture(host, "node-a", seen(PART, gaps=[DENIED])).configuration == part


def test_machines_that_were_looked_at_together_are_one_environment(host):
    peer = record_host("storage two")
    parts = {"node-b": (peer, seen(hostname="stor2")), "node-a": (host, seen(EXT4))}
    environment, configuration, *_rest = record_captures(parts, network={"mtu": 9000})
    assert [part.role for part in environment.parts.all()] == ["node-a", "node-b"]
    assert environment.network == {"mtu": 9000}
    assert configuration.stack.tree == EXT4


def test_a_role_that_is_no_name_is_refused_and_nothing_is_kept(host):
    with pytest.raises(Refused, match="not a role"):
        record_capture(host, "Node A", seen(EXT4))
    assert not MachineSnapshot.objects.exists()
    assert not Configuration.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_workers_that_see_new_layers_at_once_agree_on_the_records():
    host = record_host("storage one")
    start = Barrier(4)
    found: list[tuple[int, int]] = []

    def look(stack) -> None:
        start.wait()
        environment, configuration, *_rest = record_capture(host, "node-a", seen(stack))
        found.append((environment.pk, configuration.pk))
        connection.close()

    threads = [Thread(target=look, args=[stack]) for stack in (EXT4, EXT4, NOOP, NOOP)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    close_old_connections()
    assert len(found) == 4
    assert len({environment for environment, _ in found}) == 1
    names = sorted(Configuration.objects.values_list("name", flat=True))
    # whichever was first has the plain name
    assert names in (["ext4", "ext4, scheduler none"], ["ext4", "ext4, scheduler noop"])
