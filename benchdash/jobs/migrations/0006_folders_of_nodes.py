from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def as_the_target_says(apps, schema_editor):
    folders = apps.get_model("jobs", "Target").objects.filter(pk=OuterRef("target"))
    nodes = apps.get_model("jobs", "JobNode").objects
    nodes.update(folder=Subquery(folders.values("folder")))


class Migration(migrations.Migration):
    dependencies = [("jobs", "0005_cpu_of_hosts")]

    operations = [
        migrations.AddField(
            model_name="jobnode",
            name="folder",
            field=models.CharField(default="", max_length=500, verbose_name="working folder"),
            preserve_default=False,
        ),
        migrations.RunPython(as_the_target_says, migrations.RunPython.noop),
    ]
