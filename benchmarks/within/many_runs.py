"""A database with very many runs, as two years of nightly jobs and some studies leave it.

The rows of files are copied straight into PostgreSQL, as ingest would have stored them: details
and measures are those of real output, numbers and workloads vary. The same arguments give the same
rows. The bytes of files are a stand-in, since no list reads them.

Studies of fixed sizes, and those in growing ones, stand between stretches
of nightly files: so a study of 100 runs can be asked for at every size of the database.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from django.core.management import call_command
from django.db import connection

from benchdash.inventory.models import Configuration
from benchdash.parsers import PARSERS
from benchdash.results.bulk import measure_ids, workload_ids
from benchdash.results.joined import join_all
from benchdash.results.models import Study
from benchdash.vocabulary.canonical import canonical, digest_of
from benchmarks.within.many_rows import GeneratedFile, Kind, Rows
from benchmarks.within.named_things import STUDIES, Named, of_study, record_named

SAMPLES = Path("tests/samples")
YEARS = timedelta(days=730)
GROWING_STUDIES = 10  # of the studies: what a tenth of the nightly runs belongs to
# beyond it the keys are right by construction, and PostgreSQL is not asked to look them up one by one
CHECKED = 100_000
_FIO = "fio/local-3.33-four-jobs.json"
_OTHERS = (
    ("bonnie++/drbd-1.03c-condition-1.txt", 10),
    ("sysbench/local-1.0.20-rndwr-interval.txt", 8),
    ("pgbench/local-15-tpcb-time.txt", 6),
    ("dbench/local-4.00-2-processes.txt", 6),
)
_PATTERNS = {"randwrite": "rand_write", "randread": "rand_read", "write": "seq_write"}
_BLOCKS = (4096, 4096, 16384, 65536, 1048576)
_DEPTHS = (1, 1, 8, 32)
_JOBS = (1, 1, 4)
_STATISTICS = {"mean", "max", "total", "stddev", "p50", "p95", "p99", "p99.9"}
_SETTINGS: tuple[dict[str, Any], ...] = (
    *({},) * 6,
    {"scheduler": "mq-deadline"},
    {"scheduler": "none"},
    {"readahead_kib": 128},
    {"readahead_kib": 4096, "scheduler": "none"},
)


@dataclass(frozen=True, slots=True)
class Campaign:
    """Files after each other: of nightly jobs, or of a study, which has its `number`."""

    runs: int
    study: int | None = None
    number: int = 0
    configurations: Sequence[Configuration] = ()
    cells: int = 6


class Kinds(NamedTuple):
    """Of files: fio's workloads, and other tools as often as they are."""

    fio: Sequence[Kind]
    other: Sequence[Kind]


def fill(runs: int, *, until: datetime, study_runs: int = 0, seed: int = 1) -> Named:
    """`runs` runs before `until`, into an empty database; `study_runs` of them are one more study."""
    named = record_named(until - YEARS)
    kinds = Kinds(_kinds_of_fio(), _other_kinds())
    chance = Random(seed)
    campaigns = list(_campaigns(runs, study_runs, named, chance))
    with Rows(named, since=until - YEARS, whole=YEARS, runs=runs, seed=seed) as rows:
        if runs > CHECKED:
            rows.trust_keys()
        for campaign in campaigns:
            _measure(rows, named, campaign, kinds, chance)
    join_all()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return named


