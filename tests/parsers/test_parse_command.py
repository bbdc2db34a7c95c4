"""`manage.py parse`, exactly as scripts rely on it."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command

BONNIE = (
    b"xen01,16G,72087,89,87962,17,38257,5,83055,90,85773,5,178.8,0,16,"
    b"95510,100,+++++,+++,108221,100,98191,100,85476,99,111761,100\n"
)
DD = b"1+0 records in\n1+0 records out\n512 bytes copied, 0.07 s, 9.1 kB/s\n"


@pytest.fixture
def parse(capsys):
    """Runs the command: (exit code, stdout lines, stderr lines)."""

    def run(*arguments: object) -> tuple[int, list[str], list[str]]:
        code = 0
        try:
            call_command("parse", *map(str, arguments))
        except SystemExit as exit_:
            code = int(exit_.code or 0)
        captured = capsys.readouterr()
        return code, captured.out.splitlines(), captured.err.splitlines()

    return run


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_a_result_is_one_line_of_json(parse, tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(BONNIE)
    code, out, err = parse(path, "--json")
    (document,) = map(json.loads, out)
    assert (code, err) == (0, [])
    assert list(document) == ["file", "sha256", "results"]
    assert document["file"] == str(path) and document["sha256"] == sha256(BONNIE)
    (result,) = document["results"]
    assert set(result) == {
        "tool", "tool_version", "format", "label", "started_at", "execution", "group",
        "workload", "measurements", "traces", "details", "notes",
    }  # fmt: skip
    assert (result["tool"], result["label"], result["started_at"]) == ("bonnie++", "xen01", None)
    assert result["workload"]["file_bytes"] == 16 * 2**30
    assert {
        "operation": "seq_write",
        "metric": "throughput",
        "statistic": "mean",
        "unit": "B/s",
        "value": 87962 * 1024.0,
    } in result["measurements"]
    assert {"operation": "seq_stat", "metric": "rate", "note": "too fast to measure"} in result[
        "notes"
    ]


def test_a_refused_file_prints_its_sentence_twice_and_exits_1(parse, tmp_path):
    path = tmp_path / "dd.txt"
    path.write_bytes(DD)
    code, out, err = parse(path, "--json")
    assert code == 1
    assert json.loads(out[0]) == {
        "file": str(path),
        "sha256": sha256(DD),
        "results": [],
        "error": "dd output is not read yet",
    }
    assert err == [f"{path}: dd output is not read yet"]


def test_an_incomplete_file_prints_its_results_and_exits_1(parse, tmp_path):
    path = tmp_path / "both.txt"
    path.write_bytes(DD + BONNIE)
    code, out, err = parse(path, "--json")
    document = json.loads(out[0])
    assert code == 1 and len(document["results"]) == 1 and "error" not in document
    assert document["incomplete"] == "dd output is not read yet"
    assert err == [f"{path}: dd output is not read yet"]


def test_every_file_is_tried_whatever_the_first_was(parse, tmp_path):
    (tmp_path / "empty").touch()
    (tmp_path / "good").write_bytes(BONNIE)
    code, out, err = parse(tmp_path / "empty", tmp_path / "good", "--json")
    assert code == 1 and [bool(json.loads(line)["results"]) for line in out] == [False, True]
    assert err == [f"{tmp_path / 'empty'}: empty file"]


def test_an_archive_prints_a_line_for_each_member(parse, tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("inner.csv", BONNIE)
        archive.writestr("deep/dd.txt", DD)
    code, out, err = parse(path, "--json")
    inner, deep = map(json.loads, out)
    assert code == 1 and err == [f"{path}/deep/dd.txt: dd output is not read yet"]
    assert (inner["file"], inner["archive"], inner["sha256"], len(inner["results"])) == (
        f"{path}/inner.csv",
        str(path),
        sha256(BONNIE),
        1,
    )
    assert (deep["file"], deep["archive"]) == (f"{path}/deep/dd.txt", str(path))


def test_a_damaged_archive_is_a_line_of_its_own(parse, tmp_path):
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(BONNIE)[:-9])
    code, out, err = parse(path, "--json")
    document = json.loads(out[0])
    assert code == 1 and document["file"] == str(path) and document["results"] == []
    assert document["error"] == "the archive ends too early" and err == [
        f"{path}: {document['error']}"
    ]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("missing", "there is no such file"), (".", "this is a folder: give the files in it")],
)
def test_what_cannot_be_opened_is_a_sentence(parse, tmp_path, name, sentence):
    code, out, err = parse(tmp_path / name, "--json")
    assert code == 1 and err == [f"{tmp_path / name}: {sentence}"]
    assert json.loads(out[0])["sha256"] is None


def test_a_dash_is_standard_input(parse, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BONNIE)))
    code, out, _ = parse("-", "--json")
    assert code == 0 and json.loads(out[0])["file"] == "-"


def test_a_name_that_is_not_utf8_is_shown_all_the_same(parse, tmp_path):
    path = tmp_path / b"\xb4\xe9.csv".decode("utf-8", "surrogateescape")
    path.write_bytes(BONNIE)
    code, out, _ = parse(path, "--json")
    assert code == 0 and json.loads(out[0])["file"].endswith(".csv")


def test_people_get_a_table(parse, tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(BONNIE)
    code, out, _ = parse(path)
    table = "\n".join(out)
    assert code == 0 and str(path) in table and "xen01" in table
    assert any("Sequential write" in line and "90.1 MB/s" in line for line in out)
    assert any("Sequential stat" in line and "too fast to measure" in line for line in out)


def test_the_shell_gets_the_exit_code_and_clean_streams(tmp_path):
    command = [sys.executable, "manage.py", "parse", "--json", "-", str(tmp_path / "none")]
    done = subprocess.run(
        command, input=BONNIE, capture_output=True, cwd=Path(__file__).parents[2], check=False
    )
    assert done.returncode == 1
    assert [json.loads(line)["file"] for line in done.stdout.splitlines()] == ["-", command[-1]]
    assert done.stderr.decode() == f"{tmp_path / 'none'}: there is no such file\n"


def run_into(redirected: str, path: Path) -> subprocess.CompletedProcess[str]:
    command = f'"{sys.executable}" manage.py parse --json {f"{path} " * 400} {redirected}'
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False
    )


def test_who_has_read_enough_is_no_fault(tmp_path):
    (tmp_path / "a.csv").write_bytes(BONNIE)
    done = run_into("| head -1", tmp_path / "a.csv")
    assert (done.returncode, done.stdout.count("\n"), done.stderr) == (1, 1, "")


def test_an_output_that_cannot_be_written_is_stated_in_one_line(tmp_path):
    (tmp_path / "a.csv").write_bytes(BONNIE)
    done = run_into("> /dev/full", tmp_path / "a.csv")
    assert done.returncode == 1
    assert done.stderr == "CommandError: the output cannot be written: No space left on device\n"
