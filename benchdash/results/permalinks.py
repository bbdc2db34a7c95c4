"""Pointing at a comparison: what it shows now is kept for whoever opens the link.

Runs and values are written down whole; a link lays them out again, and says what became of its runs
since: other numbers, withdrawn, set aside, gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, cast

import msgspec
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from benchdash.accounts.models import User
from benchdash.analysis.drawing import Stretch
from benchdash.errors import Refused
from benchdash.results.comparison.choose import ChosenRuns, studies_of
from benchdash.results.comparison.compare import Comparison, compare, lay_out
from benchdash.results.comparison.curves import DrawnTrace, RunTrace
from benchdash.results.comparison.measures import Numbers, Values
from benchdash.results.comparison.records import SelectedRun
from benchdash.results.criteria import read_query
from benchdash.results.models import Measurement, Permalink, PermalinkSubject, Run
from benchdash.results.models.run import NOT_COUNTED
from benchdash.vocabulary.measures import MeasureName

# what is kept of a run that is shown, and so counted
_KEPT = [name for name in SelectedRun._fields if name != "not_counted"]
State = Literal["counted", "set_aside", "same_result", "withdrawn", "deleted", "removed"]


class ChangedNumber(NamedTuple):
    """A value as it was shown, and as it is read now; None where there is no such number."""

    measure: MeasureName
    shown: float | None
    now: float | None


@dataclass(frozen=True, slots=True)
class ChangedRun:
    """A run that is not as it was shown. `now_version` is its parser's; None where it is removed."""

    run: int
    label: str
    state: State
    shown_version: int
    now_version: int | None
    numbers: tuple[ChangedNumber, ...]

    @property
    def state_text(self) -> str:
        """What became of it, in words; empty where it still counts."""
        return _(_STATES[self.state]) if self.state in _STATES else ""


class _Now(NamedTuple):
    pk: int
    parser_version: int
    digest: str
    not_counted: str


@transaction.atomic
def make_permalink(query: str, person: User | None) -> Permalink:
    """Keep what `query` shows now; Refused where it makes no sense or shows no run."""
    comparison = compare(read_query(query))
    if not comparison.runs:
        raise Refused(
            _("This comparison has no runs yet, so there is nothing to link to."), "query"
        )
    permalink = Permalink.objects.create(
        query=comparison.criteria.query(), shown=_written_down(comparison), created_by=person
    )
    _keep_subjects(permalink, comparison)
    return permalink


def _keep_subjects(permalink: Permalink, comparison: Comparison) -> None:
    every = {
        (run.workload_id, run.configuration_id, run.environment_id, run.study_id)
        for run in comparison.runs
    }
    PermalinkSubject.objects.bulk_create(
        PermalinkSubject(
            permalink=permalink,
            workload_id=workload,
            configuration_id=configuration,
            environment_id=environment,
            study_id=study,
        )
        for workload, configuration, environment, study in every
    )


def frozen(permalink: Permalink, *, binary: bool = False) -> Comparison:
    """The comparison as it was shown; Refused where its address no longer makes sense."""
    shown = permalink.shown
    criteria = read_query(permalink.query)
    comparison = lay_out(
        # "" is no baseline, None would be the one that the study has by now
        criteria.changed(baseline=shown["baseline"] or ""),
        ChosenRuns(_runs(shown), shown["aside"], studies_of(criteria)),
        Numbers(_values(shown["values"]), _values(shown.get("beside", []))),
        traces=[
            RunTrace(run, operation, metric, drawn and _drawn(*drawn))
            for run, operation, metric, drawn in shown.get("courses", [])
        ],
        binary=binary,
    )
    # conditions that the study got since were not missing then
    view = msgspec.structs.replace(comparison.view, query=criteria.query(), unmeasured=())
    return replace(comparison, criteria=criteria, view=view)


