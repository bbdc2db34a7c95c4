"""`make screenshots`: every page, empty and full, as pictures to look at.

PNG files named page-width-theme-language, under SCREENSHOTS (var/screenshots by default).
"""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import override

from benchdash.accounts.models import User
from benchdash.health import AWAY
from benchdash.inventory.models import Environment
from benchdash.inventory.records import delete_configuration
from benchdash.jobs import job_states
from benchdash.jobs.models import Job
from benchdash.notifications.models import Event, Notification
from benchdash.pages.help_chapters import CHAPTERS
from benchdash.results.models import Study
from benchdash.results.records import delete_study
from benchdash.results.run_actions import delete
from tests.jobs.records import WAYS, a_job, a_plan, a_target
from tests.journeys.conftest import sign_in
from tests.journeys.test_every_page import ACTS
from tests.pages.addresses import addresses
from tests.pages.house import build

FOLDER = Path(os.environ.get("SCREENSHOTS", "var/screenshots"))
WIDTHS = (390, 1440, 3840)
THEMES = ("light", "dark")
LANGUAGES = ("en", "ja")
# out of sight nothing is laid out, and a picture of a whole page never scrolls
ALL_OF_IT = """async () => {
  const parts = document.querySelectorAll(".compared, .section");
  for (const each of parts) each.style.contentVisibility = "visible";
  await new Promise((go) => setTimeout(go, 300));
}"""
COMPARED = {
    "alike": "study=ext4-lvm-raid6&like=1&tool=bonnie%2B%2B",
    "together": "study=drbd9-cluster&like=0",
    "change": "study=drbd-on-two-pcs&chart=change",
    "lines": "study=ceph-rbd-under-kvm&group=setting.guests,setting.measured&chart=lines&axis=log",
    "heat": "study=ext4-lvm-raid6&tool=dbench&chart=heat&group=layer.disk.scheduler,layer.ext4.data",
    "over-time": "study=ext4-lvm-raid6&tool=dbench&axis=log",
    "percentiles": "study=ceph-rbd-under-kvm&measure=rand_read.completion_latency.p99",
    "no-match": "study=drbd-on-two-pcs&tool=fio",
}
NO_MATCH = {
    "runs-no-match": "/runs/?text=nothing+is+called+so",
    "configurations-no-match": "/configurations/?text=nothing+is+called+so",
    "history-no-match": "/history/?host=nobody",
    "jobs-no-match": "/jobs/?state=lost",
    "search-found": "/search/?q=drbd",
    "search-no-match": "/search/?q=nothing+is+called+so",
}
# how a job comes to where no helper of tests leaves it
FURTHER = {
    Job.State.WAITING: (Job.State.QUEUED, Job.State.WAITING),
    Job.State.CANCELLED: (Job.State.QUEUED, Job.State.CANCELLED),
    Job.State.LOST: (*WAYS[Job.State.UNREACHABLE], Job.State.LOST),
}
LISTS = ("home", "studies", "runs", "configurations", "environments", "compare", "uploads")


@pytest.fixture
def person(transactional_db):
    """Somebody who may do everything that pages offer."""
    person = User.objects.create_user("ann", password="correct horse battery")
    person.groups.add(Group.objects.get(name="admin"))
    return person


@pytest.fixture(params=product(WIDTHS, THEMES, LANGUAGES), ids="{0[0]}-{0[1]}-{0[2]}".format)
def picture(request, browser, live_server, person):
    """Takes pages in one width, theme and language: `-k 390-light-en` is one part of all."""
    width, theme, language = request.param
    window = browser.new_context(
        base_url=live_server.url,
        viewport={"width": width, "height": 900},
        color_scheme=theme,
        locale=language,
        reduced_motion="reduce",
    )
    page = window.new_page()
    sign_in(page, person)

    def take(pages):
        FOLDER.mkdir(parents=True, exist_ok=True)
        for name, address in pages.items():
            page.goto(address, wait_until="networkidle")
            if name == "api-docs":  # drawn by a script, from what it then reads
                page.locator(".opblock").first.wait_for()
            page.evaluate(ALL_OF_IT)
            path = FOLDER / f"{name}-{width}-{theme}-{language}.png"
            page.screenshot(path=path, full_page=True, timeout=120_000)  # much of it in 4K

    yield take
    take_failures(page, language, width, theme)
    sign_in(page, User.objects.create_user("vera", password="correct horse battery"))
    take({"not-allowed": "/uploads/"})
    window.clear_cookies()
    take({"login": "/sign-in/"})
    window.close()


