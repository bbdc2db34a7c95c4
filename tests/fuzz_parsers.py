"""`make fuzz`: ten minutes of damaged samples; anything but a result or ParseError is a finding.

    python -m tests.fuzz_parsers [MINUTES] [FOLDER…]

Damage is random and not led by coverage. Exit 1 with each finding kept in var/fuzz/.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import time
import traceback
from pathlib import Path
from random import Random

from benchdash import parsers
from benchdash.parsers.report import parsed_as_json
from benchdash.parsers.result import Parsed, ParseError
from benchdash.vocabulary.workloads import typed
from tests.damage import damaged

SAMPLES = Path(__file__).parent / "samples"
FINDINGS = Path("var/fuzz")
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
SLOWEST_S = 1.0  # samples are small: a second is a loop that should not be


def outcome(data: bytes) -> str:
    """`results`, `incomplete` or `refused`; whatever else is raised is the finding."""
    try:
        parsed = parsers.parse(data, "sample_lat.log")
    except ParseError as error:
        _one_sentence(error.sentence)
        return "refused"
    assert parsed.results, "no result and no error"
    if parsed.incomplete is not None:
        _one_sentence(parsed.incomplete)
    document = json.dumps(parsed_as_json(parsed), allow_nan=False)
    assert not _NUL.search(document), "PostgreSQL takes no NUL"
    _workload_fits(parsed)
    return "incomplete" if parsed.incomplete else "results"


def _workload_fits(parsed: Parsed) -> None:
    for result in parsed.results:
        assert typed(result.workload) == result.workload
        for value in result.workload.values():
            assert not isinstance(value, int) or 0 <= value < 2**63, "more than a column holds"


def _one_sentence(sentence: str) -> None:
    assert sentence.strip() and sentence.isprintable(), f"no sentence for people: {sentence!r}"


def fuzz(minutes: float, samples: list[bytes], seed: int) -> tuple[dict[str, int], int]:
    """(how often each outcome, how many different findings)."""
    random = Random(seed)
    tally: dict[str, int] = {}
    findings: set[str] = set()
    deadline = time.monotonic() + minutes * 60
    while time.monotonic() < deadline:
        data = damaged(random.choice(samples), random.choice(samples), random)
        started = time.process_time()
        try:
            found = outcome(data)
            assert time.process_time() - started < SLOWEST_S, "too slow"
        except Exception as error:  # noqa: BLE001 - every one of them is a finding
            found = "findings"
            _keep(data, error, findings)
        tally[found] = tally.get(found, 0) + 1
    return tally, len(findings)


def _keep(data: bytes, error: Exception, findings: set[str]) -> None:
    place = traceback.extract_tb(error.__traceback__)[-1]
    finding = f"{type(error).__name__} at {place.filename}:{place.lineno}: {error}"[:300]
    key = f"{type(error).__name__} {place.filename}:{place.lineno}"
    if key in findings:
        return
    findings.add(key)
    FINDINGS.mkdir(parents=True, exist_ok=True)
    path = FINDINGS / hashlib.sha256(data).hexdigest()[:16]
    path.write_bytes(data)
    print(f"{path}: {finding}", flush=True)


def main(arguments: list[str]) -> int:
    minutes = float(arguments[0]) if arguments else 10.0
    folders = [Path(name) for name in arguments[1:]] or [SAMPLES]
    files = sorted(path for folder in folders for path in folder.glob("**/*") if path.is_file())
    seed = time.time_ns()
    tally, findings = fuzz(minutes, [path.read_bytes() for path in files], seed)
    print(f"{minutes:g} minutes over {len(files)} samples, seed {seed}: {tally}")
    print(f"{findings} findings" if findings else "nothing found")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
