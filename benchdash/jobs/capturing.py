"""What a host said of itself, as records: snapshot, environment, and the configuration it is in."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, count

from django.db import transaction
from django.utils import timezone

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.facts import Capture
from benchdash.inventory.models import Capture as CaptureRow
from benchdash.inventory.models import Configuration, Environment, Host
from benchdash.inventory.records import LONGEST_NAME, Look, record_environment
from benchdash.inventory.stacks import record_configuration, record_stack
from benchdash.vocabulary.storage import stack as stacks


def record_capture(
    host: Host, role: str, capture: Capture, by: User | None = None
) -> tuple[Environment, Configuration | None]:
    """(environment, configuration) of one machine; no configuration where no path was asked about."""
    return record_captures({role: (host, capture)}, by)


@transaction.atomic
def record_captures(
    parts: Mapping[str, tuple[Host, Capture]], by: User | None = None, network: object = None
) -> tuple[Environment, Configuration | None]:
    """The same of machines that were looked at together; the stack is that of the first that has one.

    Refused where nothing was learned of a machine, or a role is no name.
    """
    look = Look(
        CaptureRow.Source.SSH,
        timezone.now(),
        by,
        {"unread": {role: [*said.unread] for role, (_host, said) in parts.items() if said.unread}},
    )
    environment = record_environment(
        {role: said.machine | said.aside for role, (_host, said) in parts.items()},
        network,
        look=look,
        hosts={role: host for role, (host, _said) in parts.items()},
    )
    stack = next((parts[role][1].stack for role in sorted(parts) if parts[role][1].stack), None)
    return environment, _configuration(stack, by) if stack else None


def _configuration(tree: Mapping[str, object], by: User | None) -> Configuration:
    """The oldest configuration of these layers, else a new one under a name that nobody has."""
    stack = record_stack(tree)
    if known := stack.configurations.order_by("pk").first():
        return known
    while True:
        try:
            return record_configuration(_free_name(stacks.title(stack.tree)), tree, by=by)
        except Refused:  # somebody has just taken the name for other layers
            continue


def _free_name(title: str) -> str:
    """`title`, or `title (2)` and so on where other layers have that name."""
    title = title[: LONGEST_NAME - 10]
    taken = set(Configuration.objects.filter(name__startswith=title).values_list("name", flat=True))
    numbered = (f"{title} ({number})" for number in count(2))
    return next(name for name in chain([title], numbered) if name not in taken)
