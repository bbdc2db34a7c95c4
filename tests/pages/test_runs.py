"""The list of runs, one run, and what people do to them."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.utils import timezone

from benchdash.pages import run_changes
from benchdash.pages.raw_output import MOST_CHARACTERS
from benchdash.results.ingest import ingest
from benchdash.results.models import Run, Sample, Upload
from benchdash.results.paging import page_of
from benchdash.results.readings import File
from tests.jobs.records import a_job
from tests.measured import a_configuration, a_run, an_environment
from tests.pages.house import sample, shown

pytestmark = pytest.mark.django_db


def test_the_list_is_narrowed_by_its_address(house, contributor):
    other = a_run(a_configuration("Elsewhere"), tool="fio", label="nightly", tool_version="3.36")
    assert shown(contributor, "?tool=fio") == [other.pk]
    assert shown(contributor, "?version=3.36") == [other.pk]
    assert not shown(contributor, "?version=3.3")
    assert shown(contributor, "?text=NIGHT") == [other.pk]
    assert shown(contributor, "?text=elsewh") == [other.pk]
    assert shown(contributor, f"?configuration={house.local.pk}") == [house.run.pk]
    assert len(shown(contributor, f"?study={house.study.slug}")) == 2
    assert house.run.pk not in shown(contributor, "?state=unassigned")
    assert shown(contributor, f"?runs={other.pk},{house.run.pk}") == [other.pk, house.run.pk]


def test_the_list_is_narrowed_by_settings_that_stay_with_the_other_filters(house, contributor):
    four = a_run(label="four", settings={"guests": 4, "cache": "<cold>"})
    a_run(label="one", settings={"guests": 1})
    assert shown(contributor, "?setting.guests=4") == [four.pk]
    assert shown(contributor, "?setting.guests=4&setting.cache=~") == []
    page = contributor.get("/runs/?setting.guests=4&setting.cache=<cold>&tool=fio").text
    assert '<input type="hidden" name="setting.guests" value="4">' in page
    assert "cache: &lt;cold&gt;" in page
    assert 'href="/runs/?tool=fio&amp;setting.cache=%3Ccold%3E"' in page  # less one
    assert "state=doubted&amp;setting.cache=%3Ccold%3E&amp;setting.guests=4" in page
    assert "?setting.cache=%3Ccold%3E" in contributor.get(f"/runs/{four.pk}/").text
    refused = contributor.get("/runs/?setting.two%20words=4")
    assert "cannot be the name of a setting" in refused.text
    assert len(refused.context["page"].rows) == Run.objects.count()


def test_no_line_of_a_list_begins_with_the_dot_between_the_parts_of_a_name(house, contributor):
    page = contributor.get("/runs/").text
    rows = re.findall(r'<a class="named".*?</a>', page)
    assert any("\N{NO-BREAK SPACE}· " in row for row in rows)
    assert [row for row in rows if " · " in row.replace('"visually-hidden"> · ', "")] == []


def test_runs_of_one_name_are_told_apart_by_their_files(house, contributor, client):
    output = sample("fio/local-1.58-mixed.txt").data
    for number in (1, 2):
        ingest([File(f"night/run{number}.txt", output + b"\n" * number)])
    Run.objects.update(is_repeat=True)
    page = contributor.get("/runs/?tool=fio").text
    assert (
        "\N{NO-BREAK SPACE}· run1.txt</span>" in page
        and "\N{NO-BREAK SPACE}· run2.txt</span>" in page
    )
    ingest([File("day/run1.txt", output + b"\n" * 3)])
    Run.objects.update(is_repeat=True)
    page = contributor.get("/runs/?tool=fio").text
    assert (
        "\N{NO-BREAK SPACE}· night/run1.txt</span>" in page
        and "\N{NO-BREAK SPACE}· day/run1.txt</span>" in page
    )
    assert "\N{NO-BREAK SPACE}· run2.txt</span>" in page
    one = Upload.objects.get(name="night/run1.txt")
    assert "\N{NO-BREAK SPACE}· run1.txt" not in contributor.get(f"/runs/?upload={one.pk}").text
    assert "run1.txt" not in client.get("/runs/?tool=fio").text  # visitors see no files
    # the output of a job is named after the job, which says nothing more here
    a_job().steps.filter(tool="fio").update(artifact=one.artifact)
    assert "\N{NO-BREAK SPACE}· night/run1.txt" not in contributor.get("/runs/?tool=fio").text


def test_a_day_of_storing_is_distinguished_from_a_day_of_measuring(house, contributor):
    Run.objects.update(started_at=datetime(2014, 5, 2, 12, tzinfo=UTC))
    Run.objects.filter(pk=house.run.pk).update(started_at=None)
    stored = re.findall(r'when">\s*(?:(stored) )?<time', contributor.get("/runs/").text)
    assert stored.count("stored") == 1 and len(stored) > 1


def test_the_same_day_is_written_in_each_readers_language(house, contributor):
    Run.objects.update(started_at=datetime(2014, 5, 2, 12, tzinfo=UTC))
    assert ">2 May 2014</time>" in contributor.get("/runs/").text
    assert (
        ">2014年5月2日</time>" in contributor.get("/runs/", headers={"accept-language": "ja"}).text
    )


def test_a_condition_that_makes_no_sense_is_stated_and_narrows_nothing(house, contributor):
    answer = contributor.get("/runs/?since=nonsense&state=none&hots=a&utm_source=mail")
    assert len(answer.context["page"].rows) == Run.objects.count()
    assert "“nonsense” is neither a day nor a time" in answer.text
    assert "Did you mean “host”" in answer.text
    assert "utm_source" not in answer.text.partition("<h1>")[0].partition('id="messages"')[2]


def test_all_that_match_are_changed_not_only_the_page(house, contributor):
    others = [a_run(tool="dbench").pk for _ in range(60)]
    page = contributor.get("/runs/?tool=dbench").text
    assert "all 60 that match" in page
    fields = {"act": "tag", "tags": "many", "matching": "60", "query": "tool=dbench"}
    contributor.post("/runs/?tool=dbench", fields | {"runs": others[:1]})
    tagged = Run.objects.filter(tags__name="many")
    assert set(tagged.values_list("pk", flat=True)) == set(others)


def test_the_list_links_to_deleted_runs_for_those_who_may_restore_them(house, contributor, client):
    link = 'href="/runs/?state=deleted"'
    assert link in contributor.get("/runs/").text
    assert link not in contributor.get("/runs/?state=deleted").text
    assert link not in client.get("/runs/").text


@pytest.mark.parametrize("state", ["deleted", "withdrawn"])
def test_runs_that_no_comparison_takes_are_not_offered_to_one(state, house, contributor):
    gone = {"deleted": "deleted_at", "withdrawn": "withdrawn_at"}[state]
    a_run(tool="dbench", **{gone: timezone.now()})
    assert "Compare them all" in contributor.get("/runs/?state=counted").text
    page = contributor.get(f"/runs/?state={state}").text
    assert "1 run matches" in page and "Compare them all" not in page


def test_more_than_were_seen_are_not_changed(house, contributor):
    for _ in range(60):
        a_run(tool="dbench")
    page = contributor.get("/runs/?tool=dbench").text
    seen = re.search(r'name="matching" value="(\d+)"', page)[1]
    a_run(tool="dbench")  # it came while somebody read the list
    answer = contributor.post(
        "/runs/?tool=dbench", {"act": "delete", "matching": seen, "query": "tool=dbench"}
    )
    assert "61 now match, not 60" in answer.text
    assert not Run.objects.exclude(deleted_at=None).exists()


@pytest.mark.parametrize("query", ["tol=dbench", "since=soon"])
def test_less_of_a_filter_never_changes_more_runs(house, contributor, query):
    fields = {"act": "delete", "matching": "1", "query": query}
    contributor.post("/runs/", fields)
    assert not Run.objects.exclude(deleted_at=None).exists()


def test_more_than_can_be_changed_at_once_is_refused(house, contributor, monkeypatch):
    monkeypatch.setattr(run_changes.ticked_runs, "__defaults__", (1,))
    page = contributor.post("/runs/", {"act": "delete", "matching": "1", "query": ""}).text
    assert "More than 1 runs match" in page
    assert not Run.objects.exclude(deleted_at=None).exists()


def test_pages_turn_by_the_last_run_seen_both_ways():
    runs = [a_run().pk for _ in range(7)][::-1]
    first = page_of(Run.objects.all(), {}, 3)
    assert ([r.pk for r in first.rows], first.newer) == (runs[:3], None)
    second = page_of(Run.objects.all(), {"before": str(first.older)}, 3)
    assert [r.pk for r in second.rows] == runs[3:6]
    last = page_of(Run.objects.all(), {"before": str(second.older)}, 3)
    assert ([r.pk for r in last.rows], last.older) == (runs[6:], None)
    back = page_of(Run.objects.all(), {"after": str(last.newer)}, 3)
    assert [r.pk for r in back.rows] == runs[3:6]
    assert page_of(Run.objects.all(), {"after": str(back.newer)}, 3).newer is None
    assert len(page_of(Run.objects.all(), {"before": "9" * 30}, 3).rows) == 3


def test_ticked_runs_are_assigned_at_once(house, contributor):
    runs = list(Run.objects.values_list("pk", flat=True))
    form = {"act": "assign", "runs": runs, "configuration": "DRBD C", "study": house.study.title}
    answer = contributor.post("/runs/?tool=bonnie%2B%2B", form)
    assert answer.url == "/runs/?tool=bonnie%2B%2B"
    assert set(Run.objects.values_list("configuration__name", flat=True)) == {"DRBD C"}


def test_what_was_typed_and_ticked_stays_when_a_name_is_not_known(house, contributor):
    form = {"act": "assign", "runs": [house.run.pk], "configuration": "DRBD X"}
    text = contributor.post("/runs/", form).text
    assert 'value="DRBD X"' in text
    assert "There is no configuration “DRBD X”." in text
    assert f'name="runs" value="{house.run.pk}" autocomplete="off" data-tick checked' in text


def test_the_fields_for_ticked_runs_are_fetched_or_come_by_a_button(house, contributor):
    assert 'name="reason"' not in contributor.get("/runs/").text
    page = contributor.post("/runs/", {"runs": [house.run.pk]}).text
    ticked = f'name="runs" value="{house.run.pk}" autocomplete="off" data-tick checked'
    assert ticked in page
    for text in (page, contributor.get("/runs/change/").text):
        assert 'name="reason"' in text
        assert '<option value="DRBD C"></option>' in text
        assert 'class="errors' not in text
        assert 'value="restore"' not in text
    assert 'value="restore"' in contributor.get("/runs/change/?state=deleted").text


def test_setting_aside_asks_for_a_reason_and_shows_it(house, contributor):
    address = f"/runs/{house.run.pk}/"
    contributor.post(f"{address}change/", {"act": "set-aside", "reason": " "})
    assert Run.objects.get(pk=house.run.pk).counted
    contributor.post(f"{address}change/", {"act": "set-aside", "reason": "array was resyncing"})
    assert not Run.objects.get(pk=house.run.pk).counted
    assert "array was resyncing" in contributor.get(address).text
    contributor.post(f"{address}change/", {"act": "count"})
    assert Run.objects.get(pk=house.run.pk).counted


def test_a_deleted_run_is_hidden_from_readers_and_comes_back(
    house, contributor, signed_in, settings
):
    address = f"/runs/{house.run.pk}/"
    done = contributor.post("/runs/", {"act": "delete", "runs": [house.run.pk]}, follow=True)
    assert 'for 30 days. <a href="/runs/?state=deleted">Deleted runs</a></p>' in done.text
    viewer = signed_in("viewer")
    assert viewer.get(address).status_code == 404
    settings.PUBLIC_READ = True
    for hidden in ("?state=deleted", "?deleted=true", "?deleted=true&tool=bonnie%2B%2B"):
        assert shown(contributor, hidden) == [house.run.pk]
        assert contributor.get(f"/runs/facets/{hidden}").context["facets"]
        assert contributor.get(f"/search/{hidden}").context["groups"]
        for reader in (Client(), viewer):
            assert shown(reader, hidden) == []
            counted = reader.get(f"/runs/facets/{hidden}").context["facets"]
            assert [value for one in counted for value in one.shown if value.count != "0"] == []
            assert reader.get(f"/search/{hidden}").context["groups"] == []
            assert reader.get(f"/history/{hidden}").context["history"].series == ()
    contributor.post(f"{address}change/", {"act": "restore"})
    assert viewer.get(address).status_code == 200


def test_a_run_shows_all_its_numbers_and_what_its_tool_declined(house, contributor):
    text = contributor.get(f"/runs/{house.run.pk}/").text
    assert "90.1 MB/s" in text
    assert "87962" in text  # the raw output
    assert "<mark>" in text
    fast = Run.objects.latest("pk")
    assert "too fast to measure" in contributor.get(f"/runs/{fast.pk}/").text


def test_numbers_stand_in_lists_as_machines_read_them_too(house, contributor):
    values = re.findall(r'<data value="([^"]*)" title="([^"]*)">', contributor.get("/runs/").text)
    assert values
    assert all(title.startswith(str(float(value))) for value, title in values)


def test_conditions_of_a_run_are_stated_in_the_readers_language(house, contributor):
    Run.objects.update(conditions=["The one-minute load average is 9 on 4 CPUs."])
    page = contributor.get(f"/runs/{house.run.pk}/", headers={"accept-language": "ja"}).text
    assert "CPU 4 個に対し、1 分間のロードアベレージが 9 です。" in page


def test_what_is_wrong_with_an_act_on_runs_is_stated_at_the_head_of_the_page(house, contributor):
    fields = {"act": "set-aside", "runs": house.run.pk}
    head = contributor.post("/runs/", fields).text.partition("<h1>")[0]
    assert "Give a reason, so that others can judge it." in head


def test_a_list_says_what_a_tool_declined_where_a_run_has_no_number(contributor):
    fast = "host-a,1G,,,+++++,+++,+++++,+++,,,+++++,+++,+++++,+++" + "," * 13
    ingest([File("fast.csv", fast.encode())])
    row = re.search(r"<tbody>.*</tbody>", contributor.get("/runs/").text, re.DOTALL)
    assert re.search(r"too fast to measure</em>\s*<span[^>]*>Sequential write</span>", row[0])


def test_sisters_are_runs_of_the_same_on_the_same(house, contributor):
    sister = a_run(house.local, tool=house.run.tool, environment=house.run.environment)
    Run.objects.filter(pk=sister.pk).update(workload=house.run.workload)
    a_run(house.mirror, tool=house.run.tool)
    elsewhere = a_run(
        house.local, tool=house.run.tool, environment=an_environment("else", "another host")
    )
    set_up = {"environment": house.run.environment, "settings": {"guests": 4}}
    several, again = (a_run(house.local, tool=house.run.tool, **set_up) for _each in range(2))
    others = [run.pk for run in (elsewhere, several, again)]
    Run.objects.filter(pk__in=others).update(workload=house.run.workload)
    sisters = contributor.get(f"/runs/{several.pk}/").context["sisters"]
    assert [each["run"].pk for each in sisters] == [again.pk, several.pk]
    sisters = contributor.get(f"/runs/{house.run.pk}/").context["sisters"]
    assert [each["run"].pk for each in sisters] == [sister.pk, house.run.pk]


def test_equal_numbers_say_so_and_a_person_may_count_them(house, contributor):
    copy = a_run(house.local, same_as=house.run)
    assert "Another run has the same numbers" in contributor.get(f"/runs/{copy.pk}/").text
    contributor.post(f"/runs/{copy.pk}/change/", {"act": "repeat"})
    assert Run.objects.get(pk=copy.pk).counted


def test_home_names_what_needs_attention(house, contributor):
    text = contributor.get("/").text
    assert "notes/README" in text
    assert "state=unassigned" in text


def test_printed_figures_and_their_numbers_lead_to_each_other(house, contributor):
    text = contributor.get(f"/runs/{house.run.pk}/").text
    there = re.findall(
        r'id="printed-([^"]+)"></span><a href="#number-([^"]+)"><mark>([\d.]+)', text
    )
    back = re.findall(r'id="number-([^"]+)" href="#printed-([^"]+)"', text)
    assert len(there) == len(back) == house.run.measurements.count()
    assert {name for name, _to, _figure in there} == {name for name, _to in back}
    assert all(name == to for name, to in back)
    assert ("seq_write-throughput-mean", "seq_write-throughput-mean", "87962") in there


def test_the_output_of_a_page_is_bounded(contributor):
    lines = "".join(f"line {n}\n" for n in range(2000))
    long = ingest([File("long.txt", (lines * 20).encode())])[0].upload
    shown = contributor.get(f"/uploads/{long.pk}/").context["raw"]
    assert not shown.whole
    assert "".join(piece.text for piece in shown.after).count("\n") == 500
    wide = ingest([File("wide.txt", b"wide " * 100_000)])[0].upload
    shown = contributor.get(f"/uploads/{wide.pk}/").context["raw"]
    assert not shown.whole
    assert len("".join(piece.text for piece in shown.after)) == MOST_CHARACTERS


def test_a_sample_is_one_row_that_opens_to_its_runs(contributor):
    sample = Sample.objects.create()
    numbers = {"rand_write.iops.mean": 1000.0}
    runs = [a_run(None, numbers, sample=sample, label=f"job{n}") for n in range(8)]
    a_run(None, numbers, label="alone")
    page = contributor.get("/runs/").text
    assert page.count('name="runs"') == 2
    assert "8 runs at once" in page
    assert f"job7 #{runs[7].pk}" in page
    # what they did together, below the one that ran alone
    assert re.findall(r'<data value="([0-9.]+)"', page) == ["1000.0", "8000.0"]


def test_a_house_without_runs_has_nothing_to_filter_by(contributor):
    empty = contributor.get("/runs/").text
    assert "No runs yet" in empty
    assert "Quick filters" not in empty
    assert 'id="facets"' not in empty
    run = a_run()
    assert 'id="facets"' in contributor.get("/runs/").text
    Run.objects.filter(pk=run.pk).update(deleted_at=datetime.now(UTC))
    assert 'id="facets"' in contributor.get("/runs/").text  # which leads to the deleted ones


def test_runs_are_filtered_by_memory_as_it_is_read_or_was_typed(contributor):
    memory = an_environment("lab", host="store-1", memory_bytes=15856 * 2**20)
    run = a_run(a_configuration("local"), environment=memory)
    for text in ("15.5 GiB", "15856 MiB", "15856M"):
        page = contributor.get("/runs/", {"environment.memory_bytes": text}).text
        assert f'href="/runs/{run.pk}/"' in page, text
