"""A mail server and a web server on this machine, which keep what they were sent."""

from __future__ import annotations

import socketserver
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Mailbox:
    """Of a server that speaks SMTP (RFC 5321); `refuses` is its answer to a recipient."""

    host: str
    port: int
    mails: list = field(default_factory=list)
    refuses: str = ""


class _Speaker(socketserver.StreamRequestHandler):
    def handle(self):
        box = self.server.box
        self._reply("220 mail.test ESMTP")
        for line in self.rfile:
            word = line.strip().upper()
            if word.startswith(b"EHLO"):
                self._reply("250 mail.test")
            elif word.startswith(b"RCPT"):
                self._reply(box.refuses or "250 2.1.5 Ok")
            elif word == b"DATA":
                self._reply("354 go on")
                box.mails.append(message_from_bytes(self._message(), policy=policy.default))
                self._reply(f"250 2.0.0 Ok: queued as MAIL{len(box.mails)}")
            elif word == b"QUIT":
                self._reply("221 bye")
                return
            else:
                self._reply("250 Ok")

    def _message(self):
        lines = iter(self.rfile.readline, b".\r\n")
        return b"".join(line.removeprefix(b".") if line[:2] == b".." else line for line in lines)

    def _reply(self, line):
        self.wfile.write(f"{line}\r\n".encode())


@contextmanager
def mail_server():
    """A mail server; gives its mailbox."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Speaker) as server:
        server.daemon_threads = True
        server.box = Mailbox(*server.server_address)
        with _running(server):
            yield server.box


@dataclass
class Hook:
    """Of a web server: the requests as `(headers, body)`; `status`, `location` are its answer."""

    url: str
    requests: list = field(default_factory=list)
    status: int = 200
    location: str = ""
    reply: bytes = b"ok, noted"
    drip: threading.Event | None = None


class _Catcher(BaseHTTPRequestHandler):
    def do_POST(self):
        hook = self.server.hook
        body = self.rfile.read(int(self.headers["Content-Length"]))
        hook.requests.append((self.path, dict(self.headers), body))
        if hook.drip is not None:  # the first line never ends
            while not hook.drip.wait(0.1):
                self.wfile.write(b"X")
            return
        self.send_response(hook.status)
        if hook.location:
            self.send_header("Location", hook.location)
        self.end_headers()
        self.wfile.write(hook.reply)

    def log_message(self, *_words):
        pass


@contextmanager
def web_server():
    """A web server; gives what it was sent."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Catcher) as server:
        server.handle_error = lambda *_: None
        server.hook = Hook(f"http://127.0.0.1:{server.server_port}/hook?room=7")
        with _running(server):
            yield server.hook


@contextmanager
def _running(server):
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
