"""Stored layers with words that the vocabulary does not know any more are shown as stored."""

from __future__ import annotations

import pytest
from django.test import Client

from benchdash.inventory.models import Configuration
from tests.pages.addresses import addresses

WORDS = ["hyperspace", "wormholes", "many and wide", "polarity", "reversed", "protocol Q"]


@pytest.fixture
def house(house):
    """With a kind, an option and values in each of its stacks that nobody knows."""
    for configuration in Configuration.objects.select_related("stack"):
        tree = configuration.stack.tree
        tree["options"]["polarity"] = "reversed"
        unknown = {"wormholes": "many and wide", "count": "several", "deep": [1, {"a": None}]}
        of_drbd = {"protocol": "protocol Q", "al_extents": "plenty", "verify_alg": 7}
        tree["below"] = [
            {"kind": "hyperspace", "node": "", "options": unknown, "below": tree["below"]},
            {"kind": "drbd", "node": "", "options": of_drbd, "below": []},
        ]
        configuration.stack.save()
        for layer in configuration.stack.layers.all():
            layer.options["polarity"] = "reversed"
            layer.kind = "hyperspace" if layer.position else layer.kind
            layer.save()
        facets = {"layer": "hyperspace", "hyperspace.wormholes": f"wide for {configuration.name}"}
        for key, text in facets.items():
            configuration.stack.facets.create(key=key, text=text)
    return house


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_page_is_shown(house, signed_in, language):
    admin = signed_in("admin")
    admin.cookies["django_language"] = language
    for name, (address, _view) in addresses(house).items():
        assert admin.get(address).status_code in (200, 302, 405), name
    both = f"{house.local.pk}&right={house.mirror.pk}"
    shown = [
        f"/configurations/{house.local.pk}/",
        f"/configurations/{house.local.pk}/edit/",
        f"/configurations/diff/?left={both}",
        f"/studies/{house.study.slug}/",
    ]
    for address in shown:
        text = admin.get(address).text
        assert [word for word in WORDS if word not in text] == [], address
    for address in ["/", "/studies/", "/configurations/", "/search/?q=Local", "/runs/"]:
        assert admin.get(address).status_code == 200
    assert "hyperspace" in admin.get("/configurations/").text
    grouped = admin.get(f"/compare/?study={house.study.slug}&group=layer.hyperspace.wormholes")
    assert grouped.status_code == 200
    assert "wide for DRBD C" in grouped.text


@pytest.mark.django_db
def test_the_api_and_the_admin_tell_what_is_stored(house, signed_in):
    listed = Client().get("/api/v1/configurations/").json()["results"]
    for each in listed:
        assert "hyperspace" in each["title"]
        assert 'wormholes="many and wide"' in each["notation"]
        assert each["layers"]["below"][0]["options"]["deep"] == [1, {"a": None}]
    for address in ("studies", "runs", "environments", f"studies/{house.study.slug}"):
        assert Client().get(f"/api/v1/{address}/").status_code == 200
    facet = Client().get("/api/v1/configurations/?facet=hyperspace.wormholes=wide for DRBD C")
    assert facet.json()["results"]
    chief = signed_in("admin")
    pk = house.local.stack_id
    assert "hyperspace" in chief.get(f"/admin/inventory/stack/{pk}/change/").text


@pytest.mark.django_db
def test_name_and_notes_move_while_the_layers_stay(house, signed_in):
    admin = signed_in("admin")
    address = f"/configurations/{house.local.pk}/edit/"
    stored = Configuration.objects.get(pk=house.local.pk).stack.tree
    form = admin.get(address).context["form"].initial | {"name": "Renamed", "notes": "new"}
    form["layers"] = form["layers"].replace("\n", "\r\n")
    assert admin.post(address, form).status_code == 302
    found = Configuration.objects.get(pk=house.local.pk)
    assert (found.name, found.notes, found.stack.tree) == ("Renamed", "new", stored)
    changed = form | {"layers": form["layers"] + "\r\n  disk"}
    answer = admin.post(address, changed)
    assert answer.status_code == 200
    assert "polarity" in answer.context["form"].errors["layers"][0]


@pytest.mark.django_db
def test_a_copy_says_what_is_not_known_when_it_is_saved(house, signed_in):
    admin = signed_in("admin")
    form = admin.get(f"/configurations/new/?from={house.local.pk}")
    assert form.status_code == 200
    answer = admin.post("/configurations/new/", form.context["form"].initial | {"name": "Copy"})
    assert answer.status_code == 200
    assert "polarity" in answer.context["form"].errors["layers"][0]
