"""The API through the server that people use: how bodies come in and answers go out."""

from __future__ import annotations

import http.client
import json
import select
import socket
import time
from contextlib import ExitStack, closing, contextmanager
from threading import Event, Thread

import pytest
import uvicorn
from django.conf import settings
from django.contrib.auth.models import Group
from django.http import StreamingHttpResponse

from benchdash.accounts.models import Token, User
from benchdash.results.models import Artifact, Upload
from benchdash.serving import bridge, lanes, request_body
from tests.another_process import serving, wait_until_it_answers
from tests.results.result_files import bonnie, bonnie_row
from tools.servers import free_port

pytestmark = pytest.mark.django_db(transaction=True)
EDGE = "a-line-that-stands-in-no-file"
PATIENCE_S = 90


@pytest.fixture
def log(tmp_path):
    with (tmp_path / "log").open("w+b") as file:
        yield file


@pytest.fixture
def server(log):
    with serving(log) as port:
        yield port


@pytest.fixture(scope="module")
def server_port(django_db_setup, tmp_path_factory):
    """A server for all tests that store nothing: it remembers the ids of what is stored."""
    with (tmp_path_factory.mktemp("server") / "log").open("w+b") as log, serving(log) as port:
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


def call(connection, method, path, body=None, headers=None, **how):
    connection.request(method, path, body, headers or {}, **how)
    answer = connection.getresponse()
    return answer.status, answer.read()


def begun(server, path, length, *headers):
    """A request of which the head is sent, and nothing else yet."""
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {length}", *headers]
    client = socket.create_connection(("127.0.0.1", server), PATIENCE_S)
    client.sendall("\r\n".join(lines).encode() + b"\r\n\r\n")
    return closing(client)


def whole(client):
    """All that comes until the server closes the connection."""
    return b"".join(iter(lambda: client.recv(2**16), b""))


def connected(server):
    return closing(http.client.HTTPConnection("127.0.0.1", server, timeout=PATIENCE_S))


def test_small_and_large_bodies_come_whole_over_one_connection(server, headers):
    large = bonnie("large.csv", host="host-b")
    large = type(large)(large.name, b"".join(bonnie_row(write=n).encode() for n in range(1, 2001)))
    assert len(large.data) > 2**17
    with connected(server) as connection:
        for file in (bonnie("a.csv"), large, bonnie("b.csv", host="host-c")):
            assert call(connection, "POST", "/api/v1/uploads/", form(file), headers)[0] == 201
    stored = Artifact.objects.order_by("pk").values_list("size_bytes", flat=True)
    assert list(stored) == [len(bonnie().data), len(large.data), len(bonnie().data)]


@pytest.mark.parametrize("rows", [1, 2000])
def test_a_body_that_breaks_off_stores_nothing(server, headers, log, rows):
    body = form(bonnie("a.csv"), type(bonnie())("b.csv", bonnie_row(host="b").encode() * rows))
    lines = [f"{name}: {value}" for name, value in headers.items()]
    with begun(server, "/api/v1/uploads/", len(body), *lines) as client:
        client.sendall(body[: len(body) - 40])
    with connected(server) as connection:  # the server lives, and has seen the end of the other
        assert (
            call(connection, "POST", "/api/v1/uploads/", form(bonnie("c.csv")), headers)[0] == 201
        )
    assert [upload.name for upload in Upload.objects.all()] == ["c.csv"]
    log.seek(0)
    assert b"Traceback" not in log.read()


A_FORM = "Content-Type: application/x-www-form-urlencoded"
A_TOKEN = f"Cookie: csrftoken={'a' * 32}"  # with it Django looks into the form


def test_those_who_send_slowly_keep_nobody_waiting(server, headers):
    with ExitStack() as senders:
        for _ in range(3 * lanes.THREADS):
            client = begun(server, "/sign-in/", 100_000, A_TOKEN, A_FORM)
            senders.enter_context(client).sendall(b"x=")
        with connected(server) as connection:
            assert call(connection, "GET", "/api/v1/runs/")[0] == 200
            large = form(type(bonnie())("a.csv", bonnie_row().encode() * 2000))
            assert call(connection, "POST", "/api/v1/uploads/", large, headers)[0] == 201


