"""Mail through the SMTP server that the operator named."""

from __future__ import annotations

import smtplib
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.smtp import EmailBackend

from benchdash.errors import N_

TROUBLES = (smtplib.SMTPException, OSError)
_LONGEST = 300


class _KeepsReply:
    """Keeps the server's reply when it took the message: Django reads and drops it."""

    reply = ""

    def data(self, message: Any) -> tuple[int, bytes]:
        code, words = super().data(message)  # type: ignore[misc]
        self.reply = f"{code} {words.decode('utf-8', 'replace')}"
        return code, words


class _SMTP(_KeepsReply, smtplib.SMTP):
    pass


class _SMTPWithTLS(_KeepsReply, smtplib.SMTP_SSL):
    pass


class Backend(EmailBackend):
    """Django's own, whose connection knows the server's last word (`settings.EMAIL_BACKEND`)."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return _SMTPWithTLS if self.use_ssl else _SMTP


def is_set_up() -> bool:
    """Whether the operator named a server."""
    return bool(settings.EMAIL_HOST)


def send(to: str, subject: str, text: str) -> str:
    """The server's answer; one of `TROUBLES` where it did not take the message."""
    with get_connection() as connection:
        headers = {"Auto-Submitted": "auto-generated"}  # RFC 3834: nobody's absence answers it
        EmailMessage(subject, text, to=[to], headers=headers, connection=connection).send()
        reply = getattr(getattr(connection, "connection", None), "reply", "")
    return reply[:_LONGEST]


def sentence_of(error: Exception) -> str:
    """What went wrong, for whoever sent it; the server's own words where it spoke."""
    server = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, words = next(iter(error.recipients.values()))
        return _refusal(server, code, words)
    if isinstance(error, smtplib.SMTPResponseException):
        return _refusal(server, error.smtp_code, error.smtp_error)
    return N_("{server} could not be used: {error}", server=server, error=str(error)[:_LONGEST])


def _refusal(server: str, code: int, words: bytes | str) -> str:
    text = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
    return N_("{server} refused: {code} {text}", server=server, code=code, text=text[:_LONGEST])
