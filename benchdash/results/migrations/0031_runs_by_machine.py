from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """The same index, only of runs whose label may name a machine: most labels are names of jobs."""

    dependencies = [
        ("inventory", "0002_deleted_configurations"),
        ("results", "0030_runs_by_label"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(model_name="run", name="run_by_label"),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(
                condition=models.Q(
                    ("environment", None),
                    models.Q(("label", ""), _negated=True),
                    models.Q(
                        ("tool", "bonnie++"), ("label__contains", " @ "), _connector="OR"
                    ),
                ),
                fields=["label"],
                include=("id", "tool", "sample"),
                name="run_by_machine",
            ),
        ),
    ]
