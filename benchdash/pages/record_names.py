"""Names to choose from while typing: the newest of each kind, for those who may assign."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from benchdash.accounts.roles import Role, role_of
from benchdash.inventory.models import Configuration, EnvironmentName
from benchdash.results.models import Study

MOST_NAMES = 500


def record_names(request: HttpRequest) -> dict[str, Any]:
    """`configurations`, `environments`, `studies` for `<datalist>`s; nothing for readers."""
    if role_of(request.user) < Role.CONTRIBUTOR:
        return {}
    environments = EnvironmentName.objects.order_by("name").values_list("name", flat=True)
    return {
        "configurations": Configuration.objects.values_list("name", flat=True)[:MOST_NAMES],
        "environments": environments.distinct()[:MOST_NAMES],
        "studies": Study.objects.values_list("title", flat=True)[:MOST_NAMES],
    }
