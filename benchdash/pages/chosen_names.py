"""What records are called that an address names by a number, where it says what is chosen."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db.models import Q

from benchdash.accounts.roles import Role
from benchdash.inventory.models import Configuration, Environment
from benchdash.jobs.models import Plan
from benchdash.results.ids import read_id
from benchdash.results.models import Study
from benchdash.results.run_names import names_of
from benchdash.results.titles import SERIES, series_titles, study_text
from benchdash.results.upload_runs import uploads_text

Pair = tuple[str, str]  # a filter and a value of it, as an address has them


def names_of_chosen(pairs: Iterable[Pair], role: Role) -> dict[Pair, str]:
    """The names by filter and value, as `role` may know them; a query for each kind of records."""
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    found: dict[Pair, str] = {}
    if configurations := values.get("configuration"):
        named = Configuration.objects.filter(pk__in=configurations).values_list("pk", "name")
        found |= {("configuration", str(pk)): name for pk, name in named}
    if environments := values.get("environment"):
        chosen = Environment.objects.prefetch_related("names").in_bulk(map(int, environments))
        found |= {("environment", str(pk)): one.title for pk, one in chosen.items()}
    if "study" in values or str(SERIES) in values:
        found |= _of_studies(values.get("study", [""]))
    if runs := values.get("run"):
        names = names_of({pk for one in runs if (pk := read_id(one))})
        found |= {("run", str(pk)): name for pk, name in names.items()}
    for uploads in values.get("upload", ()):
        if text := uploads_text(uploads, with_names=role >= Role.VIEWER):
            found["upload", uploads] = text
    if role >= Role.VIEWER and (plans := values.get("plan")):
        plans_named = Plan.objects.filter(pk__in=plans).values_list("pk", "title")
        found |= {("plan", str(pk)): title for pk, title in plans_named}
    return found


def _of_studies(slugs: Collection[str]) -> dict[Pair, str]:
    """Studies and series by their titles; facets ask for those of all studies, by none."""
    # runs stay with a study that was deleted
    named = Q() if "" in slugs else Q(slug__in=slugs)
    columns = ("slug", "title", "translations", "series")
    studies = list(Study.objects.filter(named).order_by("title").only(*columns))
    chosen = [study for study in studies if study.slug in slugs]
    series = series_titles(chosen or studies)
    return {("study", study.slug): study_text(study, "title") for study in studies} | {
        (str(SERIES), name): title for name, title in series.items()
    }
