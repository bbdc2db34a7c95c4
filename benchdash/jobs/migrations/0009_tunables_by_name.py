from django.db import migrations


def by_name(apps, schema_editor):
    _rename_key(apps, "knob", "name")


def by_knob(apps, schema_editor):
    _rename_key(apps, "name", "knob")


def _rename_key(apps, before, after):
    """In what steps set: `{"knob": "scheduler", "where": "/dev/sda", "value": "none"}`."""
    steps = apps.get_model("jobs", "JobStep").objects
    changed = []
    for step in steps.filter(tunable__isnull=False).only("tunable").iterator(500):
        if before in step.tunable:
            step.tunable = {after if key == before else key: value for key, value in step.tunable.items()}
            changed.append(step)
        if len(changed) == 500:
            steps.bulk_update(changed, ["tunable"])
            changed = []
    steps.bulk_update(changed, ["tunable"])


class Migration(migrations.Migration):
    dependencies = [("jobs", "0008_outcomes_and_tunables")]

    # apart from the renames: PostgreSQL alters no table in which rows were changed just before
    operations = [migrations.RunPython(by_name, by_knob)]
