"""Stacks that an older version stored, after the upgrade."""

from __future__ import annotations

import pytest

from benchdash.inventory.models import Facet
from benchdash.inventory.records import record_configuration
from benchdash.vocabulary.storage.notation import parse
from tests.migrations import migrated

STACKS = {
    "pair": "ext4\ndrbd protocol=C\n- disk\n- disk @node-b",
    "client": "ext4\ndrbd diskless=yes\n- disk @node-b",
    "local": "ext4\ndisk",
}


@pytest.mark.django_db(transaction=True)
def test_a_stored_drbd_with_a_disk_of_its_own_is_found_beside_those_without():
    stacks = {name: record_configuration(name, parse(text)).stack for name, text in STACKS.items()}
    try:
        migrated([("inventory", "0002_deleted_configurations")])
        Facet.objects.filter(stack=stacks["pair"], key="drbd.diskless").delete()
    finally:
        migrated()
    found = Facet.objects.filter(key="drbd.diskless").values_list("stack", "text")
    assert {*found} == {(stacks["pair"].pk, "no"), (stacks["client"].pk, "yes")}
