"""What comparisons answer today, face by face: `golden/NAME.json` for each address below.

The records are the two demonstration studies that have numbers and a third one made here, so that
every grouping, chart and remark occurs.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from html.parser import HTMLParser
from math import sin
from operator import attrgetter
from pathlib import Path
from typing import Any

import yaml
from django.test import Client
from django.urls import reverse

from benchdash.results.comparison.cards import card_charts, card_conditions
from benchdash.results.comparison.measures import headlines
from benchdash.results.demonstration import demo_folders
from benchdash.results.history import history_of
from benchdash.results.models import Permalink, Run, Study, Tag
from benchdash.results.permalinks import make_permalink
from benchdash.results.run_filters import RunQuery
from benchdash.results.study_files import import_study
from tests.measured import a_configuration, a_run, a_trace, an_environment
from tests.parsers.golden import rendered

FOLDER = Path(__file__).parent / "golden"
PCS, ZONES, OWN = "study=drbd-on-two-pcs", "study=drbd-between-ec2-zones", "study=tuning"
DEPTH = "workload.queue_depth"
READ, LATENCY = "rand_read.iops.mean", "rand_read.completion_latency"

DAY = datetime(2026, 1, 31, tzinfo=UTC)

# name of the file: query string
ADDRESSES = {
    "nothing": "",
    "pcs": PCS,
    "pcs-percent": f"{PCS}&across=file_bytes&measure=seq_write.throughput.mean&percent=1",
    "pcs-metadata-log": f"{PCS}&across=file_bytes&family=metadata&axis=log",
    "pcs-all-families": f"{PCS}&across=file_bytes&family=iops&family=latency&chart=change",
    "pcs-by-protocol": f"{PCS}&group=layer.drbd.protocol&across=file_bytes&units=binary",
    "pcs-by-kernel": f"{PCS}&group=environment.kernel&across=file_bytes",
    "pcs-facet": f"{PCS}&facet=environment.kernel&across=file_bytes&chart=boxes",
    "pcs-ja": f"{PCS}&across=file_bytes&percent=1",
    "zones": f"{ZONES}&percent=1",
    "zones-latency": f"{ZONES}&family=latency&units=binary",
    "zones-by-version": f"{ZONES}&group=version&chart=heat",
    "both": f"{PCS}&{ZONES}&family=throughput",
    "both-across": f"{PCS}&{ZONES}&across=file_bytes&across=tool&group=study,configuration",
    "unmeasured": "study=drbd9-cluster",
    "own": OWN,
    "own-throughput": f"{OWN}&family=throughput&across=file_bytes",
    "own-lines": f"{OWN}&group=configuration,{DEPTH}&measure={READ}",
    "own-lines-percent": f"{OWN}&group=configuration,{DEPTH}&measure={READ}&percent=1&chart=lines",
    "own-latency-under": f"{OWN}&group=configuration,{DEPTH}&measure={READ}&latency=under",
    "own-latency-against": f"{OWN}&group=configuration,{DEPTH}&measure={READ}&latency=against",
    "own-heat": f"{OWN}&group=layer.drbd.protocol,{DEPTH}&family=iops&chart=heat",
    "own-heat-baseline": f"{OWN}&group=layer.drbd.protocol,{DEPTH}&chart=heat&baseline=C%2C8",
    "own-impossible": f"{OWN}&across=queue_depth&chart=lines&measure={READ}",
    "own-tails": f"{OWN}&family=latency&across=queue_depth&axis=linear",
    "own-three-factors": f"{OWN}&group=layer.drbd.protocol,environment,{DEPTH}&family=iops",
    "own-runs": f"{OWN}&group=run&measure={READ}&workload.queue_depth=8",
    "own-host": f"{OWN}&group=host&across=queue_depth&host=xen01&host=xen02",
    "own-tag": f"tag=raid&family=iops&facet={DEPTH}",
    "own-text": f"{OWN}&text=mirror&across=queue_depth&percent=1",
    "own-none": "layer.drbd.protocol=%7E&family=throughput",
    "own-no-baseline": f"{OWN}&baseline=gone&percent=1&chart=change&across=queue_depth",
    "no-such-measure": f"{PCS}&measure=trim.iops.mean",
    "refused": "study=none",
    "nonsense": "speed=high",
}


def build_records() -> None:
    """The three studies; ids are the same wherever counting begins at one."""
    for folder in demo_folders():
        import_study(_published(folder / "study.yaml"), folder=folder)
    build_tuning()


def _published(path: Path) -> str:
    """A study as its author published it, without what was measured since."""
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    since = document.pop("measured", [])
    conditions = [*document.get("conditions", ()), document.get("grid", {})]
    for kind in ("configuration", "environment"):
        published = {one.get(kind) for one in conditions}
        for name in {cell.get(kind) for cell in since} - published:
            document[f"{kind}s"].pop(name, None)
    return yaml.safe_dump(document, allow_unicode=True, sort_keys=False)


def build_tuning() -> None:
    """The study that is made here: every chart and remark occurs in it."""
    study = Study.objects.create(slug="tuning", title="Tuning", question="What does it cost?")
    here, there = (
        an_environment("normal kernel", "xen01", kernel="5.14", memory_bytes=2**33),
        an_environment("xen kernel", "xen02", kernel="5.14-xen", memory_bytes=2**34),
    )
    local = a_configuration("local *disk*", md__level="raid6")
    mirrors = [
        a_configuration(f"mirror {protocol}", drbd__protocol=protocol, md__level="raid6")
        for protocol in "AC"
    ]
    for position, one in enumerate((local, mirrors[0])):
        study.conditions.create(
            configuration=one, position=position, label=f"{position + 1} {one.name}"
        )
    study.conditions.filter(position=0).update(is_baseline=True)
    _depths([local, *mirrors], study, here)
    _others(local, mirrors, study, (here, there))


def _depths(configurations: list[Any], study: Study, environment: Any) -> None:
    """Five repeats at three queue depths, with latencies, tails and a trace each."""
    for place, configuration in enumerate(configurations, 1):
        for depth in (1, 8, 32):
            for nth in range(5):
                rate = 1000.0 * depth**0.5 / place + 7 * nth
                run = a_run(
                    configuration,
                    {READ: rate, f"{LATENCY}.mean": depth / rate}
                    | {f"{LATENCY}.p{p}": p * depth / 50 / rate for p in (50, 99, 99.9)},
                    study=study,
                    environment=environment,
                    tool_version="fio-3.33",
                    label=f"{configuration.name} {depth}",
                    workload={"queue_depth": depth, "block_bytes": 4096},
                )
                if nth < 2:
                    points = [rate + 50 * sin(second / 3 + nth) for second in range(9)]
                    a_trace(run, READ.removesuffix(".mean"), points)


def _others(local: Any, mirrors: list[Any], study: Study, places: Any) -> None:
    """Few repeats, remarks, another tool, runs that do not count, tags."""
    note = {"operation": "seq_create", "metric": "rate", "note": "too fast to measure"}
    for place, configuration in enumerate((local, *mirrors), 1):
        for nth in range(3):
            a_run(
                configuration,
                {"seq_write.throughput.mean": 9e7 / place + nth, "rand_seek.iops.mean": 200.0},
                tool="bonnie++",
                tool_version="1.03c",
                study=study,
                environment=places[place % 2],
                workload={"file_bytes": 2**34 * (1 + place % 2)},
                notes=[note] if place == 1 else [],
            )
    for reason in ({"set_aside_reason": "resync"}, {"set_aside_reason": "resync"}):
        a_run(local, {READ: 1.0}, study=study, **reason)
    first = Run.objects.filter(study=study).earliest("pk")
    a_run(local, {READ: 2.0}, study=study, same_as=first)
    tag = Tag.objects.create(name="raid")
    mirrors[0].tags.add(tag)
    first.tags.add(tag)


def faces(name: str, client: Client) -> dict[str, Any]:
    """All that an address answers: JSON, exports, the page, and the same kept by a permalink."""
    query = ADDRESSES[name]
    headers = {"Accept-Language": "ja"} if name.endswith("-ja") else {}

    def answer_of(address: str) -> Any:
        response = client.get(address, headers=headers, follow=True)
        text = response.content.decode()
        if response["Content-Type"].endswith("json"):
            return json.loads(text)
        return page_of(text) if "html" in response["Content-Type"] else text.splitlines()

    api = "/api/v1/compare/"
    found = {
        "page": answer_of(f"/compare/?{query}"),
        "json": answer_of(f"{api}?{query}"),
        "csv": answer_of(f"{api}?{query}&format=csv"),
        "md": answer_of(f"{api}?{query}&format=md"),
        "percentiles": answer_of(f"{api}percentiles.csv?{query}"),
        "traces": answer_of(f"{api}traces.csv?{query}"),
    }
    if found["json"].get("groups"):
        link = make_permalink(query, None)
        # its address and its day are the same each time
        Permalink.objects.filter(pk=link.pk).update(slug=name, created_at=DAY)
        link.refresh_from_db()
        frozen = answer_of(f"/api/v1/permalinks/{link.slug}/")["comparison"]
        page = answer_of(reverse("permalink", args=[link.slug]))
        # the views are as `json` and `page` have them; digests are of runs that tests count through
        stored = {key: link.shown[key] for key in link.shown if key != "views"}
        found["kept"] = stored | {"runs": [one | {"digest": ""} for one in stored["runs"]]}
        # what stands still is as it was live, but for this
        found["frozen"] = {key: frozen[key] for key in frozen if frozen[key] != found["json"][key]}
        found["frozen page"] = [one for one in page if one not in found["page"]]
        assert len(page) > 30 and frozen["sections"] == found["json"]["sections"]
    return found


def beside() -> dict[str, Any]:
    """What cards of studies, lists of runs and histories of configurations say of the same runs."""
    studies, runs = list(Study.objects.order_by("pk")), list(Run.objects.order_by("pk"))
    cards = card_charts(studies, card_conditions(studies))
    configurations = {run.configuration for run in runs if run.configuration}
    return {
        "cards": {one.slug: asdict(cards[one.pk]) for one in studies if one.pk in cards},
        "headlines": {
            str(pk): [[line.operation, line.metric, line.value] for line in lines]
            for pk, lines in headlines(runs, 3).items()
        },
        "histories": {
            one.name: [
                [
                    *(each.series.tool, each.measure.operation, each.measure.metric),
                    sum(len(line.points) for line in each.lines),
                ]
                for each in history_of(RunQuery({"configuration": (str(one.pk),)})).drawn
            ]
            for one in sorted(configurations, key=attrgetter("pk"))
        },
    }


class _Page(HTMLParser):
    """The words, links, fields and data within `main`, in their order."""

    KEPT = {"href", "name", "value", "checked", "selected", "data-chart", "data-rows"}
    # drawings of stacks and choosers of facts stand in the order in which the database keeps them
    LEFT_OUT = ("article", "fieldset")
    KEPT |= {"data-row", "data-value", "title"}

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Any] = []
        self.inside = self.is_data = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = (self.inside or tag == "main") and tag not in self.LEFT_OUT
        if self.inside:
            attributes = dict(attrs)
            self.is_data = attributes.get("type") == "application/json"
            classes = (attributes.get("class") or "").split()
            parts = [f"{name}={value}" for name, value in attrs if name in self.KEPT]
            parts += [one for one in classes if one.startswith(("series-", "round-"))]
            if parts and "csrfmiddlewaretoken" not in attributes.values():
                self.found.append(f"<{tag} {' '.join(parts)}>")

    def handle_endtag(self, tag: str) -> None:
        self.inside = (self.inside or tag in self.LEFT_OUT) and tag != "main"
        self.is_data = False

    def handle_data(self, data: str) -> None:
        if self.inside and self.is_data:
            self.found.append(json.loads(data))
        elif self.inside and (words := " ".join(data.split())):
            self.found.append(words)


def page_of(html: str) -> list[Any]:
    """The content of a page, without how it is laid out."""
    reader = _Page()
    reader.feed(html)
    return reader.found


def text_of(document: dict[str, Any]) -> str:
    """A golden as its file has it."""
    return rendered(document) + "\n"
