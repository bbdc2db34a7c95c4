"""Values to narrow the list of runs by, each with how many samples have it."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.core.cache import cache

from benchdash.inventory.records import record_environment
from benchdash.pages import runs
from benchdash.results import facets
from benchdash.results.annotations import set_tags
from benchdash.results.models import Run, Sample, Study
from benchdash.results.run_filters import read_filters
from tests.jobs.records import a_job, a_plan
from tests.measured import a_configuration, a_run
from workers.tasks import count_the_whole

pytestmark = pytest.mark.django_db


def counts_of(client, name, query=""):
    found = client.get(f"/runs/facets/{query}").context["facets"]
    return next(({v.text: v.count for v in one.shown} for one in found if one.name == name), {})


def test_studies_are_chosen_by_their_titles_in_the_readers_language(house, contributor):
    Study.objects.filter(pk=house.study.pk).update(translations={"ja": {"title": "二台の検証"}})
    page = contributor.get("/runs/facets/", headers={"accept-language": "ja"}).text
    assert re.search(rf'study={house.study.slug}"[^>]*><span>二台の検証</span>', page)
    page = contributor.get("/runs/facets/", headers={"accept-language": "en"}).text
    assert "二台の検証" not in page


@pytest.mark.parametrize("kind", ["study", "configuration"])
def test_what_was_deleted_is_offered_only_where_it_is_chosen(house, contributor, kind):
    record = {"study": house.study, "configuration": house.mirror}[kind]
    value = house.study.slug if kind == "study" else record.pk
    assert str(record) in counts_of(contributor, kind)
    options = counts_of(contributor, "layer.drbd.protocol")
    type(record).objects.filter(pk=record.pk).update(deleted_at=datetime(2026, 1, 31, tzinfo=UTC))
    assert str(record) not in counts_of(contributor, kind)
    assert counts_of(contributor, "layer.drbd.protocol") == options  # of its runs, which stay
    chosen = counts_of(contributor, kind, f"?{kind}={value}")
    assert int(chosen[str(record)]) > 0
    page = contributor.get(f"/runs/?{kind}={value}").text
    assert f"{kind.title()}: {record}" in page


def test_values_are_offered_with_how_many_samples_have_them(house, contributor):
    Run.objects.all().update(set_aside_reason="", deleted_at=datetime(2020, 1, 1, tzinfo=UTC))
    sample = Sample.objects.create()
    for label in ("job0", "job1"):
        a_run(house.mirror, sample=sample, label=label, workload={"pattern": "randread"})
    for depth in (1, 8):
        a_run(workload={"pattern": "randwrite", "block_bytes": 4096, "queue_depth": depth})

    def offered(query=""):
        found = contributor.get(f"/runs/facets/{query}").context["facets"]
        return {one.name: {link.text: link.count for link in one.shown} for one in found}

    every = offered()
    assert every["workload.pattern"] == {"randwrite": "2", "randread": "1"}
    assert every["workload.block_bytes"] == {"4 KiB": "2", "not stated": "1"}
    assert every["configuration"] == {str(house.mirror): "1"}
    assert list(every["since"].items())[:2] == [("last day", "3"), ("last 7 days", "3")]
    assert "2020-01-01" not in str(offered("?since=2020-01-01")["since"])
    narrowed = offered("?workload.pattern=randwrite")
    # what else could be chosen instead, and what the others have then
    assert narrowed["workload.pattern"] == {"randwrite": "2", "randread": "1"}
    assert narrowed["workload.queue_depth"] == {"1": "1", "8": "1"}
    assert narrowed["workload.block_bytes"] == {"4 KiB": "2"}
    assert "configuration" not in narrowed
    both = offered("?workload.pattern=randwrite&workload.queue_depth=8")
    assert both["workload.pattern"] == {"randwrite": "1"}


def test_hosts_are_also_those_that_outputs_name_where_no_record_does(house, contributor):
    Run.objects.update(deleted_at=datetime(2020, 1, 1, tzinfo=UTC))
    for tool, label in (
        ("bonnie++", "store-a"),
        ("bonnie++", "store-b"),
        ("fio", "write @ store-a"),
        ("fio", "write @ old_store-a"),
        ("fio", "store-a"),  # the name of a job
        ("fio", ""),
    ):
        a_run(tool=tool, label=label)
    own = "stor07"
    recorded = record_environment({"node-a": {"hostname": own}}, {}, name="Lab")
    a_run(tool="bonnie++", label="store-b", environment=recorded)
    named = {"store-a": "2", "store-b": "1", "old_store-a": "1"}
    assert counts_of(contributor, "host") == named | {own: "1"}
    assert counts_of(contributor, "tool", "?host=store-a") == {"fio": "1", "bonnie++": "1"}
    found = Run.objects.filter(read_filters({"host": ["store-a"]}).condition, deleted_at=None)
    assert {run.label for run in found} == {"store-a", "write @ store-a"}
    both = contributor.get(f"/api/v1/runs/?host=store-b&host={own}").json()
    assert len(both["results"]) == 2


def test_values_are_counted_by_a_link_where_there_are_no_scripts(house, contributor):
    page = contributor.get("/runs/?tool=fio")
    assert 'hx-get="/runs/facets/?tool=fio"' in page.text and "facets" not in page.context
    link = re.search(r'href="(/runs/\?tool=fio&amp;filters=counted)"', page.text)
    counted = contributor.get(link[1].replace("&amp;", "&")).text
    # pressing a value leaves them counted
    assert re.search(r'href="/runs/\?tool=[^"]*&amp;filters=counted" rel', counted)
    assert 'hx-get="/runs/facets/' not in counted


def test_what_is_chosen_has_the_names_of_its_records(house, contributor, client):
    plan = a_plan(title="Nightly on store-a")
    query = f"configuration={house.mirror.pk}&study={house.study.slug}&plan={plan.pk}"
    titles = (f"Configuration: {house.mirror}", f"Study: {house.study}", f"Plan: {plan}")
    page = contributor.get(f"/runs/?{query}").text
    assert all(title in page for title in titles)
    # where none of their runs matches, too
    for name, title in (("configuration", str(house.mirror)), ("plan", str(plan))):
        assert counts_of(contributor, name, f"?{query}&text=nowhere") == {title: "0"}
    assert counts_of(contributor, "configuration", "?configuration=4711")["#4711"] == "0"
    assert plan.title not in client.get(f"/runs/?{query}").text


def test_counts_are_exact_to_a_limit_and_say_so_beyond(contributor, monkeypatch):
    for tool in ("fio", "fio", "fio", "dbench"):
        a_run(tool=tool, label="some")
    for module in (facets, runs):
        monkeypatch.setattr(module, "MOST_COUNTED", 2)
    cache.clear()
    page = contributor.get("/runs/?filters=counted")
    counts = {one.name: {v.text: v.count for v in one.shown} for one in page.context["facets"]}
    assert counts["tool"] == {"fio": "2+", "dbench": "1"}
    assert "More than 2 runs match" in page.text
    cache.clear()


def test_a_run_with_a_tag_in_several_ways_is_counted_once(house, contributor):
    Run.objects.update(deleted_at=datetime(2020, 1, 1, tzinfo=UTC))
    set_tags(house.mirror, ["raid"])
    set_tags(house.study, ["raid"])
    set_tags(a_run(house.mirror, study=house.study), ["raid", "own"])
    set_tags(a_run(study=house.study), ["own"])
    set_tags(a_run(), ["raid"])
    assert counts_of(contributor, "tag") == {"raid": "3", "own": "2"}
    assert counts_of(contributor, "tag", "?unassigned=true") == {"raid": "2", "own": "1"}


def test_the_whole_of_a_long_list_is_counted_by_a_worker(contributor, monkeypatch):
    monkeypatch.setattr(facets, "MOST_COUNTED", 2)
    cache.clear()
    for label in ("a", "b", "c"):
        a_run(label=label, settings={"cache": label})
    count_the_whole()
    a_run(tool="dbench", label="later")
    assert "dbench" not in counts_of(contributor, "tool")
    assert counts_of(contributor, "tool", "?text=later") == {"dbench": "1"}
    count_the_whole()
    assert counts_of(contributor, "tool") == {"fio": "2+", "dbench": "1"}
    cache.clear()


def test_what_takes_long_to_count_is_counted_once_for_a_while(contributor, monkeypatch):
    monkeypatch.setattr(facets, "MOST_COUNTED", 2)
    monkeypatch.setattr(facets, "_LONG_S", -1)
    cache.clear()
    for label in ("a", "b", "c"):
        a_run(tool="dbench", label=label, settings={"cache": label})
    before = counts_of(contributor, "setting.cache", "?tool=dbench")
    a_run(tool="dbench", label="later", settings={"cache": "d"})
    assert counts_of(contributor, "setting.cache", "?tool=dbench") == before
    # by what else is chosen: nothing is taken for something else
    assert counts_of(contributor, "tool", "?text=later") == {"dbench": "1"}
    cache.clear()


def test_settings_and_plans_of_very_many_runs_are_all_counted(contributor, monkeypatch):
    monkeypatch.setattr(facets, "MOST_COUNTED", 2)
    cache.clear()
    plans = {name: a_plan(title=name) for name in "abc"}
    for name in "abccc":
        step = a_job(plan=plans[name]).steps.last()
        step.artifact = a_run(settings={"cache": name}).artifact
        step.save()
    a_run(tool="dbench")
    counts = {"a": "1", "b": "1", "c": "2+"}
    for query in ("", "?tool=fio"):
        assert counts_of(contributor, "plan", query) == counts
    assert counts_of(contributor, "setting.cache", "?tool=fio") == counts
    assert counts_of(contributor, "setting.cache") == counts | {"not recorded": "1"}
    cache.clear()


def test_few_runs_with_high_numbers_are_counted_anew(contributor, monkeypatch):
    monkeypatch.setattr(facets, "MOST_COUNTED", 2)
    cache.clear()
    stored_runs = [a_run(label="kept") for _ in range(3)]
    assert counts_of(contributor, "tool") == {"fio": "2+"}
    Run.objects.filter(pk__in=[run.pk for run in stored_runs[:2]]).delete()
    assert counts_of(contributor, "tool") == {"fio": "1"}
    cache.clear()


def test_runs_without_a_configuration_have_none_of_its_options_where_these_are_counted(
    house, contributor
):
    """The list has them there, too."""
    for option in (1, 2):
        a_run(a_configuration(f"commit={option}", ext4__commit_s=option))
    a_run()
    counts = counts_of(contributor, "layer.ext4.commit_s")
    listed = facets.count_of(read_filters({"layer.ext4.commit_s": ["~"]}))
    assert counts == {"1": "1", "2": "1", "none": str(listed)}


def test_sizes_of_layers_are_written_as_other_sizes(contributor):
    for name, sizes in (("one", "1280K"), ("two", "4K")):
        a_run(a_configuration(name, disk__max_request_bytes=sizes))
    name = "layer.disk.max_request_bytes"
    assert counts_of(contributor, name) == {"1280 KiB": "1", "4 KiB": "1"}
    page = contributor.get(f"/runs/?{name}=1280K&column={name}")
    assert page.context["chosen"][0].text == "disk max request: 1280 KiB"
    assert '<td class="whole" data-label="disk max request">1280 KiB</td>' in page.text
    assert "1280 KiB</span>" in contributor.get("/compare/?tool=fio").text


def test_layers_are_named_in_the_readers_language_and_products_by_their_names(contributor):
    a_run(a_configuration("one", disk__scheduler="none", xfs__agcount=4, layer="cloud_volume"))
    a_run(a_configuration("two", disk__scheduler="bfq", xfs__agcount=8, layer="xfs"))

    def named(language):
        page = contributor.get(
            "/runs/?filters=counted&columns=offered", headers={"accept-language": language}
        )
        titles = {one.name: one.title for one in page.context["facets"]}
        columns = {
            name: title for one in page.context["columns"] for name, title, _on in one.columns
        }
        assert columns.items() >= {n: t for n, t in titles.items() if "." in n}.items()
        (layer,) = (one for one in page.context["facets"] if one.name == "layer.layer")
        return (
            titles["layer.disk.scheduler"], titles["layer.xfs.agcount"],
            {link.text for link in layer.shown},
        )  # fmt: skip

    assert named("en") == ("disk scheduler", "XFS agcount", {"cloud volume", "XFS"})
    assert named("ja") == (
        "ディスク スケジューラー", "XFS agcount", {"クラウドボリューム", "XFS"},
    )  # fmt: skip
    kinds = contributor.get("/configurations/", headers={"accept-language": "ja"}).text
    assert '<option value="partition">パーティション</option>' in kinds


def test_settings_have_the_labels_that_recipes_give_them(house, contributor):
    for own in ({"drop_caches": True, "cache_kind": 1}, {"drop_caches": False, "cache_kind": 2}):
        a_run(house.mirror, settings=own)

    def titles(language):
        page = contributor.get(
            "/runs/?setting.drop_caches=no&filters=counted&columns=offered",
            headers={"accept-language": language},
        )
        offered = [
            {name: title for name, title, _shown in one.columns} for one in page.context["columns"]
        ][-1]
        counted = {one.name: one.title for one in page.context["facets"]}
        assert f"{counted['setting.drop_caches']}" in page.context["chosen"][0].text
        assert offered == {name: counted[name] for name in offered}
        return offered

    assert titles("en") == {
        "setting.cache_kind": "cache_kind", "setting.drop_caches": "Drop caches first",
    }  # fmt: skip
    assert titles("ja")["setting.drop_caches"] == "事前にキャッシュを破棄"
