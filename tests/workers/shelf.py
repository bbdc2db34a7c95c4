"""A recipe whose cells share a folder, and a host that notes what was made, looked at and unmade."""

from __future__ import annotations

from benchdash.accounts.models import User
from benchdash.jobs import launching, planning
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import load
from tests.workers.jobs_by_hand import target

SHELF = """
name: shelf
title: A folder that cells share
parameters:
  kind: {kind: choice, choices: [oak, pine], default: oak}
  books: {kind: integer, default: 1}
factors:
  kind: [oak, pine]
  books: [1, 2, 3]
prepare:
  - name: make
    shared: true
    argv:
      - sh
      - "-c"
      - 'mkdir -m 700 "$1" && echo "$2" > "$1/kind" && echo "make $2" >> "${{1%/*}}/log"'
      - sh
      - "{work}"
      - "{kind}"
  - {name: fill, argv: [touch, "{block}/book-{books}"]}
measure:
  - name: measure
    argv: [sh, "-c", 'cat "$1/kind" && ls "$1" && echo "look $2" >> "${{1%/*}}/log"', sh, "{block}", "{books}"]
cleanup:
  - {name: empty, argv: [rm, "{block}/book-{books}"]}
  - name: unmake
    shared: true
    argv: [sh, "-c", 'echo unmake >> "${{1%/*}}/log"; rm -r "$1"', sh, "{work}"]
"""


def log_of(server):
    log = server.folder / "log"
    return log.read_text().splitlines() if log.exists() else []


def shelves(server):
    """What of blocks stands on the host."""
    return [each for each in server.folder.iterdir() if each.name != "log"]


def launched(server, on=None, text=SHELF, confirmed=(), **fields):
    """The jobs of a plan in the order of the queue."""
    person = User.objects.get_or_create(username="ann")[0]
    wanted = Wanted(load(text), {"node-a": on or target(server)}, seed=3, **fields)
    plan = planning.plan(wanted, person)
    return launching.launch(plan, person, confirmed=confirmed, whatever_conditions=True)
