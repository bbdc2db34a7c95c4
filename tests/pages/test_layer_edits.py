"""Layers are added, moved and removed by buttons, with scripts and without: each rewrites the text."""

from __future__ import annotations

import pytest

from benchdash.errors import Refused
from benchdash.inventory.models import Configuration
from benchdash.pages.layer_edits import edited, places
from benchdash.vocabulary.storage.notation import parse

MIRROR = "ext4\ndrbd protocol=C\n- lvm\n  disk\n- lvm @node-b\n  disk"


def pressed(text, edit, **chosen):
    return edited(text, {"edit": edit, **chosen}).text


def added(text, kind, where="top"):
    return pressed(text, "add", add_kind=kind, add_place=where)


def test_a_stack_is_built_layer_by_layer():
    text = added("", "ext4")
    text = added(text, "md", "below-0")
    text = added(text, "disk", "below-1")
    assert text == "ext4\nmd\ndisk"
    assert added(text, "lvm", "below-0") == "ext4\nlvm\nmd\ndisk"
    assert added(text, "vm") == "vm\next4\nmd\ndisk"


def test_what_ends_a_stack_stands_beside_what_is_there():
    assert added("md\ndisk", "disk", "below-0") == "md\ndisk count=2"
    assert added("drbd\nlvm", "lvm", "leg-0") == "drbd\nlvm count=2"
    assert added("drbd\nlvm", "md", "leg-0") == "drbd\n- lvm\n- md"


def test_layers_change_places_with_their_options_and_nodes_stay():
    assert pressed("ext4 data=journal\nlvm\nmd level=6\ndisk", "sink-1") == (
        "ext4 data=journal\nmd level=6\nlvm\ndisk"
    )
    assert pressed("ext4\nlvm stripes=2\ndisk", "rise-1") == "lvm stripes=2\next4\ndisk"
    assert pressed("nfs\next4 @node-b\nlvm\ndisk", "sink-1") == "nfs\nlvm @node-b\next4\ndisk"


def test_a_layer_that_goes_leaves_its_legs_to_the_one_above():
    assert pressed(MIRROR, "drop-1") == "ext4\n- lvm\n  disk\n- lvm @node-b\n  disk"
    assert pressed(MIRROR, "drop-4") == "ext4\ndrbd protocol=C\n- lvm\n  disk\n- disk @node-b"
    assert pressed("ext4\ndisk", "drop-0") == "disk"
    assert pressed("disk", "drop-0") == ""


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("ext4\ndisk", "rise-0"),
        ("ext4\ndisk", "sink-0"),
        ("ext4\ndisk", "rise-1"),
        (MIRROR, "sink-1"),
        (MIRROR, "rise-2"),
        ("md\n- disk\n- loop", "drop-0"),
        ("ext4", "drop-7"),
        ("ext4", "drop-²"),
        ("ext4", "turn-0"),
    ],
)
def test_what_would_make_no_stack_is_refused(text, edit):
    with pytest.raises(Refused):
        pressed(text, edit)


def test_every_button_that_is_offered_works():
    for place in places(parse(MIRROR)):
        offered = {"rise": place.can_rise, "sink": place.can_sink, "drop": place.can_go}
        for act, is_offered in offered.items():
            if is_offered:
                assert pressed(MIRROR, f"{act}-{place.number}") != MIRROR


@pytest.mark.django_db
def test_buttons_work_without_scripts_and_save_nothing(contributor):
    fields = {"name": "n", "layers": "ext4\nlvm\ndisk", "fields_of": "ext4\r\nlvm\r\ndisk"}
    page = contributor.post(
        "/configurations/new/", fields | {"edit": "sink-0", "option-0-data": ""}
    )
    assert page.context["layers_text"] == "lvm\next4\ndisk"
    assert not Configuration.objects.exists()
    assert [layer.kind.name for layer in page.context["layer_fields"]] == ["lvm", "ext4", "disk"]


@pytest.mark.django_db
def test_values_typed_into_fields_go_with_their_layer(contributor):
    fields = {"layers": "ext4\nlvm\ndisk", "fields_of": "ext4\nlvm\ndisk", "edit": "sink-0"}
    page = contributor.post("/configurations/new/", fields | {"option-0-data": "journal"})
    assert page.context["layers_text"] == "lvm\next4 data=journal\ndisk"
    fields |= {"option-1-stripes": "many"}
    page = contributor.post("/configurations/new/", fields)
    assert page.context["layers_text"] == "ext4\nlvm\ndisk"
    assert "“many” is not a whole number" in page.text


@pytest.mark.django_db
def test_buttons_of_an_older_text_move_nothing(contributor):
    fields = {"layers": "xfs\nlvm\ndisk", "fields_of": "ext4\nlvm\ndisk", "edit": "drop-0"}
    page = contributor.post("/configurations/new/", fields)
    assert page.context["layers_text"] == "xfs\nlvm\ndisk"


@pytest.mark.django_db
def test_a_layer_that_cannot_stand_there_is_refused_beside_it(contributor):
    fields = {"layers": "ext4", "fields_of": "ext4", "edit": "add", "add_kind": "disk"}
    page = contributor.post("/configurations/new/", fields | {"add_place": "top"})
    assert page.context["layers_text"] == "ext4"
    assert "nothing can be below it" in page.context["edit_refused"]
    assert 'id="add-refused"' in page.text


@pytest.mark.django_db
def test_what_the_stripes_ask_for_is_proposed_and_filled_in_by_a_button(contributor):
    layers = "ext4\nlvm\nmd level=6 chunk_bytes=512K\ndisk count=8"
    fields = {"name": "n", "layers": layers, "fields_of": layers}
    page = contributor.post("/configurations/new/", fields | {"preview": "1"})
    assert "ext4 <code>stride=128, stripe_width=768</code>" in page.text
    page = contributor.post("/configurations/new/", fields | {"edit": "align"})
    assert page.context["layers_text"] == (
        "ext4 stride=128 stripe_width=768\nlvm data_alignment_bytes=3M\n"
        "md level=6 chunk_bytes=512K\ndisk count=8"
    )
    assert not page.context["proposals"]
