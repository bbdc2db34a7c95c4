"""What an unknown name may have meant: the end of a refusal."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from benchdash.errors import N_

MOST_LISTED = 40


def near(sentence: str, word: str, known: Iterable[str], listed: Iterable[str] = ()) -> str:
    """The sentence, then " Did you mean …?" where a name is close, else the names that are known."""
    if close := get_close_matches(word, list(known), n=3, cutoff=0.6):
        names = " or ".join(f"“{match}”" for match in close)
        return N_("{sentence} Did you mean {names}?", sentence=sentence, names=names)
    if shown := list(listed)[:MOST_LISTED]:
        return N_("{sentence} Known are: {names}.", sentence=sentence, names=", ".join(shown))
    return sentence
