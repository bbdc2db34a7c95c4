"""The compare page as it comes from the server: readable before any script arrives."""

from __future__ import annotations

import json
import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from benchdash.pages.comparison_context import MOST_SECTIONS
from benchdash.results.models import Condition, Study
from tests.measured import a_configuration, a_run
from tests.pages.compared import WRITE, study_of_two_disks, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("public")]


def data_of(response):
    found = re.findall(r'<script type="application/json">(.*?)</script>', response.content.decode())
    return [json.loads(one) for one in found]


def test_a_bare_address_offers_studies_to_begin_with(client, study):
    page = client.get("/compare/")
    assert page.status_code == 200
    assert "What do you want to compare?" in text_of(page)
    assert '<a class="button" href="?study=drbd">DRBD</a>' in page.content.decode()


def test_an_empty_house_says_what_to_do(client):
    assert "nothing to compare yet" in text_of(client.get("/compare/"))


def test_the_table_has_the_numbers_of_the_chart(client, study):
    page = client.get("/compare/", {"study": "drbd", "across": "file_bytes"})
    assert "local <disk> baseline 1 90.2 100.0" in text_of(page)
    assert "mirror <disk> 1 32.8 36.4" in text_of(page)
    (figure,) = data_of(page)
    assert [row["text"] for row in figure["rows"]] == ["90.2", "32.8"]
    assert figure["rows"][1]["median"] == 32.8e6
    assert 'data-chart="bars"' in page.content.decode()


def test_percent_changes_the_chart_and_the_table_keeps_both(client, study):
    page = client.get("/compare/", {"study": "drbd", "across": "file_bytes", "percent": 1})
    (figure,) = data_of(page)
    assert [row["text"] for row in figure["rows"]] == ["100.0 %", "36.4 %"]
    assert figure["axis_title"] == "% of the baseline"
    assert "mirror <disk> 1 32.8 36.4" in text_of(page)


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("chart=lines", "Lines need a numeric factor"),
        ("chart=heat", "A heat map needs two factors"),
    ],
)
def test_a_chart_that_the_groups_do_not_allow_says_what_it_needs(client, study, choice, expected):
    page = client.get(f"/compare/?study=drbd&like=0&{choice}").content.decode()
    assert expected in page and 'data-chart="bars"' in page
    assert expected not in client.get("/compare/?study=drbd&like=0&chart=boxes").content.decode()


def test_percent_of_a_group_that_is_gone_says_what_it_needs(client, study):
    needs, choice = "Percent needs a baseline", "/compare/?study=drbd&percent=1"
    assert needs in client.get(f"{choice}&group=run&baseline=gone").content.decode()
    assert needs not in client.get(choice).content.decode()


def test_what_is_not_like_with_like_is_kept_apart_and_one_press_away(client, study):
    page = client.get("/compare/", {"study": "drbd", "like": "1"})
    assert "Also differs: File size" in text_of(page)
    assert "study=drbd&amp;like=0" in page.content.decode()
    crossed = client.get("/compare/", {"study": "drbd", "like": "0"})
    assert "File size differs: 1 GiB (local <disk>), 2 GiB (mirror <disk>)" in text_of(crossed)


def test_settings_that_differ_are_kept_apart_and_one_press_away(client):
    configuration = a_configuration("local")
    for guests in (1, 4):
        a_run(configuration, {WRITE: 1e6}, settings={"guests": guests})
    page = client.get("/compare/", {"tool": "fio", "like": "1"})
    assert "Also differs: Concurrent guests Concurrent guests 1, 4" in text_of(page)
    assert "tool=fio&amp;like=0" in page.content.decode()
    crossed = text_of(client.get("/compare/", {"tool": "fio", "across": "setting.guests"}))
    assert "Concurrent guests differs: 1 (local), 4 (local)" in crossed
    split = text_of(client.get("/compare/", {"tool": "fio", "facet": "setting.guests"}))
    assert "Also differs" not in split


def test_too_fast_to_measure_stands_where_the_number_would(client, study):
    page = client.get("/compare/", {"study": "drbd", "across": "file_bytes", "family": "metadata"})
    assert "mirror <disk> 0 too fast to measure" in text_of(page)
    (figure,) = data_of(page)
    assert figure["rows"][1]["median"] is None
    assert figure["rows"][1]["remark"] == "too fast to measure"


