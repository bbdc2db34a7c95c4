"""What fio's client prints of several hosts, as text and as JSON."""

from __future__ import annotations

import json
import re

from benchdash.parsers import parse
from tests.parsers.fio_samples import TEXT_OF_RUN, json_of, numbers, read, results_of, text_of


def test_the_sum_of_all_clients_in_text_is_left_out():
    results = results_of("local-3.33-client.txt")
    assert [result.label for result in results] == ["alpha @ vm", "beta @ vm", "beta @ vm"]
    assert numbers(results[0])["rand_read.throughput.mean"] == 7111 * 2**20


def clients(*hosts: str, versions: str = "33", pids: str = "78") -> str:
    """What the client prints of hosts that end one after the other."""
    first = TEXT_OF_RUN.index("job: (groupid")
    head, report = (
        TEXT_OF_RUN.splitlines(keepends=True)[0],
        TEXT_OF_RUN[first : TEXT_OF_RUN.index("Disk stats")],
    )
    text = "".join(f"<{host}> {head}<{host}> Starting 1 process\n" for host in hosts)
    for host, version in reversed(list(zip(hosts, versions, strict=True))):
        text = f"hostname={host}, be=0, 64-bit, os=Linux, arch=x86-64, fio=fio-3.{version}, flags=1\n{text}"
    for host, pid in zip(hosts, pids, strict=True):
        text += f"<{host}> \n" + report.replace("pid=7", f"pid={pid}")
    return text + report.replace("job:", "All clients:").replace("pid=7", "pid=0")


def test_a_report_is_of_the_client_that_stands_before_it():
    parsed = parse(clients("a", "b").encode())
    assert parsed.incomplete is None
    assert [result.label for result in parsed.results] == ["job @ a", "job @ b"]
    assert [result.workload["pattern"] for result in parsed.results] == ["randrw"] * 2
    assert {result.execution for result in parsed.results} == {0}


def test_clients_whose_processes_have_the_same_number_are_two_results():
    assert [result.label for result in read(clients("a", "b", pids="77"))] == ["job @ a", "job @ b"]


def test_each_client_has_its_version():
    results = read(clients("a", "b", versions="37"))
    assert [result.tool_version for result in results] == ["3.3", "3.7"]


def test_a_client_that_connects_after_another_announced_its_jobs_is_of_the_same_run():
    lines = clients("a", "b").splitlines(keepends=True)
    (result, other) = read("".join([lines[0], *lines[2:4], lines[1], *lines[4:]]))
    assert [result.label, other.label] == ["job @ a", "job @ b"]
    assert other.workload["pattern"] == "randrw"


def test_of_reports_that_come_after_the_lines_of_two_clients_none_is_stated_to_be_of_one():
    lines = clients("a", "b").splitlines(keepends=True)
    at, late = (lines.index(f"<{host}> \n") for host in ("a", "b"))
    moved = [*lines[: at + 1], lines[late], *lines[at + 1 : late], *lines[late + 1 :]]
    parsed = parse("".join(moved).encode())
    assert parsed.incomplete is None
    assert [result.label for result in parsed.results] == ["job", "job"]
    labels = [result.label for result in results_of("local-3.33-two-clients.txt")]
    assert labels == ["first", "second", "second"] * 2


def test_reports_of_clients_that_were_mixed_up_are_renewed_process_by_process():
    results = results_of("local-3.33-two-clients-snapshots.txt")
    assert len({result.details["pid"] for result in results}) == len(results) == 6
    assert {r.by_name()["rand_read", "duration", "total"] for r in results[1:3]} == {1.001}


def test_the_sum_of_all_clients_in_json_is_left_out():
    printed = json_of_client()["client_stats"]
    results = results_of("local-3.33-client.json")
    assert [each["jobname"] for each in printed][-1] == "All clients"
    assert len(results) == len(printed) - 1
    assert {result.label for result in results} == {f"{printed[0]['jobname']} @ 127.0.0.1"}
    assert numbers(results[0])["rand_read.iops.mean"] == printed[0]["read"]["iops"]


def json_of_client():
    text = text_of("local-3.33-client.json")
    return json.loads(text[text.index("{") :])


def test_snapshots_of_clients_stand_in_one_document_and_the_last_of_each_counts():
    results = results_of("local-3.33-two-clients-snapshots.json")
    printed = json_of("local-3.33-two-clients-snapshots.json")["client_stats"]
    assert len(printed) > 4 * len(results) and len(results) == 6
    for port in (8801, 8802):
        last = [each for each in printed if each["port"] == port and each["jobname"] == "second"]
        counts = [each["read"]["total_ios"] for each in last[-2:]]
        of_port = [r for r in results if r.details["port"] == port and r.label[0] == "s"]
        assert [numbers(r)["rand_read.operations.total"] for r in of_port] == counts


def test_an_option_in_which_clients_differ_is_not_stated_of_one():
    results = results_of("local-3.33-two-clients-snapshots.json")
    assert {result.options["rate_iops"] for result in results} == {"1000|2000"}
    assert {result.workload["block_bytes"] for result in results} == {4096}


def test_a_document_of_clients_says_when_they_began():
    document = json_of_client()
    first, *_ = read(document)
    assert not first.timed_at_end
    later = document | {"timestamp": document["timestamp"] + 25 * 3600}
    grown = re.sub(r'"(runtime|io_bytes|total_ios)": ([1-9])', r'"\1": 9\2', json.dumps(later))
    results = read(json.dumps(document) + grown)
    assert {result.execution for result in results} == {0, 1}


def test_a_run_of_clients_in_two_formats_counts_once():
    assert len(results_of("local-3.33-two-clients-json-and-text.txt")) == 6
