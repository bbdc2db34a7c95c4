"""A study as a file: exported in one order, so that two of them can be laid side by side; imported.

`study_document.py` says what a file may have. What is imported goes the way of what is typed: equal
machines and layers are the records that are there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import yaml
from django.db import transaction

from benchdash.accounts.models import User
from benchdash.errors import N_, Refused, side_by_side
from benchdash.inventory.models import Configuration, Environment, hosts_text
from benchdash.inventory.queries import machines_of
from benchdash.inventory.records import (
    LONGEST_NAME,
    environment_with,
    name_environment,
    record_configuration,
    record_environment,
)
from benchdash.parsers.unpacking import Budget
from benchdash.results.annotations import set_tags, tags_of
from benchdash.results.assignment import Assignment
from benchdash.results.ingest import LONGEST_SENTENCE, still_open
from benchdash.results.models import Condition, Study, Upload
from benchdash.results.readings import Spool
from benchdash.results.records import add_condition, choose_baseline, write_study
from benchdash.results.storable import storable_sentence
from benchdash.results.study_document import (
    OF_SERIES,
    TRANSLATED,
    Described,
    StudyDocument,
    located,
    read_study,
)
from benchdash.results.study_measured import Outputs, Remark, Written, store_measured, store_outputs
from benchdash.results.study_measured_by import MEASURED_BY, OF_ZONE
from benchdash.results.study_remarks import grouped
from benchdash.results.study_zones import zones_by_condition
from benchdash.vocabulary.machines import FACTS, NETWORK, PARTS
from benchdash.vocabulary.settings import ZONE, Settings
from benchdash.vocabulary.storage.notation import print_stack

WIDTH = 100
MOST_REMARKS = 10  # that an archive keeps
_LOCAL_IDS = {
    *("run", "execution", "sample", "upload", "artifact", "plan"),
    *("configuration", "environment"),
}
_LEFT_OUT = N_(
    "A chart selects its runs by this installation’s numbers, so it is left out of the "
    "file. Charts that select runs by study, tag or host are included."
)
_BASELINE_LEFT_OUT = N_(
    "The baseline of a chart is named by this installation’s number of a record, so it is left "
    "out of the file. A condition that is marked as the baseline is included."
)
_BY_NUMBER = {"configuration", "environment", "run", "execution", "study"}
_FACTS = tuple(dict.fromkeys((*FACTS, *PARTS, *(name for each in PARTS.values() for name in each))))
_WORDS = ("title", "question", "words", "translations", "source_url", "published_as")
_REST = ("series", "factors", "charts", "delta", "measured_by")


def import_study(  # noqa: PLR0913 - the parts of a study's file, and how it came
    text: str,
    *,
    replace: bool = False,
    folder: Path | None = None,
    remark: Remark = str,
    by: User | None = None,
    archive: Upload | None = None,
    budget: Budget | None = None,
) -> Study:
    """The study that a file describes, with its conditions; raw outputs are files in `folder`.

    They were uploaded `by` somebody, in an `archive` where that is kept: its row then says in the
    same transaction what became of it. `remark` is called with a sentence about each output whose
    runs belong elsewhere. Refused with the line of what is wrong, and where a study of its address
    is there already: with `replace` that one becomes as the file says, and keeps its runs and
    notes. `budget` is what all outputs together may cost, instead of each of them.
    """
    document = read_study(text, with_outputs=folder is not None)
    remarks: list[str] = []
    try:
        _known(document, replace=replace)  # else everything is read in vain
        with Spool() as spool:
            outputs = Outputs(folder, spool, by, archive, budget)
            # beforehand: nobody else could write meanwhile
            outputs.read(document.files)
            with transaction.atomic():
                if archive and not still_open(archive):
                    return Study.objects.get(pk=archive.assignment["study"])
                study = _stored(document, outputs, replace=replace, remark=remarks.append)
                if archive:
                    _fill(archive, study, remarks)
    except Refused as refused:
        raise Refused(refused.sentence, "text") from None
    for sentence in remarks:
        remark(sentence)
    return study


def _fill(archive: Upload, study: Study, remarks: list[str]) -> None:
    """That it is stored, as which study, and what was remarked."""
    remarks = grouped(remarks)
    if (more := len(remarks) - MOST_REMARKS) > 1:
        remarks = [*remarks[:MOST_REMARKS], N_("There are {n} further remarks.", n=more)]
    archive.outcome = Upload.Outcome.STORED
    archive.sentence = storable_sentence(side_by_side(remarks, " "), LONGEST_SENTENCE)
    archive.assignment |= {"study": study.pk}
    archive.save()


def _stored(document: StudyDocument, outputs: Outputs, *, replace: bool, remark: Remark) -> Study:
    known = _known(document, replace=replace)
    study = known or Study(slug=document.slug)
    study.deleted_at = None
    with located(document.part.mapping()["title"]):
        write_study(study, **document.fields)
    set_tags(study, document.tags)
    environments, configurations = {}, {}
    for name, described in document.environments.items():
        with located(described.part):
            environments[name] = _environment(name, described)
    for name, one in document.configurations.items():
        with located(one.part):
            configurations[name] = record_configuration(name, one.tree, notes=one.notes)
    study.conditions.all().delete()
    for planned in document.conditions:
        environment = environments.get(planned.environment)
        configuration = configurations[planned.configuration]
        with located(planned.part):
            condition = add_condition(study, configuration, environment, planned.label)
        if planned.baseline:
            choose_baseline(condition)
        if planned.outputs:
            # one after the other: their runs are listed in the order of the conditions
            part = planned.part.mapping()["outputs"]
            zone = zones_by_condition(study).get(planned.label)
            settings: Settings = {ZONE: zone} if zone else {}
            assignment = Assignment(configuration, environment, study, settings=settings)
            found = [(part, name, assignment) for name in planned.outputs]
            store_outputs(outputs, found, remark=remark)
    if document.measured:
        store_measured(
            outputs, document.measured, study, configurations, environments, remark=remark
        )
    for slug in _studies_of_others(study):
        remark(
            N_(
                "A chart shows the runs of the study “{slug}”, not those of this one: edit its "
                "address if that is not meant.",
                slug=slug,
            )
        )
    return study


def _known(document: StudyDocument, *, replace: bool) -> Study | None:
    """The study at the address of the file; Refused where it is not to be replaced."""
    known = Study.objects.filter(slug=document.slug).first() if document.slug else None
    if known and not replace:
        line = document.part.mapping()["slug"].line
        raise Refused(
            "Line {line}: a study with the address “{slug}” already exists; say that it is "
            "to be replaced, or use another address.",
            "text",
            line=line,
            slug=document.slug,
        )
    return known


def _studies_of_others(study: Study) -> list[str]:
    """The studies that charts show in place of this one, as in a copy under another address."""
    found: dict[str, None] = {}
    for chart in study.charts:
        slugs = [value for name, value in parse_qsl(chart) if name == "study"]
        if slugs and study.slug not in slugs:
            found |= dict.fromkeys(slugs)
    return [*found]


def _environment(name: str, described: Described) -> Environment:
    """What is there is not recorded once more, and keeps the name that it has."""
    known = environment_with(described.machines, described.network)
    if known is None:
        return record_environment(described.machines, described.network, name=name)
    if known.title != name:
        name_environment(known, name)
    return known


def export_study(study: Study) -> str:
    """The file of a study: what is empty is left out; equal studies give equal bytes."""
    return _exported(study)


def export_with_outputs(study: Study, remark: Remark) -> tuple[str, dict[str, int]]:
    """The same with what was measured, and the artifacts of the raw outputs by the names that it has.

    `remark` is called with each sentence about what the file cannot have.
    """
    outputs: dict[str, int] = {}
    return _exported(study, outputs, remark), outputs


def _exported(study: Study, outputs: dict[str, int] | None = None, remark: Remark = str) -> str:
    """With `outputs`, which is filled, what was measured stands in it."""
    found = Condition.objects.filter(study=study).select_related(
        "configuration__stack", "environment"
    )
    conditions = list(found.prefetch_related("environment__names", "environment__parts__snapshot"))
    environments: dict[str, Environment] = {}
    called = {
        one.environment_id: _name_in(environments, one.environment)
        for one in conditions
        if one.environment
    }
    configurations = {one.configuration.name: one.configuration for one in conditions}
    pairs = {(one.configuration_id, one.environment_id) for one in conditions}
    written = Written(study, pairs) if outputs is not None else None
    if written and outputs is not None:
        written.write(lambda environment: _name_in(environments, environment))
        outputs |= written.outputs
        further = {one.name: one for one in written.configurations.values()}
        configurations |= {name: further[name] for name in sorted(further)}
        for sentence in written.remarks:
            remark(sentence)
    document: dict[str, Any] = {"slug": study.slug}
    document |= {name: getattr(study, name) for name in (*_WORDS, *_REST)}
    document["translations"] = {
        language: _ordered(words, TRANSLATED)
        for language, words in sorted(study.translations.items())
    }
    if written:  # outputs go elsewhere, where they get other numbers; the text alone is edited here
        charts = [chart for chart in study.charts if not _has_local_ids(chart)]
        document["charts"] = [_without_local_baseline(chart) for chart in charts]
        if len(charts) < len(study.charts):
            remark(_LEFT_OUT)
        if document["charts"] != charts:
            remark(_BASELINE_LEFT_OUT)
    document["series"] = _ordered(study.series, OF_SERIES)
    document["measured_by"] = _ordered(study.measured_by, (*MEASURED_BY, *OF_ZONE))
    document["tags"] = [tag.name for tag in tags_of(study)]
    document["environments"] = {name: _described(one) for name, one in environments.items()}
    document["configurations"] = {name: _layers(one) for name, one in configurations.items()}
    plain = written.plain if written else {}
    document["conditions"] = [_condition(one, called, plain) for one in conditions]
    document["measured"] = written.cells if written else []
    kept = {
        name: _clean(value) for name, value in document.items() if value not in ("", [], {}, None)
    }
    return yaml.dump(
        kept, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH, indent=2
    )


def _has_local_ids(chart: str) -> bool:
    """Whether a chart's address has numbers that are another record's, or nobody's, elsewhere."""
    return not _LOCAL_IDS.isdisjoint(name for name, _value in parse_qsl(chart))


