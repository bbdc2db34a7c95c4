"""Latency beside a rate along a number: under the same axis, or one against the other."""

from __future__ import annotations

import pytest

from benchdash.errors import Refused
from benchdash.results.comparison import compare
from benchdash.results.comparison.export import as_markdown
from benchdash.results.comparison.measures import latency_of
from benchdash.results.criteria import read_query
from benchdash.results.parameters import read_measure
from benchdash.results.permalinks import frozen, make_permalink
from tests.measured import a_configuration, a_run

pytestmark = pytest.mark.django_db
RATE, LATENCY = "transaction.transactions.mean", "transaction.latency.mean"
ALONG = "tool=pgbench&family=transactions&group=workload.clients"


@pytest.fixture(autouse=True)
def runs():
    local = a_configuration("local")
    for clients in (1, 2, 4):
        values = {RATE: 500.0 * clients, LATENCY: 2e-3 * clients}
        a_run(local, values, tool="pgbench", workload={"clients": clients})


def figure(query):
    (section,) = compare(read_query(query)).view.sections
    return section.figures[0]


@pytest.mark.parametrize("latency", ["under", "against"])
def test_it_stands_beside_the_rate_for_the_same_groups(latency):
    shown = figure(f"{ALONG}&latency={latency}")
    assert shown.latency.measure == LATENCY
    assert [row.median for row in shown.latency.rows] == [2e-3, 4e-3, 8e-3]
    assert [row.group for row in shown.latency.rows] == [row.group for row in shown.rows]


@pytest.mark.parametrize(
    "query",
    [ALONG, f"{ALONG}&latency=under&chart=bars", "tool=pgbench&latency=under&across=clients"],
)
def test_without_a_line_or_without_being_requested_it_is_not_there(query):
    assert figure(query).latency is None


def test_a_latency_has_none_of_its_own():
    assert figure(f"{ALONG}&latency=under".replace("transactions", "latency")).latency is None


def test_the_mean_is_taken_where_there_is_one_and_completion_latency_by_its_name():
    names = [read_measure(f"load.{word}") for word in ("latency.max", "completion_latency.mean")]
    rate = read_measure("load.throughput.mean")
    assert latency_of(rate, names) == names[1]
    assert latency_of(rate, names[:1]) == names[0]
    assert latency_of(rate, []) is None
    assert latency_of(names[0], names) is None


def test_table_answer_and_link_have_the_same_numbers():
    query = f"{ALONG}&latency=against"
    view = compare(read_query(query)).view
    assert [row.median for row in view.sections[0].figures[0].latency.rows] == [2e-3, 4e-3, 8e-3]
    assert "| Clients 4 | 1 | 2,000 | 8.00 |" in as_markdown(view, address="x")
    link = make_permalink(query, None)
    assert frozen(link).view.sections == view.sections


def test_another_way_is_refused():
    with pytest.raises(Refused, match="one of under, against, apart, not “over”"):
        read_query("latency=over")
