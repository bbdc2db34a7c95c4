"""What a message says: numbers first, then what failed and why, and where to look."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchdash.errors import N_
from benchdash.jobs import plan_changes
from benchdash.jobs.models import Job, Plan
from benchdash.notifications.models import Event
from benchdash.notifications.news import News
from benchdash.results.language import in_language

S = Job.State
_MOST_NAMED = 5
_LONGEST_REASON = 300
TEST = N_("This is a test: messages about your plans will arrive here.")


@dataclass(frozen=True, slots=True)
class Message:
    """One message, for either channel."""

    subject: str
    text: str
    payload: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Count:
    """Cells of a plan by what became of the last attempts at their jobs.

    One is done once it is in every round; `doubted` are done as well.
    """

    cells: int
    done: int
    failed: int
    cancelled: int
    doubted: int

    def sentence(self) -> str:
        """The numbers in the reader's language; what there is none of is left out."""
        parts = [
            ngettext("{done} of {n} cell done", "{done} of {n} cells done", self.cells).format(
                done=self.done, n=self.cells
            )
        ]
        parts += [_("{n} failed").format(n=self.failed)] if self.failed else []
        parts += [_("{n} cancelled").format(n=self.cancelled)] if self.cancelled else []
        parts += [_("{n} doubted").format(n=self.doubted)] if self.doubted else []
        return _(", ").join(parts)


def count_cells(plan: Plan) -> Count:
    """Two queries, however many cells there are."""
    rows = plan.jobs.order_by("attempt").values_list("position", "cell", "state")
    last = {position: (cell, state) for position, cell, state in rows}
    states: dict[int, list[str]] = defaultdict(list)
    for cell, state in last.values():
        states[cell].append(state)
    for cell in range(1, plan.cell_count + 1) if plan.to_make else ():
        # rounds without a row are to come, or never come
        missing = plan.rounds_planned - len(states[cell])
        states[cell] += [S.CANCELLED if plan.stopped_at else S.PLANNED] * max(0, missing)
    found = [{*each} for each in states.values()]
    failed = sum(bool({S.FAILED, S.LOST} & each) for each in found)
    return Count(
        cells=max(plan.cell_count, len(found)),
        done=sum(each == {S.DONE} for each in found),
        failed=failed,
        cancelled=sum(S.CANCELLED in each and not {S.FAILED, S.LOST} & each for each in found),
        doubted=plan_changes.doubted(plan).values("cell").distinct().count(),
    )


def about(plan: Plan, news: News, site: str) -> Message:
    """What happened to a plan, in the active language; `site` is where the links lead."""
    count, failures = count_cells(plan), _failures(plan)
    address = site.rstrip("/") + reverse("plan", args=[plan.pk])
    what = in_language(news.sentence)
    paragraphs = [
        f"{what}\n{count.sentence()}.",
        "\n".join(f"{each['job']} {each['cell']}: {each['reason']}" for each in failures),
        _took(plan) if news.event == Event.ENDED else "",
        address,
    ]
    subject = f"{plan.title}: {what if news.event != Event.ENDED else count.sentence()}"
    subject = " ".join(subject.split())  # a header of a mail is one line
    payload = {
        "event": news.event,
        "at": news.at.isoformat(),
        "text": f"{subject} {address}",
        "sentence": what,
        "plan": {"id": plan.pk, "title": plan.title, "recipe": plan.recipe_name, "url": address},
        "cells": asdict(count),
        "failures": failures,
    }
    return Message(f"benchdash: {subject}"[:400], "\n\n".join(filter(None, paragraphs)), payload)


def test(site: str) -> Message:
    """What a person sends themselves to see whether it arrives."""
    sentence = in_language(TEST)
    payload = {
        "event": Event.TEST.value,
        "at": timezone.now().isoformat(),
        "text": f"{sentence} {site}",
        "sentence": sentence,
    }
    return Message(_("benchdash: a test"), f"{sentence}\n\n{site}", payload)


def _failures(plan: Plan) -> list[dict[str, str]]:
    """The first jobs whose last attempt failed or was lost, and why."""
    failed = plan_changes.unmeasured(plan).exclude(state=S.CANCELLED).order_by("ended_at")
    return [
        {
            "job": str(job),
            "cell": job.title,
            "reason": in_language(job.reason)[:_LONGEST_REASON],
        }
        for job in failed[:_MOST_NAMED]
    ]


def _took(plan: Plan) -> str:
    ended = max((at for at in plan.jobs.values_list("ended_at", flat=True) if at), default=None)
    if ended is None or plan.launched_at is None:
        return ""
    took = timedelta(seconds=round((ended - plan.launched_at).total_seconds()))
    return _("It took {time} from launch to end.").format(time=took)
