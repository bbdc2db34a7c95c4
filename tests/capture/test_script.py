"""The scripts, run by the shells of the machine."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import time
from pathlib import Path

import pytest

from benchdash.capture import capture_script, conditions_script, read_capture, read_conditions
from benchdash.capture.answers import frames
from benchdash.capture.probes.block_devices import _NODES
from benchdash.capture.script import LONGEST_OUTPUT
from benchdash.errors import Refused
from tests.conftest import need

# no other process of this machine sleeps as long: tests run side by side
HANG = f"sleep {1_000_000 + os.getpid()}"
SHELLS = [["dash"], ["bash", "--posix"], ["busybox", "sh"]]


@pytest.fixture(params=SHELLS, ids=" ".join)
def shell(request) -> list[str]:
    if request.param[0] == "busybox":
        need("busybox")
    return request.param


def run(script: str, shell: list[str] = ["sh"], path: str = "") -> bytes:  # noqa: B006
    environment = os.environ | ({"PATH": path} if path else {})
    return subprocess.run(
        [*shell, "-s"], input=script.encode(), capture_output=True, check=True, env=environment
    ).stdout


def folder_of(tmp_path: Path, **programs: str) -> Path:
    """A folder of programs that stand before or instead of the machine's."""
    for name, text in programs.items():
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(program.stat().st_mode | stat.S_IEXEC)
    return tmp_path


def test_each_shell_gives_the_same_facts_of_this_machine(shell, tmp_path):
    capture = read_capture(run(capture_script(str(tmp_path)), shell), at=time.time())
    assert capture.machine["hostname"] == os.uname().nodename
    assert capture.machine["kernel"] == os.uname().release
    assert capture.machine["threads"] == os.cpu_count()
    assert abs(capture.good_to_know["clock_skew_s"]) < 60
    assert not [sentence for sentence in capture.unread if "damaged" in sentence]


def test_conditions_are_read_by_each_shell(shell):
    names = [condition.name for condition in read_conditions(run(conditions_script("/"), shell))]
    assert "load" in names and "unread" not in names


@pytest.mark.parametrize("path", ["/srv/a\n@@ system", "/srv/\x1b[2J"])
def test_a_path_that_cannot_be_printed_is_refused(path):
    with pytest.raises(Refused, match="path"):
        capture_script(path)
    with pytest.raises(Refused, match="path"):
        conditions_script(path)


def test_a_path_is_data_and_never_run(tmp_path):
    path = tmp_path / 'a\'b $(touch oops) `touch oops` "c" ; touch oops'
    path.mkdir()
    output = run(f"cd {tmp_path}\n" + capture_script(str(path)))
    assert frames(output).by_name["path"].output == str(path)
    assert frames(output).by_name["place"].lines[:2] == ["folder", str(path)]
    assert not list(tmp_path.rglob("oops"))


def test_a_path_that_is_not_there_is_looked_for_above(tmp_path):
    output = run(capture_script(str(tmp_path / "not" / "there")))
    assert frames(output).by_name["place"].lines[:2] == ["nearest", str(tmp_path)]


def test_a_program_that_hangs_is_ended_and_the_rest_is_asked(shell, tmp_path):
    script = capture_script().replace("probe virtualization 5", "probe virtualization 1")
    folder = folder_of(tmp_path, **{"systemd-detect-virt": f"exec {HANG}"})
    output = run(script, shell, f"{folder}:{os.environ['PATH']}")
    assert frames(output).by_name["virtualization"].status in ("137", "143")
    assert read_capture(output).machine["kernel"] == os.uname().release
    assert not running(HANG)


def test_without_timeout_a_watchdog_ends_what_hangs_with_its_children(shell, tmp_path):
    script = capture_script().replace("probe virtualization 5", "probe virtualization 1")
    hang = f"{HANG}; echo awoken"
    folder = folder_of(tmp_path, timeout="exit 125", **{"systemd-detect-virt": hang})
    output = run(script, shell, f"{folder}:{os.environ['PATH']}")
    assert "awoken" not in output.decode()
    assert frames(output).by_name["virtualization"].status in ("137", "143")
    assert frames(output).complete
    assert not running(HANG)


