"""Ways to log in: through a jump host, by an agent, with a certificate or a passphrase."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from benchdash.jobs.credentials import sealed
from tests.conftest import need
from tests.workers.jobs_by_hand import target
from tests.workers.running import until
from tests.workers.sshd import sshd
from workers import ssh
from workers.connections import DeniedError, UntrustedKeyError

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]


def there(on):
    return ssh.run(on, "echo there").out == b"there\n"


def test_through_a_jump_host_whose_key_is_approved_as_well(a_server, own_server):
    jump = target(own_server, name="jump")
    assert there(target(a_server, jump=jump))
    asked_through = ssh.run(jump, "echo $SSH_CONNECTION").out
    assert asked_through


def test_a_jump_host_that_nobody_approved_lets_nobody_through(a_server, own_server):
    jump = target(own_server, name="jump", host_key="")
    with pytest.raises(UntrustedKeyError):
        there(target(a_server, jump=jump))


def test_by_an_agent(a_server, tmp_path, monkeypatch):
    socket = str(tmp_path / "agent")
    with subprocess.Popen(["ssh-agent", "-D", "-a", socket], stdout=subprocess.PIPE) as agent:
        assert agent.stdout.readline()  # it listens
        asked = os.environ | {"SSH_AUTH_SOCK": socket}
        subprocess.run(["ssh-add", "-q", str(a_server.place / "user")], env=asked, check=True)
        monkeypatch.setenv("SSH_AUTH_SOCK", socket)
        assert there(target(a_server, method="agent", secret=""))
        # nothing but where it listens: the login has let go of it
        until(lambda: Path("/proc/net/unix").read_text().count(f" {socket}\n") == 1)
        agent.kill()


def test_without_an_agent_the_mend_is_stated(a_server, monkeypatch):
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    with pytest.raises(DeniedError, match="set SSH_AUTH_SOCK"):
        there(target(a_server, method="agent", secret=""))


def test_with_a_passphrase(a_server, tmp_path):
    locked = tmp_path / "locked"
    locked.write_text(a_server.user_key)
    locked.chmod(0o600)
    change = ["ssh-keygen", "-q", "-p", "-P", "", "-N", "open sesame", "-f", str(locked)]
    subprocess.run(change, check=True)
    secret = {"key": locked.read_text(), "passphrase": "open sesame"}
    on = target(a_server, secret=sealed(secret))
    assert there(on)
    on.secret = sealed(secret | {"passphrase": "open barley"})
    with pytest.raises(DeniedError, match="cannot be read"):
        there(on)


def test_with_a_certificate(tmp_path):
    need("sshd")
    for name in ("authority", "guest"):
        make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / name)]
        subprocess.run(make, check=True)
    with sshd(more=f"TrustedUserCAKeys {tmp_path}/authority.pub\n") as server:
        sign = ["ssh-keygen", "-q", "-s", str(tmp_path / "authority"), "-I", "guest"]
        subprocess.run([*sign, "-n", server.user, str(tmp_path / "guest.pub")], check=True)
        key = (tmp_path / "guest").read_text()
        certificate = (tmp_path / "guest-cert.pub").read_text()
        assert there(target(server, secret=sealed({"key": key, "certificate": certificate})))
        with pytest.raises(DeniedError):
            there(target(server, name="store-2", secret=sealed({"key": key})))
