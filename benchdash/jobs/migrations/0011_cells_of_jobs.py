from django.db import migrations
from django.db.models import Count, F, Q


def by_position(apps, schema_editor):
    """Plans ran their cells in one order, again and again: the place in a round is the cell."""
    Plan, Job = (apps.get_model("jobs", name) for name in ("Plan", "Job"))
    cells = Count("jobs__position", filter=Q(jobs__round=1), distinct=True)
    for plan in Plan.objects.annotate(cells=cells).filter(cells__gt=1).iterator(500):
        place = F("position") - (F("round") - 1) * plan.cells
        Job.objects.filter(plan=plan).update(cell=place)


class Migration(migrations.Migration):
    dependencies = [("jobs", "0010_rounds")]

    # apart from the new column: PostgreSQL alters no table in which rows were changed just before
    operations = [migrations.RunPython(by_position, migrations.RunPython.noop)]