def test_all_of_it_ends_in_time_and_says_what_was_not_asked(tmp_path):
    hang = {"systemd-detect-virt": f"exec {HANG}"}
    folder = folder_of(tmp_path, **hang)
    script = capture_script().replace("last=$((up + 75))", "last=$((up + 2))")
    assert script != capture_script()
    output = run(script, path=f"{folder}:{os.environ['PATH']}")
    assert frames(output).complete
    assert frames(output).by_name["versions"].status == "late"
    unread = read_capture(output).unread
    assert "Versions of the tools could not be read: there was no time left to ask." in unread


def test_no_answer_is_longer_than_may_be(tmp_path):
    folder = folder_of(tmp_path, **{"systemd-detect-virt": "exec yes"})
    output = run(capture_script(), path=f"{folder}:{os.environ['PATH']}")
    assert frames(output).by_name["virtualization"].is_cut
    assert len(output) < 3 * LONGEST_OUTPUT + 2_000_000
    assert frames(output).complete


def test_what_looks_like_a_frame_in_an_answer_is_an_answer(tmp_path):
    fake = "printf '@= 0\\n@@ system\\n|evil 1 2 3\\n@.\\n'"
    folder = folder_of(tmp_path, **{"systemd-detect-virt": fake})
    capture = read_capture(run(capture_script(), path=f"{folder}:{os.environ['PATH']}"))
    assert capture.machine["hostname"] == os.uname().nodename


def test_no_tool_is_asked_for_its_version_in_a_way_that_starts_it(tmp_path):
    """bonnie++ measures when it is called without words, and not as root."""
    answer = subprocess.run(
        [need("bonnie++"), "-h"], capture_output=True, cwd=tmp_path, check=False
    )
    assert b"Version: " in answer.stderr + answer.stdout and not list(tmp_path.iterdir())
    assert "bonnie++ bonnie++ -h" in capture_script()


def test_half_a_script_runs_nothing(tmp_path):
    script = capture_script()
    cut = f"cd {tmp_path}\n" + script[: len(script) // 2]
    done = subprocess.run(["sh", "-s"], input=cut.encode(), capture_output=True, check=False)
    assert done.returncode and not done.stdout


def test_it_writes_nothing(tmp_path):
    """Redirections go to descriptors and to nothing else."""
    script = capture_script("/") + conditions_script("/")
    assert set(re.findall(r"\d?>(?!&)\s*([^\s;]+)", script)) == {"/dev/null"}


def test_another_benchmark_is_seen_and_our_own_is_not(tmp_path):
    folder = folder_of(tmp_path)
    shutil.copy(shutil.which("sleep"), folder / "dbench")
    other = subprocess.Popen([folder / "dbench", "300"])
    ours = subprocess.Popen([folder / "dbench", "300"], env={"BENCHDASH_STEP": "7-measure"})
    try:
        found = read_conditions(run(conditions_script()))
        sentences = " ".join(each.sentence for each in found if each.name == "benchmark")
        assert str(other.pid) in sentences and str(ours.pid) not in sentences
    finally:
        for process in (other, ours):
            process.kill()
            process.wait()


def test_a_shared_secret_of_drbd_stays_on_its_machine(tmp_path):
    secret = 'echo "resource r0 { net { shared-secret \\"hush\\"; } }" | tr "{;" "\\n\\n"'
    folder = folder_of(tmp_path, drbdsetup=secret)
    script = capture_script("/").replace("if any /proc/drbd; then", "if true; then")
    output = run(script, path=f"{folder}:{os.environ['PATH']}").decode()
    assert "resource r0" in output and "hush" not in output


@pytest.mark.parametrize(("shown", "calls"), [(0, ["show"]), (20, ["show", "/dev/drbd0 show"])])
def test_what_drbd_stands_on_is_asked_for_once_where_one_call_shows_all(tmp_path, shown, calls):
    log = tmp_path / "log"
    folder = folder_of(tmp_path, drbdsetup=f'echo "$*" >> {log}\nexit {shown}')
    script = _NODES.replace("/dev/drbd[0-9]*", "/dev/drbd0").replace('[ -b "$drbd" ] && ', "")
    run(script, path=f"{folder}:{os.environ['PATH']}")
    assert log.read_text().splitlines() == calls


def running(command: str) -> list[int]:
    """Processes with this command line."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
        except OSError:
            continue
        if line == command:
            found.append(int(folder.name))
    return found
