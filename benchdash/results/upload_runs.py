"""The runs of uploads: what `upload=4-13,17` in an address means."""

from __future__ import annotations

from django.db.models import Q

from benchdash.results.ids import Ranges
from benchdash.results.models import Run, Trace, Upload


def of_uploads(uploads: Ranges) -> Q:
    """Runs of these files and of the files in these archives, stored by them or before.

    Of a log it is the run that carries its points; of numbers that stood in another file already,
    also the run that counts.
    """
    named = Q()
    for first, last in uploads:
        named |= Q(pk=first) if first == last else Q(pk__range=(first, last))
    files = Upload.objects.filter(named).order_by()
    inside = Upload.objects.filter(archive__in=files.values("pk")).order_by()
    artifacts = files.values("artifact").union(inside.values("artifact"))
    own = Run.objects.filter(artifact__in=artifacts).order_by()
    of_logs = Trace.objects.filter(artifact__in=artifacts).order_by()
    copies = own.filter(same_as__isnull=False, is_repeat=False)
    return Q(pk__in=own.values("pk").union(of_logs.values("run"), copies.values("same_as")))
