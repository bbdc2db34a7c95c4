"""What pgbench prints below a run: scripts and statements, kept as its details."""

from __future__ import annotations

import re
from typing import Any

from benchdash.parsers.pgbench.lines import FIELDS, STATEMENTS, count, number, seconds
from benchdash.parsers.pgbench.run import Run

_MOST = 10_000
_RATES = {"processed_rate": "transactions_per_s", "share_rate": "transactions_per_s"}
_TIMES = {"latency": "latency_mean_s", "stddev": "latency_stddev_s"}
_COUNTS = {"processed": "transactions", "share": "transactions", "failed": "failed_transactions"}


def take_part(run: Run, kind: str, line: re.Match[str]) -> None:
    """Keep one line below the totals of `run`; a figure that is none is left out of the details."""
    if kind == "sql_script":
        run.scripts.append({"name": line["sql_script"].strip()})
    elif kind == "aborted":
        run.aborted = line["aborted"]
    elif kind == "statements":
        holder = run.scripts[-1] if line["dash"] and run.scripts else None
        found = _statements(line)
        if holder is not None:
            holder["statements"] = found
        else:
            run.statements = (run.statements + found)[:_MOST]
    elif run.scripts and len(run.scripts) < _MOST:
        run.scripts[-1] |= _script_facts(kind, line)


def _script_facts(kind: str, line: re.Match[str]) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for name in FIELDS[kind]:
        text = line[name]
        if text is None or name == "sign":
            continue
        try:
            if name in _RATES:
                facts[_RATES[name]] = number(text)
            elif name in _TIMES:
                facts[_TIMES[name]] = seconds(text)
            else:
                facts[_COUNTS.get(name, name)] = count(text)
        except ValueError:
            continue
    return facts


def _statements(heading: re.Match[str]) -> list[dict[str, Any]]:
    counted = tuple(word for word in ("failures", "retries") if word in heading["statements"])
    file = re.search(r"file ([0-9]{1,6})", heading["statements"])
    counted = counted if counted in STATEMENTS else ()
    grammar = STATEMENTS[counted]
    found: list[dict[str, Any]] = []
    row = grammar.match(heading.string, heading.end())
    while row and len(found) < _MOST:
        latency, *counts, statement = row.groups()
        try:
            facts: dict[str, Any] = {"latency_mean_s": seconds(latency)}
        except ValueError:
            break
        facts |= {word: count(text) for word, text in zip(counted, counts, strict=True)}
        facts["statement"] = statement.strip()
        found.append(facts | ({"file": int(file[1])} if file else {}))
        row = grammar.match(heading.string, row.end())
    return found
