"""Zones in the form of a plan, on its page and in its matrix."""

from __future__ import annotations

import pytest
from django.utils.html import strip_tags

from benchdash.jobs.models import Plan
from benchdash.results.demonstration import demo_folders, load
from tests.jobs.records import a_target

pytestmark = pytest.mark.django_db
PAGE = "/plans/new/drbd-between-zones/"


@pytest.fixture
def operator(signed_in):
    return signed_in("operator")


@pytest.fixture
def hosts():
    allowed = ["/srv/local", "/srv/mirror"]
    return [a_target(f"zone-{n}", allowed=allowed) for n in (1, 2, 3, 4)]


def filled_in(hosts, **changes):
    one, two, three, four = (target.pk for target in hosts)
    return {
        "zone-1": "local",
        "zone-1-node-a": one,
        "zone-2": "near",
        "zone-2-node-a": one,
        "zone-2-node-b": two,
        "zone-3": "far",
        "zone-3-node-a": three,
        "zone-3-node-b": four,
        "p-condition": "mirror",
        "p-local_directory": "/srv/local",
        "p-mirror_directory": "/srv/mirror",
        "repeats": "2",
    } | changes


def test_pairs_are_chosen_for_each_zone_and_stand_on_the_plans_page(operator, hosts):
    answer = operator.post(PAGE, filled_in(hosts), follow=True)
    made = Plan.objects.get()
    assert made.levels == {"zone": ["local", "near", "far"]}
    text = " ".join(strip_tags(answer.text).split())
    assert "nearnode-a: zone-1, node-b: zone-2" in text
    assert "far (zone-3, zone-4)" in text  # a row of its matrix
    cell = strip_tags(operator.get(f"/plans/{made.pk}/cells/2/").text)
    assert "Zone near (zone-1, zone-2)" in " ".join(cell.split())


def test_the_form_of_a_plan_that_is_planned_again_has_its_zones(operator, hosts):
    operator.post(PAGE, filled_in(hosts))
    page = operator.get(f"{PAGE}?plan={Plan.objects.get().pk}")
    form = page.context["form"]
    assert form.zones.is_open
    rows = [[str(field.value() or "") for field in row] for row in form.zones]
    one, two, three, four = (str(target.pk) for target in hosts)
    empty = ["", "", ""]
    assert rows == [["local", one, ""], ["near", one, two], ["far", three, four], empty, empty]
    assert not operator.get(PAGE).context["form"].zones.is_open


def test_a_study_names_its_zones(operator):
    study = load(next(each for each in demo_folders() if each.name.startswith("2-")))
    form = operator.get(f"{PAGE}?study={study.slug}").context["form"]
    assert [row[0].value() for row in form.zones][:3] == ["local", "near", "far"]
    assert form.zones.is_open
    levels = {value.name: levels.value() for value, levels, _varied in form.parameters()}
    assert levels["p-condition"] == ["mirror"]  # the zone is what is varied


def test_zones_of_a_study_that_somebody_has_no_hosts_for_are_left_out(operator, hosts):
    study = load(next(each for each in demo_folders() if each.name.startswith("2-")))
    none = {name: "" for name in filled_in(hosts) if name.startswith(("zone-1-", "zone-3-"))}
    operator.post(f"{PAGE}?study={study.slug}", filled_in(hosts, **none))
    assert list(Plan.objects.get().zones) == ["near"]


def test_names_alone_are_no_zones_where_a_host_is_measured(operator, hosts):
    alone = {"node-a": hosts[0].pk}
    unchosen = {name: "" for name in filled_in(hosts) if "node" in name}
    operator.post(PAGE, filled_in(hosts, **unchosen, **alone))
    assert not Plan.objects.get().has_zones


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"zone-3": ""}, "zone-3", "Name this zone."),
        ({"zone-3": "near"}, "zone-3", "Each zone needs its own name."),
        ({"zone-3": "a,b"}, "zone-3", "takes a name such as near"),
        ({"zone-3-node-a": ""}, "zone-3-node-a", "Choose the host to measure."),
        ({"zone-4": "moon"}, "zone-4-node-a", "Choose the host to measure."),
        ({"zone-3-node-a": "999999"}, "zone-3-node-a", "999999"),
        ({"zone-2-node-b": "same"}, "zone-1", "Each part of a plan needs its own host."),
        ({"node-a": "same"}, "zone-1", "hosts, or zones"),
        ({"f-condition": ["local", "mirror"]}, "f-condition", "A zone of one host measures"),
        ({"p-local_directory": "/srv/else"}, "zone-1", "/srv/else is not listed"),
    ],
)
def test_what_is_wrong_stands_beside_its_input(operator, hosts, changes, field, words):
    changes = {name: hosts[0].pk if each == "same" else each for name, each in changes.items()}
    page = operator.post(PAGE, filled_in(hosts, **changes))
    errors = page.context["form"].errors
    assert words in str(errors.get(field)), errors
    assert not Plan.objects.exists()


def test_without_any_host_both_ways_are_named(operator):
    page = operator.post(PAGE, {"repeats": "1"})
    assert "Choose a host, or hosts for each zone." in page.text


def test_the_form_asks_for_as_much_whatever_the_hosts(
    operator, hosts, django_assert_max_num_queries
):
    with django_assert_max_num_queries(200) as queries:
        operator.get(PAGE)
    for n in range(10):
        a_target(f"more-{n}")
    with django_assert_max_num_queries(len(queries)):
        operator.get(PAGE)
