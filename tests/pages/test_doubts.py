"""Doubts beside the numbers: on the run, in lists, dismissed by a person."""

from __future__ import annotations

import re

import pytest

from benchdash.results.doubts import note_doubts
from benchdash.results.models import Doubt, Run
from benchdash.vocabulary.doubts import Doubt as Found
from tests.measured import a_run

pytestmark = pytest.mark.django_db
LOAD = "node-a: The one-minute load average is 9 on 2 CPUs."
MEND = "Measure again while nothing else runs on the machine."
SHORT = Found(
    "short", "Sequential stat took only 10 ms, too short for a reliable rate.", ("seq_stat",)
)


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


def test_a_condition_that_is_a_doubt_is_said_once(loaded, contributor):
    quiet = "node-a: The hottest sensor reads 40 °C."
    Run.objects.filter(pk=loaded.pk).update(conditions=[LOAD, quiet])
    page = contributor.get(f"/runs/{loaded.pk}/").text
    assert page.count(f"{LOAD}</p>") == 1 and page.count(f"<li>{LOAD}") == 0
    assert page.count(f"<li>{quiet}") == 1


def test_a_doubt_is_dismissed_with_a_reason_that_stays(loaded, contributor, signed_in):
    doubt = Doubt.objects.get(run=loaded)
    address = f"/doubts/{doubt.pk}/dismiss/"
    refused = contributor.post(address, {"reason": " "}, follow=True).text
    assert "Say why, so that others can judge it." in refused
    done = contributor.post(address, {"reason": "It was <us>."}, follow=True).text
    assert "It was &lt;us&gt;. · contributor" in the_section(done)
    assert f"<s>{LOAD}</s>" in the_section(done)
    assert address not in done
    assert signed_in("viewer").post(address, {"reason": "no"}).status_code == 403


def test_visitors_see_doubts_and_reasons_and_no_names(loaded, client, signed_in, settings):
    settings.PUBLIC_READ = True
    doubt = Doubt.objects.get(run=loaded)
    somebody = signed_in("contributor")
    somebody.post(f"/doubts/{doubt.pk}/dismiss/", {"reason": "a backup"})
    section = the_section(client.get(f"/runs/{loaded.pk}/").text)
    assert LOAD in section and "a backup" in section
    assert "contributor" not in section and "Dismiss<" not in section


def test_lists_mark_the_runs_whose_numbers_they_show(loaded, contributor):
    sound = a_run(values={"seq_write.throughput.mean": 1e8})
    note_doubts([sound.pk], [SHORT])  # of a number that the row does not show
    page = contributor.get("/runs/").text
    (marked,) = re.findall(r'<a class="badge warn" href="([^"]+)" title="([^"]+)">([^<]+)', page)
    assert marked == (f"/runs/{loaded.pk}/#doubts", LOAD, "load")
    assert f'href="/runs/{sound.pk}/#doubts"' not in page


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
