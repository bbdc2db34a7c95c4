"""One pgbench run, gathered line by line, and the result that it makes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from benchdash.parsers.pgbench.lines import count, number, seconds
from benchdash.parsers.result import ParseError, Result, Trace
from benchdash.vocabulary.workloads import typed

_EPOCH = 1_000_000_000  # --progress-timestamp prints Unix seconds
_COUNTS = (
    "partitions",
    "max_tries",
    "per_client",
    "serialization_failures",
    "deadlock_failures",
    "other_failures",
    "retried",
    "retries",
    "skipped",
)
_DETAIL_NAMES = {"per_client": "transactions_per_client", "late": "above_latency_limit"}
_SCRIPT_NAMES = {  # as 9.6 and later call the built-in scripts
    "SELECT only": "select only",
    "Update only pgbench_accounts": "simple update",
    "Update only accounts": "simple update",
}
_BUILTIN = re.compile(r"<builtin: (.*)>")
_ABORTED = 2  # pgbench's exit status when clients were aborted


@dataclass(slots=True)
class Run:
    """The texts of one run by the name of their line; `rank` is that of the last line."""

    first: int = 0
    last: int = 0
    rank: int = -1
    texts: dict[str, str] = field(default_factory=dict)
    scripts: list[dict[str, Any]] = field(default_factory=list)
    statements: list[dict[str, Any]] = field(default_factory=list)
    rates: Trace = field(default_factory=lambda: Trace("transaction", "transactions"))
    latencies: Trace = field(default_factory=lambda: Trace("transaction", "latency"))
    aborted: str = ""

    @property
    def decimal_comma(self) -> bool:
        """Whether the run's locale shows in a rate, which always has six decimals."""
        rate = self.texts.get("rate_without") or self.texts.get("rate_with") or ""
        return re.fullmatch(r"[0-9]+,[0-9]{6}", rate) is not None

    def _rate(self, text: str) -> float:
        return self._figure(number, text, "rate")

    def _seconds(self, text: str, what: str) -> float:
        return self._figure(seconds, text, what)

    def _figure(self, read: Callable[..., float], text: str, what: str) -> float:
        try:
            return read(text, decimal_comma=self.decimal_comma)
        except ValueError:
            raise ParseError(f"{text!r} stands where pgbench prints the {what}") from None

    def progress(self, at: str, rate: str, latency: str | None) -> None:
        """Keep one progress line; without a transaction in it, its latency is no number."""
        comma = "," in at
        time, transactions = number(at, decimal_comma=comma), number(rate, decimal_comma=comma)
        self.rates.add(time, transactions)
        if latency and transactions:
            self.latencies.add(time, seconds(latency, decimal_comma=comma))

    def result(self) -> Result:
        """The result; ParseError where the summary was cut off or a figure is none."""
        texts = self.texts
        rate = texts.get("rate_without") or texts.get("rate_with")
        if texts.keys() <= {"version", "server"}:
            raise ParseError("progress of pgbench without its summary: it was cut short")
        one_of_two = "rate_with" in texts and "rate_without" not in texts and "script" in texts
        if one_of_two or (rate is None and not self.aborted and texts.get("processed") != "0"):
            raise ParseError("a pgbench summary without its tps line: it was cut short")
        result = Result("pgbench", texts.get("version", ""), f"pgbench/text-{self._family()}")
        result.lines = (self.first, self.last)
        result.workload = self._workload()
        result.details = self._details()
        self._measure(result, rate)
        self._trace(result)
        if self.aborted or rate is None:
            message = self.aborted or "no transaction was processed"
            result.error = {"code": _ABORTED, "message": message}
        return result

    def _family(self) -> str:
        """The oldest version whose lines these are."""
        texts = self.texts
        if "max_tries" in texts or "failed" in texts:
            return "15"
        if texts.get("rate_kind") in (
            "without initial connection time",
            "including reconnection times",
        ):
            return "14"
        if texts.get("sign") == ":":
            return "9.4"
        if texts.get("sign") or texts.get("script", "").startswith("<builtin"):
            return "9.6"
        return "9.0"

    def _workload(self) -> dict[str, Any]:
        texts = self.texts
        script = texts.get("script")
        if script:
            builtin = _BUILTIN.fullmatch(script)
            script = builtin[1] if builtin else _SCRIPT_NAMES.get(script, script)
        numbers = {"clients": "clients", "jobs": "threads", "duration_s": "duration"}
        numbers["scale"] = "scale"
        axes: dict[str, Any] = {
            axis: count(texts[key]) for axis, key in numbers.items() if key in texts
        }
        return typed(axes | {"script": script})

    def _details(self) -> dict[str, Any]:
        texts = self.texts
        details: dict[str, Any] = {
            _DETAIL_NAMES.get(key, key): count(texts[key]) for key in _COUNTS if key in texts
        }
        details |= {key: texts[key] for key in ("query_mode", "partition_method") if key in texts}
        if "server" in texts:
            details["server_version"] = texts["server"]
        if "late" in texts:
            limit = self._seconds(texts["limit"], "latency limit")
            details["above_latency_limit"] = {"limit_s": limit, "count": count(texts["late"])}
        for key, name in (("lag", "schedule_lag_mean_s"), ("lag_max", "schedule_lag_max_s")):
            if key in texts:
                details[name] = self._seconds(texts[key], "schedule lag")
        if "connecting" in texts:
            name = f"{texts['connecting_kind']}_connection_s"
            details[name] = self._seconds(texts["connecting"], "connection time")
        if "rate_with" in texts and "rate_without" in texts:
            rate = self._rate(texts["rate_with"])
            details["transactions_including_connecting"] = rate
        details |= {"scripts": self.scripts} if self.scripts else {}
        return details | ({"statements": self.statements} if self.statements else {})

    def _measure(self, result: Result, rate: str | None) -> None:
        texts = self.texts
        if rate is not None:
            result.measure("transaction", "transactions", "mean", self._rate(rate))
        if "latency" in texts:
            self._measure_latency(result, self._seconds(texts["latency"], "latency"))
        if "stddev" in texts:
            spread = self._seconds(texts["stddev"], "latency")
            result.measure("transaction", "latency", "stddev", spread)
        if "processed" in texts:
            result.measure("transaction", "operations", "total", count(texts["processed"]))
        if "failed" in texts:
            result.measure("transaction", "errors", "total", count(texts["failed"]))

    def _measure_latency(self, result: Result, latency: float) -> None:
        if latency == 0 and "per_client" in self.texts:
            note = "left out: pgbench 9.4 prints 0.000 where -t is given"
            result.note("transaction", "latency", note)
        else:
            result.measure("transaction", "latency", "mean", latency)

    def _trace(self, result: Result) -> None:
        times = self.rates.seconds
        if times and times[0] > _EPOCH:
            start = times[0] - (times[1] - times[0] if len(times) > 1 else 0)
            result.started_at = datetime.fromtimestamp(start, UTC) if start < 4 * _EPOCH else None
            for trace in (self.rates, self.latencies):
                for index, at in enumerate(trace.seconds):
                    trace.seconds[index] = round(at - start, 3)
        result.traces = tuple(trace for trace in (self.rates, self.latencies) if trace.seconds)
