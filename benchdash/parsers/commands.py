"""Options of a tool from its command, where its output does not print it.

`options_of_command` gives the same as `Result.options`, under the tool's own long names: of the
options that can change a number those that no axis of the workload holds. fio's JSON prints all of
its options; what other tools print of theirs is left out here, so that both together are all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchdash.parsers.fio import options as fio_options
from benchdash.parsers.options import SWITCHED_ON, canonical, without_defaults, words_after

_NO_FILES: Mapping[str, str] = {}
# what may stand before a tool and changes how it runs
_WRAPPERS = ("nice", "ionice", "chrt", "taskset", "numactl", "cgexec", "prlimit", "eatmydata")


@dataclass(frozen=True, slots=True)
class _Grammar:
    """The options of a tool: `letters` are short names, `valued` those that take a value.

    An option of `axes` is held by its axis where the workload has it; `incidental` ones change no
    number, or are printed by the tool.
    """

    letters: Mapping[str, str]
    valued: frozenset[str]
    axes: Mapping[str, str]
    incidental: frozenset[str]
    defaults: Mapping[str, str]

    def options(self, words: Sequence[str], workload: Mapping[str, Any]) -> dict[str, str]:
        found = {
            name: value
            for name, value in self._read(words).items()
            if name not in self.incidental and self.axes.get(name) not in workload
        }
        return canonical(without_defaults(found, self.defaults).items())

    def _read(self, words: Sequence[str]) -> dict[str, str]:
        """Options by long name, as getopt reads them; of one given twice the last."""
        found: dict[str, str] = {}
        rest = list(words)
        while rest:
            word = rest.pop(0)
            if word.startswith("--"):
                name, equals, value = word[2:].partition("=")
                if not equals and name in self.valued and rest:
                    value = rest.pop(0)
                found[name] = value or SWITCHED_ON
            elif word.startswith("-"):
                self._read_letters(word[1:], rest, found)
        return found

    def _read_letters(self, letters: str, rest: list[str], found: dict[str, str]) -> None:
        for place, letter in enumerate(letters, 1):
            name = self.letters.get(letter, f"-{letter}")
            if name in self.valued:
                found[name] = letters[place:] or (rest.pop(0) if rest else "")
                return
            found[name] = SWITCHED_ON


def _grammar(
    valued: str,
    flags: str = "",
    axes: str = "",
    incidental: str = "",
    defaults: str = "",
) -> _Grammar:
    """From words: `t:timelimit` is `-t` or `--timelimit`, `timelimit=duration_s` an axis."""
    letters = {
        letter: name
        for letter, colon, name in (word.partition(":") for word in f"{valued} {flags}".split())
        if colon
    }
    return _Grammar(
        letters=letters,
        valued=frozenset(word.rpartition(":")[2] for word in valued.split()),
        axes=_pairs(axes),
        incidental=frozenset(incidental.split()),
        defaults=_pairs(defaults),
    )


def _pairs(words: str) -> dict[str, str]:
    return dict(word.split("=", 1) for word in words.split())


# from the usage of bonnie++ 2.00a, dbench 4.00, pgbench 15, sysbench 1.0.20 and Ceph 16
_GRAMMARS = {
    "bonnie++": _grammar(
        valued="c:-c d:-d s:-s n:-n m:-m r:-r x:-x u:-u g:-g p:-p z:-z Z:-Z",
        axes="-s=file_bytes -n=files -c=concurrency",
        incidental="-d -m -r -x -u -g -z -q -f",
    ),
    "dbench": _grammar(
        valued="t:timelimit c:loadfile D:directory T:tcp-options R:target-rate B:backend "
        "clients-per-process W:warmup",
        flags="s:sync S:sync-dir F:fsync x:xattr",
        axes="timelimit=duration_s warmup=ramp_s sync=sync",
        incidental="directory skip-cleanup per-client-results machine-readable loadfile sync-dir "
        "clients-per-process",
    ),
    "pgbench": _grammar(
        valued="b:builtin f:file c:client D:define j:jobs L:latency-limit M:protocol P:progress "
        "R:rate s:scale t:transactions T:time F:fillfactor h:host p:port U:username d:dbname "
        "aggregate-interval log-prefix max-tries random-seed sampling-rate",
        flags="N:skip-some-updates S:select-only C:connect l:log n:no-vacuum r:report-per-command "
        "v:vacuum-all",
        axes="builtin=script file=script skip-some-updates=script select-only=script "
        "client=clients jobs=jobs time=duration_s scale=scale",
        incidental="progress log report-per-command aggregate-interval log-prefix random-seed "
        "sampling-rate progress-timestamp failures-detailed verbose-errors host port username "
        "dbname protocol transactions max-tries connect latency-limit",
    ),
    "sysbench": _grammar(
        valued="",
        axes="file-test-mode=pattern file-block-size=block_bytes file-total-size=file_bytes "
        "file-num=files file-io-mode=engine file-fsync-freq=fsync_every threads=jobs "
        "num-threads=jobs file-rw-ratio=read_fraction",
        incidental="report-interval percentile histogram verbosity rand-seed debug "
        "file-extra-flags file-fsync-all",
        defaults="events=0 max-requests=0 rate=0 tx-rate=0 rand-type=special file-fsync-end=on "
        "file-fsync-mode=fsync file-merged-requests=0 file-async-backlog=128 validate=off "
        "forced-shutdown=off file-rw-ratio=1.5",
    ),
    "rados": _grammar(
        valued="b:block-size t:concurrent-ios O:object-size p:pool n:name c:conf m:monitor "
        "N:namespace pool name conf namespace run-name max-objects min-object-size",
        axes="block-size=block_bytes concurrent-ios=queue_depth",
        incidental="pool name conf monitor namespace run-name no-cleanup show-time format "
        "object-size",
    ),
    "rbd": _grammar(
        valued="p:pool n:name c:conf m:monitor image id io-type io-size io-threads io-total "
        "io-pattern rw-mix-read namespace",
        axes="io-type=pattern io-size=block_bytes io-threads=queue_depth io-pattern=pattern "
        "rw-mix-read=read_fraction",
        incidental="pool name conf monitor image id namespace io-total",
    ),
}


def options_of_command(
    tool: str,
    argv: Sequence[str],
    workload: Mapping[str, Any],
    files: Mapping[str, str] = _NO_FILES,
    label: str = "",
) -> dict[str, str]:
    """The other options of a result from the command that was run, {} where the tool is not in it.

    `workload` are the axes of the result: what they hold is left out. `files` are the texts of fio's
    job files by path or name; of several fio jobs those of the one named `label`.
    """
    words = words_after(argv, tool)
    if words is None:
        return {}
    if tool == "fio":
        found = fio_options.of_command(words, workload, files, label)
    elif tool in _GRAMMARS:
        found = _GRAMMARS[tool].options(words, workload)
    else:
        return {}
    return canonical((found | _wrapper(argv[: len(argv) - len(words) - 1])).items())


def _wrapper(words: Sequence[str]) -> dict[str, str]:
    """`taskset -c 0-3` before the tool, as an option of its own."""
    for place, word in enumerate(words):
        if word.rpartition("/")[2] in _WRAPPERS:
            return {"under": " ".join(words[place:])}
    return {}
