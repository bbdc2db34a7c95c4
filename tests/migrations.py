"""Tables as an older version had them."""

from __future__ import annotations

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader


def migrated(to=None):
    """The models as they were then, and the tables with them; those of today without an argument."""
    executor = MigrationExecutor(connection)
    executor.migrate(to or executor.loader.graph.leaf_nodes())
    # a version of before stands in the single steps alone, not in what replaces them
    loader = MigrationLoader(connection, replace_migrations=to is None)
    return loader.project_state(to or loader.graph.leaf_nodes()).apps
