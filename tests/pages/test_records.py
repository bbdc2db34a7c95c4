"""Studies, configurations and environments as people write them down."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from django.utils import timezone

from benchdash.inventory.models import Configuration
from benchdash.inventory.records import record_configuration, record_environment
from benchdash.pages.stack_drawing import boxes, differing
from benchdash.pages.studies import CARDS_A_PAGE
from benchdash.results.criteria import read_query
from benchdash.results.demonstration import demo_folders, load
from benchdash.results.models import Condition, Run, Study
from benchdash.results.study_of_runs import study_of_runs
from benchdash.vocabulary.storage.notation import parse
from tests.measured import a_configuration, a_run
from tests.pages.house import LOCAL, MIRROR

pytestmark = pytest.mark.django_db


def test_a_drawing_has_legs_on_peers_side_by_side():
    filesystem = boxes(parse(MIRROR))
    drbd = filesystem.legs[0].legs[0]
    assert [leg.node for leg in drbd.legs] == ["", "node-b"]
    assert drbd.across
    assert not filesystem.across
    assert boxes(parse("ext4\nmd level=6\ndisk count=8")).legs[0].legs[0].count == 8


def test_only_what_is_not_everywhere_the_same_is_marked():
    trees = [parse(MIRROR), parse(MIRROR.replace("protocol=C", "protocol=A"))]
    assert differing(trees) == {"drbd.protocol"}
    drbd = boxes(trees[0], differing(trees)).legs[0].legs[0]
    assert {s.words: s.differs for s in drbd.settings} == {"protocol": True, "roles": False}
    assert "drbd" in differing([parse(LOCAL), parse(MIRROR)])
    assert differing([trees[0]]) == set()


def test_a_study_shows_what_it_compares_and_what_waits(house, contributor):
    text = contributor.get(f"/studies/{house.study.slug}/").text
    assert "Mirrored" in text
    assert "<em>run</em>" in text
    assert "baseline" in text
    assert "This study has no measurements yet" not in text
    bare = Study.objects.create(slug="bare", title="Bare")
    assert "described below" not in (text := contributor.get("/studies/bare/").text)
    assert "Add its configurations, then run it" in text and "Add a configuration" in text
    assert "0 conditions" not in contributor.get("/studies/").text
    Condition.objects.create(study=bare, configuration=house.local, position=0)
    text = contributor.get("/studies/bare/").text
    assert "This study has no measurements yet" in text and "described below" in text


def test_a_study_of_runs_that_nobody_assigned_shows_their_numbers(contributor):
    study = Study.objects.create(slug="clouds", title="Clouds")
    for machine in ("azure", "aws"):
        a_run(None, {"seq_read.throughput.mean": 1e8}, tool="bonnie++", label=machine, study=study)
    text = contributor.get("/studies/clouds/").text
    assert "This study has no measurements yet" not in text
    assert "nothing says on what storage" in text
    assert all(f">{machine}<" in text for machine in ("azure", "aws"))


def test_runs_that_no_condition_names_are_shown_all_the_same(house, contributor):
    house.study.conditions.filter(configuration=house.mirror).delete()
    compared = contributor.get(f"/studies/{house.study.slug}/").context["compared"]
    assert [(each.configuration.name, each.runs) for each in compared] == [
        ("Local disk", 1),
        ("DRBD C", 1),
    ]


def test_many_conditions_become_a_table_of_what_differs(house, contributor):
    for n in range(2, 16):
        contributor.post(
            "/configurations/new/",
            {"name": f"depth {n}", "layers": f"ext4\nmd level=6 devices={n + 2}\ndisk"},
        )
        configuration = Configuration.objects.get(name=f"depth {n}")
        Condition.objects.create(study=house.study, configuration=configuration, position=n)
    page = contributor.get(f"/studies/{house.study.slug}/")
    table = page.context["table"]
    assert "md devices" in table["titles"]
    assert len(table["rows"]) == 16
    # folded under its number and what is varied, which the study may not say
    assert "<summary>All 16 conditions: DRBD protocol</summary>" in page.text
    assert table["titles"][0] == "DRBD protocol"
    Study.objects.filter(pk=house.study.pk).update(factors=[])
    page = contributor.get(f"/studies/{house.study.slug}/")
    first = ", ".join(page.context["table"]["titles"][:4])
    assert f"<summary>All 16 conditions: {first}</summary>" in page.text
    # as on its card, only conditions count; other configurations that were measured are added
    house.study.conditions.filter(configuration=house.mirror).delete()
    page = contributor.get(f"/studies/{house.study.slug}/")
    assert "<summary>All 15 conditions, and 1 other configuration that was measured: " in page.text


def test_many_studies_stand_on_pages(contributor):
    for number in range(CARDS_A_PAGE + 1):
        Study.objects.create(slug=f"s{number}", title=f"Question {number}")
    first = contributor.get("/studies/").context["page"]
    assert first.rows[0].slug == f"s{CARDS_A_PAGE}"
    rest = contributor.get(f"/studies/?before={first.older}")
    assert (len(first.rows), "Question 0" in rest.text) == (CARDS_A_PAGE, True)


def test_a_new_study_gets_a_readable_address(contributor):
    form = {"title": "How fast?", "factors": "layer.drbd.protocol\nworkload.jobs"}
    assert contributor.post("/studies/new/", form).url == "/studies/how-fast/"
    assert contributor.post("/studies/new/", {"title": "日本語の検証"}).status_code == 302
    assert Study.objects.get(title="日本語の検証").slug == "study-2"
    assert contributor.post("/studies/new/", {"title": "New"}).url == "/studies/new-2/"


def test_a_form_of_a_study_keeps_what_was_typed(house, contributor):
    form = {"title": house.study.title, "words": "My long words.", "factors": "workload.jobs"}
    text = contributor.post("/studies/new/", form).text
    assert "There is already a study with this title." in text
    assert "My long words." in text
    text = contributor.post("/studies/new/", form | {"factors": "colour"}).text
    assert "colour" in text
    assert "My long words." in text


def test_a_study_speaks_japanese_where_somebody_wrote_it(house, contributor):
    form = {"title": "Costs", "ja_title": "ミラーの代償"}
    contributor.post(f"/studies/{house.study.slug}/edit/", form)
    japanese = contributor.get("/studies/", headers={"accept-language": "ja"})
    assert "ミラーの代償" in japanese.text
    assert "Costs" in contributor.get("/studies/", headers={"accept-language": "en"}).text


def test_conditions_are_added_once_taken_out_and_made_the_baseline(house, contributor):
    address = f"/studies/{house.study.slug}/compared/"
    again = contributor.post(address, {"configuration": house.mirror.pk})
    assert "already" in again.text
    other = house.study.conditions.get(configuration=house.mirror)
    contributor.post(f"{address}{other.pk}/", {"baseline": ""})
    assert house.study.conditions.get(is_baseline=True) == other
    contributor.post(f"{address}{other.pk}/", {"remove": ""})
    assert house.study.conditions.count() == 1


def test_a_stack_is_drawn_before_it_has_a_name_and_not_saved_without_one(contributor):
    required = "This field is required."
    sent = {"name": "", "layers": MIRROR}
    drawn = contributor.post("/configurations/new/", sent | {"preview": "1"})
    assert drawn.context["tree"] == parse(MIRROR) and required not in drawn.text
    assert required in contributor.post("/configurations/new/", sent).text
    assert not Configuration.objects.exists()


def test_layers_are_drawn_before_they_are_saved(contributor):
    form = {"name": "Pair", "layers": MIRROR, "preview": "1"}
    answer = contributor.post("/configurations/new/", form)
    assert answer.context["tree"] == parse(MIRROR)
    assert not Configuration.objects.exists()


def test_layers_that_cannot_be_are_named_and_kept(contributor):
    form = {"name": "Pair", "layers": "ext4\nmd level=7", "notes": "my notes"}
    text = contributor.post("/configurations/new/", form).text
    assert "level" in text
    assert "md level=7" in text
    assert "my notes" in text


def test_layers_that_were_measured_do_not_change_but_names_move(house, contributor):
    address = f"/configurations/{house.local.pk}/edit/"
    page = contributor.get(address).text
    assert re.search(r'<textarea name="layers"[^>]* readonly', page)
    assert "Make a copy with other layers" in page
    assert 'id="add_kind"' not in page and "layer-row" not in page
    fields = {"name": "One local disk", "layers": LOCAL, "notes": ""}
    assert contributor.post(address, fields).status_code == 302
    answer = contributor.post(address, fields | {"layers": "xfs\ndisk"})
    assert "save the change under another name" in answer.text
    made = contributor.post("/configurations/new/", {"name": "XFS", "layers": "xfs\ndisk"})
    assert made.status_code == 302


def test_two_configurations_differ_in_what_is_marked(house, contributor):
    query = f"?left={house.local.pk}&right={house.mirror.pk}"
    answer = contributor.get(f"/configurations/diff/{query}")
    assert {line.key for line in answer.context["lines"] if not line.equal} >= {
        "Layers",
        "DRBD protocol",
    }
    japanese = contributor.get(f"/configurations/diff/{query}", headers={"Accept-Language": "ja"})
    assert japanese.context["lines"][0].key == "レイヤー"


def test_a_default_differs_from_another_value_and_not_from_what_nobody_named(contributor):
    layers = ("ext3 data=ordered", "ext3", "ext3 data=journal commit=5")
    named, unnamed, other = (
        record_configuration(layer, parse(f"{layer}\nlvm\ndisk")) for layer in layers
    )
    same = contributor.get(f"/configurations/diff/?left={named.pk}&right={unnamed.pk}")
    assert all(line.equal for line in same.context["lines"])
    assert "They do not differ in any layer" in same.text
    unlike = contributor.get(f"/configurations/diff/?left={unnamed.pk}&right={other.pk}")
    differ = {line.key: line for line in unlike.context["lines"] if not line.equal}
    assert set(differ) == {"ext3 data", "ext3 commit"}
    assert "default: ordered" in unlike.text  # and of the commit no default is known
    assert differ["ext3 commit"].left_default is None


def test_two_environments_are_laid_side_by_side_and_one_beside_itself_says_so(house, contributor):
    other = record_environment({"node-a": {"kernel": "6.1"}}, {}, name="Newer")
    differ = contributor.get(f"/environments/diff/?left={house.environment.pk}&right={other.pk}")
    assert "2.6.18" in differ.text
    assert "6.1" in differ.text
    same = contributor.get(f"/environments/diff/?left={other.pk}&right={other.pk}")
    assert "They do not differ" in same.text


def test_facts_that_differ_are_named_in_the_readers_language(house, contributor):
    facts = {"node-a": {"kernel": "6.1", "versions": {"drbd": "9.2"}}, "node-b": {"zone": "a"}}
    other = record_environment(facts, {"switch": "none"}, name="Newer")
    address = f"/environments/diff/?left={house.environment.pk}&right={other.pk}"
    text = contributor.get(address, headers={"accept-language": "ja"}).text
    for words in ("カーネル", "drbd のバージョン", "node-b: ゾーン", "ネットワーク：スイッチ"):
        assert words in text
    assert "drbd version" in contributor.get(address, headers={"accept-language": "en"}).text


@pytest.mark.parametrize("kind", ["configuration", "study"])
def test_the_second_of_two_windows_does_not_win_in_silence(house, contributor, kind):
    if kind == "configuration":
        record, address = house.local, f"/configurations/{house.local.pk}/edit/"
    else:
        record, address = house.study, f"/studies/{house.study.slug}/edit/"
    form = contributor.get(address)
    fields = dict(form.context["form"].initial) | {"seen": form.context["seen"]}
    field = "notes" if kind == "configuration" else "words"
    assert contributor.post(address, fields | {field: "window one"}).status_code == 302
    answer = contributor.post(address, fields | {field: "window two"})
    assert "Somebody changed this while you were editing" in answer.text
    assert "window two" in answer.text
    record.refresh_from_db()
    assert getattr(record, field) == "window one"
    again = fields | {field: "window two", "seen": answer.context["seen"]}
    assert contributor.post(address, again).status_code == 302
    record.refresh_from_db()
    assert getattr(record, field) == "window two"


def test_a_study_has_its_own_smallest_difference_that_matters(contributor):
    contributor.post("/studies/new/", {"title": "Tuning", "delta": "2.5"})
    study = Study.objects.get(title="Tuning")
    assert study.delta == 2.5
    address = f"/studies/{study.slug}/edit/"
    page = contributor.get(address)
    assert 'name="delta" value="2.5"' in page.content.decode()
    refused = contributor.post(address, {"title": "Tuning", "delta": "0"})
    assert refused.status_code == 200 and Study.objects.get(pk=study.pk).delta == 2.5


def test_only_what_there_are_two_of_can_be_compared(contributor):
    lists = {"/configurations/": "Compare two", "/environments/": "Compare two"}
    assert not [at for at, offer in lists.items() if offer in contributor.get(at).text]
    assert (
        'role="search" aria-label="Filter the list"' not in contributor.get("/configurations/").text
    )
    for number in (1, 2):
        record_configuration(f"Local {number}", parse(f"ext4\ndisk count={number}"))
        record_environment({"node-a": {"model": f"PC {number}"}})
        offered = [at for at, offer in lists.items() if offer in contributor.get(at).text]
        assert offered == (list(lists) if number == 2 else [])
    assert 'aria-label="Filter the list"' in contributor.get("/configurations/").text


def test_a_study_of_ticked_runs_that_differ_twice_compares_them(contributor):
    local = a_configuration("local")
    for depth, block in ((1, 4096), (8, 16384)):
        workload = {"pattern": "randwrite", "block_bytes": block, "queue_depth": depth}
        a_run(local, {"rand_write.iops.mean": 1e3 * depth}, workload=workload)
    ticked = [("run", pk) for pk in Run.objects.order_by("-pk").values_list("pk", flat=True)[:2]]
    made = study_of_runs(read_query(urlencode(ticked)))
    (chart,) = contributor.get(f"/studies/{made.study.slug}/").context["comparisons"]
    (section,) = chart["comparison"].view.sections
    assert [len(figure.rows) for figure in section.figures] == [2]


def test_a_condition_that_was_measured_on_other_storage_says_so(client, settings):
    settings.PUBLIC_READ = True
    study = load(next(each for each in demo_folders() if each.name.endswith("drbd9-cluster")))
    on_clients = study.runs.filter(configuration__name__contains="diskless client")
    on_clients.update(deleted_at=timezone.now())
    compared = client.get("/studies/drbd9-cluster/").context["compared"]
    shown = [(each.runs, each.is_repeated) for each in compared if each.condition]
    assert shown == [(0, True), (0, True), (0, False)]
