from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0009_tunables_by_name")]

    operations = [
        migrations.RenameField("job", "repetition", "round"),
        migrations.AlterField(
            model_name="job",
            name="round",
            field=models.PositiveSmallIntegerField(default=1, verbose_name="round"),
        ),
        migrations.AddField(
            model_name="job",
            name="cell",
            field=models.PositiveSmallIntegerField(
                default=1,
                help_text="Of the plan; the same in every round.",
                verbose_name="cell",
            ),
        ),
        migrations.RenameField("plan", "repeats", "rounds_planned"),
        migrations.AlterField(
            model_name="plan",
            name="rounds_planned",
            field=models.PositiveSmallIntegerField(default=1, verbose_name="rounds"),
        ),
        migrations.AddField(
            model_name="plan",
            name="seed",
            field=models.PositiveIntegerField(
                blank=True, null=True, verbose_name="seed of the order"
            ),
        ),
    ]
