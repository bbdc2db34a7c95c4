"""The runs of uploads: what `upload=4-13,17` in an address means, and how people know it."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Count, F, Q, Window
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchdash.prepared import OneOf, Prepared
from benchdash.results.ids import Ranges, read_ranges
from benchdash.results.models import Run, Trace, Upload
from benchdash.results.run_names import short_moment

_MOST_NAMES = 2
_LONGEST_NAME = 40


def of_uploads(uploads: Ranges) -> Q:
    """Runs of these files and of the files in these archives, stored by them or before.

    Of a log it is the run that carries its points; of numbers that stood in another file already,
    also the run that counts.
    """
    files = Upload.objects.filter(_numbered(uploads)).order_by()
    inside = Upload.objects.filter(archive__in=files.values("pk")).order_by()
    artifacts = files.values("artifact").union(inside.values("artifact"))
    own = Run.objects.filter(artifact__in=artifacts).order_by()
    of_logs = Trace.objects.filter(artifact__in=artifacts).order_by()
    copies = own.filter(same_as__isnull=False, is_repeat=False)
    return Q(pk__in=own.values("pk").union(of_logs.values("run"), copies.values("same_as")))


def paths_of(runs: Collection[int]) -> dict[int, str]:
    """By run the path under which people uploaded its file first; one query, none for no runs.

    The output of a job has none: its name is that of the job.
    """
    return dict(_PATHS(runs))


_PATHS = Prepared(
    lambda runs: (
        Upload.objects.filter(OneOf(F("artifact__runs__id"), runs), artifact__steps=None)
        .order_by("-pk")
        .values_list("artifact__runs", "name")
    )
)


def uploads_text(numbers: str, *, with_names: bool) -> str:
    """`a.json, b.txt and 8 more · 22 Nov 08:45`: the files of `4-13`, and when the first one came.

    One query; "" where they are no more. What lies in one of these archives is not named besides.
    """
    if not (ranges := read_ranges(numbers)):
        return ""
    files = Upload.objects.filter(_numbered(ranges))
    outside = files.exclude(archive__in=files.order_by().values("pk")).annotate(
        n=Window(Count("pk"))
    )
    first = list(outside.order_by("pk").values_list("name", "created_at", "n")[:_MOST_NAMES])
    if not first:
        return ""
    (_name, moment, n), names = first[0], [_short(name) for name, _moment, _n in first]
    words = ngettext("%(n)s file", "%(n)s files", n) % {"n": n}
    if with_names:
        words = _(", ").join(names)
        if more := n - len(names):
            words = _("%(named)s and %(n)s more") % {"named": words, "n": more}
    return f"{words} · {short_moment(moment)}"


def _numbered(uploads: Ranges) -> Q:
    named = Q()
    for first, last in uploads:
        named |= Q(pk=first) if first == last else Q(pk__range=(first, last))
    return named


def _short(name: str) -> str:
    """Without the folder that it was dropped with; of a long one the beginning."""
    return Truncator(name.rpartition("/")[2]).chars(_LONGEST_NAME)
