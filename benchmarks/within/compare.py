"""12 configurations x 10 repeats x 6 measures, asked for by the page and by hand.

By hand is one question in SQL, resampling in NumPy, and nothing to look at.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import numpy
from django.core.management import call_command
from django.db import connection
from django.test import Client
from msgspec import to_builtins

from benchdash.results.comparison import compare
from benchdash.results.criteria import read_query
from benchdash.results.models import Study
from benchmarks.report import Row, paired
from tests.measured import a_configuration, a_run

CONFIGURATIONS, REPEATS = 12, 10
MEASURES = {
    "seq_read": "throughput",
    "seq_write": "throughput",
    "seq_rewrite": "throughput",
    "mixed_read": "throughput",
    "mixed_write": "throughput",
    "rand_read": "throughput",
}
RESAMPLES = 4999
SQL = """
    SELECT run.configuration_id, configuration.name, measure.operation, measurement.value
    FROM results_measurement AS measurement
    JOIN results_run AS run ON run.id = measurement.run_id
    JOIN results_measure AS measure ON measure.id = measurement.measure_id
    JOIN inventory_configuration AS configuration ON configuration.id = run.configuration_id
    WHERE run.study_id = %s AND run.counted AND measure.metric = 'throughput'
    ORDER BY run.id
"""


def measured() -> list[Row]:
    """The rows, in a process whose Django has an empty database."""
    call_command("migrate", verbosity=0)
    study, baseline = fill()
    query = f"study={study.slug}&baseline={baseline}"
    client = Client()
    assert client.get(f"/compare/?{query}").status_code == 200

    def by_hand() -> Any:
        with connection.cursor() as cursor:
            cursor.execute(SQL, [study.pk])
            return statistics_by_hand(cursor.fetchall(), baseline)

    data = paired(lambda: to_builtins(compare(read_query(query)).view), by_hand)
    page = paired(lambda: client.get(f"/compare/?{query}"), by_hand)
    size = f"{CONFIGURATIONS} x {REPEATS} x {len(MEASURES)}, PostgreSQL; by hand "
    return [
        Row(name, pair.ratio, at_most=1.5, note=f"{size}{pair.rival_s * 1e3:.0f} ms")
        for name, pair in (("compare: data", data), ("compare: page", page))
    ]


def fill() -> tuple[Any, int]:
    """The study, and the key of the baseline."""
    random = numpy.random.default_rng(1)
    study = Study.objects.create(slug="bench", title="Bench")
    configurations = [
        a_configuration(f"stripe cache {2**k}", md__stripe_cache_size=2**k)
        for k in range(8, 8 + CONFIGURATIONS)
    ]
    for configuration in configurations:
        for _ in range(REPEATS):
            values = {
                f"{operation}.{metric}.mean": float(random.lognormal(18, 0.1))
                for operation, metric in MEASURES.items()
            }
            a_run(configuration, values, study=study, workload={"block_bytes": 4096})
    return study, configurations[0].pk


def statistics_by_hand(rows: list[tuple[Any, ...]], baseline: int) -> dict[Any, Any]:
    """Per group and measure: n, mean, quartiles, interval, and both against the baseline."""
    values: dict[tuple[int, str], list[float]] = {}
    for configuration, _name, operation, value in rows:
        values.setdefault((configuration, operation), []).append(value)
    random = numpy.random.default_rng(1)
    found = {}
    medians = {}
    for key, group in values.items():
        array = numpy.array(group)
        resampled = array[random.integers(len(array), size=(RESAMPLES, len(array)))]
        medians[key] = numpy.median(resampled, axis=1)
        found[key] = [
            len(array),
            array.mean(),
            *numpy.percentile(array, [0, 25, 50, 75, 100]),
            *numpy.percentile(medians[key], [2.5, 97.5]),
        ]
    for (_configuration, operation), line in found.items():
        base = medians[baseline, operation]
        against = medians[_configuration, operation] / base
        line += [numpy.median(against), *numpy.percentile(against, [2.5, 97.5])]
    return found


if __name__ == "__main__":
    print(json.dumps([asdict(row) for row in measured()]))
