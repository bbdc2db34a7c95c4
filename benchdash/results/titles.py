"""What factors and measures are called in the reader's language.

The vocabulary holds the English words; they are looked up in the catalogue here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import get_language, gettext_noop, pgettext_lazy
from django.utils.translation import gettext as _

from benchdash.recipes.settings import setting_labels
from benchdash.results.factors import Factor
from benchdash.results.language import in_language
from benchdash.results.models import Study
from benchdash.vocabulary import settings
from benchdash.vocabulary.machines import NETWORK, key_title
from benchdash.vocabulary.measures import METRICS, OPERATIONS, MeasureName
from benchdash.vocabulary.settings import setting_text
from benchdash.vocabulary.storage import Kind, kind_named
from benchdash.vocabulary.storage.shown import option_words, spelled
from benchdash.vocabulary.units import amount_shown
from benchdash.vocabulary.workloads import AXES, Axis

PLAIN_TITLES = {
    "configuration": gettext_noop("Configuration"),
    "environment": gettext_noop("Environment"),
    "study": gettext_noop("Study"),
    "tool": gettext_noop("Tool"),
    "version": gettext_noop("Tool version"),
    "host": gettext_noop("Host"),
    "run": gettext_noop("Run"),
    "upload": gettext_noop("Upload"),
    "beside": gettext_noop("Ran beside"),
    "options": gettext_noop("Other options"),
    "tag": gettext_noop("Tag"),
    "label": gettext_noop("Label"),
}
# facets of a stack that are no option of a layer
_OF_STACKS = {"filesystem": gettext_noop("Filesystem"), "layer": gettext_noop("Layer")}
# of kinds of layers and of their options; what tools and products are called stays as it is
_OF_LAYERS = {
    "cloud volume": pgettext_lazy("layer", "cloud volume"),
    "Ceph pool": pgettext_lazy("layer", "Ceph pool"),
    "disk": pgettext_lazy("layer", "disk"),
    "loop": pgettext_lazy("layer", "loop"),
    "partition": pgettext_lazy("layer", "partition"),
    "system": pgettext_lazy("layer", "system"),
    "bitmap": pgettext_lazy("layer", "bitmap"),
    "block": pgettext_lazy("layer", "block"),
    "cache": pgettext_lazy("layer", "cache"),
    "chunk": pgettext_lazy("layer", "chunk"),
    "client": pgettext_lazy("layer", "client"),
    "compression": pgettext_lazy("layer", "compression"),
    "diskless": pgettext_lazy("layer", "diskless"),
    "connected": pgettext_lazy("layer", "connected"),
    "controller": pgettext_lazy("layer", "controller"),
    "count": pgettext_lazy("layer", "count"),
    "data": pgettext_lazy("layer", "data"),
    "data alignment": pgettext_lazy("layer", "data alignment"),
    "device": pgettext_lazy("layer", "device"),
    "devices": pgettext_lazy("layer", "devices"),
    "extent": pgettext_lazy("layer", "extent"),
    "features": pgettext_lazy("layer", "features"),
    "format": pgettext_lazy("layer", "format"),
    "guests": pgettext_lazy("layer", "guests"),
    "hypervisor": pgettext_lazy("layer", "hypervisor"),
    "interface": pgettext_lazy("layer", "interface"),
    "journal": pgettext_lazy("layer", "journal"),
    "journal bytes": pgettext_lazy("layer", "journal bytes"),
    "journal checksum": pgettext_lazy("layer", "journal checksum"),
    "layout": pgettext_lazy("layer", "layout"),
    "level": pgettext_lazy("layer", "level"),
    "max request": pgettext_lazy("layer", "max request"),
    "medium": pgettext_lazy("layer", "medium"),
    "memory": pgettext_lazy("layer", "memory"),
    "metadata": pgettext_lazy("layer", "metadata"),
    "model": pgettext_lazy("layer", "model"),
    "mounted on": pgettext_lazy("layer", "mounted on"),
    "object": pgettext_lazy("layer", "object"),
    "protocol": pgettext_lazy("layer", "protocol"),
    "provider": pgettext_lazy("layer", "provider"),
    "queue depth": pgettext_lazy("layer", "queue depth"),
    "quota": pgettext_lazy("layer", "quota"),
    "read ahead": pgettext_lazy("layer", "read ahead"),
    "read only": pgettext_lazy("layer", "read only"),
    "roles": pgettext_lazy("layer", "roles"),
    "rotational": pgettext_lazy("layer", "rotational"),
    "rpm": pgettext_lazy("layer", "rpm"),
    "scheduler": pgettext_lazy("layer", "scheduler"),
    "size": pgettext_lazy("layer", "size"),
    "spares": pgettext_lazy("layer", "spares"),
    "start": pgettext_lazy("layer", "start"),
    "stripe": pgettext_lazy("layer", "stripe"),
    "stripe count": pgettext_lazy("layer", "stripe count"),
    "stripe unit": pgettext_lazy("layer", "stripe unit"),
    "stripe units": pgettext_lazy("layer", "stripe units"),
    "stripe width": pgettext_lazy("layer", "stripe width"),
    "stripes": pgettext_lazy("layer", "stripes"),
    "target": pgettext_lazy("layer", "target"),
    "throughput": pgettext_lazy("layer", "throughput"),
    "type": pgettext_lazy("layer", "type"),
    "version": pgettext_lazy("layer", "version"),
    "write cache": pgettext_lazy("layer", "write cache"),
    "write policy": pgettext_lazy("layer", "write policy"),
}
# nothing ran beside it, no other options
_NOTHING = {"beside": gettext_noop("nothing (alone)"), "options": gettext_noop("none")}
STATISTIC_TITLES = {
    "min": gettext_noop("minimum"),
    "max": gettext_noop("maximum"),
    "stddev": gettext_noop("standard deviation"),
}


SEVERAL = " + "  # between the values of several layers, each of which has the option
ZONE = Factor("setting", settings.ZONE)  # the set of hosts of a plan that was laid over several
SERIES = Factor("setting", "series")  # of a study: a name, or the month of its plan
_OF_STUDIES = {SERIES: gettext_noop("Series"), ZONE: gettext_noop("Zone")}
_MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])", re.ASCII)


def factor_title(factor: Factor) -> str:
    """The words for a factor: `Queue depth`, `DRBD protocol`; a free setting keeps its own name."""
    if factor.kind == "setting":
        return _setting_title(factor)
    if factor.kind == "workload":
        return _(AXES[factor.name].title)
    if factor.kind == "environment" and factor.name:
        return fact_title(factor.name)
    if factor.kind == "layer":
        return facet_title(factor.name)
    return _(PLAIN_TITLES[factor.kind])


def _setting_title(factor: Factor) -> str:
    if factor in _OF_STUDIES:
        return _(_OF_STUDIES[factor])
    return in_words(setting_labels().get(factor.name, {})) or factor.name


def in_words(texts: Mapping[str, str]) -> str:
    """Texts of a recipe by language: that of the reader, in English where there is none."""
    return texts.get((get_language() or "en")[:2]) or texts.get("en", "")


def facet_title(key: str) -> str:
    """The words for a facet of a stack: `drbd.meta_disk` as "DRBD meta disk"."""
    if key in _OF_STACKS:
        return _(_OF_STACKS[key])
    kind_name, _dot, name = key.partition(".")
    kind = kind_named(kind_name)
    return f"{kind_title(kind)} {_option_title(kind, name)}"


def kind_title(kind: Kind) -> str:
    """What a kind of layer is called in the reader's language; a product keeps its name."""
    return str(_OF_LAYERS.get(kind.title, kind.title))


