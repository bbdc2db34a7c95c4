"""Whether a target can be used: what is told about a real sshd."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from benchdash.inventory.models import Environment
from benchdash.jobs.models import Job, Target
from tests.capture.test_script import folder_of
from tests.conftest import need
from tests.workers.jobs_by_hand import carried, job, sh, target
from tests.workers.sshd import sshd
from workers import target_check
from workers.connections import DeniedError

pytestmark = pytest.mark.django_db(transaction=True)


def checked(on):
    target_check.check(on)
    on.refresh_from_db()
    return on.findings


def test_a_target_that_can_be_used(a_server):
    found = checked(target(a_server))
    lines = {line["name"]: line for line in found["lines"]}
    assert found["state"] in ("ok", "trouble")
    assert lines["reached"]["ok"] and lines["user"]["text"] == a_server.user
    assert lines["fio"]["text"].startswith("fio-") or lines["fio"]["mend"]
    bonnie = lines["bonnie++"]
    assert re.match(r"bonnie\+\+ \d\.\d", bonnie["text"]) or bonnie["mend"]
    assert f"{found['free_bytes'] / 2**30:.1f} GiB free" in lines["working folder"]["text"]
    assert lines["clock"]["ok"] and not lines["clock"]["text"].startswith("-0")


def test_the_kernel_and_the_schedulers_of_its_disks_are_recorded(a_server):
    found = checked(target(a_server))
    assert found["kernel"] == os.uname().release
    disks = {
        path.parts[3]: path.read_text().replace("[", "").replace("]", "").split()
        for path in Path("/sys/block").glob("*/queue/scheduler")
    }
    assert disks and found["schedulers"] == disks
    loadable = set(found["loadable_schedulers"])
    assert loadable <= {"bfq", "mq-deadline", "kyber", "cfq", "deadline", "noop"}


def test_modules_that_bring_schedulers_are_known_by_their_schedulers():
    answers = {"loadable": "bfq kyber-iosched blk-zoned bfq t10-pi", "scheduler:sda": "[none] bfq"}
    found = target_check._kernel(answers)
    assert found["loadable_schedulers"] == ["bfq", "kyber"]
    assert found["schedulers"] == {"sda": ["none", "bfq"]}


def test_a_folder_that_cannot_be_written_is_stated_with_its_mend(a_server):
    found = checked(target(a_server, folder="/proc/benchdash"))
    line = next(line for line in found["lines"] if line["name"] == "working folder")
    assert (found["state"], line["ok"]) == ("trouble", False)
    assert "/proc/benchdash" in line["mend"]


def test_a_folder_that_is_missing_is_named_with_its_filesystem_and_not_made(own_server):
    missing = own_server.folder / "nosuch" / "dir"
    on = target(own_server, folder=str(missing))
    found = checked(on)
    line = next(line for line in found["lines"] if line["name"] == "working folder")
    filesystem = re.fullmatch(r"/\S* \(\S+\)", found["folder_made_on"])[0]
    assert (line["ok"], line["mend"], line["warns"]) == (None, "", True)
    assert line["text"].startswith(
        f"{missing} does not exist yet: it will be made on {filesystem}, "
        f"{found['free_bytes'] / 2**30:.1f} GiB free"
    )
    assert list(own_server.folder.iterdir()) == []

    made = carried(job(sh("pwd"), on=on))
    assert (made.state, missing.is_dir()) == (Job.State.DONE, True)
    assert "folder_made_on" not in checked(on)


def test_a_folder_below_a_file_cannot_be_made(own_server):
    (own_server.folder / "file").touch()
    found = checked(target(own_server, folder=f"{own_server.folder}/file/dir"))
    line = next(line for line in found["lines"] if line["name"] == "working folder")
    assert (line["ok"], "folder_made_on" in found) == (False, False)


def test_little_room_is_said_and_does_not_make_a_host_unready(a_server):
    on = target(a_server)
    found = [
        target_check._folder(on, {"folder": "1", "free": str(mib * 1024)}).ok
        for mib in (2048, 400, 16)
    ]
    assert found == [True, None, False]


def test_a_login_that_is_refused_two_hosts_away_is_refused_for_all_behind_it(a_server):
    far = target(a_server, "far")
    near = target(a_server, "near", jump=far)
    behind = target(a_server, "behind", jump=near)
    beside = target(a_server, "beside")
    target_check.note_refusal(DeniedError("far does not let you in", far.pk))
    states = [Target.objects.get(pk=each.pk).standing for each in (far, near, behind, beside)]
    assert states[:3] == ["refused"] * 3
    assert states[3] != "refused"


def test_a_finding_keeps_its_values_in_the_database(a_server):
    found = checked(target(a_server, folder="/proc/benchdash"))
    line = next(line for line in found["lines"] if line["name"] == "working folder")
    assert line["mend"].values == {"folder": "/proc/benchdash", "user": a_server.user}
    assert found["sentence"].template == "Checked in {seconds} s."


def test_first_contact_shows_the_key_and_sends_nothing(a_server):
    on = target(a_server, host_key="")
    assert checked(on)["state"] == "new_key"
    assert on.offered_key == a_server.host_key


def test_a_key_that_was_approved_while_a_check_was_on_its_way_is_not_offered_again(a_server):
    unchecked = target(a_server, host_key="")
    Target.objects.filter(pk=unchecked.pk).update(host_key=a_server.host_key)
    target_check.check(unchecked)
    unchecked.refresh_from_db()
    assert unchecked.standing == "unchecked"
    assert checked(unchecked)["state"] != "new_key"


def test_a_wrong_port_is_unreachable(a_server):
    found = checked(target(a_server, port=1))
    assert found["state"] == "unreachable"
    assert found["sentence"] == "127.0.0.1:1 cannot be reached: Connection refused."


def test_a_host_that_a_job_has_reached_since_is_not_called_unreachable(a_server):
    on = target(a_server, port=1)
    assert checked(on)["state"] == "unreachable"
    on.port = a_server.port
    on.save()
    assert carried(job(sh("true"), on=on)).state == Job.State.DONE
    on.refresh_from_db()
    assert on.standing == "unchecked"
    assert str(on.findings["sentence"]).startswith("A job has reached it since the last check")


def test_a_key_that_is_none_is_named_and_never_shown(a_server):
    from benchdash.jobs.credentials import sealed  # noqa: PLC0415 - one test needs it

    found = checked(target(a_server, secret=sealed({"key": "no key, s3cret"})))
    assert found["state"] == "refused"
    assert "s3cret" not in str(found)


@pytest.mark.parametrize(
    ("prints", "ok", "text", "mend"),
    [
        ("echo HEALTH_OK", True, "HEALTH_OK", ""),
        ("echo 'HEALTH_WARN 1 osds down'", None, "HEALTH_WARN 1 osds down", "Jobs wait until"),
        ("echo '[errno 13] RADOS permission denied' >&2; exit 13", False, "rejects the key", ""),
        ("echo 'timed out' >&2; exit 1", False, "Ceph does not answer", ""),
    ],
)
def test_ceph_tells_its_health_where_it_is_to_be_measured(tmp_path, prints, ok, text, mend):
    need("sshd")
    folder_of(tmp_path, ceph=f'[ "$*" = "--connect-timeout 5 health" ] || exit 9; {prints}')
    with sshd(more=f"SetEnv PATH={tmp_path}:/usr/sbin:/usr/bin:/sbin:/bin\n") as server:
        found = checked(target(server, allowed=["rados:bench"]))
    (line,) = [line for line in found["lines"] if line["name"] == "Ceph"]
    assert line["ok"] is ok and text in line["text"] and line["mend"].startswith(mend)
    assert ok is not False or found["state"] == "trouble"


def test_a_path_is_looked_at_as_well(a_server):
    on = target(a_server)
    target_check.check(on, str(a_server.folder))
    on.refresh_from_db()
    found = on.findings["capture"]
    environment = Environment.objects.get(pk=found["environment"])
    assert environment.parts.get().snapshot.host == on.host
    assert found["path"] == str(a_server.folder)
