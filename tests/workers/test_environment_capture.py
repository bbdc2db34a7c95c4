"""How a host is, before a job and after it, and what it was measured on."""

from __future__ import annotations

import os
import re
import subprocess
from datetime import timedelta
from shutil import which

import pytest
from django.utils import timezone

from benchdash.accounts.models import User
from benchdash.capture import Capture, read_capture
from benchdash.errors import Refused
from benchdash.inventory.models import Configuration, Environment
from benchdash.inventory.records import record_configuration, record_host
from benchdash.jobs import launching, plan_changes, planning
from benchdash.jobs.models import HostLock, Job, Plan, Target
from benchdash.jobs.queries import known_as
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import builtin
from benchdash.results.doubts import doubts_of
from benchdash.results.models import Run
from benchdash.results.run_names import with_names
from benchdash.vocabulary.storage.notation import parse
from tests.conftest import need
from tests.workers.jobs_by_hand import carried, job, sh, step, target
from tests.workers.sshd import sshd
from tools.components import CI
from workers import environment_capture
from workers.recording import Recorded, record_capture
from workers.remote_job import nodes_of
from workers.tasks import carry_on, check_target

pytestmark = pytest.mark.django_db(transaction=True)
S = Job.State
FIO = ["fio", "--name=x", "--rw=randwrite", "--size=1m", "--output-format=json"]


@pytest.fixture
def other_benchmark(tmp_path):
    """A fio that is not ours."""
    load = ["--name=other", "--rw=randread", "--size=1m", "--time_based", "--runtime=100"]
    other = subprocess.Popen([need("fio"), *load, "--rate_iops=10"], cwd=tmp_path, stdout=-3)
    yield other
    other.kill()
    other.wait()


def test_another_benchmark_on_the_host_stops_the_launch(a_server, other_benchmark):
    made = carried(job(sh("echo never"), on=target(a_server), whatever_conditions=False))
    assert made.state == S.FAILED
    assert made.reason.startswith("Nothing was measured. ")
    assert "Another benchmark is running on this machine: fio" in made.reason
    assert made.steps.get().state == "skipped"


def a_waiting_job(on):
    made = job(step(*FIO, tool="fio"), on=on, whatever_conditions=False, wait_minutes=5)
    for _turn in range(2):
        carry_on(made.pk)
    made.refresh_from_db()
    return made


def test_a_job_keeps_its_busy_host_and_waits_until_it_is_quiet(a_server, other_benchmark):
    made = a_waiting_job(target(a_server))
    assert (made.state, HostLock.objects.get().job) == (S.PREPARING, made)
    assert made.reason.startswith("Waits until the hosts are quiet. store-1: ")
    assert "Another benchmark is running on this machine: fio" in made.reason
    assert timedelta(minutes=4) < made.quiet_by - timezone.now() <= timedelta(minutes=5)
    assert made.events.filter(reason__contains="Waits until").count() == 1
    assert {each["when"] for each in made.conditions} == {"before"}
    assert any(str(other_benchmark.pid) in each["sentence"] for each in made.conditions)
    Plan.objects.update(whatever_conditions=True)  # the machine that tests is busy itself
    other_benchmark.kill()
    other_benchmark.wait()
    made = carried(made)
    assert (made.state, made.reason) == (S.DONE, "")
    run = Run.objects.get(artifact__steps__job=made)
    assert not any(str(other_benchmark.pid) in each for each in run.conditions)


def test_a_job_that_waited_in_vain_fails_and_names_what_it_waited_for(a_server, other_benchmark):
    made = a_waiting_job(target(a_server))
    Job.objects.update(quiet_by=timezone.now())
    made = carried(made)
    assert (made.state, HostLock.objects.count()) == (S.FAILED, 0)
    assert "the hosts were not quiet for 5 minutes. store-1: " in made.reason
    assert "Another benchmark is running on this machine: fio" in made.reason


def test_whoever_insists_on_a_waiting_job_has_it_measure_with_a_doubt(a_server, other_benchmark):
    made = a_waiting_job(target(a_server))
    launching.insist(made, made.plan.launched_by)
    made = carried(made)
    assert (made.state, made.reason) == (S.DONE, "")
    assert Run.objects.get(artifact__steps__job=made).doubts.filter(kind="benchmark")
    with pytest.raises(Refused, match="is not waiting for its hosts"):
        launching.insist(made, made.plan.launched_by)


