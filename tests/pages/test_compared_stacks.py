"""The stacks under a comparison: drawn once each, with what differs marked."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from benchdash.inventory.records import record_configuration
from benchdash.pages.templatetags.stacks import stack_title
from benchdash.vocabulary.storage.notation import parse
from tests.measured import a_run

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def public(settings):
    settings.PUBLIC_READ = True


def measured(name, notation):
    configuration = record_configuration(name, parse(notation))
    a_run(configuration, {"seq_write.throughput.mean": 90e6})
    return configuration


def test_the_layer_that_differs_is_marked_among_the_stacks(client):
    local = measured("local", "ext4\ndisk")
    mirror = measured("mirror", "ext4\ndrbd protocol=C\ndisk")
    page = client.get("/compare/?tool=fio")
    assert set(page.context["stacks"]) == {local, mirror}
    assert "drbd" in page.context["differing"]
    assert "ext4" not in page.context["differing"]
    assert "The stacks, layer by layer" in page.text


def test_a_stack_is_stated_in_the_readers_language():
    disk = {"kind": "disk", "node": "", "options": {}, "below": []}
    lvm = {"kind": "lvm", "node": "", "options": {}, "below": [disk]}
    tree = {"kind": "ext3", "node": "", "options": {}, "below": [lvm]}
    assert stack_title(tree) == "ext3 on LVM"
    with override("ja"):
        assert stack_title(tree) == "LVM 上の ext3"


def test_one_stack_alone_is_not_drawn(client):
    measured("local", "ext4\ndisk")
    assert "stacks" not in client.get("/compare/?tool=fio").context


def test_an_option_at_its_default_is_not_marked_against_one_that_is_not_named(client):
    measured("named", "ext3 data=ordered\nlvm\ndisk")
    measured("unnamed", "ext3\nlvm\ndisk")
    assert client.get("/compare/?tool=fio").context["differing"] == set()
    measured("another", "ext3 data=journal\nlvm\ndisk")
    assert client.get("/compare/?tool=fio").context["differing"] == {"ext3.data"}
