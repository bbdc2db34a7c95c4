from itertools import islice

from django.db import migrations, models


def fill(apps, schema_editor):
    """The hosts of each environment, by the roles of its machines."""
    Environment = apps.get_model("inventory", "Environment")
    Part = apps.get_model("inventory", "EnvironmentMachine")
    parts = Part.objects.exclude(snapshot__host=None).order_by("environment", "role")
    found = {}
    for pk, host in parts.values_list("environment", "snapshot__host__name").iterator():
        found.setdefault(pk, {})[host] = True
    rows = (Environment(pk=pk, hosts=list(hosts)) for pk, hosts in found.items())
    while some := list(islice(rows, 500)):
        Environment.objects.bulk_update(some, ["hosts"])


class Migration(migrations.Migration):

    dependencies = [
        ("inventory", "0002_deleted_configurations"),
    ]

    operations = [
        migrations.AddField(
            model_name="environment",
            name="hosts",
            field=models.JSONField(default=list, editable=False, verbose_name="hosts"),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