def test_what_waits_on_the_disk_is_bounded_and_given_back(log, headers, monkeypatch):
    most = 100_000
    monkeypatch.setenv("MAX_UPLOAD_BYTES", str(most))
    large = form(type(bonnie())("a.csv", bonnie_row().encode() * 700))
    assert request_body.MEMORY_BYTES < len(large) < most
    with serving(log) as port, connected(port) as connection:
        with ExitStack() as senders:
            clients = [
                senders.enter_context(begun(port, "/sign-in/", most, A_TOKEN, A_FORM))
                for _ in range(request_body.AT_ONCE + 1)
            ]
            for client in clients:
                client.sendall(b"x" * (most - 1))
            refused, _, _ = select.select(clients, [], [], PATIENCE_S)
            assert [client.recv(13) for client in refused] == [b"HTTP/1.1 503 "]
            assert call(connection, "POST", "/api/v1/uploads/", form(bonnie()), headers)[0] == 201
        until = time.monotonic() + PATIENCE_S
        status = 503
        while status == 503 and time.monotonic() < until:  # the server has yet to see them leave
            status = call(connection, "POST", "/api/v1/uploads/", large, headers)[0]
        assert status == 201


@pytest.fixture(params=["PIECE_S", "BODY_S"])
def hasty(request, monkeypatch):
    """A server that waits but a moment, for each piece or for all of a body."""
    monkeypatch.setattr(request_body, request.param, 0.2)
    with in_a_thread(bridge.Pages()) as port:
        yield port


@contextmanager
def in_a_thread(pages):
    port = free_port()
    config = uvicorn.Config(pages, port=port, lifespan="off", log_level="critical")
    server = uvicorn.Server(config)
    thread = Thread(target=server.run)
    thread.start()
    try:
        wait_until_it_answers(port)
        yield port
    finally:
        server.should_exit = True
        thread.join()


class Long(bridge.Pages):
    """An answer that takes longer than anybody waits here."""

    def __init__(self):
        super().__init__()
        self.ended = Event()

    def _answer(self, _scope, _body):
        return StreamingHttpResponse(self.parts())

    def parts(self):
        try:
            for _ in range(10**6):
                yield b"x" * 1000
        finally:
            self.ended.set()


def test_an_answer_ends_when_nobody_listens_any_more():
    pages = Long()
    with in_a_thread(pages) as port:
        with begun(port, "/", 0) as client:
            assert client.recv(100).startswith(b"HTTP/1.1 200 ")
            assert not pages.ended.is_set()
        assert pages.ended.wait(PATIENCE_S)