def _without_local_baseline(chart: str) -> str:
    """Groups of records, and those that nobody chose, have numbers of this installation for keys."""
    chosen = parse_qsl(chart, keep_blank_values=True)
    names = dict(chosen)
    factors = {*filter(None, names.get("group", "").split(","))}
    if "baseline" not in names or (factors and _BY_NUMBER.isdisjoint(factors)):
        return chart
    return urlencode([(name, value) for name, value in chosen if name != "baseline"], safe=",")


def _name_in(environments: dict[str, Environment], environment: Environment) -> str:
    """What it is called in the file; of several by one name the later ones are numbered.

    The number of one without a name is that of a row here: a reader of the file has its hosts.
    """
    hosts = hosts_text(environment.hosts)[: LONGEST_NAME - 10]
    title = environment.title if environment.names.all() else hosts or environment.title
    names = chain([title], (f"{title} ({n})" for n in count(2)))
    return next(n for n in names if environments.setdefault(n, environment) == environment)


def _described(environment: Environment) -> dict[str, Any]:
    facts = machines_of(environment)
    described: dict[str, Any] = {
        "machines": {role: _ordered(facts[role], _FACTS) for role in sorted(facts)}
    }
    network = _ordered(environment.network, tuple(NETWORK))
    return described | ({"network": network} if network else {})


