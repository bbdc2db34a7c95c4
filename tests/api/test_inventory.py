"""`/api/v1/configurations/`, `environments/`, `hosts/`: records by content and by name."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from benchdash.inventory.models import Capture, Configuration, Environment, Host, Stack
from benchdash.inventory.records import record_configuration, record_environment
from benchdash.vocabulary.storage.notation import parse
from tests.measured import a_run

pytestmark = pytest.mark.django_db

PAIR = "ext3\ndrbd protocol=C roles=Primary/Secondary\n- disk\n- disk @node-b"
RAID6 = "md level=6 chunk_bytes=128K\ndisk count=6"
TREE = {
    "kind": "ext3",
    "below": [
        {
            "kind": "drbd",
            "options": {"protocol": "c", "roles": "Primary/Secondary"},
            "below": [{"kind": "disk", "node": "node-b"}, {"kind": "disk"}],
        }
    ],
}
FACTS = {
    "machines": {
        "node-a": {"hostname": "xen01", "kernel": "6.1", "load_1m": 0.5},
        "node-b": {"hostname": "xen02"},
    },
    "network": {"speed_bps": "10Gbit/s"},
}


@pytest.fixture
def client(contributor):
    return contributor


def post(client, place, **body):
    return client.post(f"/api/v1/{place}/", body, format="json")


def test_layers_are_sent_as_text_or_as_a_tree(client):
    made = post(client, "configurations", name="pair", layers=PAIR, notes="two PCs")
    assert made.status_code == 201
    body = made.json()
    assert body["title"] == "ext3 on DRBD C, Primary/Secondary"
    assert body["notation"] == PAIR
    assert body["layers"]["below"][0]["options"]["protocol"] == "C"
    assert client.get(body["url"]).json() == body
    again = post(client, "configurations", name="pair", layers=TREE)
    assert (again.status_code, again.json()) == (200, body)
    assert Stack.objects.count() == 1
    assert Configuration.objects.get().created_by == client.person


@pytest.mark.parametrize(
    ("body", "status", "field", "words"),
    [
        (
            {"name": "x", "layers": "ext4 data=no"},
            422,
            "layers",
            "one of ordered, writeback, journal",
        ),
        ({"name": "x", "layers": {"kind": "ext5"}}, 422, "layers", "Did you mean “ext4”"),
        ({"name": "x", "layers": []}, 422, "layers", "not an object"),
        ({"name": " ", "layers": PAIR}, 400, "name", "blank"),
        ({"name": "x"}, 400, "layers", "required"),
        ({"name": "taken", "layers": PAIR}, 422, "name", "already names another stack"),
    ],
)
def test_a_stack_that_cannot_be_is_a_problem_that_names_the_input(
    client, body, status, field, words
):
    record_configuration("taken", parse("xfs"))
    answer = post(client, "configurations", **body)
    assert answer.status_code == status
    assert answer.json()["field"] == field
    assert words in answer.json()["detail"]


def test_a_configuration_is_renamed_and_its_measured_layers_stay(client):
    found = record_configuration("pair", parse(PAIR))
    a_run(found)
    place = f"/api/v1/configurations/{found.pk}/"
    renamed = client.patch(place, {"name": "DRBD C"}, format="json")
    assert renamed.json()["name"] == "DRBD C" and renamed.json()["notation"] == PAIR
    refused = client.patch(place, {"layers": "xfs"}, format="json")
    assert refused.status_code == 422 and refused.json()["field"] == "layers"


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("facet=drbd.protocol%3DC", {"pair"}),
        ("facet=layer%3Ddisk", {"pair", "local"}),
        ("facet=filesystem%3Dxfs", {"local"}),
        ("text=LOC", {"local"}),
        ("facet=drbd.protocol%3DA", set()),
    ],
)
def test_configurations_are_found_by_what_stands_in_them(client, query, names):
    record_configuration("pair", parse(PAIR))
    record_configuration("local", parse("xfs\ndisk"))
    found = client.get(f"/api/v1/configurations/?{query}").json()["results"]
    assert {each["name"] for each in found} == names


def test_a_facet_without_a_value_is_refused(client):
    answer = client.get("/api/v1/configurations/?facet=drbd")
    assert (answer.status_code, answer.json()["field"]) == (422, "facet")


def test_the_same_facts_are_the_same_environment(client):
    made = post(client, "environments", name="lab", **FACTS)
    assert made.status_code == 201
    body = made.json()
    assert body["name"] == "lab" and body["names"] == ["lab"]
    assert body["network"] == {"speed_bps": 10**10}
    assert body["machines"]["node-a"] == {"hostname": "xen01", "kernel": "6.1"}
    (capture,) = body["captures"]
    assert capture["source"] == "uploaded" and capture["info"] == {"node-a": {"load_1m": 0.5}}
    again = post(client, "environments", captured_at="2026-01-01T00:00:00Z", **FACTS)
    assert again.json()["id"] == body["id"] and len(again.json()["captures"]) == 2
    assert Capture.objects.filter(captured_by=client.person).count() == 2
    assert client.get(body["url"]).json() == again.json()


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"machines": {"node-a": {"kernal": "6"}}}, 422, "Did you mean “kernel”?"),
        ({"machines": {"Node A": {}}}, 422, "not a role"),
        ({"machines": {}}, 400, "empty"),
        ({"machines": {"node-a": "fast"}}, 400, "dictionary"),
        ({"machines": {"node-a": {}}, "network": {"speed": 1}}, 422, "speed_bps"),
        ({"machines": {"node-a": {"kernel": "6\u0000"}}}, 422, "kernel"),
    ],
)
def test_facts_that_cannot_be_are_a_problem_and_leave_nothing(client, body, status, words):
    answer = post(client, "environments", **body)
    assert answer.status_code == status
    assert words in answer.json()["detail"]
    assert not Environment.objects.exists()


def test_environments_are_found_by_name_and_by_host(client):
    post(client, "environments", name="lab", **FACTS)
    post(client, "environments", machines={"node-a": {"hostname": "xen02"}})

    def found(query):
        return len(client.get(f"/api/v1/environments/?{query}").json()["results"])

    assert [found(q) for q in ("name=lab", "host=xen01", "host=xen02", "name=la")] == [1, 1, 2, 0]


def test_hosts_are_named_by_admins_and_seen_by_no_visitor(signed_in, settings):
    settings.PUBLIC_READ = True
    admin = signed_in("admin")
    made = post(admin, "hosts", name="xen01")
    assert made.status_code == 201 and post(admin, "hosts", name="xen01").status_code == 200
    place = made.json()["url"]
    changed = admin.patch(place, {"notes": "rack 3"}, format="json").json()
    assert (changed["name"], changed["notes"], changed["snapshots"]) == ("xen01", "rack 3", [])
    assert post(signed_in("contributor"), "hosts", name="xen02").status_code == 403
    assert signed_in("viewer").get(place).status_code == 200
    assert APIClient().get("/api/v1/hosts/").status_code == 401
    assert APIClient().get(place).status_code == 401
    assert Host.objects.count() == 1


def test_a_host_shows_what_it_was_found_to_be(signed_in):
    record_environment({"node-a": {"hostname": "xen01", "kernel": "6.1"}})
    record_environment({"node-a": {"hostname": "xen01", "kernel": "6.2"}})
    host = signed_in("viewer").get(f"/api/v1/hosts/{Host.objects.get().pk}/").json()
    assert {each["facts"]["kernel"] for each in host["snapshots"]} == {"6.1", "6.2"}


def test_a_configuration_says_what_is_not_aligned_and_how_it_would_be(client):
    made = post(client, "configurations", name="raid", layers=f"ext4 stride=16\n{RAID6}").json()
    assert made["misalignments"] == [
        {
            "layer": 0,
            "kind": "ext4",
            "sentence": (
                "ext4 has stride=16, but below it are 4 data disks with chunks of 128 KiB: stride=32 "
                "is aligned to them."
            ),
            "options": {"stride": 32, "stripe_width": 128},
            "mend": "mkfs.ext4 -b 4096 -E stride=32,stripe-width=128",
        }
    ]
    page = client.get(f"/configurations/{made['id']}/", headers={"accept-language": "ja"}).text
    assert "stride=16" in page and "is aligned to them" not in page
    assert ">mkfs.ext4 -b 4096 -E stride=32,stripe-width=128</code>" in page
    made = post(client, "configurations", name="aligned", layers=f"ext4 stride=32\n{RAID6}").json()
    assert made["misalignments"] == []


@pytest.mark.parametrize("place", ["configurations", "environments", "studies"])
def test_visitors_read_what_is_public_and_write_nothing(settings, place):
    settings.PUBLIC_READ = True
    visitor = APIClient()
    assert visitor.get(f"/api/v1/{place}/").status_code == 200
    assert post(visitor, place, name="x").status_code == 401
    settings.PUBLIC_READ = False
    assert visitor.get(f"/api/v1/{place}/").status_code == 401


@pytest.mark.parametrize(("place", "queries"), [("configurations", 3), ("environments", 5)])
def test_a_list_costs_the_same_few_queries_however_long(
    client, place, queries, django_assert_num_queries
):
    for number in range(10):
        post(client, "configurations", name=str(number), layers=f"xfs agcount={number + 1}")
        machine = {"hostname": f"h{number}", "kernel": "6.1"}
        post(client, "environments", name=str(number), machines={"node-a": machine})
    with django_assert_num_queries(queries):  # token with person and groups, then the list
        found = client.get(f"/api/v1/{place}/").json()["results"]
    assert [each["name"] for each in found] == [str(number) for number in range(9, -1, -1)]
