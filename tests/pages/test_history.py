"""The results of a configuration over time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from benchdash.results.history import history_of
from tests.measured import a_configuration, a_run, an_environment

pytestmark = pytest.mark.django_db


@pytest.fixture
def measured():
    """Three runs of one workload, the oldest stored last, one of another, one set aside."""
    configuration = a_configuration("DRBD C")
    here, there = an_environment("here"), an_environment("there")

    def measure(day, value, environment=here, block=4096, **columns):
        a_run(
            configuration,
            {"rand_read.iops.mean": value, "rand_read.latency.mean": 0.1},
            workload={"block_bytes": block},
            environment=environment,
            started_at=datetime(2026, 1, day, tzinfo=UTC),
            **columns,
        )

    measure(2, 200.0)
    measure(3, 100.0, there)
    measure(1, 300.0)
    measure(4, 7.0, block=8192)
    measure(5, 1.0, set_aside_reason="disk was full")
    return configuration


def test_runs_stand_in_their_order_of_time_like_with_like(measured):
    longest, other = history_of(measured)
    assert [point.value for point in longest.points] == [300.0, 200.0, 100.0]
    assert [point.moved for point in longest.points] == [False, False, True]
    assert (longest.operation, longest.metric) == ("rand_read", "iops")
    assert longest.workload == "Block size 4 KiB"
    assert [point.value for point in other.points] == [7.0]


def test_the_page_draws_them_and_writes_them_down(measured, client, settings):
    settings.PUBLIC_READ = True
    page = client.get(f"/configurations/{measured.pk}/")
    longest, other = page.context["history"]
    assert [dot.x for dot in longest.dots] == ["8.0", "300.0", "592.0"]
    assert [dot.y for dot in longest.dots] == ["8.0", "42.7", "77.3"]
    assert other.dots == []
    assert page.content.decode().count('class="dot') == 3
    assert "there" in page.content.decode()


def test_nothing_measured_is_nothing_drawn(client, settings):
    settings.PUBLIC_READ = True
    page = client.get(f"/configurations/{a_configuration('new').pk}/")
    assert page.context["history"] == []
