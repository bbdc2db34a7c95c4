"""The design system on one page: every token and component as it is, in both themes."""

from __future__ import annotations

from array import array
from datetime import UTC, datetime, timedelta
from math import sin
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchdash.accounts.models import User
from benchdash.accounts.roles import Role
from benchdash.jobs.confirming import Touched
from benchdash.jobs.costs import Cost, Disk
from benchdash.jobs.matrix import Offer, Progress, Standing
from benchdash.jobs.models import (
    AddedRounds,
    Job,
    JobStep,
    Plan,
    StoppingLook,
    Target,
    TunableChange,
)
from benchdash.jobs.models.target import WORKING_FOLDER
from benchdash.jobs.more_levels import AddedLevels
from benchdash.jobs.more_rounds import Room
from benchdash.pages.access import needs
from benchdash.pages.comparing import Likeness
from benchdash.pages.curve_figures import PercentileFigure, percentile_figure
from benchdash.pages.design_numbers import numbers_example
from benchdash.pages.differing import Differing, Differs
from benchdash.pages.history_figures import HistoryFigure, history_figure
from benchdash.pages.jobs import live_words
from benchdash.pages.layer_fields import COMMON_STACKS
from benchdash.pages.machine_forms import DiskForm
from benchdash.pages.matrix_cells import STEPS, Cells, axes_of, scale_of, tables_of
from benchdash.pages.plan_looks import Stopping, stopping_of
from benchdash.pages.plan_matrix import Best, Live, Matrix, title_of
from benchdash.pages.plan_more import More
from benchdash.pages.run_facets import FacetLink, FacetLinks
from benchdash.pages.run_over_time import Figure, over_time
from benchdash.results.comparison.cards import CardBar, CardChart
from benchdash.results.comparison.tables import SERIES, swatch
from benchdash.results.comparison.view_curves import Curve, Curves, Percentile
from benchdash.results.environment_changes import Change, Changed
from benchdash.results.history import Line, Point, Series, SeriesHistory
from benchdash.results.models import Measure, Trace
from benchdash.results.run_filters import filter_title
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
    gettext_lazy("Shares of the best"): tuple(f"heat-{tenth}" for tenth in range(STEPS + 1)),
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
    return render(
        request, "design/page.html", context | _explored() | numbers_example() | job_examples()
    )


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


def _trace() -> Figure:
    seconds = array("d", range(180))
    values = array("d", (9e7 + 1e7 * sin(second / 7) for second in seconds))
    measure = Measure(operation="seq_write", metric="throughput", statistic="mean")
    trace = Trace(measure=measure, points=180, seconds=packed(seconds), values=packed(values))
    return over_time([trace], [], binary=False).figures[0]


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


def _explored() -> dict[str, Any]:
    """The context of what lists, comparisons and histories are made of; no query."""
    kernel, local = filter_title("environment.kernel"), _("local disk")
    tools = (("fio", "12", True), ("bonnie++", "8", False))
    return {
        "likeness": Likeness(is_alike=True, alike="", together="like=0"),
        "besides": Differing(
            groups=(local, "DRBD C"),
            besides=(Differs("environment.kernel", kernel, ("5.10", "6.1")),),
            meant=(Differs("layer.drbd.protocol", "drbd.protocol", ("–", "C")),),
            parted=(),
            same=((filter_title("tool"), "fio"),),
        ),
        "facets": [
            FacetLinks(
                "tool",
                filter_title("tool"),
                [FacetLink(name, name, count, f"tool={name}", here) for name, count, here in tools],
            )
        ],
        "history_figure": _history(kernel, {local: 14_500.0, "DRBD C": 9_800.0}),
    }


