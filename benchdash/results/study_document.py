"""A study as a file, read: YAML whose every mistake is refused with its line.

Nothing is stored here, and nothing of the database is asked: `study_files.py` does both. Facts,
layers, factors and charts are checked all the same, so that a file that was read can be imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, product
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.text import slugify

from benchdash.errors import N_, Refused, Sentence
from benchdash.recipes.document import MOST_PARTS, Part, read_document
from benchdash.results.criteria import read_query
from benchdash.results.factors import read_factor
from benchdash.results.parameters import LARGEST_DELTA, SMALLEST_DELTA
from benchdash.results.records import RESERVED
from benchdash.results.study_measured_by import check_zones, read_measured_by
from benchdash.results.study_outputs import Measured, read_measured
from benchdash.vocabulary import machines
from benchdash.vocabulary.storage.normal_form import Tree
from benchdash.vocabulary.storage.notation import parse

LONGEST = 1_000_000
# beside outputs, each of which has 600 characters and 30 names and values
LONGEST_WITH_OUTPUTS = 20_000_000
_MOST_PARTS_WITH_OUTPUTS = 500_000
MOST_CONDITIONS = 2000
LANGUAGES = ("ja",)
TRANSLATED = ("title", "question", "words", "published_as", "series", "labels")
OF_SERIES = ("title", "words")
# `machines` and `network` are for anchors: they say once what several environments have
_STUDY = (
    *("slug", "title", "question", "words", "translations", "source_url", "published_as"),
    *("series", "factors", "charts", "delta", "tags", "measured_by"),
    *("machines", "network", "environments", "configurations", "conditions", "grid", "measured"),
)
_LONGEST = {"title": 200, "published_as": 100, "slug": 80}


@dataclass(frozen=True, slots=True)
class Described:
    """An environment: facts by role, and the network between the machines."""

    part: Part
    machines: dict[str, Any]
    network: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Layers:
    """A configuration."""

    part: Part
    tree: Tree
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Planned:
    """One condition by the names of its records; `outputs` are names of raw outputs beside the file."""

    part: Part
    label: str
    configuration: str
    environment: str = ""
    baseline: bool = False
    outputs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StudyDocument:
    """What a file says; `fields` are those of the record."""

    part: Part
    slug: str
    fields: dict[str, Any]
    tags: tuple[str, ...]
    environments: dict[str, Described]
    configurations: dict[str, Layers]
    conditions: tuple[Planned, ...]
    measured: tuple[Measured, ...]

    @property
    def files(self) -> Iterator[tuple[Part, str]]:
        """The raw outputs and logs that lie beside it, with the place that names each."""
        for planned in self.conditions:
            yield from ((planned.part.mapping()["outputs"], name) for name in planned.outputs)
        for output in chain.from_iterable(cell.outputs for cell in self.measured):
            yield output.part, output.file
            yield from ((part, name) for part, name, _place in output.logs)


def read_study(text: str, *, with_outputs: bool = False) -> StudyDocument:
    """The study of a YAML text; Refused says what is wrong, and on which line."""
    longest = LONGEST_WITH_OUTPUTS if with_outputs else LONGEST
    most_parts = _MOST_PARTS_WITH_OUTPUTS if with_outputs else MOST_PARTS
    try:
        return _read(read_document(text, longest=longest, most_parts=most_parts, aliases=True))
    except Refused as refused:
        raise Refused(refused.sentence, "text") from None


@contextmanager
def located(part: Part) -> Iterator[None]:
    """What is refused within is refused with the line of `part`."""
    try:
        yield
    except Refused as refused:
        part.refuse(refused.sentence.rstrip("."))


def _read(document: Part) -> StudyDocument:
    parts = document.mapping(_STUDY)
    if "title" not in parts:
        document.refuse(N_("“{name}” is needed here", name="title"))
    environments = dict(_environments(parts))
    configurations = dict(_configurations(parts))
    conditions = tuple(_conditions(parts, environments, configurations))
    if "measured_by" in parts:
        check_zones(parts["measured_by"], {one.label for one in conditions})
    measured = tuple(read_measured(parts["measured"])) if "measured" in parts else ()
    for cell in measured:
        _check_names(cell.part, cell, environments, configurations)
    if sum(one.baseline for one in conditions) > 1:
        second = [one for one in conditions if one.baseline][1]
        second.part.refuse(N_("there is more than one baseline"))
    return StudyDocument(
        part=document,
        slug=_slug(parts),
        fields=_fields(parts),
        tags=_texts(parts, "tags"),
        environments=environments,
        configurations=configurations,
        conditions=conditions,
        measured=measured,
    )


def _slug(parts: Mapping[str, Part]) -> str:
    if "slug" not in parts:
        return ""
    slug = _text(parts, "slug")
    if slug != slugify(slug) or slug in RESERVED:
        parts["slug"].refuse(
            N_(
                "an address has lowercase letters, digits, dashes and underscores, and is "
                "not new, import or of-runs"
            )
        )
    return slug


def _fields(parts: Mapping[str, Part]) -> dict[str, Any]:
    """Those of the record; what a file does not say is empty."""
    factors = []
    for part in parts["factors"].items() if "factors" in parts else ():
        with located(part):
            factors.append(str(read_factor(part.text(), "factors")))
    charts = parts["charts"].items() if "charts" in parts else []
    for chart in charts:
        with located(chart):
            read_query(chart.text())
    return {name: _text(parts, name) for name in ("title", "question", "words", "published_as")} | {
        "source_url": _url(parts),
        "translations": _translations(parts),
        "series": _series(parts["series"]) if "series" in parts else {},
        "factors": factors,
        "charts": [chart.text() for chart in charts],
        "delta": _delta(parts),
        "measured_by": read_measured_by(parts["measured_by"]) if "measured_by" in parts else {},
    }


def _text(parts: Mapping[str, Part], name: str) -> str:
    if name not in parts:
        return ""
    text = parts[name].text()
    # folded and literal blocks end with a line break
    text = text.strip() if name in _LONGEST else text.rstrip("\n")
    most = _LONGEST.get(name)
    if most and not 0 < len(text) <= most:
        parts[name].refuse(N_("text of 1 to {most} characters is needed here", most=most))
    return text


def _texts(parts: Mapping[str, Part], name: str) -> tuple[str, ...]:
    return tuple(part.text() for part in parts[name].items()) if name in parts else ()


def _url(parts: Mapping[str, Part]) -> str:
    url = _text(parts, "source_url").strip()
    try:
        if url:
            URLValidator(["http", "https"])(url)
    except ValidationError:
        parts["source_url"].refuse(N_("this is not the address of a page"))
    return url


def _delta(parts: Mapping[str, Part]) -> float | None:
    if "delta" not in parts:
        return None
    value = parts["delta"].value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not SMALLEST_DELTA <= value <= LARGEST_DELTA:
        low, high = f"{SMALLEST_DELTA:g}", f"{LARGEST_DELTA:g}"
        parts["delta"].refuse(
            N_("a number from {low} to {high} is needed here", low=low, high=high)
        )
    return float(value)


def _translations(parts: Mapping[str, Part]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    by_language = parts["translations"].mapping(LANGUAGES) if "translations" in parts else {}
    for language, part in by_language.items():
        words = part.mapping(TRANSLATED)
        plain = [name for name in words if name not in ("series", "labels")]
        found[language] = {name: _text(words, name) for name in plain}
        if "series" in words:
            found[language]["series"] = _series(words["series"])
        if "labels" in words:
            labels = words["labels"].mapping()
            found[language]["labels"] = {label: one.text() for label, one in labels.items()}
    return found


def _series(part: Part) -> dict[str, dict[str, str]]:
    """What series are called and what is said of them, by the setting `series` of their runs."""
    found = {}
    for name, one in part.mapping().items():
        words = one.mapping(OF_SERIES)
        found[name] = {key: _text(words, key) for key in OF_SERIES if key in words}
    return found


def _environments(parts: Mapping[str, Part]) -> Iterator[tuple[str, Described]]:
    for name, part in _named(parts, "environments"):
        keys = part.mapping(("machines", "network"))
        if "machines" not in keys:
            part.refuse(N_("“{name}” is needed here", name="machines"))
        facts = {}
        for role, machine in keys["machines"].mapping().items():
            facts[role] = machine.plain()
            with located(machine):
                machines.normalised(facts[role], machines.checked_role(role))
        network = keys["network"].plain() if "network" in keys else {}
        with located(keys.get("network", part)):
            machines.normalised_network(network)
        yield name, Described(part, facts, network)


def _configurations(parts: Mapping[str, Part]) -> Iterator[tuple[str, Layers]]:
    for name, part in _named(parts, "configurations"):
        keys = part.mapping(("layers", "notes"))
        if "layers" not in keys:
            part.refuse(N_("“{name}” is needed here", name="layers"))
        yield name, Layers(part, _tree(keys["layers"]), _text(keys, "notes"))
    if "grid" in parts:
        grid = _grid(parts["grid"])
        for cell in _cells(grid):
            layers = grid["layers"]
            yield _filled(grid["name"], cell), Layers(layers, _tree(layers, _filled(layers, cell)))


def _tree(part: Part, text: str = "") -> Tree:
    """The layers of a text; a refusal names the line of the file, not that of the text in it."""
    text = text or part.text()
    try:
        return parse(text)
    except Refused as refused:
        sentence = refused.sentence
        values = sentence.values if isinstance(sentence, Sentence) else {}
        if isinstance(within := values.get("line"), int) and "\n" in text:
            line = part.line + within
            raise Refused(Sentence(sentence.template, **values | {"line": line}), "text") from None  # type: ignore[attr-defined]
        part.refuse(sentence.rstrip("."))


def _named(parts: Mapping[str, Part], key: str) -> Iterator[tuple[str, Part]]:
    """The records below `key` by their names, which are what the inventory takes."""
    named = parts[key].mapping() if key in parts else {}
    for name, part in named.items():
        if name != " ".join(name.split()) or not name.isprintable() or not 0 < len(name) <= 200:
            part.refuse(N_("a name has 1 to {most} printable characters", most=200))
        yield name, part


def _conditions(
    parts: Mapping[str, Part],
    environments: Mapping[str, Described],
    configurations: Mapping[str, Layers],
) -> Iterator[Planned]:
    seen = set()
    for one in _planned(parts):
        _check_names(one.part, one, environments, configurations)
        if (one.configuration, one.environment) in seen:
            one.part.refuse(N_("this condition is listed twice"))
        seen.add((one.configuration, one.environment))
        if len(seen) > MOST_CONDITIONS:
            one.part.refuse(N_("a study has at most {most} conditions", most=MOST_CONDITIONS))
        yield one


def _check_names(
    part: Part,
    one: Planned | Measured,
    environments: Mapping[str, Described],
    configurations: Mapping[str, Layers],
) -> None:
    """What a condition or a cell names is in the file."""
    keys = part.mapping() if isinstance(part.value, dict) else {}
    is_unknown = isinstance(one, Measured) and not one.configuration
    if not is_unknown and one.configuration not in configurations:
        sentence = N_("“{name}” is not a configuration of this file", name=one.configuration)
        keys.get("configuration", part).refuse(sentence)
    if one.environment and one.environment not in environments:
        sentence = N_("“{name}” is not an environment of this file", name=one.environment)
        keys.get("environment", part).refuse(sentence)


def _planned(parts: Mapping[str, Part]) -> Iterator[Planned]:
    known = ("label", "configuration", "environment", "baseline", "outputs")
    for part in parts["conditions"].items() if "conditions" in parts else ():
        keys = part.mapping(known)
        if "configuration" not in keys:
            part.refuse(N_("“{name}” is needed here", name="configuration"))
        label = keys["label"].text() if "label" in keys else ""
        if len(label) > 200:
            keys["label"].refuse(N_("text of 1 to {most} characters is needed here", most=200))
        yield Planned(
            part,
            label,
            keys["configuration"].text(),
            keys["environment"].text() if "environment" in keys else "",
            keys["baseline"].switch() if "baseline" in keys else False,
            _texts(keys, "outputs"),
        )
    if "grid" in parts:
        grid = _grid(parts["grid"])
        baseline = grid["baseline"].plain() if "baseline" in grid else None
        for cell in _cells(grid):
            yield Planned(
                parts["grid"],
                _filled(grid["label"], cell),
                _filled(grid["name"], cell),
                grid["environment"].text() if "environment" in grid else "",
                cell == baseline,
            )


def _grid(part: Part) -> dict[str, Part]:
    """Conditions by their axes: `name`, `label` and `layers` have the axes in braces."""
    keys = part.mapping(("name", "label", "environment", "layers", "axes", "baseline"))
    for needed in ("name", "label", "layers", "axes"):
        if needed not in keys:
            part.refuse(N_("“{name}” is needed here", name=needed))
    return keys


def _cells(grid: Mapping[str, Part]) -> Iterator[dict[str, Any]]:
    axes = {
        name: [one.plain() for one in part.items()] for name, part in grid["axes"].mapping().items()
    }
    for number, values in enumerate(product(*axes.values())):
        if number == MOST_CONDITIONS:
            grid["axes"].refuse(N_("a study has at most {most} conditions", most=MOST_CONDITIONS))
        yield dict(zip(axes, values, strict=True))


def _filled(part: Part, cell: Mapping[str, Any]) -> str:
    """A text with its axes filled in: no more than their names may stand in braces."""

    def value(match: re.Match[str]) -> str:
        if match[1] not in cell:
            part.refuse(N_("there is no axis “{name}”", name=match[1][:80]))
        return str(cell[match[1]])

    return re.sub(r"\{(\w*)\}", value, part.text())