def _campaigns(runs: int, study_runs: int, named: Named, chance: Random) -> Iterator[Campaign]:
    """Nightly stretches with studies between them, at most six in ten runs in these."""
    sizes = [chance.choice((24, 48, 96, 96, 200)) for _ in range(STUDIES - GROWING_STUDIES)]
    shrunk = min(1.0, 0.6 * (runs - study_runs) / sum(sizes))
    campaigns = [
        Campaign(
            int(size * shrunk),
            named.studies[number].pk,
            number,
            of_study(number, named.configurations),
        )
        for number, size in enumerate(sizes, GROWING_STUDIES)
    ]
    if study_runs:
        large = Study.objects.create(slug="study-large", title="Every cell, round after round")
        one = Campaign(study_runs, large.pk, 0, named.configurations[:12], cells=10)
        campaigns.insert(len(campaigns) // 2, one)
    nightly = runs - sum(each.runs for each in campaigns)
    for place, each in enumerate(campaigns):
        done, to_do = (nightly * number // len(campaigns) for number in (place, place + 1))
        yield Campaign(to_do - done)
        yield each


def _measure(rows: Rows, named: Named, campaign: Campaign, kinds: Kinds, chance: Random) -> None:
    cells = [chance.choice(kinds.fio) for _ in range(campaign.cells)]
    left = campaign.runs
    while left:
        if campaign.study:
            file = _of_study(named, campaign, cells[left % len(cells)], left // len(cells), chance)
        else:
            file = _nightly(named, kinds, min(left, 4), rows.share_done, chance)
        rows.add_file(file)
        left -= file.count


def _of_study(
    named: Named, campaign: Campaign, kind: Kind, turn: int, chance: Random
) -> GeneratedFile:
    compared, environment = campaign.configurations, campaign.number % len(named.environments)
    configuration = compared[turn % len(compared)].pk
    return GeneratedFile(
        kind,
        _speed(configuration, chance),
        count=1,
        beside=False,
        host=environment // 2,
        configuration=configuration,
        environment=named.environments[environment].pk,
        study=campaign.study,
        settings=_SETTINGS[campaign.number % len(_SETTINGS)],
    )


def _nightly(
    named: Named, kinds: Kinds, most: int, share_done: float, chance: Random
) -> GeneratedFile:
    host = chance.randrange(len(named.targets))
    is_later = share_done > 0.3 + 0.02 * host  # when it was updated
    place = (host * 7 + chance.randrange(4) * 5) % len(named.configurations)
    configuration = named.configurations[place].pk
    kind = chance.choice(kinds.fio) if chance.random() < 0.7 else chance.choice(kinds.other)
    shape = chance.random() if kind.tool == "fio" else 0
    count = min(most, 1 if shape < 0.5 else 2 if shape < 0.65 else 4)
    growing = named.studies[chance.randrange(GROWING_STUDIES)].pk
    return GeneratedFile(
        kind,
        _speed(configuration, chance),
        count=count,
        beside=count == 2,
        host=host,
        configuration=configuration if chance.random() > 0.03 else None,
        environment=named.environments[2 * host + is_later].pk if chance.random() > 0.05 else None,
        study=growing if chance.random() < 0.1 else None,
        settings=chance.choice(_SETTINGS),
    )


def _speed(configuration: int, chance: Random) -> float:
    return math.exp(chance.gauss(0, 0.04)) * (1 + configuration % 7 / 10)


def _kinds_of_fio() -> list[Kind]:
    """One a workload: patterns, block sizes, depths and jobs, with numbers that go together."""
    result = _sample(_FIO)
    found = []
    for pattern, operation in _PATTERNS.items():
        for block in sorted(set(_BLOCKS)):
            for depth in sorted(set(_DEPTHS)):
                for jobs in sorted(set(_JOBS)):
                    axes = {"pattern": pattern, "block_bytes": block, "queue_depth": depth}
                    axes |= {"jobs": jobs, "file_bytes": 2**30, "duration_s": 30.0}
                    iops = 2e4 * (depth * jobs) ** 0.7 / (1 + block / 32768)
                    numbers = [
                        (*_renamed(each, operation), _of_fio(each, iops, block, depth * jobs))
                        for each in result["measurements"]
                        if each["statistic"] in _STATISTICS
                    ]
                    label = f"{pattern}-{block // 1024}k"
                    found.append(_kind(result, axes, numbers, label, is_dated=True))
    return found


def _renamed(measured: dict[str, Any], operation: str) -> tuple[str, str, str]:
    of = "run" if measured["operation"] == "run" else operation
    return of, measured["metric"], measured["statistic"]


def _of_fio(measured: dict[str, Any], iops: float, block: int, depth: int) -> float:
    metric, seconds = measured["metric"], 30.0
    tail = {"mean": 1, "p50": 0.9, "p95": 2, "p99": 4, "p99.9": 11, "max": 40}
    latency = depth / iops * tail.get(measured["statistic"], 0.5)
    return {
        "iops": iops,
        "throughput": iops * block,
        "operations": iops * seconds,
        "bytes": iops * block * seconds,
        "duration": seconds,
        "latency": latency,
        "completion_latency": latency,
    }.get(metric, float(measured["value"]))


def _other_kinds() -> list[Kind]:
    return [
        _kind(
            result,
            result["workload"],
            [
                (each["operation"], each["metric"], each["statistic"], each["value"])
                for each in result["measurements"]
            ],
            result["label"],
            is_dated=False,
        )
        for name, weight in _OTHERS
        for result in [_sample(name)] * weight
    ]


def _sample(name: str) -> dict[str, Any]:
    document = json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    result: dict[str, Any] = document["results"][0]
    return result


def _kind(
    result: dict[str, Any],
    axes: dict[str, Any],
    numbers: list[tuple[str, str, str, float]],
    label: str,
    *,
    is_dated: bool,
) -> Kind:
    fields = axes | {"options": {}} if result["tool"] == "fio" else axes
    digest = digest_of(canonical(fields))
    ids = measure_ids(number[:3] for number in numbers)
    return Kind(
        tool=result["tool"],
        version=result["tool_version"],
        format=result["format"],
        parser_version=next(each.VERSION for each in PARSERS if result["tool"] == each.TOOL),
        workload=workload_ids({digest: fields})[digest],
        numbers=sorted((ids[number[:3]], number[3]) for number in numbers),
        details=json.dumps(result["details"]),
        notes=json.dumps(result["notes"]),
        label=label,
        is_dated=is_dated,
    )


def main() -> None:
    """`DATABASE_URL=… python -m benchmarks.within.many_runs --runs 1000000`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--study-runs", type=int, default=0, help="of one further study, in these")
    parser.add_argument("--seed", type=int, default=1)
    today = datetime.now(UTC).strftime("%Y-%m-%d")
    parser.add_argument("--until", type=datetime.fromisoformat, default=today)
    options = parser.parse_args()
    until = options.until.replace(tzinfo=UTC)
    call_command("migrate", verbosity=0)
    fill(options.runs, until=until, study_runs=options.study_runs, seed=options.seed)


if __name__ == "__main__":
    main()
