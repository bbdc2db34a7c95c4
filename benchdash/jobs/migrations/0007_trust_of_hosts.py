import posixpath
from pathlib import PurePosixPath

import yaml
from django.db import migrations, models

LOOPBACK = ("", "localhost", "127.0.0.1", "::1")


def begun_before(apps, schema_editor):
    """What an older version began goes on where it was begun."""
    steps = apps.get_model("jobs", "JobStep").objects
    steps.filter(started_at__isnull=False).update(beside_data=True)


def say_what_is_read(apps, schema_editor):
    """Plans that are not launched, and jobs that are run again, know what they read and ask."""
    plans = apps.get_model("jobs", "Plan").objects
    told = models.Q(recipe__contains="reads:") | models.Q(recipe__contains="pgbench")
    for plan in plans.filter(told).only("recipe").iterator():
        reads = _reads(plan.recipe)
        steps = apps.get_model("jobs", "JobStep").objects.filter(job__plan=plan, knob__isnull=True)
        for step in steps.select_related("job").prefetch_related("job__nodes").iterator(200):
            touches = [each for each in _reached(step, reads) if each not in step.touches]
            if touches:
                step.touches = [*step.touches, *touches]
                step.save(update_fields=["touches"])


def _reads(recipe):
    """Names of the parameters that are paths which are only read."""
    try:
        parameters = yaml.safe_load(recipe)["parameters"]
        return [name for name, said in parameters.items() if said.get("reads") is True]
    except (yaml.YAMLError, TypeError, KeyError, AttributeError):
        return []


def _reached(step, reads):
    folders = {node.role: node.folder for node in step.job.nodes.all()}
    values = step.job.values
    paths = [posixpath.normpath(str(values.get(name) or "/")) for name in reads]
    for path in paths:
        inside = PurePosixPath(path).is_relative_to(folders.get(step.node) or "/")
        if path != "/" and not inside and any(path in word for word in step.argv):
            yield {"kind": "file", "name": path}
    if step.argv and posixpath.basename(step.argv[0]) == "pgbench":
        for option, server in zip(step.argv, step.argv[1:], strict=False):
            if option == "-h" and server not in LOOPBACK and not server.startswith("/"):
                yield {"kind": "server", "name": server}


class Migration(migrations.Migration):
    dependencies = [("jobs", "0006_folders_of_nodes")]

    operations = [
        migrations.AddField(
            model_name="jobstep",
            name="beside_data",
            field=models.BooleanField(
                default=False,
                help_text="Its log lies beside its data, not below the home folder.",
                verbose_name="begun by an older version",
            ),
        ),
        migrations.AddField(
            model_name="target",
            name="readable",
            field=models.JSONField(
                blank=True, default=list, verbose_name="files that may be read"
            ),
        ),
        migrations.AddField(
            model_name="target",
            name="servers",
            field=models.JSONField(
                blank=True, default=list, verbose_name="servers that may be connected to"
            ),
        ),
        migrations.RunPython(begun_before, migrations.RunPython.noop),
        migrations.RunPython(say_what_is_read, migrations.RunPython.noop),
    ]
