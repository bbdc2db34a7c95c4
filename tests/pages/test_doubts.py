"""Doubts beside the numbers: on the run, in lists, dismissed by a person."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchdash.results.doubts import judge_capture, note_doubts
from benchdash.results.models import Doubt, Run
from benchdash.vocabulary.doubts import OF_RUNS
from benchdash.vocabulary.doubts import Doubt as Found
from tests.measured import a_run, an_environment

pytestmark = pytest.mark.django_db
UNREAD = "Hardware could not be read: Permission denied."
LOAD = "node-a: The one-minute load average is 9 on 2 CPUs."
MEND = "Measure again while nothing else runs on the machine."
SHORT = Found(
    "short", "Sequential stat took only 10 ms, too short for a reliable rate.", ("seq_stat",)
)


BADGE = r'<a class="badge warn" href="([^"]+)" title="([^"]+)">([^<]+)'


@pytest.fixture
def loaded():
    run = a_run(values={"seq_write.throughput.mean": 1e8}, label="nightly")
    note_doubts([run.pk], [Found("load", LOAD)])
    return run


def the_section(text):
    return re.search(r'id="doubts">.*?</section>', text, re.DOTALL)[0]


def test_a_run_shows_its_doubts_and_how_to_mend_them(loaded, contributor):
    section = the_section(contributor.get(f"/runs/{loaded.pk}/").text)
    assert LOAD in section and MEND in section


def test_a_condition_that_is_a_doubt_is_stated_once(loaded, contributor):
    quiet = "node-a: The hottest sensor reads 40 °C."
    Run.objects.filter(pk=loaded.pk).update(conditions=[LOAD, quiet])
    page = contributor.get(f"/runs/{loaded.pk}/").text
    assert page.count(f"{LOAD}</p>") == 1 and page.count(f"<li>{LOAD}") == 0
    assert page.count(f"<li>{quiet}") == 1


def test_a_doubt_is_dismissed_with_a_reason_that_stays(loaded, contributor, signed_in):
    doubt = Doubt.objects.get(run=loaded)
    address = f"/doubts/{doubt.pk}/dismiss/"
    refused = contributor.post(address, {"reason": " "}, follow=True).text
    assert "Give a reason, so that others can judge it." in refused
    done = contributor.post(address, {"reason": "It was <us>."}, follow=True).text
    assert "It was &lt;us&gt;.&nbsp;· contributor" in the_section(done)
    assert f"<s>{LOAD}</s>" in the_section(done)
    assert address not in done
    assert signed_in("viewer").post(address, {"reason": "no"}).status_code == 403


def test_a_dismissal_is_taken_back_and_stays_to_be_read(loaded, contributor, signed_in):
    doubt = Doubt.objects.get(run=loaded)
    address = f"/doubts/{doubt.pk}/take-back/"
    contributor.post(f"/doubts/{doubt.pk}/dismiss/", {"reason": "It was <us>."})
    assert address in the_section(contributor.get(f"/runs/{loaded.pk}/").text)
    assert signed_in("viewer").post(address).status_code == 403
    done = signed_in("operator").post(address, follow=True)
    assert "The doubt stands again" in done.text
    section = the_section(done.text)
    assert f"<s>{LOAD}</s>" not in section and MEND in section
    past = " ".join(section.split())
    assert re.search(
        r"Dismissed: It was &lt;us&gt;\.&nbsp;· contributor&nbsp;· .*Taken back: operator&nbsp;· ",
        past,
    )
    assert f"/doubts/{doubt.pk}/dismiss/" in section and address not in section


def test_doubts_of_ticked_runs_are_dismissed_and_stand_again_together(loaded, contributor):
    other, left = a_run(), a_run()
    note_doubts([other.pk, left.pk], [Found("load", LOAD), SHORT])

    def act(name, **form):
        form = {"act": name, "runs": [loaded.pk, other.pk]} | form
        return contributor.post("/runs/", form, follow=True).text

    assert "Give a reason, so that others can judge it." in act("dismiss", reason=" ")
    assert "2 doubts dismissed." in act("dismiss", reason="a backup", doubts="load")
    assert "1 doubt dismissed." in act("dismiss", reason="all of it")
    assert set(Doubt.objects.filter(dismissed_at=None).values_list("run", flat=True)) == {left.pk}
    names = Doubt.objects.exclude(dismissed_at=None).values_list("dismissed_by_name", flat=True)
    assert {*names} == {"contributor"}
    assert "2 doubts stand again." in act("take-back", doubts="load")
    assert "Select a valid choice" in act("dismiss", reason="x", doubts="lode")


def test_the_fields_offer_every_kind_of_doubt_by_its_title(contributor):
    fields = contributor.get("/runs/change/").text
    assert '<option value="load">load</option>' in fields
    assert fields.count("<option value=") >= len(OF_RUNS) + 1
    japanese = contributor.get("/runs/change/", headers={"accept-language": "ja"}).text
    assert '<option value="load">load</option>' not in japanese


def test_visitors_see_doubts_and_reasons_and_no_names(loaded, client, signed_in, settings):
    settings.PUBLIC_READ = True
    doubt = Doubt.objects.get(run=loaded)
    somebody = signed_in("contributor")
    for act in ("dismiss", "take-back", "dismiss"):
        somebody.post(f"/doubts/{doubt.pk}/{act}/", {"reason": "a backup"})
    section = the_section(client.get(f"/runs/{loaded.pk}/").text)
    assert LOAD in section and section.count("a backup") == 2
    assert "contributor" not in section and "Dismiss<" not in section
    assert "take-back" not in section


def test_lists_mark_the_runs_whose_numbers_they_show(loaded, contributor):
    sound = a_run(values={"seq_write.throughput.mean": 1e8})
    note_doubts([sound.pk], [SHORT])  # of a number that the row does not show
    page = contributor.get("/runs/").text
    (marked,) = re.findall(BADGE, page)
    assert marked == (f"/runs/{loaded.pk}/#doubts", LOAD, "load")
    assert f'href="/runs/{sound.pk}/#doubts"' not in page


def test_a_row_of_a_sample_has_the_doubts_of_all_its_runs(contributor):
    values = {"seq_write.throughput.mean": 1e8}
    first = a_run(values=values)
    second, third = (a_run(values=values, sample=first.sample) for _ in range(2))
    note_doubts([second.pk, third.pk], [Found("load", LOAD)])
    (marked,) = re.findall(BADGE, contributor.get("/runs/").text)
    assert marked == (f"/runs/{second.pk}/#doubts", LOAD, "load")


def test_what_is_found_has_its_mark_in_one_more_query(loaded, contributor):
    def found():
        with CaptureQueriesContext(connection) as queries:
            page = contributor.get("/search/?q=nightly").text
        return re.findall(BADGE, page), len(queries)

    found()  # the first one looks up who asks
    (marked,), few = found()
    assert marked == (f"/runs/{loaded.pk}/#doubts", LOAD, "load")
    for _ in range(3):
        note_doubts([a_run(label="nightly").pk], [Found("load", LOAD), SHORT])
    note_doubts([a_run(label="nightly, sound").pk], [SHORT])
    many, count = found()
    assert (len(many), count) == (4, few)
    assert {title for _address, _sentence, title in many} == {"load"}


def test_a_doubted_run_leaves_its_whole_sample_out_as_in_comparisons(contributor):
    first = a_run()
    second = a_run(sample=first.sample)
    note_doubts([second.pk], [Found("load", LOAD)])
    assert not contributor.get("/runs/?doubts=exclude").context["page"].rows
    assert contributor.get("/api/v1/runs/?doubts=exclude").json()["results"] == []


def test_the_list_is_narrowed_to_doubted_runs_or_leaves_them_out(loaded, contributor):
    sound = a_run()
    note_doubts([sound.pk], [SHORT])

    def shown(query):
        return [run.pk for run in contributor.get(f"/runs/?{query}").context["page"].rows]

    assert shown("") == [sound.pk, loaded.pk]
    assert shown("state=doubted") == [loaded.pk]
    assert shown("doubts=exclude") == [sound.pk]
    left_out = "1 run is doubted and left out, as you chose."
    assert left_out in contributor.get("/runs/?doubts=exclude").text
    assert left_out not in contributor.get("/runs/").text
    assert left_out not in contributor.get("/runs/?doubts=exclude&tool=dbench").text


def test_doubts_are_in_japanese_too(loaded, contributor):
    page = contributor.get(f"/runs/{loaded.pk}/", headers={"accept-language": "ja"}).text
    section = the_section(page)
    assert "<h2>注意点</h2>" in section
    assert MEND not in section


@pytest.fixture
def unread(db):
    environment = an_environment("lab")
    judge_capture(environment.pk, {"node-a": [UNREAD]}, {})
    return environment


def test_it_is_shown_and_dismissed_on_its_page_and_stands_again(unread, contributor):
    address = f"/environments/{unread.pk}/"
    page = contributor.get(address).text
    assert f"node-a: {UNREAD}" in page and "let the target’s account read it" in page
    doubt = Doubt.objects.get()
    done = contributor.post(f"/doubts/{doubt.pk}/dismiss/", {"reason": "a guest"}, follow=True)
    assert done.redirect_chain[-1][0] == address
    assert f"<s>node-a: {UNREAD}</s>" in done.text and "a guest&nbsp;· contributor" in done.text
    again = contributor.post(f"/doubts/{doubt.pk}/take-back/", follow=True).text
    assert f"<s>node-a: {UNREAD}</s>" not in again and "Taken back:" in again


def test_the_list_marks_it_and_is_narrowed_in_as_many_queries(unread, contributor):
    sound = an_environment("sound")

    def shown(query=""):
        with CaptureQueriesContext(connection) as queries:
            answer = contributor.get(f"/environments/{query}")
        return [each.pk for each in answer.context["page"].rows], answer.text, len(queries)

    shown()  # the first one looks up who asks
    both, page, few = shown()
    assert both == [sound.pk, unread.pk]
    badges = re.findall(r'class="badge warn" href="([^"]+)" title="([^"]+)">([^<]+)', page)
    assert badges == [(f"/environments/{unread.pk}/#doubts", f"node-a: {UNREAD}", "not read")]
    assert shown("?doubts=only")[0] == [unread.pk]
    assert shown("?doubts=exclude")[0] == [sound.pk]
    for number in range(4):
        other = an_environment(f"lab {number}")
        judge_capture(other.pk, {"node-a": [UNREAD]}, {"node-a": 90.0})
    assert shown()[2] == few
    Doubt.objects.all().delete()
    assert "No environment has a doubt" in shown("?doubts=only")[1]