def _layers(configuration: Configuration) -> dict[str, str]:
    described = {"layers": print_stack(configuration.stack.tree)}
    return described | ({"notes": configuration.notes} if configuration.notes else {})


def _condition(
    condition: Condition,
    called: Mapping[int | None, str],
    plain: Mapping[tuple[int, int | None], list[str]],
) -> dict[str, Any]:
    described: dict[str, Any] = {"label": condition.label} if condition.label else {}
    described["configuration"] = condition.configuration.name
    if condition.environment:
        described["environment"] = called[condition.environment_id]
    if condition.is_baseline:
        described["baseline"] = True
    outputs = plain.get((condition.configuration_id, condition.environment_id))
    return described | ({"outputs": outputs} if outputs else {})


def _ordered(value: Any, names: Sequence[str] = ()) -> Any:
    """Keys as in `names`, others by the alphabet behind them: JSON columns do not keep an order."""
    if isinstance(value, list):
        return [_ordered(one, names) for one in value]
    if not isinstance(value, dict):
        return value
    place = {name: number for number, name in enumerate(names)}
    keys = sorted(value, key=lambda key: (place.get(key, len(place)), key))
    return {key: _ordered(value[key], names) for key in keys}


def _clean(value: Any) -> Any:
    """Line breaks as files have them; browsers send others."""
    if isinstance(value, str):
        return value.replace("\r\n", "\n").replace("\r", "\n")
    if isinstance(value, dict):
        return {name: _clean(one) for name, one in value.items()}
    return [_clean(one) for one in value] if isinstance(value, list | tuple) else value


class _Dumper(yaml.SafeDumper):
    """Block style; a text of several lines stands as it is, and nothing is an alias."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)
