"""The design system on one page: every token and component as it is, in both themes."""

from __future__ import annotations

from array import array
from datetime import UTC, datetime, timedelta
from math import sin
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchdash.accounts.roles import Role
from benchdash.pages.access import needs
from benchdash.pages.comparison_context import Likeness
from benchdash.pages.curve_figures import PercentileFigure, percentile_figure
from benchdash.pages.design_jobs import job_examples
from benchdash.pages.design_numbers import numbers_example
from benchdash.pages.differing import Differing, Differs
from benchdash.pages.history_figures import HistoryFigure, history_figure
from benchdash.pages.layer_fields import COMMON_STACKS
from benchdash.pages.machine_forms import DiskForm
from benchdash.pages.matrix_cells import STEPS
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
    gettext_lazy("Shares of the best"): (
        "best",
        *(f"heat-{tenth}" for tenth in range(STEPS + 1)),
    ),
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
    return over_time([("", trace)], [], binary=False).figures[0]


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