def _option_title(kind: Kind, name: str) -> str:
    """Without the unit, but where another option would have the same words: `journal bytes`."""
    words = option_words(kind.option_named(name))
    is_other = spelled(words) != name and spelled(words) in kind.options
    words = name.replace("_", " ") if is_other else words
    return str(_OF_LAYERS.get(words, words))


def stack_line_title(key: str) -> str:
    """The words for a line of a stack: `node-b: lvm 2.stripes` as "node-b: LVM 2 stripes"."""
    if key == "layers":
        return _("Layers")
    place, name = key.rsplit(".", 1)
    node, colon, layer = place.rpartition(": ")
    kind_name, _space, number = layer.partition(" ")
    kind = kind_named(kind_name)
    words = (kind_title(kind), number, _option_title(kind, name))
    return f"{node}{colon}{' '.join(filter(None, words))}"


def fact_title(key: str) -> str:
    """The words for a fact of an environment: `node-b.versions.drbd` as "node-b: drbd version"."""
    head, _dot, rest = key.partition(".")
    if head == "network" and rest in NETWORK:
        return _("Network: {help}").format(help=_(NETWORK[rest].help))
    return in_language(key_title(key))


def value_text(factor: Factor, value: Any) -> str:
    """A value of it, exactly: `15856 MiB`, `70 %`, `yes`."""
    if factor.kind in ("beside", "options"):
        return _("not recorded") if value is None else str(value) or _(_NOTHING[factor.kind])
    if value is None:
        return _("not recorded") if factor.kind == "setting" else _("not stated")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if factor.kind == "workload":
        return _axis_text(AXES[factor.name], value)
    if factor.kind == "layer":
        return facet_text(factor.name, value)
    return _series_text(value) if factor == SERIES else option_text(setting_text(value))


