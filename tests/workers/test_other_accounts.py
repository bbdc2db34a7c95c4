"""Another account on the host: whatever it does to files and folders, its code is run by nobody else."""

from __future__ import annotations

import os
import subprocess

import pytest

from benchdash.jobs import logs
from benchdash.jobs.models import Job
from tests.workers.accounts import BENCH, shared_host
from tests.workers.jobs_by_hand import carried, job, sh, step, target
from workers import target_check

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
S = Job.State


@pytest.fixture
def host():
    with shared_host() as one:
        yield one


@pytest.fixture(params=["bench", "root"])
def on(request, host):
    """A target as the two users that one signs in as, its working folder where all may write."""
    return target(host.server, user=request.param, folder=str(host.everybodys / "benchdash"))


def exchanging(host, folder):
    """Puts a folder of its own, with its own scripts, in the place of each that appears."""
    return f"""
    for each in {folder}/*/; do
        [ -d "$each" ] || continue
        [ -e "$each/mine" ] || {{ mv "$each" "$each/../.old.$$.$(date +%N)" && mkdir "$each"; }}
        for script in control.sh run.sh; do
            printf '%s\\n' '{host.payload}; echo state=ended out=0 err=0; echo code=0 over=0' > "$each/$script"
        done
        chmod -R 777 "$each"; : > "$each/mine"
    done"""


def test_a_folder_that_another_account_made_first_is_not_used(host, on):
    host.attack(f"mkdir -m 777 {on.folder}")
    with host.attacking(exchanging(host, on.folder)):
        made = carried(job(sh("echo measured"), on=on))
    assert (made.state, host.ran_as()) == (S.FAILED, [])
    assert f"{on.folder} on 127.0.0.1 belongs to another account (user id 40402)" in made.reason
    assert [*(host.homes / on.user / ".benchdash").iterdir()] == []


def test_a_link_of_another_account_is_not_followed(host, on):
    host.attack(f"mkdir -m 777 {host.everybodys}/mine; ln -s mine {on.folder}")
    with host.attacking(exchanging(host, host.everybodys / "mine")):
        made = carried(job(sh("echo measured"), on=on))
    assert (made.state, host.ran_as()) == (S.FAILED, [])
    assert "belongs to another account" in made.reason


def test_a_folder_below_one_of_another_account_is_not_used(host, on):
    host.attack(f"mkdir -m 777 {host.everybodys}/mine")
    on.folder = f"{host.everybodys}/mine/benchdash"
    made = carried(job(sh("echo measured"), on=on))
    assert (made.state, host.ran_as()) == (S.FAILED, [])
    assert f"{host.everybodys}/mine on 127.0.0.1 belongs to another account" in made.reason


def test_a_folder_in_one_that_all_may_write_without_the_sticky_bit_is_not_used(host, on):
    host.everybodys.chmod(0o777)
    with host.attacking(exchanging(host, on.folder)):
        made = carried(job(sh("echo measured"), on=on))
    assert (made.state, host.ran_as()) == (S.FAILED, [])
    assert f"Other accounts can write to {host.everybodys} on 127.0.0.1" in made.reason
    assert f"chmod +t {host.everybodys}" in made.reason


def test_what_another_account_does_between_the_steps_is_not_run(host, on):
    """The folder is swapped as soon as its parent lets everybody; the job ends with a sentence."""
    swap = f"mv {on.folder} {host.everybodys}/away && mkdir -m 777 {on.folder}"
    opened = sh(f"chmod 777 {host.everybodys}", name="opened")
    if on.user != "root":
        opened = sh(f"sudo -n chmod 777 {host.everybodys}", name="opened")
    waiting = sh(f"while [ ! -d {host.everybodys}/away ]; do sleep 0.05; done", name="swapped")
    made = job(opened, waiting, sh("echo never"), on=on)
    with host.attacking(f"{swap}; {exchanging(host, on.folder)}"):
        made = carried(made)
    assert (made.state, host.ran_as()) == (S.FAILED, [])
    assert f"Other accounts can write to {host.everybodys}" in made.reason
    assert logs.whole(made.steps.get(name="measure")) == b""


