import re
from datetime import timedelta
from functools import partial

from django.db import migrations
from django.db.models import Max, Q
from django.utils.dateparse import parse_datetime

PORTION = 500
VERSION = re.compile(r"(\d{1,4})\.(\d{1,4})", re.ASCII)
TRUE_START = (3, 36)


def move(apps, schema_editor, *, sign):
    """fio prints when it reported, but for JSON since 3.36: the run began its run time before.

    A start that a person or a job gave is kept with the upload, and stays.
    """
    Run = apps.get_model("results", "Run")
    reported = Run.objects.filter(tool="fio", started_at__isnull=False)
    ids = [
        pk
        for pk, format_, version in reported.values_list("pk", "format", "tool_version")
        if not (format_.startswith("fio/json") and numbers(version) >= TRUE_START)
    ]
    for start in range(0, len(ids), PORTION):
        runs = list(Run.objects.filter(pk__in=ids[start : start + PORTION]).only("artifact", "started_at"))
        given = starts_given(apps, [run.artifact_id for run in runs])
        longest = dict(
            Run.objects.filter(pk__in=[run.pk for run in runs])
            .annotate(longest=Max("measurements__value", filter=Q(measurements__measure__metric="duration")))
            .values_list("pk", "longest")
        )
        moved = []
        for run in runs:
            if (run.artifact_id, run.started_at) in given:
                continue
            try:
                run.started_at += sign * timedelta(seconds=longest[run.pk] or 0)
            except OverflowError:  # a damaged run time
                continue
            moved.append(run)
        Run.objects.bulk_update(moved, ["started_at"], 200)


def numbers(version):
    found = VERSION.match(version)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def starts_given(apps, artifacts):
    uploads = apps.get_model("results", "Upload").objects.filter(
        artifact__in=artifacts, assignment__has_key="started_at"
    )
    rows = uploads.values_list("artifact", "assignment__started_at")
    return {(artifact, parse_datetime(text)) for artifact, text in rows}


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0017_options_of_stored_runs'),
    ]

    operations = [migrations.RunPython(partial(move, sign=-1), partial(move, sign=1))]
