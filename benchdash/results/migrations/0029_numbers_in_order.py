import django.db.models.deletion
from django.db import migrations, models

from benchdash.results.joined import join_all


def fill(apps, schema_editor):
    join_all()


class Migration(migrations.Migration):
    """Lists are sorted by numbers: of runs by an index, of samples of several runs by what they amount to."""

    dependencies = [("results", "0028_series_of_studies")]

    operations = [
        migrations.AddIndex(
            model_name="measurement",
            index=models.Index(fields=["measure", "value", "run"], name="measurement_by_value"),
        ),
        migrations.AddField(
            model_name="sample",
            name="size",
            field=models.PositiveIntegerField(default=1, editable=False, verbose_name="runs"),
        ),
        migrations.CreateModel(
            name="JoinedMeasurement",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "sample_id", "measure_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "sample",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="joined",
                        to="results.sample",
                    ),
                ),
                (
                    "measure",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="joined",
                        to="results.measure",
                    ),
                ),
                ("value", models.FloatField(blank=True, null=True, verbose_name="value")),
            ],
            options={
                "verbose_name": "measurement of a sample",
                "verbose_name_plural": "measurements of samples",
                "indexes": [models.Index(fields=["measure", "value", "sample"], name="joined_by_value")],
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
