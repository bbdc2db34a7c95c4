"""What an unknown name may have meant: the end of a refusal."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from benchdash.errors import N_

MOST_LISTED = 12  # of more, nobody reads the list: the nearest are named
_NEAREST = 5


def near(sentence: str, word: str, known: Iterable[str], listed: Iterable[str] = ()) -> str:
    """The sentence, then " Did you mean …?" where a name is close, else the names that are known."""
    match get_close_matches(word, list(known), n=3, cutoff=0.6):
        case [a, b, c]:
            return N_(
                "{sentence} Did you mean “{a}” or “{b}” or “{c}”?", sentence=sentence, a=a, b=b, c=c
            )
        case [a, b]:
            return N_("{sentence} Did you mean “{a}” or “{b}”?", sentence=sentence, a=a, b=b)
        case [a]:
            return N_("{sentence} Did you mean “{a}”?", sentence=sentence, a=a)
    shown = list(dict.fromkeys(listed))
    if len(shown) > MOST_LISTED:
        names = ", ".join(get_close_matches(word, shown, n=_NEAREST, cutoff=0.0))
        return N_("{sentence} The nearest names are: {names}.", sentence=sentence, names=names)
    if shown:
        return N_("{sentence} Known names: {names}.", sentence=sentence, names=", ".join(shown))
    return sentence
