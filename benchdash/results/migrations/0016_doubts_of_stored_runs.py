from django.db import migrations

from benchdash.results.doubts import fill


def find(apps, schema_editor):
    fill(apps.get_model)


class Migration(migrations.Migration):
    """What the stored numbers of runs say against them; the rest comes as runs are read again."""

    dependencies = [("inventory", "0001_initial"), ("results", "0015_doubts")]

    operations = [migrations.RunPython(find, migrations.RunPython.noop)]
