"""Pointing at a comparison: what it shows now is kept for whoever opens the link.

Its view is written down whole, in each language, so that no later rule changes its picture or its
words; a link says what became of its runs since: other numbers, withdrawn, set aside, gone. What was
written down before that is read by `permalinks_form_1.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, cast

import msgspec
from django.conf import settings
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from benchdash.accounts.models import User
from benchdash.analysis.joining import join
from benchdash.errors import Refused
from benchdash.parsers import bonnie
from benchdash.results import permalinks_form_1
from benchdash.results.comparison.choose import ChosenRuns, studies_of
from benchdash.results.comparison.compare import (
    Comparison,
    ShownComparison,
    compare,
    compare_numbers,
)
from benchdash.results.comparison.measures import Values
from benchdash.results.comparison.view import ComparisonView, as_json
from benchdash.results.criteria import Criteria, read_query
from benchdash.results.factors import Factor
from benchdash.results.models import Measurement, Permalink, PermalinkSubject, Run
from benchdash.results.models.run import NOT_COUNTED
from benchdash.results.permalinks_form_1 import values_of
from benchdash.vocabulary.measures import MeasureName, percentile

# of what is written down; a form that was ever stored keeps a reader
FORM = 2
# by which numbers are put in words: what says something else of the same numbers adds one
RULES = 2
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
    tool: str
    not_counted: str

    def may_differ(self, shown: dict[str, Any]) -> bool:
        """Whether its numbers may be others than when it was `shown`.

        The two forms of a result share a digest, which says nothing of the numbers of one of them.
        """
        in_two_forms = self.tool == bonnie.TOOL and self.parser_version != shown["parser_version"]
        return in_two_forms or bool(self.digest != shown["digest"])


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenComparison(ShownComparison):
    """A comparison as it was shown, in the words of the rules of then."""

    rules: int

    @property
    def rules_changed(self) -> bool:
        """Whether the same numbers might be put in other words today."""
        return self.rules != RULES


@transaction.atomic
def make_permalink(query: str, person: User | None) -> Permalink:
    """Keep what `query` shows `person` now; Refused where it makes no sense or shows no run."""
    comparison = compare(read_query(query), binary=person is not None and person.binary_units)
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


def frozen(permalink: Permalink, *, binary: bool = False) -> FrozenComparison:
    """The comparison as it was shown.

    `binary` prefers MiB/s where the link does not say: only those of the first form, which are
    Refused where their address no longer makes sense.
    """
    shown = permalink.shown
    if "form" not in shown:
        return _of_first_form(permalink, binary=binary)
    views = shown["views"]
    language = translation.get_language() or settings.LANGUAGE_CODE
    written = views.get(language) or views[settings.LANGUAGE_CODE]
    view = msgspec.convert(written, ComparisonView)
    return FrozenComparison(
        criteria=_readable(permalink.query),
        factors=tuple(map(_factor, view.group)),
        binary=shown["binary"],
        view=view,
        rules=shown["rules"],
    )


def _of_first_form(permalink: Permalink, *, binary: bool) -> FrozenComparison:
    criteria = read_query(permalink.query)
    found = permalinks_form_1.laid_out(permalink.shown, criteria, binary=binary)
    view = permalinks_form_1.in_words_of_form_1(found.view)
    view = msgspec.structs.replace(view, query=criteria.query())
    return FrozenComparison(
        criteria=criteria, factors=found.factors, binary=found.binary, view=view, rules=1
    )


def _readable(query: str) -> Criteria:
    """How to draw it: by default where the address no longer makes sense."""
    try:
        return read_query(query)
    except Refused:
        return Criteria()


def _factor(text: str) -> Factor:
    kind, _dot, name = text.partition(".")
    return Factor(kind, name)


def _written_down(comparison: Comparison) -> dict[str, Any]:
    """`{"form", "rules", "binary", "views", "runs", "samples", "values", "beside"}` for JSON.

    `views` are by language, `samples` the runs of those that have several; values are
    `[[measure, {first run of the sample: value}], …]`, and with the parser's version
    and the digest of the numbers of each run they tell what changed since.
    """
    numbers = comparison.numbers
    figures = [figure for section in comparison.view.sections for figure in section.figures]
    drawn = {figure.measure for figure in figures}
    latencies = {figure.latency.measure for figure in figures if figure.latency}
    rows = Run.objects.filter(
        pk__in=[pk for run in comparison.runs for pk in run.members]
    ).order_by("pk")
    return {
        "form": FORM,
        "rules": RULES,
        "binary": comparison.binary,
        "views": _views(comparison),
        "runs": list(rows.values("id", "label", "parser_version", "digest")),
        "samples": [run.runs for run in comparison.runs if len(run.runs) > 1],
        "values": _pairs({name: own for name, own in numbers.shown.items() if str(name) in drawn}),
        # what else verdicts were made of is not shown
        "beside": _pairs(
            {
                name: own
                for name, own in numbers.beside.items()
                if str(name) in latencies or percentile(name.statistic) is not None
            }
        ),
    }


def _views(comparison: Comparison) -> dict[str, Any]:
    """The same in the words of each language."""
    criteria, view = comparison.criteria, comparison.view
    chosen = ChosenRuns(list(comparison.runs), view.not_counted, studies_of(criteria))
    found = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            comparison = compare_numbers(
                criteria,
                chosen,
                comparison.numbers,
                traces=comparison.traces,
                binary=comparison.binary,
            )
            found[language] = as_json(comparison.view)
    return found


def _pairs(values: Values) -> list[list[Any]]:
    return [
        [str(measure), {str(run): value for run, value in own.items()}]
        for measure, own in values.items()
    ]


def changed_since(permalink: Permalink) -> list[ChangedRun]:
    """The runs that changed after the permalink was made, in their order; two queries."""
    runs = {run["id"]: run for run in permalink.shown["runs"]}
    rows = Run.objects.filter(pk__in=runs).annotate(not_counted=NOT_COUNTED)
    now = {row[0]: _Now(*row) for row in rows.values_list(*_Now._fields)}
    reread = [pk for pk, one in now.items() if one.may_differ(runs[pk])]
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
    """By the first run of its sample, the shown measures whose value is another now."""
    shown = values_of(permalink.shown.get("beside", [])) | values_of(permalink.shown["values"])
    several = [sample for sample in permalink.shown.get("samples", []) if {*sample} & {*runs}]
    samples = {sample[0]: sample for sample in several}
    members = {run for sample in several for run in sample}
    samples |= {run: [run] for run in runs if run not in members}
    now = _values_now([run for sample in samples.values() for run in sample])
    return {
        first: tuple(_different(first, shown, [now[run] for run in sample]))
        for first, sample in samples.items()
    }


def _values_now(runs: list[int]) -> dict[int, dict[MeasureName, float]]:
    rows = Measurement.objects.filter(run__in=runs).values_list(
        "run", "measure__operation", "measure__metric", "measure__statistic", "value"
    )
    found: dict[int, dict[MeasureName, float]] = defaultdict(dict)
    for run, *words, value in rows:
        found[run][MeasureName(*words)] = value
    return found


def _different(
    first: int, shown: Values, parts: Sequence[dict[MeasureName, float]]
) -> Iterator[ChangedNumber]:
    for measure, values in shown.items():
        if len(parts) > 1 and percentile(measure.statistic) is not None:
            continue  # joined out of bins, which are not at hand
        before, after = values.get(first), join(measure, parts)
        if before != after:
            yield ChangedNumber(measure, before, after)


_STATES = {
    "set_aside": gettext_noop("since set aside"),
    "same_result": gettext_noop("since found to be the same result as another run"),
    "withdrawn": gettext_noop("since withdrawn: its file no longer gives this result"),
    "deleted": gettext_noop("since deleted"),
    "removed": gettext_noop("since removed, with its numbers"),
}
