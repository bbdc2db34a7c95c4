from __future__ import annotations

from itertools import product
from random import Random
from threading import Barrier, Thread

import pytest
from django.db import connection

from benchdash.errors import Refused
from benchdash.inventory.models import Configuration, Facet, Layer, Stack
from benchdash.inventory.queries import configuration_named
from benchdash.inventory.records import (
    change_configuration,
    configuration_with,
    delete_configuration,
    free_name,
    record_configuration,
    record_stack,
    restore_configuration,
)
from benchdash.vocabulary.storage.notation import parse
from tests.measured import a_run

pytestmark = pytest.mark.django_db

PAIR = parse("ext3\nlvm\ndrbd protocol=C roles=Primary/Secondary\n- disk\n- disk @node-b")
LOCAL = parse("ext3\nlvm\ndisk")


def test_a_stack_is_recorded_with_its_layers_and_facets():
    configuration = record_configuration("pair", PAIR)
    layers = Layer.objects.filter(stack=configuration.stack)
    assert [(layer.kind, layer.position, layer.above, layer.node) for layer in layers] == [
        ("ext3", 0, None, ""),
        ("lvm", 1, 0, ""),
        ("drbd", 2, 1, ""),
        ("disk", 3, 2, ""),
        ("disk", 4, 2, "node-b"),
    ]
    found = Configuration.objects.filter(
        stack__facets__key="drbd.protocol", stack__facets__text="C"
    )
    assert list(found) == [configuration]


def test_the_same_layers_in_other_words_are_the_same_stack():
    first = record_configuration("pair", PAIR)
    raw = {
        "kind": "ext3",
        "below": [
            {
                "kind": "LVM",
                "below": [
                    {
                        "kind": "drbd",
                        "options": {"roles": "Primary/Secondary", "protocol": "c"},
                        "below": [{"kind": "disk", "node": "node-b"}, {"kind": "disk"}],
                    }
                ],
            }
        ],
    }
    again = record_configuration("the same pair", raw)
    assert again.stack == first.stack and again != first
    assert record_configuration(" pair ", raw) == first
    assert Stack.objects.count() == 1


def test_a_name_that_is_taken_by_other_layers_is_refused():
    record_configuration("pair", PAIR)
    with pytest.raises(Refused) as refused:
        record_configuration("pair", LOCAL)
    assert refused.value.sentence == (
        "“pair” already names another stack "
        "(ext3 on LVM on DRBD C, Primary/Secondary); choose another name."
    )
    assert refused.value.field == "name"


def test_layers_change_while_nothing_was_measured_on_them():
    configuration = record_configuration("pair", LOCAL)
    changed = change_configuration(configuration, name="a pair", layers=PAIR, notes="two legs")
    assert (changed.pk, changed.name, changed.notes) == (configuration.pk, "a pair", "two legs")
    assert changed.stack.tree == PAIR


def test_layers_that_were_measured_stay_and_the_name_may_move():
    configuration = record_configuration("pair", LOCAL)
    a_run(configuration, {})
    with pytest.raises(Refused) as refused:
        change_configuration(configuration, name="pair", layers=PAIR, notes="")
    assert refused.value.field == "layers"
    assert refused.value.sentence.startswith("“pair” has runs, so its layers stay as they are")
    renamed = change_configuration(configuration, name="local", layers=LOCAL, notes="")
    assert configuration_named("local") == renamed == configuration


def test_a_change_to_a_taken_name_is_refused():
    record_configuration("local", LOCAL)
    pair = record_configuration("pair", PAIR)
    with pytest.raises(Refused) as refused:
        change_configuration(pair, name="local", layers=PAIR, notes="")
    assert refused.value.field == "name"
    pair.refresh_from_db()
    assert pair.name == "pair"


def test_a_deleted_configuration_is_named_no_more_and_keeps_its_name_and_runs():
    configuration = record_configuration("pair", PAIR)
    run = a_run(configuration, {})
    delete_configuration(configuration)
    run.refresh_from_db()
    assert run.configuration == configuration
    assert run.configuration.deleted_at
    with pytest.raises(Refused, match="There is no configuration “pair”"):
        configuration_named("pair")
    with pytest.raises(Refused, match="names a deleted configuration") as refused:
        record_configuration("pair", LOCAL)
    assert refused.value.field == "name"


def test_the_same_layers_bring_a_deleted_configuration_back():
    configuration = record_configuration("pair", PAIR)
    delete_configuration(configuration)
    assert configuration_with(PAIR) == configuration
    assert record_configuration("pair", PAIR).deleted_at is None
    assert configuration_named("pair") == configuration


