from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Runs without an environment are found by the machine that their output names."""

    dependencies = [
        ("inventory", "0002_deleted_configurations"),
        ("results", "0029_numbers_in_order"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name="run",
            index=models.Index(
                condition=models.Q(("environment", None), models.Q(("label", ""), _negated=True)),
                fields=["label"],
                include=("id", "tool", "sample"),
                name="run_by_label",
            ),
        ),
    ]
