from django.db import migrations

from benchdash.analysis.doubts import of_capture
from benchdash.errors import to_stored
from benchdash.results.storable import storable_sentence


def find(apps, schema_editor):
    """What the newest capture over SSH of each environment says against it."""
    Capture = apps.get_model("inventory", "Capture")
    Doubt = apps.get_model("results", "Doubt")
    newest = dict(
        Capture.objects.filter(source="ssh").order_by("captured_at", "pk").values_list("environment", "info")
    )
    Doubt.objects.bulk_create(
        [
            Doubt(
                environment_id=environment,
                kind=found.kind,
                sentence=to_stored(storable_sentence(found.sentence, 1000)),
            )
            for environment, info in newest.items()
            for found in of_capture(unread(info), skews(info))
        ],
        batch_size=500,
    )


def unread(info):
    """What is of the storage alone stands with its runs."""
    return {
        role: [each for each in sentences if not each.startswith("The storage under")]
        for role, sentences in (info.get("unread") or {}).items()
    }


def skews(info):
    return {
        role: known["clock_skew_s"]
        for role, known in info.items()
        if role != "unread" and isinstance(known.get("clock_skew_s"), int | float)
    }


class Migration(migrations.Migration):

    dependencies = [
        ('inventory', '0001_initial'),
        ('results', '0020_doubts_of_environments'),
    ]

    operations = [migrations.RunPython(find, migrations.RunPython.noop)]
