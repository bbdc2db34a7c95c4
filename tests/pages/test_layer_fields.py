"""The options of layers as typed fields: written into the notation, refused beside the field."""

from __future__ import annotations

import pytest

from benchdash.inventory.models import Configuration
from benchdash.pages.layer_fields import written_in

pytestmark = pytest.mark.django_db
LAYERS = "ext4\nmd level=6\ndisk count=8"


def typed(**options):
    return {"name": "n", "layers": LAYERS, "fields_of": LAYERS.replace("\n", "\r\n")} | {
        f"option-{name}": text for name, text in options.items()
    }


def test_what_is_typed_into_a_field_is_saved_in_the_layers(contributor):
    form = typed(**{"0-data": "writeback", "1-chunk_bytes": "128K", "2-count": ""})
    contributor.post("/configurations/new/", form)
    tree = Configuration.objects.get(name="n").stack.tree
    assert tree["options"] == {"data": "writeback"}
    assert tree["below"][0]["options"] == {"level": "6", "chunk_bytes": 131072}
    assert tree["below"][0]["below"][0]["options"] == {}


def test_a_value_that_cannot_be_is_refused_beside_its_field_and_stays(contributor):
    answer = contributor.post("/configurations/new/", typed(**{"1-chunk_bytes": "much"}))
    assert not Configuration.objects.filter(name="n").exists()
    assert "“much” is not a size such as 128K" in answer.text
    assert 'value="much"' in answer.text


def test_a_text_that_was_changed_since_counts_more_than_old_fields():
    form = typed(**{"1-level": "5"}) | {"layers": "xfs\ndisk"}
    assert written_in(form) == ("xfs\ndisk", {})


def test_fields_that_say_nothing_new_leave_the_text_as_it_was_laid_out():
    form = {"layers": "ext4  data=ordered\ndisk", "fields_of": "ext4  data=ordered\ndisk"}
    assert written_in(form | {"option-0-data": "ordered"})[0] == "ext4  data=ordered\ndisk"


def test_every_option_of_each_layer_has_a_field_with_its_help(contributor):
    page = contributor.get("/configurations/new/?template=drbd")
    kinds = [layer.kind for layer in page.context["layer_fields"]]
    assert [kind.name for kind in kinds] == ["ext4", "drbd", "lvm", "disk", "lvm", "disk"]
    for layer in page.context["layer_fields"]:
        assert [field.option for field in layer.fields] == list(layer.kind.options.values())
    assert 'name="option-1-protocol"' in page.text


def test_what_an_option_takes_is_stated_in_the_readers_language(contributor):
    form = typed(**{"0-data": "no", "1-chunk_bytes": "much"})
    page = contributor.post("/configurations/new/", form, headers={"accept-language": "ja"}).text
    assert "「no」は使えません（ordered, writeback, journal のいずれか）。" in page
    assert "「much」は使えません（128K のようなサイズ" in page
    assert "such as" not in page
    assert " or " not in page.split("<main")[1].split("</main>")[0]


def test_layers_that_cannot_be_read_show_no_older_drawing(contributor):
    form = {"layers": "ext4 stride=abc", "preview": "1"}
    page = contributor.post("/configurations/new/?template=lvm", form)
    assert page.context["tree"] is None
    assert page.context["layer_fields"] == []