def test_fields_left_empty_leave_the_address(client, study):
    answer = client.get("/compare/?study=drbd&text=&since=&axis=&baseline=")
    assert (answer.status_code, answer["Location"]) == (302, "/compare/?study=drbd")


def test_names_that_other_sites_add_leave_the_page_as_it_is(client, study):
    page = client.get("/compare/?study=drbd&utm_source=mail&fbclid=x")
    assert page.status_code == 200
    assert "mirror <disk>" in text_of(page)


def test_a_time_stands_in_the_form_as_it_is_in_the_address(client, study):
    page = client.get("/compare/?study=drbd&since=2020-01-31T08:30:00Z&until=2099-12-31").text
    since = re.search(r'<input id="compare-since"[^>]*>', page)[0]
    until = re.search(r'<input id="compare-until"[^>]*>', page)[0]
    assert 'value="2020-01-31T08:30:00Z"' in since and "data-date" not in since
    assert 'value="2099-12-31"' in until and "data-date" in until


@pytest.mark.parametrize("until", ["9999-12-31", "9999-12-31T23:59:59-12:00", "0001-01-01"])
def test_a_day_that_has_none_before_or_after_it_is_refused_or_read(client, study, until):
    for address in ("/compare/", "/runs/", "/api/v1/runs/", "/api/v1/compare/"):
        answer = client.get(f"{address}?until={until}&since={until}")
        assert answer.status_code < 500


def test_nonsense_is_answered_with_a_sentence_and_a_way_on(client):
    page = client.get("/compare/", {"family": "speed", "study": "drbd"})
    assert page.status_code == 422
    assert 'href="/compare/?study=drbd">Compare without “family”' in page.text
    assert "“family” must be one of" in text_of(page)
    assert 'href="/compare/"' in page.content.decode()


@pytest.mark.parametrize(
    "name",
    [
        *("nosuch", "nosuch.nosuch", "roles", "roles.x", "versions", "versions.nosuch", "disks.x"),
        *("network", "network.nosuch", "node-b.nosuch", "node-b.network", "node-b.network.nosuch"),
        ".".join(["a"] * 90),
    ],
)
@pytest.mark.parametrize(
    "choice", ["environment.{}=x", "group=environment.{}", "facet=environment.{}"]
)
def test_a_fact_that_no_machine_has_keeps_its_own_name(client, study, choice, name):
    page = client.get(f"/compare/?study=drbd&{choice.format(name)}")
    assert page.status_code == 200
    # a group of facts has a title, and so have versions: "nosuch version"
    titles = {"roles": "Machines", "versions": "Versions", "versions.nosuch": "nosuch version"}
    assert titles.get(name, name) in text_of(page)


@pytest.mark.parametrize("name", ["²", "1 TB 10²", "٣ disks", "9" * 200])
def test_a_name_with_any_digits_has_its_place_among_others(client, study, name):
    a_run(a_configuration(name), {WRITE: 1e6}, study=study)
    page = client.get("/compare/?study=drbd&across=file_bytes")
    assert page.status_code == 200
    assert name in text_of(page)


def test_a_group_of_very_many_words_is_one_that_no_machine_has(client, study):
    name = ".".join(["a"] * 5000)
    page = client.get(f"/compare/?study=drbd&group=environment.{name}")
    assert page.status_code == 200
    assert f"{name} not recorded, n = 1" in text_of(page)


def test_names_from_outside_are_shown_as_text(client, study):
    body = client.get("/compare/", {"study": "drbd"}).content.decode()
    assert "local &lt;disk&gt;" in body
    assert "<disk>" not in body


def test_a_heat_map_has_a_row_for_each_configuration_and_says_what_its_colours_are(client, study):
    local = study.conditions.get(is_baseline=True).configuration
    a_run(local, {WRITE: 90e6}, study=study, workload={"file_bytes": 2**31})
    query = f"study=drbd&measure={WRITE}&chart=heat&group=configuration,workload.file_bytes"
    page = client.get(f"/compare/?{query}")
    (figure,) = data_of(page)
    assert len(figure["rows"]) == 3
    assert 'data-chart="heat" data-rows="2"' in page.text
    assert page.text.count("<i></i>") == 2
    assert figure["colours_title"] == "Times the middle value · blue: better · framed: highest"
    (figure,) = data_of(client.get(f"/compare/?{query}&baseline={local.pk},{2**31}"))
    assert figure["colours_title"] == "Times the baseline · blue: better · framed: highest"