def test_files_of_a_job_are_closed_whatever_the_umask_of_its_user():
    """Each that it finds, the other account overwrites: scripts, and what is measured."""
    loose = 'ForceCommand umask 0; exec /bin/sh -c "$SSH_ORIGINAL_COMMAND"\n'
    with shared_host(more=loose) as host:
        on = target(host.server, folder=str(host.everybodys / "benchdash"))
        overwrite = f"""
        for each in {on.folder}/*/control.sh {on.folder}/*/*/run.sh; do
            [ -f "$each" ] && printf '%s\\n' '{host.payload}' > "$each"
        done"""
        found = sh("umask; ls -ld . .. ~/.benchdash; sleep 1", name="look")
        with host.attacking(overwrite):
            made = carried(job(found, sh("echo measured"), on=on))
        assert (made.state, made.reason, host.ran_as()) == (S.DONE, "", [])
        umask, *modes = logs.whole(made.steps.get(name="look")).decode().splitlines()
        assert umask == "0077"
        assert [line[:10] for line in modes] == ["drwx------"] * 3
        assert logs.whole(made.steps.get(name="measure")) == b"measured\n"


def test_a_folder_for_data_that_is_there_already_is_not_the_jobs_own(host, on):
    mount = host.everybodys / "disk"
    mount.mkdir()
    mount.chmod(0o1777)
    on.allowed = [str(mount)]
    on.save()
    touched = [{"kind": "path", "name": str(mount)}]
    made = job(
        step("mkdir", "-m", "700", str(mount / "own"), touches=touched, name="folder"),
        sh("echo never", touches=touched),
        on=on,
    )
    host.attack(f"mkdir -m 777 {mount}/benchdash-{made.token}")
    made = carried(made)
    assert (made.state, logs.whole(made.steps.get(name="measure"))) == (S.FAILED, b"")
    assert f"{mount}/benchdash-{made.token} on 127.0.0.1 belongs to another account" in made.reason


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ("chmod 777 {home}", "Other accounts can write to /home/{user}"),
        ("mkdir -m 777 {home}/.benchdash", "Other accounts can write to /home/{user}/.benchdash"),
        ("mkdir {home}/x; ln -s x {home}/.benchdash", "is a symbolic link"),
        ("rmdir {home}", "has no home folder of their own"),
        (": > {home}/.benchdash", "is not a folder"),
    ],
)
def test_scripts_and_logs_lie_where_the_user_alone_may_enter(host, on, spoil, said):
    home = host.homes / on.user
    subprocess.run(["sh", "-c", spoil.format(home=home)], check=True)
    if (home / ".benchdash").exists():
        os.chown(home / ".benchdash", (owner := home.stat().st_uid), owner, follow_symlinks=False)
    made = carried(job(sh("echo never"), on=on))
    assert (made.state, logs.whole(made.steps.get())) == (S.FAILED, b"")
    assert said.format(user=on.user) in made.reason
    target_check.check(on)
    on.refresh_from_db()
    line = next(line for line in on.findings["lines"] if line["name"] == "scripts and logs")
    assert line["ok"] is False and said.format(user=on.user) in line["mend"]


def test_a_home_folder_that_goes_with_the_last_login_is_none():
    with shared_host(more="SetEnv HOME=/tmp\n") as host:
        made = carried(job(sh("echo never"), on=target(host.server)))
        assert made.state == S.FAILED
        assert made.reason.startswith("bench has no home folder of their own on 127.0.0.1")


def test_the_check_says_where_scripts_and_data_are(host, on):
    target_check.check(on)
    on.refresh_from_db()
    lines = {line["name"]: line for line in on.findings["lines"]}
    home = f"/home/{on.user}/.benchdash"
    assert lines["scripts and logs"]["text"] == (
        f"in {home}, which only {on.user} may enter; the working folder holds only data"
    )
    # it is made by the first job
    assert lines["working folder"]["ok"] is None and on.folder in lines["working folder"]["text"]
    assert (host.homes / on.user / ".benchdash").stat().st_mode & 0o777 == 0o700


