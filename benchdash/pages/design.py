"""The design system on one page: every token and component as it is, in both themes."""

from __future__ import annotations

from array import array
from math import sin
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchdash.accounts.roles import Role
from benchdash.pages.access import needs
from benchdash.pages.common_stacks import COMMON_STACKS
from benchdash.pages.design_jobs import job_examples
from benchdash.pages.machine_fields import Field, machine_fields
from benchdash.pages.percentile_figures import PercentileFigure, percentile_figure
from benchdash.pages.trace_drawing import Drawing, drawn
from benchdash.results.comparison.percentiles import Curve, Curves, Point
from benchdash.results.comparison.tables import SERIES, swatch
from benchdash.results.models import Measure, Trace
from benchdash.results.parameters import MeasureName
from benchdash.results.study_bars import CardBar, CardChart
from benchdash.results.trace_arrays import packed
from benchdash.results.words import measure_title
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
        label=gettext_lazy("Words"),
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
        "disk": _disk(),
    }
    return render(request, "design/page.html", context | job_examples())


def _form(theme: str) -> ExampleForm:
    return ExampleForm({"name": "", "words": "**DRBD**", "study": "a"}, auto_id=f"{theme}-%s")


def _disk() -> list[Field]:
    """A row of typed fields, one of them filled in wrongly."""
    typed = machine_fields({"m0-disks-0-model": "PM883", "m0-disks-0-size_bytes": "a lot"})
    typed.read()
    return typed.machines[0].parts[0].rows[0].fields


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
            tuple(Point(p, least / (1 - p / 100) ** 0.6, 5) for p in (50.0, 90.0, 99.0, 99.9)),
        )
        for slot, (label, least) in enumerate(tails.items())
    )
    return percentile_figure(Curves("rand_read", "completion_latency", tuple(curves)))
