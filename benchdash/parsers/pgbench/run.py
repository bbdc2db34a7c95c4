"""One pgbench run: the lines it prints, and the result made of them.

`KEYS` has the lines of 9.0 to 18 in the order in which they are printed: a line that comes earlier
in it than the line before, or a second time, belongs to the next run. So runs are separated even where
a grep left only two lines of each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from benchdash.errors import N_
from benchdash.parsers.options import SWITCHED_ON, canonical, without_defaults
from benchdash.parsers.result import ParseError, Result, Trace
from benchdash.vocabulary.workloads import typed

NUMBER = r"-?(?:[0-9]{1,18}(?:[.,][0-9]{1,18}){0,6}|nan|NaN|inf|Infinity)"
COUNT = r"[0-9]{1,40}(?:,[0-9]{3}){0,12}"
_SHARE = r"(?:[ \t]*\([0-9.,]+ ?%\))?"

KEYS = {
    "version": r"pgbench \((?:PostgreSQL\) )?(?P<version>[0-9][^\s(),]{0,40})"
    r"(?: \([^()\n]{0,80}\))?(?:, server (?P<server>[0-9][^\s(),]{0,40}))?",
    "progress": rf"progress: (?P<at>{NUMBER}) s, (?P<rate>{NUMBER}) tps"
    rf"(?:, lat (?P<lat>{NUMBER}) ms)?",
    "script": r"transaction type: (?P<script>[^\n]{1,400})",
    "scale": rf"scaling factor: (?P<scale>{COUNT})",
    "partition_method": r"partition method: (?P<partition_method>\w{1,40})",
    "partitions": rf"partitions: (?P<partitions>{COUNT})",
    "query_mode": r"query mode: (?P<query_mode>\w{1,40})",
    "clients": rf"number of clients: (?P<clients>{COUNT})",
    "threads": rf"number of threads: (?P<threads>{COUNT})",
    "max_tries": rf"maximum number of tries: (?P<max_tries>{COUNT})",
    "per_client": rf"number of transactions per client: (?P<per_client>{COUNT})",
    "duration": rf"duration: (?P<duration>{COUNT}) s\b",
    "processed": rf"number of transactions actually processed: (?P<processed>{COUNT})"
    rf"(?:/{COUNT})?(?: \(tps = (?P<processed_rate>{NUMBER})\))?",
    "failed": rf"number of failed transactions: (?P<failed>{COUNT}){_SHARE}",
    "serialization_failures": rf"number of serialization failures: "
    rf"(?P<serialization_failures>{COUNT}){_SHARE}",
    "deadlock_failures": rf"number of deadlock failures: (?P<deadlock_failures>{COUNT}){_SHARE}",
    "other_failures": rf"number of other failures: (?P<other_failures>{COUNT}){_SHARE}",
    "retried": rf"number of transactions retried: (?P<retried>{COUNT}){_SHARE}",
    "retries": rf"total number of retries: (?P<retries>{COUNT})",
    "skipped": rf"number of transactions skipped: (?P<skipped>{COUNT}){_SHARE}",
    "late": rf"number of transactions above the (?P<limit>{NUMBER}) ms latency limit: "
    rf"(?P<late>{COUNT})(?:/{COUNT})?{_SHARE}",
    "latency": rf"latency average(?P<sign> =|:) (?P<latency>{NUMBER}) ms",
    "stddev": rf"latency stddev(?: =|:) (?P<stddev>{NUMBER}) ms",
    "lag": rf"rate limit schedule lag: avg (?P<lag>{NUMBER}) \(max (?P<lag_max>{NUMBER})\) ms",
    "connecting": rf"(?P<connecting_kind>initial|average) connection time = "
    rf"(?P<connecting>{NUMBER}) ms",
    "rate_with": rf"tps = (?P<rate_with>{NUMBER}) \(including connections establishing\)",
    "rate_without": rf"tps = (?P<rate_without>{NUMBER}) \("
    r"(?P<rate_kind>excluding connections establishing|without initial connection time"
    r"|including reconnection times)\)",
}
_OTHERS = {
    "sql_script": r"SQL script [0-9]{1,6}: (?P<sql_script>[^\n]{1,400})",
    "weight": rf"weight: (?P<weight>{COUNT}) \(targets [^\n]{{1,20}}% of total\)",
    "share": rf"(?P<share>{COUNT}) transactions \([^\n]{{1,20}}% of total"
    rf"(?:, tps = (?P<share_rate>{NUMBER}))?\)",
    "statements": r"statement latencies in milliseconds(?P<statements>[^\n:]{0,40}):",
    "aborted": r"(?:pgbench: error: )?(?P<aborted>Run was aborted[;,] the above results are incomplete\.)",
    "fatal": r"pgbench: (?:error|fatal): (?P<fatal>[^\n]{1,300})",
}
LINE = re.compile(
    r"^(?=[^\n]{12})[ \t|*`>$]{0,60}+(?:--+[ \t]{0,20}+)?(?P<dash>- {1,3})?(?:"
    + "|".join(f"(?P<is_{key}>{pattern})" for key, pattern in (KEYS | _OTHERS).items())
    + ")",
    re.MULTILINE,
)
RANK = {key: rank for rank, key in enumerate(KEYS)}
FIELDS = {key: tuple(re.compile(pattern).groupindex) for key, pattern in (KEYS | _OTHERS).items()}
OF_SCRIPTS = frozenset(
    [
        "processed",
        "failed",
        "serialization_failures",
        "deadlock_failures",
        "other_failures",
        "retried",
        "retries",
        "skipped",
        "latency",
        "stddev",
    ]
)
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_MOST = 2**63
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
_OPTIONS = {
    "query_mode": "protocol",
    "per_client": "transactions",
    "max_tries": "max-tries",
    "limit": "latency-limit",
    "partitions": "partitions",
    "partition_method": "partition-method",
}
_DEFAULTS = {"protocol": "simple", "max-tries": "1"}
_DETAIL_NAMES = {"per_client": "transactions_per_client", "late": "above_latency_limit"}
_SCRIPT_NAMES = {  # as 9.6 and later call the built-in scripts
    "SELECT only": "select only",
    "Update only pgbench_accounts": "simple update",
    "Update only accounts": "simple update",
}
_BUILTIN = re.compile(r"<builtin: (.*)>")
_LIMITED = N_(
    "pgbench was held to a rate (-R) and does not print which: its transactions are what was asked "
    "for, as far as they were reached. Compare them only with runs at the same rate."
)
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
            raise ParseError(
                "expected the {what} from pgbench, found {text}", text=repr(text), what=what
            ) from None

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
            raise ParseError("pgbench progress without its summary: it was cut short")
        one_of_two = "rate_with" in texts and "rate_without" not in texts and "script" in texts
        if one_of_two or (rate is None and not self.aborted and texts.get("processed") != "0"):
            raise ParseError("a pgbench summary without its tps line: it was cut short")
        result = Result("pgbench", texts.get("version", ""), f"pgbench/text-{self._family()}")
        result.lines = (self.first, self.last)
        result.workload = self._workload()
        result.details = self._details()
        result.options = self._options()
        if "lag" in texts:
            result.doubts.append(_LIMITED)
        self._measure(result, rate)
        self._trace(result)
        if self.aborted or rate is None:
            message = self.aborted or N_("no transaction was processed")
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
        numbers = {"clients": "clients", "jobs": "threads", "duration_s": "duration"}
        numbers["scale"] = "scale"
        axes: dict[str, Any] = {
            axis: count(texts[key]) for axis, key in numbers.items() if key in texts
        }
        return typed(axes | {"script": _script_name(script) if script else None})

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

    def _options(self) -> dict[str, str]:
        """What it prints of its options besides the axes, under their long names."""
        texts = self.texts
        found = {name: texts[key] for key, name in _OPTIONS.items() if key in texts}
        if texts.get("rate_kind") == "including reconnection times":
            found["connect"] = SWITCHED_ON
        if "lag" in texts:
            found["rate-limited"] = SWITCHED_ON
        if self.scripts:
            found["scripts"] = ", ".join(map(_script_with_weight, self.scripts))
        return canonical(without_defaults(found, _DEFAULTS).items())

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
            note = N_("left out: pgbench 9.4 prints 0.000 where -t is given")
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
        result.traces = [trace for trace in (self.rates, self.latencies) if trace.seconds]


def _script_name(printed: str) -> str:
    """`<builtin: select only>`, or what older versions call it, as `select only`."""
    builtin = _BUILTIN.fullmatch(printed)
    return builtin[1] if builtin else _SCRIPT_NAMES.get(printed, printed)


def _script_with_weight(script: Mapping[str, Any]) -> str:
    """As `-b` and `-f` take it, less the folder."""
    name = _script_name(script["name"]).rpartition("/")[2]
    return f"{name}@{script['weight']}" if "weight" in script else name


def number(text: str, *, decimal_comma: bool = False) -> float:
    """A printed figure; ValueError for `nan`, and where a comma may mean two things.

    Groups of three digits are read beside a point, other commas as the decimal sign of a locale;
    `1,234` is either, unless the run shows its locale elsewhere.
    """
    return _plain(text, "", decimal_comma=decimal_comma)


def seconds(milliseconds: str, *, decimal_comma: bool = False) -> float:
    """A printed figure in ms as seconds, to the nearest double; ValueError as in `number`."""
    return _plain(milliseconds, "e-3", decimal_comma=decimal_comma)


def _plain(text: str, exponent: str, *, decimal_comma: bool) -> float:
    if "," in text:
        if _GROUPED.fullmatch(text) and not decimal_comma:
            if "." not in text and text.count(",") == 1:
                raise ValueError(text)
            text = text.replace(",", "")
        elif text.count(",") == 1 and "." not in text:
            text = text.replace(",", ".")
        else:
            raise ValueError(text)
    value = float(text + exponent)
    if not 0 <= value < float("inf"):
        raise ValueError(text)
    return value


def count(text: str) -> int:
    """A printed count, with or without groups of three digits; ParseError where no machine counts so far."""
    value = int(text.replace(",", ""))
    if value >= _MOST:
        raise ParseError("{text} is more than pgbench can count", text=text)
    return value
