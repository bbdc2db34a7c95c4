from django.db import migrations

from benchdash.parsers.fio.options import other_options
from benchdash.vocabulary.canonical import canonical, digest

AXES = (
    *('pattern', 'block_bytes', 'queue_depth', 'jobs', 'clients', 'read_fraction', 'file_bytes'),
    *('files', 'duration_s', 'ramp_s', 'engine', 'direct', 'sync', 'fsync_every', 'concurrency'),
    *('scale', 'script'),
)
PORTION = 500


def fill(apps, schema_editor):
    """What else fio was told stands in the details of its JSON; of other runs nobody knows.

    A file that is read again (`manage.py reparse`) gives the same, and more for other tools.
    """
    Run, Workload = (apps.get_model("results", name) for name in ("Run", "Workload"))
    axes = {
        pk: {name: value for name, value in zip(AXES, values, strict=True) if value not in (None, "")}
        for pk, *values in Workload.objects.filter(options__isnull=True).values_list("pk", *AXES)
    }
    known = {}
    told = Run.objects.filter(tool="fio", details__has_key="options", workload__options__isnull=True)
    ids = list(told.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(ids), PORTION):
        rows = Run.objects.filter(pk__in=ids[start : start + PORTION]).only("details", "workload")
        runs = list(rows)
        for run in runs:
            options = other_options(run.details["options"], axes[run.workload_id])
            key = run.workload_id, canonical(options)
            if key not in known:
                content = {**axes[run.workload_id], "options": options}
                known[key], _ = Workload.objects.get_or_create(
                    digest=digest(content), defaults=content
                )
            run.workload = known[key]
        Run.objects.bulk_update(runs, ["workload"], 200)


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0016_doubts_of_stored_runs'),
    ]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