def test_whoever_insists_on_its_plan_has_a_waiting_job_measure_with_a_doubt(
    a_server, other_benchmark
):
    made = a_waiting_job(target(a_server))
    plan_changes.insist(made.plan, made.plan.launched_by)
    made = carried(made)
    assert (made.state, made.reason) == (S.DONE, "")
    assert Run.objects.get(artifact__steps__job=made).doubts.filter(kind="benchmark")


def test_a_waiting_job_is_cancelled_at_once_and_leaves_nothing(a_server, other_benchmark):
    made = a_waiting_job(target(a_server))
    launching.cancel(made, made.plan.launched_by)
    assert (carried(made).state, HostLock.objects.count()) == (S.CANCELLED, 0)


def test_whoever_insists_measures_and_the_run_says_so(a_server, other_benchmark):
    made = carried(job(step(*FIO, tool="fio"), on=target(a_server)))
    assert (made.state, made.reason) == (S.DONE, "")
    run = Run.objects.get(artifact__steps__job=made)
    busy = next(each for each in run.conditions if "Another benchmark is running" in each)
    assert busy.values["program"] == "fio"
    assert {condition["when"] for condition in made.conditions} == {"before", "after"}
    assert busy in {doubt.sentence for doubt in run.doubts.filter(kind="benchmark")}


def test_a_link_that_was_lost_and_healed_while_the_job_ran_stands_against_the_run(a_server):
    need("fio")
    if not os.access("/dev/kmsg", os.W_OK):
        (pytest.fail if CI else pytest.skip)("the kernel's log is not writable")
    lost, back = "conn( Connected -> NetworkFailure )", "conn( Connecting -> Connected )"
    says = "echo 'drbd lab node-b: {}' > /dev/kmsg"
    before = sh(says.format(lost), name="before")
    assert carried(job(before, on=target(a_server))).state == S.DONE
    outage = f"{says.format(lost)}; sleep 1; {says.format(back)}"
    steps = sh(outage, name="outage"), step(*FIO, tool="fio")
    made = carried(job(*steps, on=Target.objects.get()))
    (doubt,) = Run.objects.get(artifact__steps__job=made).doubts.filter(kind="storage_changed")
    assert doubt.sentence == "drbd lab node-b lost its connection for 1 s while the job ran."
    (condition,) = (each for each in made.conditions if each["name"] == "storage_changed")
    assert condition["when"] == "during"
    quiet = carried(job(step(*FIO, tool="fio"), on=Target.objects.get()))
    assert not Run.objects.get(artifact__steps__job=quiet).doubts.filter(kind="storage_changed")


def test_a_run_stands_in_the_environment_and_configuration_that_were_found(a_server):
    need("fio")
    made = carried(job(step(*FIO, tool="fio"), on=target(a_server, name="store-7")))
    run = Run.objects.get(artifact__steps__job=made)
    assert (made.state, made.reason) == (S.DONE, "")
    assert run.environment == made.environment is not None
    (part,) = run.environment.parts.all()
    assert (part.role, part.snapshot.host.name) == ("node-a", "store-7")
    assert part.snapshot.facts["kernel"]
    captured = run.environment.captures.get().info["unread"].get("node-a", [])
    doubts = doubts_of([run.environment_id], "environment").get(run.environment_id, [])
    unread = {doubt.sentence.removeprefix("node-a: ") for doubt in doubts if doubt.kind == "unread"}
    assert unread <= {*captured}
    assert any("memory modules" in each for each in unread) == any(
        "memory modules" in each for each in captured
    )


def test_a_run_is_of_the_machine_that_ran_the_tool_whatever_its_part_in_the_job(a_server, tmp_path):
    need("fio")
    uname = '[ "$1" = -nrm ] || exec /usr/bin/uname "$@"; echo client $(/usr/bin/uname -rm)'
    (tmp_path / "uname").write_text(f"#!/bin/sh\n{uname}\n")
    (tmp_path / "uname").chmod(0o755)
    with sshd(more=f"SetEnv PATH={tmp_path}:/usr/bin:/bin\n") as client:
        hosts = {"node-a": target(a_server, "store-1"), "node-b": target(client, "store-2")}
        made = carried(job(step(*FIO, tool="fio", node="node-b"), on=hosts))
    assert (made.state, made.reason) == (S.DONE, "")
    run = with_names(Run.objects.filter(artifact__steps__job=made)).get()
    assert run.host_name == "store-2"
    parts = run.environment.parts.values_list("role", "snapshot__host__name")
    assert dict(parts) == {"node-a": "store-2", "node-b": "store-1"}
    assert {*run.host_traces.values_list("role", flat=True)} <= {"node-a"}