def facet_text(key: str, text: str) -> str:
    """A stored value of a facet for reading: `1280K` as "1280 KiB", `xfs` as "XFS"; several layers' each."""
    if key in _OF_STACKS:
        return SEVERAL.join(kind_title(kind_named(each)) for each in text.split(SEVERAL))
    kind, _dot, name = key.partition(".")
    option = kind_named(kind).option_named(name)
    if option.type != "bytes":
        return option_text(text)
    sizes = [(option.read(each), each) for each in text.split(SEVERAL)]
    return SEVERAL.join(each if size is None else option.shown(size) for size, each in sizes)


def _series_text(value: Any) -> str:
    """The month of a plan in words; a name that somebody gave as it is."""
    month = _MONTH.fullmatch(str(value))
    if month is None:
        return str(value)
    day = date(int(month[1]), int(month[2]), 1)
    return _("ours, {month}").format(month=date_format(day, "YEAR_MONTH_FORMAT"))


def _axis_text(axis: Axis, value: Any) -> str:
    if axis.unit == "B":
        return amount_shown(value)
    if axis.name == "read_fraction":
        return f"{value * 100:g} %"
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return f"{text} {axis.unit}".strip()


def measure_title(measure: MeasureName) -> str:
    """`Random write · IOPS`, `Random read · Completion latency, p99`; a mean goes without saying."""
    metric = metric_title(measure)
    # "Transaction · Transactions" would say it twice
    if measure.metric == "transactions":
        return metric
    return f"{operation_title(measure.operation)} · {metric}"


def metric_title(measure: MeasureName) -> str:
    """The same for any operation: `Throughput`, `Completion latency, p99`."""
    title, statistic = _(METRICS[measure.metric].title), measure.statistic
    if statistic in ("mean", "total"):
        return title
    words = {"metric": title, "statistic": _(STATISTIC_TITLES.get(statistic, statistic))}
    return _("%(metric)s, %(statistic)s") % words


def option_text(text: str) -> str:
    """An option's value as it stands in a stack, with a switch's yes and no translated."""
    return _(text) if text in ("yes", "no") else text


def study_text(study: Study, part: str) -> str:
    """`title`, `question` or `words` of a study in the reader's language, where it was written."""
    translated = study.translations.get(get_language() or "", {})
    return str(translated.get(part) or getattr(study, part))


def series_text(study: Study, name: str, part: str = "title") -> str:
    """What a series of the study is called, or its `words`, in the reader's language; "" where none says."""
    translated = study.translations.get(get_language() or "", {}).get("series", {})
    return str(translated.get(name, {}).get(part) or study.series.get(name, {}).get(part, ""))


def series_titles(studies: Iterable[Study]) -> dict[str, str]:
    """What series are called by most of the studies that have one of the name."""
    titles: dict[str, Counter[str]] = {}
    for study in studies:
        for name in study.series:
            if title := series_text(study, name):
                titles.setdefault(name, Counter())[title] += 1
    return {name: found.most_common(1)[0][0] for name, found in titles.items()}


def label_text(label: str, study: Study) -> str:
    """A condition's label in the reader's language, where the study has it."""
    labels = study.translations.get(get_language() or "", {}).get("labels", {})
    return str(labels.get(label, label))


def operation_title(operation: str) -> str:
    """The words for an operation; dbench's rows keep the printed name."""
    if operation in OPERATIONS:
        return _(OPERATIONS[operation].title)
    return f"{_(OPERATIONS['load'].title)}: {operation.removeprefix('load_')}"
