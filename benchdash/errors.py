"""The one expected failure, and how any failure is said to scripts."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

PROBLEM = "application/problem+json"


class Refused(Exception):
    """Something a person can mend: `sentence` says what and where, `field` names the input.

    Each face shows it in its own way (a form error, a problem document, a line on stderr).
    Any other exception is a bug.
    """

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.field = field


def problem_body(status: int, sentence: str) -> dict[str, Any]:
    """Problem details (RFC 9457)."""
    title = HTTPStatus(status).phrase
    return {"type": "about:blank", "title": title, "status": status, "detail": sentence}