def a_claim(layers):
    return record_configuration("as planned", parse(layers))


def test_a_plan_that_names_another_storage_is_contradicted_and_what_was_found_is_recorded(a_server):
    need("fio")
    on = target(a_server)
    found = carried(job(step(*FIO, tool="fio"), on=on)).configuration
    assert found is not None
    made = job(step(*FIO, tool="fio"), on=on)
    Plan.objects.update(configuration=a_claim("zfs\nraid level=5 devices=77\ndisk"))
    made = carried(Job.objects.get(pk=made.pk))
    assert made.configuration == found
    run = Run.objects.get(artifact__steps__job=made)
    assert run.configuration == found
    (said,) = [each["sentence"] for each in made.conditions if each["name"] == "storage"]
    assert re.fullmatch(
        r"The plan says “as planned”, but the storage differs: layer is \w+, not zfs\. "
        rf"The runs belong to what was found, “{re.escape(found.name)}”\.",
        said,
    )
    assert said in run.conditions


def test_a_plan_that_says_less_than_was_found_keeps_its_name_for_it(a_server):
    need("fio")
    on = target(a_server)
    found = carried(job(step(*FIO, tool="fio"), on=on)).configuration
    assert found is not None
    bare = found.stack.tree | {"options": {}, "below": []}
    claim = record_configuration("as planned", bare)
    made = job(step(*FIO, tool="fio"), on=on)
    Plan.objects.update(configuration=claim)
    made = carried(Job.objects.get(pk=made.pk))
    assert made.configuration == claim
    assert not [each for each in made.conditions if each["name"] == "storage"]


def test_the_same_host_is_the_same_environment_again(a_server):
    need("fio")
    on = target(a_server)
    first, second = (carried(job(step(*FIO, tool="fio"), on=on)) for _each in range(2))
    assert first.environment == second.environment is not None
    assert first.configuration == second.configuration


@pytest.fixture
def a_slow_dumpe2fs(tmp_path):
    """A host where dumpe2fs gives no answer while the file `slow` is there."""
    programs = tmp_path / "bin"
    programs.mkdir()
    slow = tmp_path / "slow"
    tool = programs / "dumpe2fs"
    real = which("dumpe2fs", path="/usr/sbin:/sbin")
    tool.write_text(f'#!/bin/sh\n[ ! -e {slow} ] || sleep 60\nexec {real} "$@"\n')
    tool.chmod(0o755)
    with sshd(more=f"SetEnv PATH={programs}:/usr/sbin:/usr/bin:/sbin:/bin\n") as server:
        yield server, slow


@pytest.mark.once
def test_a_probe_that_gives_no_answer_makes_no_other_configuration(a_slow_dumpe2fs, mounted):
    need("fio")
    server, slow = a_slow_dumpe2fs
    _device, folder = mounted
    on = target(server, allowed=[folder])

    def measured():
        made = carried(job(step(*FIO, tool="fio"), on=on, values={"directory": folder}))
        return made, Run.objects.get(artifact__steps__job=made)

    slow.touch()
    unknown, run = measured()
    assert unknown.configuration is None and not Configuration.objects.exists()
    assert any(
        each.startswith("No configuration: none matches what could be read")
        for each in run.conditions
    )
    slow.unlink()
    whole, run = measured()
    assert whole.configuration is not None
    assert not any("configuration" in each.casefold() for each in run.conditions)
    slow.touch()
    part, run = measured()
    assert part.configuration == run.configuration == whole.configuration
    doubts = doubts_of([part.environment_id], "environment").get(part.environment_id, [])
    assert not any("filesystem" in doubt.sentence for doubt in doubts)  # the runs say it
    said = next(each for each in run.conditions if "as far as" in each)
    assert said == (
        f"The configuration is “{whole.configuration.name}”, as far as the storage could be read. "
        "What the filesystem was made with could not be read: no answer within 5 s."
    )
    assert Configuration.objects.count() == 1