def _written_down(comparison: Comparison) -> dict[str, Any]:
    """`{"baseline", "aside", "runs", "values", "beside", "courses"}` for JSON.

    Each run has its columns, its parser's version and the digest of its numbers; values are
    `[[measure, {run: value}], …]`, courses `[[run, operation, metric, drawn or null], …]`. The
    keys are those of links that people have made already.
    """
    view, numbers = comparison.view, comparison.numbers
    drawn = {figure.measure for section in view.sections for figure in section.figures}
    rows = Run.objects.filter(pk__in=[run.id for run in comparison.runs])
    pins = {
        pk: {"parser_version": version, "digest": digest}
        for pk, version, digest in rows.values_list("pk", "parser_version", "digest")
    }
    return {
        "baseline": view.baseline,
        "aside": view.not_counted,
        "runs": [
            {name: getattr(run, name) for name in _KEPT} | pins[run.id]
            for run in sorted(comparison.runs, key=lambda run: run.id)
        ],
        "values": _pairs({name: own for name, own in numbers.shown.items() if str(name) in drawn}),
        "beside": _pairs(numbers.beside),
        "courses": comparison.traces,
    }


def _pairs(values: Values) -> list[list[Any]]:
    return [
        [str(measure), {str(run): value for run, value in own.items()}]
        for measure, own in values.items()
    ]


def _values(pairs: list[list[Any]]) -> Values:
    return {
        MeasureName(*name.split(".", 2)): {int(run): value for run, value in values.items()}
        for name, values in pairs
    }


def _runs(shown: dict[str, Any]) -> list[SelectedRun]:
    return [SelectedRun(**{name: run[name] for name in _KEPT}) for run in shown["runs"]]


def _drawn(*numbers: Any) -> DrawnTrace:
    written = DrawnTrace(*numbers)
    return written._replace(stretches=tuple(Stretch(*each) for each in written.stretches))


def changed_since(permalink: Permalink) -> list[ChangedRun]:
    """The runs that changed after the permalink was made, in their order; two queries."""
    runs = {run["id"]: run for run in permalink.shown["runs"]}
    rows = Run.objects.filter(pk__in=runs).annotate(not_counted=NOT_COUNTED)
    now = {row[0]: _Now(*row) for row in rows.values_list(*_Now._fields)}
    reread = [pk for pk, one in now.items() if one.digest != runs[pk]["digest"]]
    numbers = _changed_numbers(permalink, reread)
    found = (_changed(run, now.get(pk), numbers.get(pk, ())) for pk, run in runs.items())
    return [one for one in found if one.state != "counted" or one.numbers]


def _changed(
    run: dict[str, Any], now: _Now | None, numbers: tuple[ChangedNumber, ...]
) -> ChangedRun:
    return ChangedRun(
        run=run["id"],
        label=run["label"],
        state=cast("State", now.not_counted or "counted") if now else "removed",
        shown_version=run["parser_version"],
        now_version=now and now.parser_version,
        numbers=numbers,
    )


def _changed_numbers(permalink: Permalink, runs: list[int]) -> dict[int, tuple[ChangedNumber, ...]]:
    """By run, the shown measures whose value is another now."""
    shown = _values(permalink.shown.get("beside", [])) | _values(permalink.shown["values"])
    now = _values_now(runs)
    return {run: tuple(_different(run, shown, now)) for run in runs}


def _values_now(runs: list[int]) -> dict[tuple[int, MeasureName], float]:
    rows = Measurement.objects.filter(run__in=runs).values_list(
        "run", "measure__operation", "measure__metric", "measure__statistic", "value"
    )
    return {(run, MeasureName(*words)): value for run, *words, value in rows}


def _different(
    run: int,
    shown: dict[MeasureName, dict[int, float]],
    now: dict[tuple[int, MeasureName], float],
) -> Iterator[ChangedNumber]:
    for measure, values in shown.items():
        before, after = values.get(run), now.get((run, measure))
        if before != after:
            yield ChangedNumber(measure, before, after)


_STATES = {
    "set_aside": gettext_noop("set aside since"),
    "same_result": gettext_noop("known to be the same result as another run since"),
    "withdrawn": gettext_noop("withdrawn since: its file no longer gives this result"),
    "deleted": gettext_noop("deleted since"),
    "removed": gettext_noop("removed since, with its numbers"),
}