def test_every_link_of_the_page_to_itself_is_understood(client, study):
    page = client.get("/compare/", {"study": "drbd", "group": "workload.file_bytes"})
    links = re.findall(r'href="(\?[^"]+|/compare/\?[^"]+)"', page.content.decode())
    assert links
    for link in links:
        assert client.get(f"/compare/?{urlsplit(unescape(link)).query}").status_code == 200


def test_the_number_of_queries_does_not_grow(client, study, django_assert_max_num_queries):
    for index in range(20):
        a_run(a_configuration(f"c{index}"), {WRITE: 1e6}, study=study)
    with django_assert_max_num_queries(21):
        assert client.get("/compare/", {"study": "drbd"}).status_code == 200


def test_the_study_shows_its_comparison(client, study):
    study.charts = ["study=drbd&across=file_bytes&percent=1", "study=drbd&family=speed"]
    study.save()
    page = client.get("/studies/drbd/")
    assert "mirror <disk> 1 32.8 36.4" in text_of(page)
    assert "“family” must be one of" in text_of(page)
    assert (
        'href="/compare/?study=drbd&amp;across=file_bytes&amp;percent=1"' in page.content.decode()
    )


def test_the_smallest_difference_that_matters_is_seen_and_set(client, study):
    page = client.get("/compare/?study=drbd&delta=latency:9&delta=3&across=file_bytes")
    assert "Differences below δ = 3 % do not matter here." in text_of(page)
    html = page.content.decode()
    assert '<input id="compare-delta" type="text" name="delta" value="3"' in html
    # what the form has no field for stays in the address
    assert '<input type="hidden" name="delta" value="latency:9">' in html
    Study.objects.update(delta=7.5)
    page = client.get("/compare/?study=drbd")
    assert "δ = 7.5 %" in text_of(page) and 'placeholder="7.5"' in page.content.decode()


def test_percent_of_nothing_stated_puts_the_first_group_into_the_address(client, study):
    Condition.objects.update(is_baseline=False)
    local = Condition.objects.earliest("position").configuration
    answer = client.get("/compare/?study=drbd&percent=1")
    assert answer.status_code == 302
    assert parse_qs(urlsplit(answer["Location"]).query)["baseline"] == [str(local.pk)]
    assert client.get(answer["Location"]).status_code == 200


def test_each_row_says_in_words_what_may_be_stated(client, study):
    page = text_of(client.get("/compare/?study=drbd&across=file_bytes"))
    assert (
        "mirror <disk>: no verdict: 36.4 % of the baseline; "
        "1 + 1 samples, and a single measurement has no spread"
    ) in page
    assert "Order of the runs: unknown, as not every run has a start time" in page


def test_of_too_many_workloads_the_overview_leads_to_the_charts_of_each(client):
    for name in ("a", "b"):
        place = a_configuration(name)
        for depth in range(1, 14):
            a_run(place, {WRITE: 1e8}, workload={"queue_depth": depth})
    page = client.get("/compare/", {"tool": "fio"})
    assert "13 workloads are too many for charts on one page" in text_of(page)
    assert data_of(page) == []
    link = re.search(r'href="(/compare/\?[^"]*)">Queue depth 13<', page.content.decode())[1]
    assert len(data_of(client.get(unescape(link)))) == 1


def test_a_study_of_too_many_workloads_leads_to_each(client, study):
    local, query = a_configuration("many blocks"), "study=drbd&group=configuration&like=1"
    for number in range(MOST_SECTIONS + 1):
        a_run(local, {WRITE: 1e8}, study=study, workload={"block_bytes": 4096 * 2**number})
    Study.objects.filter(pk=study.pk).update(charts=[query, f"{query}&chart=boxes"])
    page = client.get("/studies/drbd/").text
    assert page.count("workloads are too many for charts on one page") == 2
    assert "None of these runs has this measure" not in page


