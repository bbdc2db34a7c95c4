from django.db import DatabaseError, migrations, transaction


def create(apps, schema_editor):
    """Where the migration of runs could create pg_trgm; the search is right without it, and slower."""
    if schema_editor.connection.vendor != "postgresql":
        return
    try:
        with transaction.atomic():
            # as Django writes icontains
            schema_editor.execute(
                "CREATE INDEX job_by_part_of_title ON jobs_job "
                'USING gin (UPPER("title"::text) gin_trgm_ops)'
            )
    except DatabaseError:
        return


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX IF EXISTS job_by_part_of_title")


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0017_pauses_of_plans"),
        ("results", "0023_search_by_parts_of_words"),
    ]

    operations = [migrations.RunPython(create, drop)]
