"""What OpenSSH's files know is taken over: known_hosts and ssh_config."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os

import pytest

from benchdash.errors import Refused
from benchdash.inventory.models import Host
from benchdash.inventory.records import record_environment
from benchdash.jobs.importing import found_hosts, found_keys, make_found, pin_found
from benchdash.jobs.models import Target
from benchdash.jobs.openssh import key_of, read_known_hosts, read_ssh_config
from benchdash.jobs.targets import Login, save_target
from tests.jobs.keys import a_host_key

CONFIG = """
Host gate
    HostName gate.example.org
    User ann
    Port 2222
Host store-a store-b
    HostName=%h.inner
    ProxyJump gate
    IdentityFile "~/.ssh/store key"   # quoted
Host *.lab !old.lab
    User lab
Match host far.lab
    User nobody
Host far.lab old.lab
Host *
    User root
    Port 22
"""


def hashed(name):
    salt = os.urandom(20)
    digest = hmac.new(salt, name.encode(), hashlib.sha1).digest()
    return "|1|" + "|".join(base64.b64encode(part).decode() for part in (salt, digest))


def test_a_name_that_results_have_is_not_taken_over(db):
    record_environment({"node-a": {"hostname": "store-a"}}, {}, name="Lab")
    troubles = {each.host.name: each.trouble for each in found_hosts(CONFIG, "root")}
    assert troubles["store-a"].startswith("There are already results from a host with this name")
    assert troubles["store-b"] == ""


def test_plain_hashed_and_patterned_names_are_found():
    one, two, three = a_host_key(), a_host_key(), a_host_key()
    keys = read_known_hosts(
        f"# comment\nnode-a,10.0.0.1 {one} comment\n{hashed('[node-b]:2222')} {two}\n"
        f"*.example.org,!bad.example.org {three}\n@revoked node-a {two}\nnonsense\n"
    )
    assert key_of(keys, "10.0.0.1", 22) == one
    assert key_of(keys, "NODE-B", 2222) == two
    assert key_of(keys, "node-b", 22) == ""
    assert key_of(keys, "good.example.org", 22) == three
    assert key_of(keys, "bad.example.org", 22) == ""


def test_the_newest_kind_of_key_is_pinned():
    rsa = "ssh-rsa " + base64.b64encode(b"\0\0\0\7ssh-rsa" + bytes(20)).decode()
    keys = read_known_hosts(f"node-a {rsa}\nnode-a {(best := a_host_key())}\n")
    assert key_of(keys, "node-a", 22) == best


@pytest.mark.parametrize("text", ["", "node-a ssh-rsa !!!", "Host a\n"])
def test_a_text_without_a_key_is_refused(text):
    with pytest.raises(Refused, match="known_hosts"):
        read_known_hosts(text)


def test_the_first_value_of_a_word_wins_and_patterns_fill_in():
    hosts = {host.name: host for host in read_ssh_config(CONFIG)}
    assert list(hosts) == ["gate", "store-a", "store-b", "far.lab", "old.lab"]
    gate, store = hosts["gate"], hosts["store-b"]
    assert (gate.address, gate.port, gate.user) == ("gate.example.org", 2222, "ann")
    assert (store.address, store.jump, store.identity) == (
        "store-b.inner",
        "gate",
        "~/.ssh/store key",
    )
    assert (hosts["far.lab"].user, hosts["old.lab"].user) == ("lab", "root")


@pytest.mark.parametrize("port", ["0", "65536", "9" * 5000, "²", "x"])
def test_a_port_that_cannot_be_is_the_usual_one(port):
    assert read_ssh_config(f"Host a\nPort {port}\n")[0].port == 22


def test_a_quotation_mark_that_is_open_names_its_line():
    with pytest.raises(Refused, match="Line 2"):
        read_ssh_config('Host a\nIdentityFile "x\n')


@pytest.mark.django_db
def test_hosts_are_made_after_the_hosts_they_are_reached_through(people):
    admin = people("admin")
    made = make_found(CONFIG, ["store-a"], admin)
    assert [str(target) for target in made] == [
        "ann@gate.example.org:2222",
        "root@store-a.inner:22",
    ]
    assert made[1].jump == made[0]
    assert made[1].secret == ""
    troubles = {found.host.name: found.trouble for found in found_hosts(CONFIG)}
    assert "already" in troubles["store-a"]
    assert troubles["store-b"] == ""


@pytest.mark.django_db
def test_a_circle_and_a_jump_host_that_nobody_knows_are_refused(people):
    admin = people("admin")
    with pytest.raises(Refused, match="circular"):
        make_found("Host a\nProxyJump b\nHost b\nProxyJump a\n", ["a"], admin, user="x")
    with pytest.raises(Refused, match="gate:22, which is not registered"):
        make_found("Host a\nUser x\nProxyJump me@gate:22\n", ["a"], admin)
    assert not Host.objects.exists()


@pytest.mark.django_db
def test_keys_of_known_hosts_are_shown_and_then_pinned(people):
    admin = people("admin")
    login = Login("10.0.0.1", "bench", method="agent")
    target = save_target(Target(host=Host.objects.create(name="a")), login, admin)
    key, changed = a_host_key(), a_host_key()
    text = f"10.0.0.1 {key}\n10.0.0.2 {key}\n"
    assert [(found.target, found.state) for found in found_keys(text)] == [(target, "new")]
    assert pin_found(text, [target.pk], admin) == 1
    target.refresh_from_db()
    assert target.host_key == key
    assert found_keys(text)[0].state == "same"
    assert found_keys(f"10.0.0.1 {changed}")[0].state == "changed"
