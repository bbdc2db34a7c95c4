"""A webhook: signed, bounded, and never into this machine or its link."""

from __future__ import annotations

import hashlib
import hmac
import json
import socket
import subprocess
import threading
import time

import pytest

from benchdash.errors import Refused
from benchdash.notifications import webhooks


def test_the_body_arrives_as_json_with_its_signature(hook):
    answer = webhooks.post(hook.url, {"text": "終わりました"}, "between us")
    assert answer == webhooks.Answer(True, "200 OK ok, noted")
    ((path, headers, body),) = hook.requests
    assert path == "/hook?room=7"
    assert json.loads(body) == {"text": "終わりました"}
    expected = hmac.new(b"between us", body, hashlib.sha256).hexdigest()
    assert headers[webhooks.SIGNATURE] == f"sha256={expected}"


def test_without_a_secret_nothing_is_signed(hook):
    webhooks.post(hook.url, {})
    assert webhooks.SIGNATURE not in hook.requests[0][1]


def test_redirects_are_named_and_not_followed(hook):
    hook.status, hook.location = 302, hook.url
    answer = webhooks.post(hook.url, {})
    assert not answer.ok
    assert "redirects are not followed" in answer.sentence
    assert len(hook.requests) == 1


def test_an_error_is_reported_with_the_beginning_of_what_the_server_says(hook):
    hook.status, hook.reply = 410, b"this room is gone " + b"x" * 100_000
    answer = webhooks.post(hook.url, {})
    assert not answer.ok
    assert answer.sentence.startswith("410 Gone this room is gone")
    assert len(answer.sentence) <= 300


def test_a_server_that_never_ends_its_answer_is_left(hook, monkeypatch):
    monkeypatch.setattr(webhooks, "WHOLE_S", 1.0)
    hook.drip = threading.Event()
    began = time.monotonic()
    try:
        with pytest.raises(TimeoutError):
            webhooks.post(hook.url, {})
    finally:
        hook.drip.set()
    assert time.monotonic() - began < webhooks.TIMEOUT_S  # cut, and no single wait was too long


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "localhost", "0.0.0.0", "0.1.2.3", "169.254.169.254", "[::1]", "[::]"),
        *("[fe80::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "224.0.0.1"),
        *("2130706433", "0x7f.1", "127.1"),  # other spellings of 127.0.0.1
    ],
)
def test_nothing_is_sent_to_this_machine_or_its_link(host, settings):
    settings.WEBHOOK_NETWORKS = []
    with pytest.raises(Refused, match="WEBHOOK_NETWORKS"):
        webhooks.post(f"http://{host}:9/", {})


def test_nothing_is_sent_to_another_address_of_this_machine(settings):
    own = subprocess.run(["hostname", "--all-ip-addresses"], stdout=subprocess.PIPE, check=True)
    for address in own.stdout.decode().split():
        settings.WEBHOOK_NETWORKS = []
        with pytest.raises(Refused, match="WEBHOOK_NETWORKS"):
            webhooks.reachable(address, 80)
        settings.WEBHOOK_NETWORKS = [address]
        assert webhooks.reachable(address, 80) == address


def test_an_address_of_the_local_network_may_be_reached(settings):
    settings.WEBHOOK_NETWORKS = []
    assert webhooks.reachable("10.1.2.3", 80) == "10.1.2.3"


def test_what_was_checked_is_what_is_connected_to(hook, monkeypatch):
    """A name that leads elsewhere at the second question leads nowhere."""
    resolved, real = [], socket.getaddrinfo

    def resolve(host, *how, flags=0, **more):
        if flags != socket.AI_NUMERICHOST:  # which asks nobody
            resolved.append(host)
            host = "127.0.0.1" if resolved.count("hooks.example.org") == 1 else host
        return real(host, *how, flags=flags, **more)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    address = hook.url.replace("127.0.0.1", "hooks.example.org")
    webhooks.post(address, {})
    assert "hooks.example.org" in hook.requests[0][1]["Host"]
    assert resolved.count("hooks.example.org") == 1


@pytest.mark.parametrize(
    "url",
    [
        *("ftp://example.org/", "https:///path", "example.org", "https://ann:pw@example.org/"),
        *("https://example.org:99999/", "https://example.org/a b", "file:///etc/passwd"),
        "https://example.org/\r\nX: y",
        *("http://localhost:8000/", "http://[::1]/", "http://0.0.0.0/", "http://169.254.169.254/"),
    ],
)
def test_what_is_no_address_of_a_webhook_is_refused(url):
    with pytest.raises(Refused):
        webhooks.check_address(url)
