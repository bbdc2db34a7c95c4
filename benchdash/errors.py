"""The one expected failure."""

from __future__ import annotations


class Refused(Exception):
    """Something a person can mend: `sentence` says what and where, `field` names the input.

    Each face shows it in its own way (a form error, a problem document, a line on stderr).
    Any other exception is a bug.
    """

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.field = field
