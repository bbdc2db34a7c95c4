"""What damaged files give: the one error, or results that the whole file gives too."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from benchdash import parsers
from benchdash.parsers.result import Parsed, ParseError
from tests.damage import damaged
from tests.fuzz_parsers import outcome
from tests.parsers.golden import samples

FILES = {f"{path.parent.name}/{path.name}": path.read_bytes() for path in samples()}


def parse(data: bytes, name: str = "") -> Parsed | None:
    try:
        return parsers.parse(data, name)
    except ParseError:
        return None


WHOLE = {name: parsed for name, data in FILES.items() if (parsed := parse(data, name))}


def figures(parsed: Parsed) -> list[set[tuple[object, ...]]]:
    """Every number and every refusal to give one, result by result."""
    return [
        {(m.operation, m.metric, m.statistic, m.value) for m in result.measurements}
        | {(note.operation, note.metric, note.note) for note in result.notes}
        for result in parsed.results
    ]


sample_names = st.sampled_from(sorted(FILES))
seeds = st.integers(0, 2**32)


@settings(max_examples=400)
@given(sample_names, sample_names, seeds)
def test_damage_gives_results_or_one_sentence(name, other, seed):
    assert outcome(damaged(FILES[name], FILES[other], Random(seed)))


@settings(max_examples=200)
@given(st.binary(max_size=2000))
def test_any_bytes_give_results_or_one_sentence(data):
    assert outcome(data)


@settings(max_examples=200)
@given(st.text(max_size=1000))
def test_any_text_gives_results_or_one_sentence(text):
    assert outcome(text.encode("utf-8", "surrogatepass"))
