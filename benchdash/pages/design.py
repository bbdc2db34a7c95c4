"""The design system on one page: every token and component as it is, in both themes."""

from __future__ import annotations

from array import array
from datetime import timedelta
from math import sin
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchdash.accounts.roles import Role
from benchdash.jobs.models import AddedRounds, Job, JobStep, Plan, Target, TunableChange
from benchdash.jobs.models.target import WORKING_FOLDER
from benchdash.jobs.more_rounds import Room
from benchdash.jobs.planning import Touched
from benchdash.jobs.queries import Matrix, Round
from benchdash.pages.access import needs
from benchdash.pages.curve_figures import PercentileFigure, percentile_figure
from benchdash.pages.jobs import live_words
from benchdash.pages.layer_fields import COMMON_STACKS
from benchdash.pages.machine_forms import DiskForm
from benchdash.pages.trace_drawing import Drawing, drawn
from benchdash.results.comparison.cards import CardBar, CardChart
from benchdash.results.comparison.tables import SERIES, swatch
from benchdash.results.comparison.view_curves import Curve, Curves, Percentile
from benchdash.results.models import Measure, Trace
from benchdash.results.titles import measure_title
from benchdash.results.traces import packed
from benchdash.vocabulary.measures import MeasureName
from benchdash.vocabulary.storage.notation import parse

# the names in frontend/styles/tokens.css, by what they are for
COLOURS = {
    gettext_lazy("Grounds and lines"): (
        *("ground", "surface", "raised", "sunken", "line", "line-strong"),
    ),
    gettext_lazy("Ink and accent"): (
        *("ink", "ink-soft", "accent", "accent-strong", "accent-soft", "on-accent", "focus"),
    ),
    gettext_lazy("States"): (
        *("good", "good-soft", "warn", "warn-soft", "bad", "bad-soft", "mark"),
    ),
    gettext_lazy("Series"): tuple(f"series-{number}" for number in range(1, SERIES + 1)),
    gettext_lazy("Layers"): tuple(
        f"layer-{kind}"
        for kind in ("filesystem", "replication", "volume", "cluster", "device", "host")
    ),
}
SIZES = ("text-small", "text-normal", "text-large", "text-title")
SPACES = tuple(f"space-{number}" for number in range(1, 8))
ROUNDED = ("radius", "radius-small")
LAYERS = COMMON_STACKS["drbd"].layers


class ExampleForm(forms.Form):
    """A field of each kind; one of them is filled in wrongly."""

    name = forms.CharField(label=gettext_lazy("Name"), initial="DRBD C")
    study = forms.ChoiceField(label=gettext_lazy("Study"), choices=[("", "–"), ("a", "DRBD 9")])
    since = forms.DateField(
        label=gettext_lazy("Since"), widget=forms.DateInput(attrs={"type": "date"}), required=False
    )
    words = forms.CharField(
        label=gettext_lazy("Description"),
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Markdown."),
        required=False,
    )
    percent = forms.BooleanField(label=gettext_lazy("Percent of the baseline"), required=False)


@needs(Role.VISITOR)
def design(request: HttpRequest) -> HttpResponse:
    """No query: its examples are its own."""
    context: dict[str, Any] = {
        "colours": COLOURS,
        "sizes": SIZES,
        "spaces": SPACES,
        "rounded": ROUNDED,
        "themes": [(theme, _form(theme)) for theme in ("light", "dark")],
        "stack": parse(LAYERS),
        "swatches": [swatch(slot) for slot in range(4 * SERIES)],
        "chart": _bars(),
        "trace": _trace(),
        "figure": _percentiles(),
        "disk": DiskForm({"model": "PM883", "size_bytes": "a lot"}, auto_id="disk-%s"),
    }
    return render(request, "design/page.html", context | job_examples())


def _form(theme: str) -> ExampleForm:
    return ExampleForm({"name": "", "words": "**DRBD**", "study": "a"}, auto_id=f"{theme}-%s")


def _bars() -> CardChart:
    values = {_("local disk"): 90.2, "DRBD A": 29.3, "DRBD C": 32.8, "GFS2": 27.2}
    most = max(values.values())
    bars = tuple(
        CardBar(label, swatch(slot), f"{value}", round(100 * value / most, 2))
        for slot, (label, value) in enumerate(values.items())
    )
    title = measure_title(MeasureName("seq_write", "throughput", "mean"))
    return CardChart(title, "", "MB/s", False, bars, len(bars))


def _trace() -> Drawing:
    seconds = array("d", range(180))
    values = array("d", (9e7 + 1e7 * sin(second / 7) for second in seconds))
    measure = Measure(operation="seq_write", metric="throughput", statistic="mean")
    return drawn(Trace(measure=measure, points=180, seconds=packed(seconds), values=packed(values)))


def _percentiles() -> PercentileFigure:
    tails = {_("local disk"): 1e-4, "DRBD C": 3e-4}
    curves = (
        Curve(
            label,
            slot,
            tuple(Percentile(p, least / (1 - p / 100) ** 0.6, 5) for p in (50.0, 90.0, 99.0, 99.9)),
        )
        for slot, (label, least) in enumerate(tails.items())
    )
    return percentile_figure(Curves("rand_read", "completion_latency", tuple(curves)))


