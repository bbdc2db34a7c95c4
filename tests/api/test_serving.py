"""The API through the server that people use: how bodies come in and answers go out."""

from __future__ import annotations

import http.client
import socket
from contextlib import closing

import pytest
from django.conf import settings
from django.contrib.auth.models import Group

from benchdash.accounts.models import Token, User
from benchdash.results.models import Artifact, Upload
from tests.another_process import serving
from tests.results.brought import bonnie, bonnie_row

pytestmark = pytest.mark.django_db(transaction=True)
EDGE = "a-line-that-stands-in-no-file"
PATIENCE_S = 30


@pytest.fixture
def log(tmp_path):
    with (tmp_path / "log").open("w+b") as file:
        yield file


@pytest.fixture
def server(log):
    with serving(log) as port:
        yield port


@pytest.fixture
def headers():
    person = User.objects.create(username="script")
    person.groups.add(Group.objects.get_or_create(name="contributor")[0])
    _, token = Token.objects.create(person, name="script")
    content = f"multipart/form-data; boundary={EDGE}"
    return {"Authorization": f"Token {token}", "Content-Type": content}


def form(*files):
    parts = [
        f"--{EDGE}\r\nContent-Disposition: form-data; name=file; filename={file.name}\r\n\r\n"
        f"{file.data.decode()}\r\n"
        for file in files
    ]
    return ("".join(parts) + f"--{EDGE}--\r\n").encode()


def ask(connection, method, path, body=None, headers=None, **how):
    connection.request(method, path, body, headers or {}, **how)
    answer = connection.getresponse()
    return answer.status, answer.read()


def connected(server):
    return closing(http.client.HTTPConnection("127.0.0.1", server, timeout=PATIENCE_S))


def test_small_and_large_bodies_come_whole_over_one_connection(server, headers):
    large = bonnie("large.csv", host="host-b")
    large = type(large)(large.name, b"".join(bonnie_row(write=n).encode() for n in range(1, 2001)))
    assert len(large.data) > 2**17
    with connected(server) as connection:
        for file in (bonnie("a.csv"), large, bonnie("b.csv", host="host-c")):
            assert ask(connection, "POST", "/api/v1/uploads/", form(file), headers)[0] == 201
    stored = Artifact.objects.order_by("pk").values_list("size_bytes", flat=True)
    assert list(stored) == [len(bonnie().data), len(large.data), len(bonnie().data)]


@pytest.mark.parametrize("rows", [1, 2000])
def test_a_body_that_breaks_off_stores_nothing(server, headers, log, rows):
    body = form(bonnie("a.csv"), type(bonnie())("b.csv", bonnie_row(host="b").encode() * rows))
    lines = ["POST /api/v1/uploads/ HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    with closing(socket.create_connection(("127.0.0.1", server), PATIENCE_S)) as client:
        client.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body[: len(body) - 40])
    with connected(server) as connection:  # the server lives, and has seen the end of the other
        assert ask(connection, "POST", "/api/v1/uploads/", form(bonnie("c.csv")), headers)[0] == 201
    assert [upload.name for upload in Upload.objects.all()] == ["c.csv"]
    log.seek(0)
    assert b"Traceback" not in log.read()


def test_a_body_of_untold_length_is_refused(server, headers):
    with connected(server) as connection:
        pieces = iter([form(bonnie())])
        how = {"encode_chunked": True}
        chunked = headers | {"Transfer-Encoding": "chunked"}
        assert ask(connection, "POST", "/api/v1/uploads/", pieces, chunked, **how)[0] == 411
    assert not Upload.objects.exists()


def test_a_static_file_comes_in_many_parts(log):
    content = bytes(range(256)) * 1000
    file = settings.STATIC_ROOT / "parts.bin"
    file.write_bytes(content)
    with serving(log) as port, connected(port) as connection:
        assert ask(connection, "GET", "/static/parts.bin") == (200, content)
        assert ask(connection, "HEAD", "/static/parts.bin") == (200, b"")
        part = ask(connection, "GET", "/static/parts.bin", None, {"Range": "bytes=70000-200000"})
        assert part == (206, content[70000:200001])
    file.unlink()


def test_an_address_that_is_no_text_is_refused(server):
    with connected(server) as connection:
        assert ask(connection, "GET", "/api/v1/runs/?text=%ff")[0] == 200
    with closing(socket.create_connection(("127.0.0.1", server), PATIENCE_S)) as client:
        client.sendall(b"GET /api/v1/runs/?text=\xff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 400 ")