def test_who_stops_sending_is_informed_and_left(hasty):
    sentences = []
    for language in ("en", "ja;q=0.9"):
        lines = (A_TOKEN, A_FORM, f"Accept-Language: {language}")
        with begun(hasty, "/sign-in/", 100_000, *lines) as client:
            client.sendall(b"x=")
            head, sentence = whole(client).split(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 408 ")
        assert b"text/plain; charset=utf-8" in head
        sentences.append(sentence.decode())
    assert sentences == [
        "The request did not arrive in time: send it again.",
        "リクエストが時間内に届きませんでした。もう一度送ってください。",
    ]


def test_a_script_that_stops_sending_gets_a_problem_document(hasty):
    with begun(hasty, "/api/v1/uploads/", 100_000, A_FORM) as client:
        client.sendall(b"x=")
        head, document = whole(client).split(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ")
    assert b"application/problem+json" in head
    assert json.loads(document) == {
        "type": "about:blank",
        "title": "Request Timeout",
        "status": 408,
        "detail": str(bridge.TOO_LATE),
    }


@pytest.mark.parametrize("path", ["/sign-in/", "/uploads/", "/uploads/files/"])
@pytest.mark.parametrize("content", [A_FORM, f"Content-Type: multipart/form-data; boundary={EDGE}"])
def test_a_page_refuses_what_is_too_large_before_it_comes(server_port, content, path):
    with begun(server_port, path, 10**12, A_TOKEN, content, "Connection: close") as client:
        head, page = whole(client).split(b"\r\n\r\n", 1)
    assert head.startswith(b"HTTP/1.1 413 ")
    assert b"the limit is 64 MiB (MAX_UPLOAD_BYTES)" in page


@pytest.mark.parametrize(
    ("path", "sentence"),
    [("uploads/", b"the limit is 64 MiB"), ("uploads/put-aside/", b"request is too large")],
)
def test_the_api_refuses_what_is_too_large_before_it_comes(server_port, headers, path, sentence):
    content = "application/json" if "put-aside" in path else headers["Content-Type"]
    lines = [f"Authorization: {headers['Authorization']}", f"Content-Type: {content}"]
    lines += ["Expect: 100-continue", "Connection: close"]
    with begun(server_port, f"/api/v1/{path}", 10**12, *lines) as client:
        head, problem = whole(client).split(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 413 ")
    assert sentence in problem


def test_what_is_larger_than_the_limit_by_little_is_not_stored(headers, settings):
    settings.MAX_UPLOAD_BYTES = 1000
    file = form(type(bonnie())("a.csv", bonnie_row().encode() * 700))
    assert len(file) > 1000 + request_body.FRAME_BYTES
    with in_a_thread(bridge.Pages()) as port, connected(port) as connection:
        status, problem = call(connection, "POST", "/api/v1/uploads/", file, headers)
    assert status == 413
    assert "the limit is 0.0009537 MiB" in json.loads(problem)["detail"]
    assert not Artifact.objects.exists()


def test_who_sends_all_and_listens_then_learns_what_was_too_large(server_port, headers):
    length = settings.MAX_UPLOAD_BYTES + 2**20
    with closing(http.client.HTTPConnection("127.0.0.1", server_port)) as connection:
        sentences = headers | {"Connection": "close"}
        connection.request("POST", "/api/v1/uploads/", bytes(length), sentences)
        answer = connection.getresponse()
        assert answer.status == 413
        assert "MAX_UPLOAD_BYTES" in json.load(answer)["detail"]


def test_who_asks_before_sending_may_go_on(server, headers):
    body = form(bonnie("a.csv"))
    lines = [f"{name}: {value}" for name, value in headers.items()]
    lines += ["Expect: 100-continue", "Connection: close"]
    with begun(server, "/api/v1/uploads/", len(body), *lines) as client:
        assert client.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(body)
        assert whole(client).startswith(b"HTTP/1.1 201 ")


@pytest.mark.parametrize("path", ["/api/v1/uploads/", "/api/v1/tags/", "/sign-in/", "/uploads/"])
def test_a_body_of_unknown_length_is_refused(server_port, headers, path):
    with connected(server_port) as connection:
        pieces = iter([form(bonnie())])
        how = {"encode_chunked": True}
        chunked = headers | {"Transfer-Encoding": "chunked"}
        status, reply = call(connection, "POST", path, pieces, chunked, **how)
    assert (status, json.loads(reply)["detail"] if "api" in path else reply.decode()) == (
        411,
        "Send the request with a Content-Length, not in chunks.",
    )
    assert not Upload.objects.exists()


def test_a_request_without_a_body_needs_no_length(server_port):
    with closing(socket.create_connection(("127.0.0.1", server_port), PATIENCE_S)) as client:
        client.sendall(b"POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 403 ")  # for its form's token


def test_a_static_file_comes_in_many_parts(log):
    content = bytes(range(256)) * 1000
    file = settings.STATIC_ROOT / "parts.bin"
    file.write_bytes(content)
    with serving(log) as port, connected(port) as connection:
        assert call(connection, "GET", "/static/parts.bin") == (200, content)
        assert call(connection, "HEAD", "/static/parts.bin") == (200, b"")
        part = call(connection, "GET", "/static/parts.bin", None, {"Range": "bytes=70000-200000"})
        assert part == (206, content[70000:200001])
    file.unlink()


def test_an_address_that_is_no_text_is_refused(server_port):
    with connected(server_port) as connection:
        assert call(connection, "GET", "/api/v1/runs/?tool=%ff")[0] == 200
    with closing(socket.create_connection(("127.0.0.1", server_port), PATIENCE_S)) as client:
        client.sendall(b"GET /api/v1/runs/?text=\xff HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 400 ")
