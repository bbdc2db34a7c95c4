from django.db import migrations, models


def mark(apps, schema_editor):
    """Mark doubts found by hosts and logs; the origin of clock and trend doubts is unknown, so they are kept."""
    doubts = apps.get_model("results", "Doubt").objects.exclude(run=None)
    read = ("output", "errors", "short", "steady_state", "too_fast", "cached")
    doubts.exclude(kind__in=read).update(noted=True)


class Migration(migrations.Migration):
    """Doubts that hosts and logs noted are not removed when an output is read again."""

    dependencies = [
        ("results", "0032_field_texts"),
    ]

    operations = [
        migrations.AddField(
            model_name="doubt",
            name="noted",
            field=models.BooleanField(
                default=False,
                help_text="By the host or a log of the run: reading its output again does not remove it.",
                verbose_name="noted",
            ),
        ),
        migrations.RunPython(mark, migrations.RunPython.noop),
    ]
