"""The series of a study beside each other: how many runs each has, and in what environments they differ.

What was published comes first, also where that is no figures at all.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count
from django.db.models.fields.json import KeyTextTransform

from benchdash.results.environment_words import EnvironmentWords, environment_words
from benchdash.results.models import Run, Study
from benchdash.results.models.run import LIVING
from benchdash.results.titles import SERIES, fact_title, series_text, study_text, value_text
from benchdash.vocabulary.importance import importance

MOST_FACTS = 12


@dataclass(frozen=True, slots=True)
class OneSeries:
    """A series: its name and its runs; `environment` is that of most of them, by its id.

    `words` are what its study says of it.
    """

    name: str
    runs: int
    environment: int | None
    words: str = ""


@dataclass(frozen=True, slots=True)
class SeriesOfStudy:
    """The author's first. `facts` differ among the environments: a title, and the text of each."""

    series: tuple[OneSeries, ...]
    facts: tuple[tuple[str, tuple[str, ...]], ...]
    further: int


def series_of_study(study: Study) -> SeriesOfStudy | None:
    """None where nothing was published, or nothing was measured to stand beside it; four queries."""
    if not study.published_as:
        return None
    rows = (
        Run.objects.filter(LIVING, study=study)
        .annotate(series=KeyTextTransform("series", "settings"))
        .order_by("series", "environment")
        .values_list("series", "environment")
        .annotate(n=Count("pk"))
    )
    by_series: dict[str, Counter[int | None]] = {}
    for series, environment, n in rows:
        by_series.setdefault(series or "", Counter())[environment] += n
    if not any(by_series):
        return None
    if "" not in by_series:
        planned = Counter(study.conditions.values_list("environment", flat=True))
        by_series[""] = Counter({planned.most_common(1)[0][0]: 0} if planned else {None: 0})
    found = tuple(
        OneSeries(
            _name(study, name),
            sum(counts.values()),
            counts.most_common(1)[0][0],
            series_text(study, name, "words"),
        )
        for name, counts in sorted(by_series.items())
    )
    words = environment_words({one.environment for one in found if one.environment})
    facts = [words.get(one.environment or 0, EnvironmentWords()).facts for one in found]
    names = sorted(
        {name for own in facts for name in own},
        key=lambda name: (importance(f"environment.{name}"), name),
    )
    differing = [
        (fact_title(name), tuple(own.get(name, "") for own in facts))
        for name in names
        if len({own.get(name) for own in facts}) > 1
    ]
    return SeriesOfStudy(found, tuple(differing[:MOST_FACTS]), max(0, len(differing) - MOST_FACTS))


def _name(study: Study, name: str) -> str:
    if not name:
        return study_text(study, "published_as")
    return series_text(study, name) or value_text(SERIES, name)
