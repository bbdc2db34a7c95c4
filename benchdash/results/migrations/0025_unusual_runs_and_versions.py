from django.db import migrations, models
from django.db.models import Q


def create(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        # as Django writes istartswith
        schema_editor.execute(
            "CREATE INDEX run_by_version ON results_run "
            '(UPPER("tool_version"::text) text_pattern_ops)'
        )


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX IF EXISTS run_by_version")


class Migration(migrations.Migration):
    dependencies = [("results", "0024_traces_of_hosts")]

    operations = [
        migrations.AddIndex(
            model_name="run",
            index=models.Index(
                condition=Q(deleted_at__isnull=False)
                | Q(withdrawn_at__isnull=False)
                | ~Q(set_aside_reason="")
                | Q(error__isnull=False),
                fields=["-id"],
                name="run_unusual",
            ),
        ),
        migrations.RunPython(create, drop),
    ]
