"""What an unknown name may have meant: the end of a refusal."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from benchdash.errors import N_

MOST_LISTED = 12  # of more, nobody reads the list: the nearest are named
_NEAREST = 5
_FAR = 0.5  # names that are less alike than this have nothing to do with each other
# what other tools and lists call the same
_MEANT = {
    "bs": "workload.block_bytes",
    "block_size": "workload.block_bytes",
    "iodepth": "workload.queue_depth",
    "depth": "workload.queue_depth",
    "numjobs": "workload.jobs",
    "threads": "workload.jobs",
    "rw": "workload.pattern",
    "readwrite": "workload.pattern",
    "limit": "page_size",
    "per_page": "page_size",
    "when": "since",
    "from": "since",
    "to": "until",
    "machine": "host",
    "server": "host",
    "q": "text",
    "search": "text",
}


def near(sentence: str, word: str, known: Iterable[str], listed: Iterable[str] = ()) -> str:
    """The sentence, then " Did you mean …?" where a name is close, else the names that are known."""
    names = list(known)
    meant = _MEANT.get(word.casefold())
    close = [meant] if meant in names else get_close_matches(word, names, n=3, cutoff=0.6)
    match close:
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
        nearest = ", ".join(get_close_matches(word, shown, n=_NEAREST, cutoff=_FAR))
        return (
            N_("{sentence} The nearest names are: {names}.", sentence=sentence, names=nearest)
            if nearest
            else sentence
        )
    if shown:
        return N_("{sentence} Known names: {names}.", sentence=sentence, names=", ".join(shown))
    return sentence
