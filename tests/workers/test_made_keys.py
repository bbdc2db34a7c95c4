"""A key pair made on the form of a host opens a real sshd, once its command was run there."""

from __future__ import annotations

import html
import logging
import os
import re
import subprocess

import pytest
from django.contrib.auth.models import Group

from benchdash.accounts.models import User
from benchdash.jobs.credentials import opened
from benchdash.jobs.models import Target
from workers import target_check

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]


@pytest.fixture
def admin(client):
    person = User.objects.create(username="ann")
    person.groups.add(Group.objects.get(name="admin"))
    client.force_login(person)
    return client


def checked(target):
    target_check.check(target)
    target.refresh_from_db()
    return target.findings["state"]


def register(admin, server):
    form = {
        "name": "store-a",
        "address": server.address,
        "port": server.port,
        "user": server.user,
        "method": "key",
        "folder": str(server.folder),
        "make_key": "1",
    }
    return admin.post("/hosts/new/", form, follow=True)


def run_there(server, command):
    told = {"HOME": str(server.home), "PATH": os.environ["PATH"]}
    subprocess.run(["/bin/sh", "-c", command], env=told, check=True)


def test_a_made_key_lets_benchdash_in_once_its_command_was_run(admin, own_server, caplog):
    caplog.set_level(logging.DEBUG)
    page = register(admin, own_server).text
    target = Target.objects.get()
    Target.objects.update(host_key=own_server.host_key)
    target.refresh_from_db()
    assert checked(target) == "refused"
    command = html.unescape(re.findall(r'<pre id="authorize[^>]*>(.*?)</pre>', page)[0])
    assert "ssh-ed25519 AAAA" in command
    run_there(own_server, command)
    assert checked(target) in ("ok", "trouble")
    secret = opened(target.secret)["key"].split("\n")[2]
    assert len(secret) > 40
    for shown in (page, caplog.text, admin.get(f"/targets/{target.pk}/").text):
        assert secret not in shown


def test_the_command_spares_what_is_there_and_adds_the_key_once(admin, own_server):
    register(admin, own_server)
    command = Target.objects.get().authorizing_command
    folder = own_server.home / ".ssh"
    folder.mkdir(mode=0o755)
    file = folder / "authorized_keys"
    file.write_text("ssh-ed25519 AAAA somebody else")  # its last line has no end
    run_there(own_server, command)
    run_there(own_server, command)
    lines = [line for line in file.read_text().split("\n") if line]
    assert lines == [
        "ssh-ed25519 AAAA somebody else",
        f"{Target.objects.get().public_key} benchdash",
    ]
    assert (folder.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)