def _history(kernel: str, iops: dict[str, float]) -> HistoryFigure:
    begin = datetime(2026, 1, 5, 6, tzinfo=UTC)
    weeks = [begin + timedelta(weeks=week) for week in range(12)]
    lines = (
        Line(
            label,
            slot,
            tuple(
                Point(
                    run=12 * slot + week + 1,
                    runs=(),
                    at=at,
                    stored=False,
                    value=value * (1 - 0.2 * (week > 7) + 0.02 * sin(3 * week + slot)),
                    version="3.33",
                    environment=None,
                    environment_name="",
                    doubts=(),
                )
                for week, at in enumerate(weeks)
            ),
        )
        for slot, (label, value) in enumerate(iops.items())
    )
    return history_figure(
        SeriesHistory(
            series=Series("", "fio", 0, "randwrite 4 KiB", 24),
            measure=MeasureName("rand_write", "iops", "mean"),
            hosts=1,
            lines=tuple(lines),
            changes=(
                Change(9, weeks[7], weeks[8], "store-a", None, (Changed(kernel, "5.10", "6.1"),)),
            ),
            left_out=0,
        ),
        binary=False,
    )


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
    "pk": 1,
    "rounds_planned": 3,
    "last_round": 3,
    "launched_at": True,
    "job_count": 7,
    "running_count": 1,
    "waiting_count": 1,
    "done_count": 3,
    "failed_count": 1,
    "cancelled_count": 1,
    "ended_count": 5,
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
        "cost": Cost(
            cells=6,
            jobs=48,
            expected_s=5400.0,
            earlier=12,
            written_bytes=3.2e11,
            traced=12,
            disks=[Disk("store-a", "sdb", 3.2e11, 0.16)],
        ),
        "matrix": _matrix(),
        "plan_of_looks": Plan(
            pk=1,
            created_at=timezone.now(),
            launched_at=timezone.now(),
            paused_at=timezone.now(),
            paused_by=User(username="ann"),
            looks=3,
        ),
        "stopping": _stopping(),
        "zones": [
            ("local", [{"role": "node-a", "host": "store-1"}]),
            ("near", [{"role": f"node-{n}", "host": f"store-{n}"} for n in "ab"]),
        ],
        "batch": [Plan(pk=n, title=f"fio, store-{n}", launched_at=timezone.now()) for n in (1, 2)],
        "unmeasured": 2,
        "doubted": 1,
        "first_rounds": 8,
        "added": [AddedRounds(rounds=4, look=3, at=timezone.now())],
        "room": Room(rounds=100, jobs=6, expected_s=360.0),
        "further_look": True,
        "next_look": 4,
        "more": _more(),
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


def _more() -> More:
    """A level that came later, and what a further one would cost."""
    levels = AddedLevels("iodepth", [16], 2, 9, 16, timezone.now(), "ann")
    return More(
        added=[("Queue depth 16", levels)],
        factors=[("iodepth", "Queue depth")],
        factor="iodepth",
        levels="32",
        title="Queue depth",
        cells=Plan(rounds_planned=8),
        cost=Cost(2, 16, 960.0, 0, 1.2e10, 0),
        confirmations=[(Touched("device", "/dev/sdb", "store-a", confirmed=False), "")],
    )


def _stopping() -> Stopping | None:
    """Two looks at the intervals of a plan, which had no more rounds then."""
    now, depths = timezone.now(), ["depth", [1, 8, 32]]
    plan = Plan(until_percent=5.0, rounds_at_most=6, cell_count=3, axes=[depths])
    looks = [
        StoppingLook(rounds=5, at=now, widest_percent=12.3, wider=2, without=1, decision="further"),
        StoppingLook(rounds=6, at=now, widest_percent=9.1, wider=1, without=1, decision="most"),
    ]
    looks[1].measure, looks[1].cells = "write.throughput.mean", {"wider": [2], "without": [3]}
    return stopping_of(plan, looks)


def _matrix() -> Matrix:
    """Two factors in three rounds: measured, measured in part, running, failed, to come."""
    sizes, depths = ["4K", "64K", "1M"], [1, 8, 32]
    plan = Plan(pk=1, rounds_planned=3, cell_count=9, axes=[["size", sizes], ["depth", depths]])
    values = {1: 11e6, 2: 42e6, 3: 90e6, 4: 61e6, 5: 102e6, 7: 118e6}
    found = {cell: Standing(done=3) for cell in values} | {
        5: Standing(done=2, running=1),
        6: Standing(failed=3),
        8: Standing(running=1),
    }
    measure = MeasureName("write", "throughput", "mean")
    scale = scale_of(measure, values, binary=False)
    axes = axes_of(plan)
    return Matrix(
        offer=Offer([], [measure], None, measure),
        axes=axes,
        across=axes[1],
        down=axes[0],
        tables=list(tables_of(plan, axes, axes[1], axes[0], Cells("#c", 3, found, values, scale))),
        unit=scale.unit,
        live=Live(
            progress=Progress(3, 360.0, [], timezone.now()),
            active=False,
            query="",
            best=Best("Size 1M, Depth 1", "118 MB/s", "#c7", 3),
        ),
        dense=False,
        parts=[],
        measures=[(str(measure), title_of(measure))],
    )


def _points() -> list[list[Any]]:
    return [
        [0, "write", "throughput", second, 4.5e7 + 5e6 * sin(second / 5)] for second in range(60)
    ]