def take_failures(page, language, width, theme):
    """What is shown where no page can be made: without the database, and so without a session."""
    for name in ("500", "503"):
        with override(language):
            text = render_to_string(f"errors/{name}.html", {"sentence": AWAY})
        page.set_content(text, wait_until="networkidle")  # with the styles of where it was
        page.screenshot(path=FOLDER / f"error-{name}-{width}-{theme}-{language}.png")


def jobs_and_plans(person):
    """A page for each state of a job, and for a plan that was paused, cancelled or failed."""
    pages = {}
    for state in (*WAYS, *FURTHER):
        first = Job.State.PLANNED if state in FURTHER else state
        job = a_job(first, a_target(f"host-{state}"), a_plan(launched_at=timezone.now()))
        for step in FURTHER.get(state, ()):
            job_states.move(job, step, "The host was switched off." if step == state else "")
        pages[f"job-{state}"] = f"/jobs/{job.pk}/"
        pages[f"plan-{state}"] = f"/plans/{job.plan_id}/"
    paused = a_plan(launched_at=timezone.now(), paused_at=timezone.now(), paused_by=person)
    a_job(target=a_target("host-paused"), plan=paused)
    return pages | {"plan-paused": f"/plans/{paused.pk}/"}


def tell(person):
    """A webhook that took a message, and one that did not."""
    for state, answer in (("sent", "200 OK"), ("failed", "connection refused")):
        Notification.objects.create(
            user=person,
            event=Event.ENDED,
            key=state,
            state=state,
            channel="webhook",
            subject="fio on store-a has ended",
            answer=answer,
            text="All jobs are done.",
            attempts=3,
            tried_at=timezone.now(),
        )


@pytest.mark.timeout(1800)
def test_the_empty_house_is_pictured(picture):
    picture({f"empty-{name}": f"/{name}/" for name in LISTS[1:]})
    picture({"empty-home": "/", "not-found": "/nothing/here/"})


@pytest.mark.timeout(3600)
def test_the_full_house_is_pictured(picture, person):
    call_command("load_demo")
    house = build(ending=b"\n")
    pages = {name: at for name, (at, _view) in addresses(house).items() if name not in ACTS}
    pages |= {f"study-{each.slug}": f"/studies/{each.slug}/" for each in Study.objects.all()}
    pages["compare"] = f"/compare/?study={house.study.slug}"
    pages["compare-latency"] = "/compare/?study=drbd-between-ec2-zones&family=latency"
    pages |= {f"help-{name}": f"/help/{name}/" for name in CHAPTERS}
    pages["api-docs"] = "/api/docs/"
    pages["runs-filtered"] = "/runs/?filters=counted&columns=offered&tool=fio"
    pages["runs-of-an-upload"] = f"/runs/?upload={house.upload.pk}"
    pages["runs-refused"] = "/runs/?state=nonsense&nothing=1"
    pages["compare-refused"] = "/compare/?study=nothing"
    pages["configuration-with-stack"] = "/configurations/new/?template=drbd"
    pages["refused-upload"] = f"/uploads/{house.refused.pk}/"
    pages["refused-aside"] = "/uploads/refused/?aside=1"
    pages["environment-copy"] = f"/environments/new/?from={house.environment.pk}"
    environments = Environment.objects.order_by("pk").values_list("pk", flat=True)
    pages["environment_diff"] += "?left={}&right={}".format(*environments[:2])
    del pages["login"], pages["chapter"]
    pages["configuration_diff"] += f"?left={house.local.pk}&right={house.mirror.pk}"
    tell(person)
    pages |= NO_MATCH | {f"compare-{name}": f"/compare/?{q}" for name, q in COMPARED.items()}
    pages |= {"compare-one-run": f"/compare/?run={house.run.pk}"} | jobs_and_plans(person)
    picture(pages)
    delete([house.run.pk])
    delete_study(house.study)
    delete_configuration(house.mirror)
    lists = {"studies-deleted": "/studies/?deleted=1", "runs-deleted": "/runs/?state=deleted"}
    lists |= {"configurations-deleted": "/configurations/?deleted=on"}
    of = ("study", "configuration", "run")
    places = (house.study.slug, house.mirror.pk, house.run.pk)
    many = zip(of, ("studies", "configurations", "runs"), places, strict=True)
    picture(lists | {f"deleted-{one}": f"/{room}/{place}/" for one, room, place in many})
