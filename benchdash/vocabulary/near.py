"""What somebody may have meant: the end of a refusal."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MOST_LISTED = 40


def near(word: str, known: Iterable[str], listed: Iterable[str] = ()) -> str:
    """ " Did you mean …?" where something is close, else what is known, "" where nothing is."""
    if close := get_close_matches(word, list(known), n=3, cutoff=0.6):
        return f" Did you mean {' or '.join(f'“{match}”' for match in close)}?"
    shown = list(listed)[:MOST_LISTED]
    return f" Known are: {', '.join(shown)}." if shown else ""
