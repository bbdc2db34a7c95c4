import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0013_kernel_log"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="plan",
            name="looks",
            field=models.PositiveSmallIntegerField(
                default=1,
                help_text="Rounds that are added to a plan that was over are a further look at its runs.",
                verbose_name="looks",
            ),
        ),
        migrations.CreateModel(
            name="AddedRounds",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("rounds", models.PositiveSmallIntegerField(verbose_name="rounds")),
                ("look", models.PositiveSmallIntegerField(verbose_name="look")),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="at")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "plan",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="added",
                        to="jobs.plan",
                    ),
                ),
            ],
            options={
                "verbose_name": "added rounds",
                "verbose_name_plural": "added rounds",
                "ordering": ["pk"],
            },
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(
                condition=models.Q(("ended_at", None)), fields=["plan"], name="job_to_come"
            ),
        ),
    ]