def test_layers_are_found_under_a_name_that_is_there_before_a_deleted_one():
    first, second = (record_configuration(name, PAIR) for name in ("first", "second"))
    assert configuration_with(PAIR) == first
    delete_configuration(first)
    assert configuration_with(PAIR) == second
    restore_configuration(Configuration.objects.get(pk=first.pk))
    assert configuration_with(PAIR) == first


def test_a_name_that_is_not_there_is_refused_with_near_ones():
    record_configuration("DRBD C", PAIR)
    with pytest.raises(Refused) as refused:
        configuration_named("DRDB C")
    assert refused.value.sentence == ("There is no configuration “DRDB C”. Did you mean “DRBD C”?")


def test_a_refused_stack_leaves_nothing_behind():
    with pytest.raises(Refused):
        record_configuration("x", {"kind": "ext4", "options": {"data": "no"}})
    assert not Stack.objects.exists() and not Facet.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_people_who_create_the_same_configuration_at_once_get_one():
    together, found = Barrier(4), []

    def record():
        together.wait()
        found.append(record_configuration("pair", PAIR).pk)
        connection.close()

    threads = [Thread(target=record) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and len(set(found)) == 1
    assert Stack.objects.get().layers.count() == 5


def test_captured_layers_of_one_title_are_distinguished_by_their_options():
    def captured(text):
        tree = parse(text)
        return record_configuration(free_name(record_stack(tree)), tree).name

    assert captured("ext4 block_size=4K\ndisk") == "ext4"
    assert captured("ext4 block_size=1K\ndisk") == "ext4, block 1K"
    both = captured("ext4 block_size=1K data=journal\ndisk")
    assert both == "ext4, block 1K, data journal"
    # without an option that the first has: nothing of its own tells it
    assert captured("ext4\ndisk") == "ext4 (2)"


def test_captured_layers_of_a_matrix_are_distinguished_by_what_is_theirs():
    found = []
    for mount, cache, scheduler in product(
        ("ordered", "journal"), (256, 512, 1024), ("none", "bfq")
    ):
        tree = parse(
            f"ext4 data={mount} delalloc={'no' if mount == 'journal' else 'yes'}\n"
            f"md level=6 devices=6 stripe_cache_size={cache}\ndisk scheduler={scheduler}"
        )
        found.append(record_configuration(free_name(record_stack(tree)), tree).name)
    assert len(set(found)) == 12
    assert not [name for name in found if name.endswith(")")]


def test_captured_layers_of_a_shuffled_matrix_of_four_factors_have_no_numbers():
    """As a plan captures them: chunk and data=journal each decide other options."""
    cells = [*product(("none", "bfq"), ("ordered", "journal"), (256, 4096), ("64K", "256K"))]
    Random(217977).shuffle(cells)
    found = []
    for scheduler, mount, cache, chunk in cells:
        is_journal, stride = mount == "journal", 16 if chunk == "64K" else 64
        tree = parse(
            f"ext4 data={mount} delalloc={'no' if is_journal else 'yes'} "
            f"dioread_lock={'yes' if is_journal else 'no'} "
            f"stride={stride} stripe_width={4 * stride} stripe={4 * stride}\n"
            f"lvm\nmd level=6 devices=6 chunk={chunk} stripe_cache_size={cache}\n"
            f"disk scheduler={scheduler}"
        )
        found.append(record_configuration(free_name(record_stack(tree)), tree).name)
    title = found[0]
    assert len(set(found)) == 16
    assert not [name for name in found if name.endswith(")") or "stride" in name]
    scheduler, mount, cache, chunk = cells[0]
    others = [
        f"data {'journal' if mount == 'ordered' else 'ordered'}",
        f"chunk {'256K' if chunk == '64K' else '64K'}",
        f"stripe cache size {4096 if cache == 256 else 256}",
        f"scheduler {'bfq' if scheduler == 'none' else 'none'}",
    ]
    assert ", ".join([title, *others]) in found


def test_a_name_of_captured_layers_is_true_of_none_before_it():
    """Of an array of another chunk its stride follows, and both with two sizes of the cache."""
    found = []
    for chunk, stride in (("64K", 16), ("256K", 64)):
        for cache, mount in product((256, 4096), ("journal", "ordered")):
            tree = parse(
                f"ext4 data={mount} delalloc={'no' if mount == 'journal' else 'yes'} "
                f"stride={stride} stripe_width={4 * stride}\n"
                f"md level=6 devices=6 chunk={chunk} stripe_cache_size={cache}\ndisk"
            )
            found.append(record_configuration(free_name(record_stack(tree)), tree).name)
    title = found[0]
    assert [name.removeprefix(f"{title}, ") for name in found[1:]] == [
        "data ordered",
        "stripe cache size 4096",
        "data ordered, stripe cache size 4096",
        "chunk 256K",
        "data ordered, chunk 256K",
        "chunk 256K, stripe cache size 4096",
        "data ordered, chunk 256K, stripe cache size 4096",
    ]