def test_a_working_folder_that_an_older_version_left_open_to_a_group_is_closed(host):
    on = target(host.server, folder=str(host.everybodys / "benchdash"))
    folder = host.everybodys / "benchdash"
    folder.mkdir()
    os.chown(folder, BENCH, BENCH)
    folder.chmod(0o775)
    made = carried(job(sh("echo measured"), on=on))
    assert (made.state, made.reason) == (S.DONE, "")
    assert folder.stat().st_mode & 0o777 == 0o755


@pytest.fixture
def by_sudo(host):
    return target(host.server, sudo=True, folder=str(host.everybodys / "benchdash"))


def test_root_runs_no_file_that_the_user_can_write(host, by_sudo):
    """What a job may have left running: it exchanges every file that it can before root comes."""
    exchange = f"""
    for each in .. ../../*/; do
        [ -d "$each" ] && printf '%s\\n' '{host.payload}' > "$each/control.sh"
    done
    mkdir -p ../2-root; printf '%s\\n' '{host.payload}' > ../2-root/run.sh"""
    made = job(
        sh(exchange, name="exchange"),
        sh("id -u", root=True, name="root"),
        sh("echo measured"),
        on=by_sudo,
    )
    made = carried(made)
    assert (made.state, made.reason, host.ran_as()) == (S.DONE, "", [])
    assert logs.whole(made.steps.get(name="root")) == b"0\n"
    assert list((host.everybodys / "benchdash").iterdir()) == []
    assert [*(host.homes / "root" / ".benchdash").iterdir()] == []


def test_root_follows_no_link_that_the_user_planted(host, by_sudo):
    precious = host.homes / "root" / "precious"
    precious.mkdir()
    (precious / "result.out").write_text("kept")
    plant = sh(f"ln -s {precious} ../2-measure", name="plant")
    fio = sh("echo overwritten > result.out", root=True, tool="fio", result="result.out")
    made = carried(job(plant, fio, on=by_sudo))
    assert made.state == S.FAILED
    assert "2-measure on 127.0.0.1 is a symbolic link (of user id 40401)" in made.reason
    assert (precious / "result.out").read_text() == "kept"
    assert [each.name for each in precious.iterdir()] == ["result.out"]


def test_root_measures_in_a_folder_of_its_own(host, by_sudo):
    said = "stat -c '%u %a' .; echo '{}' > result.out; stat -c %u result.out; pwd"
    made = carried(job(sh(said, root=True, tool="fio", result="result.out"), on=by_sudo))
    owner, of_file, where = logs.whole(made.steps.get()).decode().splitlines()
    assert (owner, of_file) == ("0 700", "0")
    assert where.startswith(by_sudo.folder)
    assert list((host.everybodys / "benchdash").iterdir()) == []


def test_a_step_of_root_is_stopped_with_all_that_it_started(host, by_sudo):
    made = carried(job(sh("sleep 300 & sleep 300", root=True, timeout_s=1), on=by_sudo))
    assert made.state == S.FAILED
    assert "did not end within its time limit of 1 s" in made.reason
    left = subprocess.run(["pgrep", "-f", made.token], capture_output=True, check=False)
    assert left.stdout == b""


def test_what_a_job_reads_has_to_be_allowed_still_and_no_reason_quotes_it(host, on):
    secret = host.place / "secret"
    secret.write_text("the-secret-line\n")
    secret.chmod(0o644)
    touched = [{"kind": "file", "name": str(secret)}]
    said = sh(f"cat {secret} >&2; exit 1", touches=touched)
    refused = carried(job(said, on=on))
    assert (refused.state, logs.whole(refused.steps.get(), "err")) == (S.FAILED, b"")
    assert f"{secret} is not listed as a file that may be read on store-1" in refused.reason
    on.readable = [str(secret)]
    on.save()
    failed = carried(job(said, on=on))
    assert failed.state == S.FAILED
    assert failed.reason == "measure ended with exit code 1. It said: see the log"
    assert "the-secret" not in " ".join(failed.events.values_list("reason", flat=True))
