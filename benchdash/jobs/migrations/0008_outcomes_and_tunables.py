from django.db import migrations, models

STATES = [
    ("planned", "planned"),
    ("queued", "queued"),
    ("waiting", "waiting for host"),
    ("preparing", "preparing"),
    ("running", "running"),
    ("unreachable", "unreachable"),
    ("collecting", "collecting"),
    ("cancelling", "cancelling"),
    ("done", "done"),
    ("failed", "failed"),
    ("cancelled", "cancelled"),
    ("lost", "lost"),
]


class Migration(migrations.Migration):
    dependencies = [("jobs", "0007_trust_of_hosts")]

    operations = [
        migrations.RenameField("job", "verdict", "outcome"),
        migrations.RenameField("job", "verdict_reason", "outcome_reason"),
        migrations.AlterField(
            model_name="job",
            name="outcome",
            field=models.CharField(
                blank=True,
                choices=STATES,
                help_text="Settled before everything is put back.",
                max_length=12,
                verbose_name="state at the end",
            ),
        ),
        migrations.AlterField(
            model_name="job",
            name="outcome_reason",
            field=models.TextField(blank=True, verbose_name="reason of the outcome"),
        ),
        migrations.RenameModel("KnobChange", "TunableChange"),
        migrations.RenameField("jobstep", "knob", "tunable"),
    ]