def test_the_sentence_above_the_charts_is_of_a_measure_that_may_be_best(client):
    for name, iops in (("one", 1000.0), ("other", 2000.0)):
        values = {"rand_write.throughput.mean": 4096 * iops, "rand_write.iops.mean": iops}
        workload = {"pattern": "randwrite", "block_bytes": 4096}
        a_run(a_configuration(name), values, workload=workload)
    page = client.get("/compare/", {"tool": "fio"}).text
    assert 'class="in-words">Random write · IOPS: highest seen: other, 2.00 kIOPS' in page


def test_runs_that_do_not_differ_are_treated_as_repeats_by_one_press(client):
    picked = "run=" + "&run=".join(str(a_run(None, {WRITE: value}).pk) for value in (1e8, 2e8))
    page = client.get(f"/compare/?{picked}")
    assert "2 groups, 2 samples" in text_of(page)
    press = r'href="(/compare/\?[^"]+)">Treat them as repeats of one measurement<'
    (address,) = re.findall(press, page.text)
    together = text_of(client.get(unescape(address)))
    assert "1 group, 2 samples" in together
    # the person decided, so no warning remains
    assert "Treat them" not in together and "may not be repeats" not in together


def test_a_name_for_several_configurations_says_so_and_leads_to_each(client):
    for name, chunk in (("small", 65536), ("large", 524288)):
        a_run(a_configuration(name, md__level="6", md__chunk_bytes=chunk), {WRITE: 1e8})
    a_run(a_configuration("mirror", md__level="1", md__chunk_bytes=65536), {WRITE: 1e8})
    page = client.get("/compare/?tool=fio&group=layer.md.level")
    assert "More than one configuration under one name: md level 6 (2)." in text_of(page)
    (address,) = re.findall(r'href="(/compare/\?[^"]+)">Group by configuration<', page.text)
    apart = text_of(client.get(unescape(address)))
    assert "small" in apart and "large" in apart and "under one name" not in apart


def test_the_page_of_a_study_says_what_the_compare_page_says_of_its_comparison(contributor):
    study = study_of_two_disks()
    words = ("points are medians, dots are single", "More than one configuration under one name: ")
    for name in ("a", "b"):
        configuration = a_configuration(name, ext4__data="ordered")
        a_run(configuration, {WRITE: 1e8}, study=study, workload={"file_bytes": 2**30})
    query = f"study={study.slug}&group=layer.ext4.data"
    study.charts = [query]
    study.save()
    asked = text_of(contributor.get(f"/compare/?{query}"))
    shown = text_of(contributor.get(f"/studies/{study.slug}/"))
    for sentence in words:
        assert sentence in asked and sentence in shown, sentence
    assert "Group by configuration" in shown


def test_groups_of_which_nothing_says_where_they_were_measured_are_named(client):
    for depth in (1, 1, 8):
        a_run(None, {WRITE: 1e8}, workload={"queue_depth": depth})
    assert "the samples of Queue depth 1 were measured on" in text_of(
        client.get("/compare/?tool=fio")
    )


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("", "1 study condition has not been measured yet."),
        ("&tool=bonnie%2B%2B", "1 condition of the study has no run among those chosen."),
        ("&doubts=exclude", "1 condition of the study has no run among those chosen."),
    ],
)
def test_only_a_whole_study_says_that_conditions_were_not_measured(
    house, contributor, query, sentence
):
    later = a_configuration("later")
    Condition.objects.create(study=house.study, configuration=later, label="9 later", position=9)
    assert sentence in text_of(contributor.get(f"/compare/?study={house.study.slug}{query}"))


def test_a_unit_that_a_title_says_is_said_once_on_every_page(client):
    study = Study.objects.create(slug="drbd", title="DRBD")
    local, mirror = a_configuration("local"), a_configuration("mirror")
    for configuration in (local, mirror):
        values = {"rand_read.iops.mean": 500.0, "rand_write.iops.mean": 400.0, WRITE: 1e6}
        a_run(configuration, values, study=study)
    for address in (
        "/compare/?study=drbd&chart=bars",
        f"/history/?configuration={local.pk}&measure=rand_read.iops.mean",
        "/api/v1/compare/?study=drbd&format=md",
    ):
        page = text_of(client.get(address))
        assert "IOPS" in page, address
        assert not re.search(r"IOPS[ \xa0·]+IOPS", page), address