KEYS = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI"
LOG = """\
fio-3.33
Starting 1 process
Jobs: 1 (f=1): [w(1)][50.0%][w=44.9MiB/s][w=11.5k IOPS][eta 00m:30s]
"""
STANDINGS: tuple[dict[str, Any], ...] = (
    *({"findings": {"state": state}} for state in ("ok", "trouble", "unreachable", "refused")),
    {"offered_key": KEYS},
    {"offered_key": KEYS, "host_key": KEYS},
    {"check_asked_at": timezone.now()},
    {},
)
COUNTS = {
    "launched_at": True,
    "job_count": 6,
    "running_count": 1,
    "waiting_count": 1,
    "done_count": 3,
    "ended_count": 4,
}
CONDITIONS: tuple[dict[str, Any], ...] = (
    {
        "host": "store-a",
        "sentence": "md0 is running a resync, 41.5 % is done.",
        "blocking": True,
        "when": "before",
    },
    {
        "host": "store-b",
        "sentence": "The one-minute load average is 0.2 on 4 CPUs.",
        "blocking": False,
        "when": "after",
    },
)
FINDINGS = (
    {"name": "sudo", "ok": True, "text": "works"},
    {
        "name": "clock",
        "ok": None,
        "text": "+7 s from ours",
        "mend": "Set the clock; durations are measured without it.",
    },
    {
        "name": "working folder",
        "ok": False,
        "text": f"{WORKING_FOLDER} cannot be written",
        "mend": f"Make {WORKING_FOLDER} on the host, and let bench write to it.",
    },
)


def job_examples() -> dict[str, Any]:
    """The context of `design/jobs.html`; no query."""
    steps = _steps()
    return {
        "states": [Job(state=state) for state in Job.State],
        "refused_job": Job(state=Job.State.FAILED, reason=CONDITIONS[0]["sentence"]),
        "running_job": Job(state=Job.State.RUNNING, expected_s=60.0),
        "elapsed_s": 24.0,
        "steps": steps,
        "changes": [step for step in steps if step.tunable],
        "conditions": CONDITIONS,
        "log": LOG,
        "live_words": live_words((), binary=False),
        "told": {"anew": True, "points": _points()},
        "targets": [Target(**columns) for columns in STANDINGS],
        "findings": FINDINGS,
        "touched": [Touched("device", "/dev/sdb", "store-a", confirmed=False)],
        "plan": COUNTS,
        "matrix": _matrix(),
        "plan_of_looks": Plan(pk=1, created_at=timezone.now(), launched_at=timezone.now()),
        "first_rounds": 8,
        "added": [AddedRounds(rounds=4, look=2, at=timezone.now())],
        "room": Room(rounds=100, jobs=6, expected_s=360.0),
        "further_look": True,
        "next_look": 3,
    }


def _steps() -> list[JobStep]:
    """A job's steps: one that is over, one that runs, one that failed, one that waits."""
    now = timezone.now()
    began, ended = now - timedelta(seconds=26), now - timedelta(seconds=25)
    tunable = {"name": "scheduler", "where": "sda", "value": "none"}
    over = {"state": "done", "exit_code": 0, "started_at": began, "ended_at": ended}
    before = JobStep(phase="before", name="scheduler", root=True, tunable=tunable, **over)
    before.command = "sh -c 'echo none > /sys/block/sda/queue/scheduler'"
    before.change = TunableChange(old="mq-deadline", new="none", changed_at=ended)
    runs = JobStep(phase="measure", name="fio", tool="fio", state="running", expected_s=60.0)
    runs.command = "fio --name=fio --filename=/dev/sdb --rw=randwrite --bs=4k --output=out.json"
    runs.touches = [{"kind": "device", "name": "/dev/sdb"}]
    failed = JobStep(phase="after", name="drop caches", state="failed", exit_code=1)
    failed.command, failed.started_at, failed.ended_at = "sync", began, ended
    waits = JobStep(
        phase="cleanup", name="scheduler", command="", files={"job.fio": "[fio]\nbs=4k"}
    )
    steps = [before, runs, failed, waits]
    for step in steps:
        step.node = "node-a"
    return steps


def _matrix() -> Matrix:
    rows = {"bs=4K": ("done", "done", "running"), "bs=1M": ("done", "failed", "queued")}
    rounds = [Round(number, 2, 2 if number < 3 else 0) for number in (1, 2, 3)]
    jobs: list[tuple[str, list[Job | None]]] = [
        (title, [Job(state=state) for state in states]) for title, states in rows.items()
    ]
    return Matrix(rounds, jobs, 360.0, active=False, round_now=3)


def _points() -> list[list[Any]]:
    return [
        [0, "write", "throughput", second, 4.5e7 + 5e6 * sin(second / 5)] for second in range(60)
    ]
