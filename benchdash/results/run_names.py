"""What a run is called: what it did, on which machine, and when; the same everywhere.

`randwrite 4 KiB · QD 8 × 4 jobs · node-a · 22 Nov 08:45`. A label stands before it where it tells
more than the rest.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import datetime
from functools import lru_cache

from django.db.models import Case, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce, Concat, StrIndex
from django.utils.formats import date_format
from django.utils.text import Truncator
from django.utils.timezone import get_current_timezone, localtime
from django.utils.translation import get_language, npgettext, pgettext
from django.utils.translation import gettext as _

from benchdash.inventory.models import EnvironmentMachine
from benchdash.results.models import Run, Workload
from benchdash.results.models.run import LIVING
from benchdash.results.moments import is_rough
from benchdash.vocabulary.units import amount_shown

_LONGEST_LABEL = 60
_LONGEST_PLACE = 40
_BETWEEN = " · "
_AFTER_HOST = ": "  # in a label, as a job on several hosts writes it
# of the name of a job what its pattern, block size and depth tell anyway: rand-write-4k-qd32
_REPEATED = re.compile(
    r"(?:fio|test|bench|file|run|random|rand|sequential|seq|read|write|rw|trim|mixed|mix"
    r"|numjobs|jobs?|threads?|iodepth|qd|bs|[kmg]i?b?|[\d\W_])+",
    re.IGNORECASE,
)
# what `run_name` reads of a workload, for lists that load no more than they show
WORKLOAD_COLUMNS = (
    *("pattern", "block_bytes", "queue_depth", "jobs", "clients", "read_fraction", "file_bytes"),
    *("files", "sync", "concurrency", "scale", "script"),
)


def host_of(
    environment: str, column: str = "snapshot__host__name", *, label: str = ""
) -> Subquery | Coalesce:
    """The machine that ran the tool, by name; `environment` is the reference to its row.

    Of several that measured at once it is the one that the `label` of the run begins with.
    """
    parts = EnvironmentMachine.objects.filter(environment=OuterRef(environment))
    measuring = Case(When(role="node-a", then=Value(0)), default=Value(1))
    first = Subquery(parts.order_by(measuring, "role").values(column)[:1])
    if not label:
        return first
    host = Concat("snapshot__host__name", Value(_AFTER_HOST))
    place = StrIndex(Concat(OuterRef(label), Value(_AFTER_HOST)), host)
    # in a condition: SQLite orders no subquery by a column of the rows around it
    own = parts.exclude(snapshot__host=None).annotate(place=place).filter(place=1)
    return Coalesce(Subquery(own.values(column)[:1]), first)


def with_names(runs: QuerySet[Run]) -> QuerySet[Run]:
    """The runs with all that `run_name` reads, in the same query."""
    together = runs.select_related("workload", "configuration")
    return together.annotate(host_name=host_of("environment", label="label"))  # type: ignore[no-redef]  # declared


def names_of(runs: Collection[int]) -> dict[int, str]:
    """The names of those of the runs that everybody sees; one query, none for none."""
    if not runs:
        return {}
    found = with_names(Run.objects.filter(LIVING, pk__in=runs)).defer(
        "details", "conditions", "notes"
    )
    return {run.pk: run_name(run) for run in found}


def run_name(run: Run, runs: int = 1) -> str:
    """The name of a run out of `with_names`, or of its sample of so many `runs`."""
    return _words(_BETWEEN, *name_lines(run, runs))


def name_lines(run: Run, runs: int = 1) -> tuple[str, str]:
    """The same in two: what it did, and where and when."""
    host = run.host_name or ""
    label = _cut(_BETWEEN.join(_parts_of_label(run, host)), _LONGEST_LABEL)
    what, load = _work(run.tool, run.workload, runs)
    if run.tool == "bonnie++" and not host:  # its label is the name of the machine
        host, label = label, ""
    if what == run.tool:  # nothing else is known of it
        what, label = f"{what} {label}".strip(), ""
    place = host or (run.configuration.name if run.configuration else "")
    place = _cut(place, _LONGEST_PLACE)
    return _words(_BETWEEN, label, what, load), _words(_BETWEEN, place, _moment(run))


def _cut(text: str, longest: int) -> str:
    # Django's takes 30 µs to find that nothing is to be cut, and a list has a hundred of these
    return Truncator(text).chars(longest) if len(text) > longest else text


def workload_name(tool: str, workload: Workload) -> str:
    """What it did, and with how much at once: `randwrite 4 KiB · QD 8 × 4 jobs`."""
    return _words(_BETWEEN, *_work(tool, workload, 1))


def _parts_of_label(run: Run, host: str) -> Iterator[str]:
    """Of what a person (`label: `) and the output call it, the parts that tell more."""
    for part in run.label.split(": "):
        is_repeated = run.workload.pattern and _REPEATED.fullmatch(part)
        if part and not is_repeated and part != run.tool and not host.startswith(part):
            yield part


def _work(tool: str, workload: Workload, runs: int) -> tuple[str, str]:
    """What it did, and with how much at once, as people who use the tool say it."""
    match tool:
        case "fio":
            return _blocks("" if workload.pattern else "fio", workload), _fio_load(workload, runs)
        case "bonnie++":
            return _bonnie(workload), ""
        case "dbench":
            return _words(" ", "dbench", _clients(workload)), "sync" if workload.sync else ""
        case "pgbench":
            return _pgbench(workload), ""
        case "sysbench":
            return _blocks(tool, workload), _threads(workload)
    program = f"{tool} bench" if tool in ("rados", "rbd") else tool
    return _blocks(program, workload), _depth(workload)


def _words(between: str, *words: str) -> str:
    return between.join(filter(None, words))


def _blocks(program: str, workload: Workload) -> str:
    """`randrw 70/30 4 KiB`, behind the name of the program."""
    size = amount_shown(workload.block_bytes) if workload.block_bytes else ""
    shares = ""
    if workload.read_fraction is not None:
        read = round(workload.read_fraction * 100, 1)
        shares = f"{read:g}/{100 - read:g}"
    return _words(" ", program, workload.pattern, shares, size)


def _fio_load(workload: Workload, runs: int) -> str:
    n = (workload.jobs or 1) * runs
    jobs = npgettext("load", "{n} job", "{n} jobs", n).format(n=n) if n > 1 else ""
    return _words(" × ", _depth(workload), jobs)


def _bonnie(workload: Workload) -> str:
    size, files = workload.file_bytes, workload.files
    what = amount_shown(size) if size else ""
    if not size and files:
        what = npgettext("load", "{n} file", "{n} files", files).format(n=files)
    copies = workload.concurrency or 1
    return _words(" × ", _words(" ", "bonnie++", what), str(copies) if copies > 1 else "")


def _pgbench(workload: Workload) -> str:
    load = _words(" × ", _clients(workload), _threads(workload))
    script = workload.script.rpartition("/")[2].removesuffix(" (sort of)")
    scale = _("scale {n}").format(n=workload.scale) if workload.scale else ""
    return _words(", ", _words(" ", "pgbench", load), script, scale)


def _depth(workload: Workload) -> str:
    return _("QD {n}").format(n=workload.queue_depth) if workload.queue_depth else ""


def _clients(workload: Workload) -> str:
    n = workload.clients or 0
    return npgettext("load", "{n} client", "{n} clients", n).format(n=n) if n else ""


def _threads(workload: Workload) -> str:
    n = workload.jobs or 1
    return npgettext("load", "{n} thread", "{n} threads", n).format(n=n) if n > 1 else ""


def _moment(run: Run) -> str:
    """When it began; where the output does not say, when it was stored."""
    if run.started_at and is_rough(run.tool, run.tool_version, run.started_at):
        return _("about {day}").format(day=short_day(run.started_at))
    if run.started_at:
        return short_moment(run.started_at)
    return _("stored {moment}").format(moment=short_moment(run.created_at))


def short_moment(moment: datetime) -> str:
    """`22 Nov 08:45`, with the year where it is another one."""
    return _date(moment, datetime.now(get_current_timezone()).year, get_language())


def short_day(moment: datetime) -> str:
    """`22 Nov`, with the year where it is another one."""
    return _date(moment, datetime.now(get_current_timezone()).year, get_language(), with_time=False)


# Django takes 20 to 40 µs to format a date, and lists show the same ones again and again
@lru_cache(maxsize=4096)
def _date(
    moment: datetime, this_year: int, _language: str | None, *, with_time: bool = True
) -> str:
    local = localtime(moment)
    if not with_time:
        if local.year == this_year:
            return date_format(local, pgettext("letters of Django's date formats", "j M"))
        return date_format(local, pgettext("letters of Django's date formats", "j M Y"))
    if local.year == this_year:
        return date_format(local, pgettext("letters of Django's date formats", "j M H:i"))
    return date_format(local, pgettext("letters of Django's date formats", "j M Y H:i"))
