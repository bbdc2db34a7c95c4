"""Built-in recipes run for real in a folder, by their argv, and the parsers read what came."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from benchdash.parsers import parse
from benchdash.parsers.live import LiveReader
from benchdash.recipes import Node, Place, Step, builtin, render
from tests.conftest import need
from tests.recipes import rendered

RECIPES = {recipe.name: recipe for recipe in builtin()}


def run(step: Step, work: Path) -> tuple[bytes, bytes]:
    """(what the parser is to read, standard output) of a step, run by the line people read."""
    folder = work / step.folder
    folder.mkdir(parents=True)
    for name, content in step.files.items():
        (folder / name).write_text(content)
    done = subprocess.run(
        ["sh", "-c", step.command()], cwd=folder, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    result = (folder / step.result).read_bytes() if step.result else done.stdout
    return result, done.stdout


def results(recipe: str, values: dict, work: Path, **tools: str):
    """Every step is run; the results of the steps that measure, and what those printed."""
    user = "root" if os.geteuid() == 0 else "bench"
    found, printed = [], b""
    for step in render(RECIPES[recipe], values, Place(str(work), {"node-a": Node(user, tools)})):
        result, output = run(step, work)
        if step.tool:
            found += parse(result).results
            printed += output
    assert not (work / "data").exists()
    return found, printed


@pytest.mark.parametrize(
    ("version", "form"), [("3.33", "json+"), ("", "json+"), ("2.1.3", "json"), ("1.58", "text")]
)
def test_fio_by_options(tmp_path, version, form):
    need("fio")
    values = {
        "rw": "randrw", "rwmixread": 70, "size": "4M", "bs": "16K", "runtime": "2s",
        "ramp_time": "0", "numjobs": 2, "ioengine": "psync", "direct": False, "filename": "both",
    }  # fmt: skip
    (result,), _ = results("fio", values, tmp_path, fio=version)
    assert (result.tool, result.error) == ("fio", None)
    assert result.workload["block_bytes"] == 16384 and result.workload["jobs"] == 2
    numbers = result.by_name()
    assert numbers["rand_read", "iops", "mean"] > 0 < numbers["rand_write", "iops", "mean"]
    assert (form == "text") == (result.format.split("/")[1].startswith("text"))


def test_fio_tells_its_throughput_on_the_way_beside_a_whole_result(tmp_path):
    need("fio")
    values = {"rw": "write", "size": "4M", "runtime": "5s", "ramp_time": "0", "direct": False}
    (result,), printed = results("fio", values, tmp_path, fio="3.33")
    assert result.by_name()["seq_write", "throughput", "mean"] > 0
    assert re.search(rb"\[w=[^]]+/s\]\[w=[^]]+ IOPS\]\[eta", printed)


def test_bonnie(tmp_path):
    need("bonnie++")
    values = {"size": "16M", "ram": "8M", "files": 1, "fast": True, "runs": 2}
    found, _ = results("bonnie++", values, tmp_path)
    assert len(found) == 2
    assert all(result.tool == "bonnie++" for result in found)
    assert found[0].workload["file_bytes"] == 16 * 2**20


def test_a_job_file_of_fio_runs_in_the_own_folder(tmp_path):
    need("fio")
    text = "[global]\nsize=1M\nioengine=psync\n[one]\nrw=write\n[two]\nstonewall\nrw=randread\nbs=16k\n"
    found, _ = results("fio-job-file", {"job_file": text}, tmp_path, fio="3.33")
    assert [result.label for result in found] == ["one", "two"]
    assert found[1].workload["block_bytes"] == 16384


def test_dbench(tmp_path):
    need("dbench")
    (result,), printed = results("dbench", {"clients": 2, "duration": "2s"}, tmp_path)
    assert (result.tool, result.workload["clients"]) == ("dbench", 2)
    assert result.by_name()["load", "throughput", "mean"] > 0
    assert b"execute" in printed


@pytest.mark.parametrize(
    ("mode", "operations"),
    [
        ("seqwr", {"seq_write"}),
        ("seqrewr", {"seq_rewrite"}),
        ("rndrd", {"rand_read"}),
        ("rndrw", {"rand_read", "rand_write"}),
    ],
)
def test_sysbench_in_each_direction(tmp_path, mode, operations):
    need("sysbench")
    values = {
        "mode": mode, "size": "4M", "files": 2, "bs": "4K", "threads": 2, "duration": "2s",
        "direct": False,
    }  # fmt: skip
    (result,), printed = results("sysbench", values, tmp_path)
    assert (result.tool, result.error) == ("sysbench", None)
    assert result.workload["block_bytes"] == 4096 and result.workload["file_bytes"] == 4 * 2**20
    numbers = result.by_name()
    rates = {name for name, metric, _ in numbers if metric == "iops"}
    assert rates - {"sync"} == operations
    assert b"99th percentile" in printed and numbers["run", "latency", "max"] > 0
    assert LiveReader("sysbench").feed(printed)[0].seconds == 1


def test_pgbench(tmp_path, postgres_url):
    server = urlsplit(postgres_url)
    values = {
        "database": server.path[1:], "host": server.hostname, "port": server.port,
        "user": server.username, "scale": 1, "clients": 2, "duration": "2s", "script": "select-only",
    }  # fmt: skip
    (result,), _ = results("pgbench", values, tmp_path, pgbench="15.20")
    assert (result.workload["clients"], result.workload["scale"]) == (2, 1)
    assert result.by_name()["transaction", "transactions", "mean"] > 0


def test_an_own_command_is_read_as_the_tool_that_was_named(tmp_path):
    need("dbench")
    command = f"dbench -t 1 -D '{tmp_path}' 1"
    (result,), _ = results("custom", {"command": command, "tool": "dbench"}, tmp_path)
    assert result.tool == "dbench"


FOLDERS = {"directory", "mount_point", "local_directory", "drbd_directory", "mirror_directory",
           "gfs2_directory", "cluster_directory", "client_directory"}  # fmt: skip


@pytest.mark.parametrize("name", RECIPES)
def test_hosts_that_share_a_filesystem_do_not_meet_in_one_folder(tmp_path, name):
    recipe, shared = RECIPES[name], tmp_path / "shared"
    values = rendered.given(recipe)
    values |= {folder: str(shared) for folder in FOLDERS & recipe.parameters.keys()}
    values |= {"guests": 3} if "guests" in recipe.parameters else {}
    nodes = {f"node-{letter}": Node("bench", {}) for letter in "abc"}
    shared.mkdir()
    steps = render(recipe, values, Place(str(tmp_path / "4f1e"), nodes))
    here = [step for step in steps if not step.root and not step.tunable]
    here = [step for step in here if not any(touch.kind == "device" for touch in step.touches)]
    for step in [step for step in here if step.name == "folder"]:
        run(step, tmp_path / step.node)
    measuring = [step for step in here if step.phase == "measure"]
    files = [word for step in measuring for word in step.argv if word.startswith("--filename=")]
    assert len(files) == len(set(files))
    for file in files:
        Path(file.removeprefix("--filename=")).write_text("")
    for step in [step for step in here if step.phase == "cleanup"]:
        run(step, tmp_path / step.node)
    assert [*shared.iterdir()] == []


@pytest.mark.parametrize("others", ["link", "file", "account"])
def test_what_another_account_put_in_the_place_of_the_folder_is_not_taken(tmp_path, others):
    away, place = tmp_path / "away", tmp_path / "benchdash-4f1e"
    away.mkdir()
    if others == "link":
        place.symlink_to(away)
    elif others == "file":
        place.write_text("")
    elif os.geteuid():
        pytest.skip("only root gives a folder to another account")
    else:
        place.mkdir()
        os.chown(place, 65534, 65534)
    place_of = Place(str(tmp_path / "4f1e"), {"node-a": Node("bench", {})})
    folder = render(RECIPES["ceph-rbd-under-kvm"], {"directory": str(tmp_path)}, place_of)[0]
    done = subprocess.run(folder.argv, capture_output=True, check=False)
    assert done.returncode and b"File exists" in done.stderr
    assert [*away.iterdir()] == [] and (others == "file" or [*place.iterdir()] == [])


def test_two_of_the_studies_run_small(tmp_path):
    need("fio")
    need("bonnie++")
    zones = {
        "local_directory": str(tmp_path / "local"), "mirror_directory": str(tmp_path / "mirror"),
        "size": "4M", "runtime": "1s",
    }  # fmt: skip
    for each in ("local", "mirror"):
        (tmp_path / each).mkdir()
    (result,), _ = results("drbd-between-zones", zones, tmp_path / "one", fio="3.33")
    assert (result.workload["jobs"], result.workload["block_bytes"]) == (4, 2**20)
    raid = {
        "mount_point": str(tmp_path), "size": "16M", "ram": "8M", "clients": 2, "duration": "1s",
        "files": 1, "fast": True,
    }  # fmt: skip
    found, _ = results("ext4-lvm-raid6", raid, tmp_path / "two")
    assert {one.tool for one in found} == {"bonnie++", "dbench"}
    (bonnie,) = (one for one in found if one.tool == "bonnie++")
    assert bonnie.workload["files"] == 1024
    assert "seq_write_char" not in {one.operation for one in bonnie.measurements}


def test_what_was_mounted_on_the_peer_before_is_neither_mounted_nor_unmounted(tmp_path):
    given = rendered.given(RECIPES["drbd-on-two-pcs"]) | {"condition": "gfs2-two-mounts"}
    place = Place(str(tmp_path), {"node-a": Node("root"), "node-b": Node("root")})
    steps = {step.name: step for step in render(RECIPES["drbd-on-two-pcs"], given, place)}
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "mountpoint").write_text(f"#!/bin/sh\ntest -e {tmp_path}/mounted\n")
    (programs / "mount").write_text(f"#!/bin/sh\ntouch {tmp_path}/mounted\n")
    (programs / "umount").write_text(f"#!/bin/sh\nrm {tmp_path}/mounted\n")
    for program in programs.iterdir():
        program.chmod(0o700)

    def run(name):
        path = {"PATH": f"{programs}:{os.environ['PATH']}"}
        return subprocess.run(
            steps[name].argv, env=path, capture_output=True, check=False, text=True
        )

    assert run("mount-on-peer").returncode == 0
    refused = run("mount-on-peer")
    assert (refused.returncode, refused.stderr[:26]) == (1, "/gfs2 is mounted already: ")
    assert run("unmount-on-peer").returncode == 0
    assert not (tmp_path / "mounted").exists()
    (tmp_path / "mounted-by-job").unlink()
    (tmp_path / "mounted").touch()  # by somebody
    assert run("unmount-on-peer").returncode == 0
    assert (tmp_path / "mounted").exists()
