from django.db import migrations

from benchdash.errors import from_stored, side_by_side, to_stored


def note(apps, schema_editor):
    """What hosts said against measuring stands against the runs that were measured all the same."""
    step = apps.get_model("jobs", "JobStep")
    doubt = apps.get_model("results", "Doubt")
    hosts = {}
    measured = step.objects.filter(artifact__isnull=False).exclude(job__conditions=[])
    rows = measured.values_list("artifact", "job", "job__conditions").order_by("pk")
    found = []
    for artifact, job, conditions in rows.iterator(500):
        blocking = [each for each in conditions if each["blocking"]]
        if not blocking:
            continue
        if job not in hosts:
            hosts[job] = apps.get_model("jobs", "JobNode").objects.filter(job=job).count()
        sentences = {}
        for each in blocking:
            sentence = from_stored(each["sentence"])
            if hosts[job] > 1:
                sentence = side_by_side([each["host"], sentence], ": ")
            sentences[to_stored(sentence)] = each["name"]
        runs = apps.get_model("results", "Run").objects.filter(artifact=artifact)
        for run in runs.values_list("pk", flat=True):
            found += [
                doubt(run_id=run, kind=name, sentence=text) for text, name in sentences.items()
            ]
        if len(found) > 500:
            doubt.objects.bulk_create(found)
            found = []
    doubt.objects.bulk_create(found)


class Migration(migrations.Migration):
    dependencies = [("jobs", "0011_cells_of_jobs"), ("results", "0016_doubts_of_stored_runs")]

    operations = [migrations.RunPython(note, migrations.RunPython.noop)]