@pytest.fixture
def peer(tmp_path):
    """A machine with a card on the replication network, which is registered on another one."""
    says = "2: eth1    inet 10.99.0.2/24 brd 10.99.0.255 scope global eth1"
    (tmp_path / "ip").write_text(f"#!/bin/sh\necho '{says}'\n")
    (tmp_path / "ip").chmod(0o755)
    with sshd(more=f"SetEnv PATH={tmp_path}:/usr/bin:/bin\n") as server:
        yield server


def test_a_drbd_peer_is_found_by_what_it_says_of_itself(peer):
    on = target(peer, name="store-9", address="localhost")
    assert environment_capture.outputs_of_peers(["10.99.0.2"], besides=set()) == []
    check_target(on.pk)
    for name in ("10.99.0.2", os.uname().nodename):
        (output,) = environment_capture.outputs_of_peers([name], besides=set())
        assert read_capture(output).machine["kernel"]
    assert environment_capture.outputs_of_peers(["127.0.0.1", "10.99.0.3"], besides=set()) == []
    peer.stop()
    check_target(on.pk)  # who does not answer is known all the same
    peer.start()
    assert environment_capture.outputs_of_peers(["10.99.0.2"], besides=set())


def test_a_drbd_peer_whose_key_nobody_approved_is_not_contacted(peer):
    on = target(peer, name="store-9", address="localhost")
    check_target(on.pk)
    Target.objects.update(host_key="")
    asked = ["10.99.0.2", "localhost"]
    assert environment_capture.outputs_of_peers(asked, besides=set()) == []
    assert known_as(asked).count() == 0


def test_a_registered_host_at_the_address_of_a_drbd_peer_is_asked_unless_it_measures(a_server):
    on = target(a_server, name="store-8")
    (output,) = environment_capture.outputs_of_peers([a_server.address], besides=set())
    assert read_capture(output).machine["kernel"]
    assert environment_capture.outputs_of_peers([a_server.address], besides={on.host_id}) == []
    assert environment_capture.outputs_of_peers(["10.99.0.2"], besides=set()) == []
    HostLock.objects.create(host=on.host, job=job(sh("true"), on=on))
    assert environment_capture.outputs_of_peers([a_server.address], besides=set()) == []


def test_storage_that_is_not_known_at_all_leaves_no_configuration_and_says_why():
    host = record_host("boxed")
    overlay = "“/data” is on overlay, which is not a known filesystem: its storage could not be …"
    capture = Capture(
        {"hostname": "boxed"}, unread=("No sysctl.", overlay), unread_facts=("No sysctl.",)
    )
    found = record_capture(host, "node-a", capture)
    assert found.configuration is None
    assert str(found.remark).startswith("No configuration: ") and overlay in str(found.remark)
    assert "sysctl" not in str(found.remark)


WITH_A_DISK = "ext4\ndrbd protocol=C\n- disk\n- disk @node-b"
WITHOUT = "ext4\ndrbd protocol=C diskless=yes\n- disk @node-b"


@pytest.mark.parametrize(
    ("place", "stack", "doubt"),
    [
        ("cluster", WITH_A_DISK, ""),
        ("client", WITHOUT, ""),
        ("cluster", WITHOUT, " is on DRBD, but not with diskless=no, as the recipe expects it."),
        ("client", WITH_A_DISK, " is on DRBD, but not with diskless=yes, as the recipe expects it."),
        ("client", "ext4\ndisk", " is not on DRBD, where the recipe expects it: this was measured without DRBD."),
    ],
)  # fmt: skip
def test_a_folder_on_another_drbd_than_the_recipe_means_is_stated(
    a_server, tmp_path, place, stack, doubt
):
    hosts = {role: target(a_server, role, allowed=[str(tmp_path)]) for role in ("node-a", "node-b")}
    person = User.objects.get_or_create(username="ann")[0]
    recipe = next(each for each in builtin() if each.name == "drbd9-files")
    wanted = Wanted(
        recipe,
        hosts,
        parameters={f"{place}_directory": str(tmp_path)},
        factors={"place": [place], "rw": ["write"]},
        repeats=1,
    )
    (made,) = planning.plan(wanted, person).jobs.all()
    found = Recorded(Environment(), stack=parse(stack))
    sentence = environment_capture.not_as_meant(made, nodes_of(made), found)
    assert sentence == (f"{tmp_path}{doubt}" if doubt else "")
