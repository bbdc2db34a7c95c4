"""The scripts a machine is asked with: POSIX sh, read-only, for `sh -s` on anything since CentOS 5.

Every answer stands in a frame, so that no output is taken for another's and a cut is noticed:

    @@ lvs                  a probe begins
    |{"report": …           its standard output, at most LONGEST_OUTPUT bytes
    @= 0                    its exit status, or "late" where there was no time left for it
    @! WARNING: …           its standard error, in one line
    @.                      the end of all

Processes are few (they are what is slow on a loaded machine): all files are read by one grep.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from benchdash.capture.probe import Probe
from benchdash.capture.probes import CAPTURED, CONDITIONS
from benchdash.errors import Refused

FILES = "files"
PATH = "path"
LONGEST_OUTPUT = 1_000_000
LONGEST_PASS_S = 75
_LONGEST_STDERR = 300

# The braces around all of it: sh reads the whole before it starts, so half a script runs nothing.
# Only GNU's timeout(1) ends the children too (and knows --foreground); elsewhere a watchdog does,
# with its own descriptors closed, so that nobody waits for it. Time is read from /proc/uptime: it takes no process.
_HEAD = r"""{
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin
LC_ALL=C
export PATH LC_ALL AT
now() { up=0; read -r up rest 2>/dev/null </proc/uptime; up=${up%%.*}; }
any() { [ -e "$1" ]; }
ceph_here() {
  case $AT in rbd:*|rados:*) return 0 ;; esac
  any /sys/bus/rbd/devices/[0-9]* || grep -qsE ' (ceph|fuse.ceph[^ ]*) ' /proc/mounts
}
if timeout --foreground -s KILL 9 true 2>/dev/null; then limit=timeout; else limit=none; fi
end() (
  kill -STOP "$1"
  for stat in /proc/[0-9]*/stat; do
    read -r pid name state parent rest <"$stat" && [ "$parent" = "$1" ] && end "$pid"
  done
  kill -9 "$1"
)
watched() {
  sh -c "$2" </dev/null &
  child=$!
  ( sleep "$1"; end "$child" ) </dev/null >/dev/null 2>&1 3>&- 4>&- 5>&- &
  dog=$!
  wait "$child" 2>/dev/null
  status=$?
  kill "$dog" 2>/dev/null
  return $status
}
within() {
  case $limit in
    timeout) timeout -s KILL "$1" sh -c "$2" </dev/null ;;
    none) watched "$1" "$2" ;;
  esac
}
probe() {
  printf '@@ %s\n' "$1"
  now
  left=$((last - up))
  if [ "$left" -le 0 ]; then printf '@= late\n'; return; fi
  [ "$left" -lt "$2" ] || left=$2
  {
    stderr=$({ {
      stderr=$(within "$left" "$3" 2>&1 1>&5 5>&- 4>&- 3>&-; printf '\n%s' "$?")
      printf '%s' "$stderr" >&3
    } 5>&1 | head -c LONGEST | sed 's/^/|/' >&4; } 3>&1)
  } 4>&1
  printf '\n@= %s\n' "${stderr##*
}"
  set -f
  set -- ${stderr%
*}
  set +f
  printf '@! %.STDERRs\n' "$*"
}
now
last=$((up + LIMIT))
[ -z "$AT" ] || printf '@@ path\n|%s\n@= 0\n' "$AT"
"""
_TAIL = "printf '@.\\n'\nexit 0\n}\n"


def capture_script(path: str | None = None) -> str:
    """Everything about the machine, and about the storage under `path` where one is given.

    `path` is a folder or a block device of the machine, or `rbd:POOL/IMAGE` or `rados:POOL` where
    a tool opens them by itself; Refused where it cannot be printed.
    """
    return _script(CAPTURED, path)


def conditions_script(path: str | None = None) -> str:
    """The quick question before and after a run: is anything going on that would disturb it?"""
    return _script(CONDITIONS, path)


def _script(probes: Sequence[Probe], path: str | None) -> str:
    if path and not path.isprintable():
        raise Refused("The path {path} contains unprintable characters.", "path", path=repr(path))
    head = (
        _HEAD.replace("LONGEST", str(LONGEST_OUTPUT))
        .replace("LIMIT", str(LONGEST_PASS_S))
        .replace("STDERR", str(_LONGEST_STDERR))
    )
    calls = "\n".join(_calls(probes))
    return f"AT={shlex.quote(path or '')}\n{head}{calls}\n{_TAIL}"


def _calls(probes: Sequence[Probe]) -> Iterator[str]:
    paths = dict.fromkeys(path for probe in probes for path in probe.paths)
    yield _call(FILES, 10, f"grep -sH '' {' '.join(paths)} || :")
    for probe in probes:
        if probe.command:
            call = _call(probe.name, probe.seconds, probe.command)
            yield f"if {probe.only_if}; then {call}; fi" if probe.only_if else call


def _call(name: str, seconds: int, command: str) -> str:
    return " ".join(("probe", name, str(seconds), shlex.quote(command)))
