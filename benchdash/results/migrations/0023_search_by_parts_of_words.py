from django.db import DatabaseError, migrations, transaction

INDEXES = {
    "run_by_part_of_label": ("results_run", "label"),
    "upload_by_part_of_name": ("results_upload", "name"),
    "upload_by_part_of_sentence": ("results_upload", "sentence"),
}


def create(apps, schema_editor):
    """Where PostgreSQL has pg_trgm and lets us use it; the search is right without it, and slower."""
    if schema_editor.connection.vendor != "postgresql":
        return
    try:
        with transaction.atomic():
            schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    except DatabaseError:
        return
    for name, (table, column) in INDEXES.items():
        # as Django writes icontains
        schema_editor.execute(
            f'CREATE INDEX {name} ON {table} USING gin (UPPER("{column}"::text) gin_trgm_ops)'
        )


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for name in INDEXES:
            schema_editor.execute(f"DROP INDEX IF EXISTS {name}")


class Migration(migrations.Migration):
    dependencies = [("results", "0022_runs_counted_by_index")]

    operations = [migrations.RunPython(create, drop)]
