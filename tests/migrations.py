"""Tables as an older version had them."""

from __future__ import annotations

from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def migrated(to=None):
    """The models as they were then, and the tables with them; those of today without an argument."""
    executor = MigrationExecutor(connection)
    to = to or executor.loader.graph.leaf_nodes()
    executor.migrate(to)
    return MigrationExecutor(connection).loader.project_state(to).apps
