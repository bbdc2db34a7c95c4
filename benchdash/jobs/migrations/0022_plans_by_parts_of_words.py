from django.db import DatabaseError, migrations, transaction

COLUMNS = ("title", "recipe_name")


def create(apps, schema_editor):
    """Where the migration of runs could create pg_trgm; the search is right without it, and slower."""
    if schema_editor.connection.vendor != "postgresql":
        return
    try:
        with transaction.atomic():
            for column in COLUMNS:
                # as Django writes icontains
                schema_editor.execute(
                    f"CREATE INDEX plan_by_part_of_{column} ON jobs_plan "
                    f'USING gin (UPPER("{column}"::text) gin_trgm_ops)'
                )
    except DatabaseError:
        return


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for column in COLUMNS:
            schema_editor.execute(f"DROP INDEX IF EXISTS plan_by_part_of_{column}")


class Migration(migrations.Migration):
    dependencies = [("jobs", "0021_plans_of_before")]

    operations = [migrations.RunPython(create, drop)]
