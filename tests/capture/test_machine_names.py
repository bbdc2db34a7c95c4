"""What a machine is called: in the words of iproute, and of ifconfig old and new."""

from __future__ import annotations

import subprocess

import pytest

from benchdash.capture.probes.identity import MOST_NAMES, NAMES_COMMAND, machine_names

IP = r"""1: lo    inet 127.0.0.1/8 scope host lo\       valid_lft forever preferred_lft forever
2: eth0    inet 192.0.2.7/24 brd 192.0.2.255 scope global eth0\       valid_lft forever
2: eth0    inet6 2001:db8::7/64 scope global \       valid_lft forever preferred_lft forever
2: eth0    inet6 fe80::5054:ff:fe12:3456/64 scope link \       valid_lft forever
3: tun0    inet 10.8.0.1 peer 10.8.0.2/32 scope global tun0
"""
IFCONFIG_OLD = """eth0      Link encap:Ethernet  HWaddr 52:54:00:12:34:56
          inet addr:192.0.2.7  Bcast:192.0.2.255  Mask:255.255.255.0
          inet6 addr: 2001:db8::7/64 Scope:Global
          inet6 addr: fe80::5054:ff:fe12:3456/64 Scope:Link
lo        Link encap:Local Loopback
          inet addr:127.0.0.1  Mask:255.0.0.0
          inet6 addr: ::1/128 Scope:Host
tun0      inet addr:10.8.0.1  P-t-P:10.8.0.2  Mask:255.255.255.255
"""
IFCONFIG_NEW = """eth0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1500
        inet 192.0.2.7  netmask 255.255.255.0  broadcast 192.0.2.255
        inet6 2001:db8::7  prefixlen 64  scopeid 0x0<global>
        inet6 fe80::5054:ff:fe12:3456  prefixlen 64  scopeid 0x20<link>
tun0: flags=4305<UP,POINTOPOINT,RUNNING,NOARP,MULTICAST>  mtu 1500
        inet 10.8.0.1  netmask 255.255.255.255  destination 10.8.0.2
"""


@pytest.fixture
def printed(tmp_path):
    """`printed(program, output)`: what the command prints where that program prints `output`."""

    def names_from(program, output):
        for name, script in {
            "uname": "echo store-b",
            program: f"cat <<'EOF'\n{output}\nEOF",
        }.items():
            (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
            (tmp_path / name).chmod(0o755)
        for name in ("awk", "cat"):
            (tmp_path / name).symlink_to(f"/usr/bin/{name}")
        command = ["/bin/sh", "-c", NAMES_COMMAND]
        return subprocess.run(
            command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=True
        ).stdout

    return names_from


@pytest.mark.parametrize(
    ("program", "output"), [("ip", IP), ("ifconfig", IFCONFIG_OLD), ("ifconfig", IFCONFIG_NEW)]
)
def test_the_name_and_the_addresses_that_are_its_own(printed, program, output):
    assert machine_names(printed(program, output)) == [
        "store-b",
        "192.0.2.7",
        "2001:db8::7",
        "10.8.0.1",
    ]


def test_a_machine_without_either_program_has_its_name(printed):
    assert machine_names(printed("nothing", "")) == ["store-b"]


def test_nonsense_is_no_address_and_much_is_bounded():
    assert machine_names("") == []
    assert machine_names("a 10.0.0.1/24 inet x ::ffff/ 0.0.0.0") == ["a", "10.0.0.1", "::ffff"]
    many = " ".join(f"10.0.{number // 250}.{number % 250}" for number in range(5000))
    assert len(machine_names(f"a {many}")) == MOST_NAMES + 1
