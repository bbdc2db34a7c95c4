"""What changes configurations: a stack is recorded by content, a configuration names one.

Layers that were measured never change: a configuration with runs gets another name or other
notes, other layers are another configuration.
"""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from benchdash.errors import Refused
from benchdash.inventory.models import Configuration, Facet, Layer, Stack
from benchdash.inventory.records import checked_name
from benchdash.vocabulary.storage import stack as stacks
from benchdash.vocabulary.storage.normal_form import normalised


def record_configuration(
    name: str, layers: object, *, notes: str = "", by: AbstractBaseUser | None = None
) -> Configuration:
    """The configuration of that name and these layers (a tree), made where there is none.

    Refused where a layer is not possible, or where the name is taken by other layers.
    """
    name = checked_name(name)
    stack = record_stack(layers)
    configuration, _is_new = Configuration.objects.get_or_create(
        name=name,
        defaults={"stack": stack, "notes": notes, "created_by_id": by.pk if by else None},
    )
    if configuration.stack_id != stack.pk:
        raise Refused(_taken(configuration), "name")
    return configuration


@transaction.atomic
def record_stack(layers: object) -> Stack:
    """The one row of these layers, with its layers and facets."""
    tree = normalised(layers)
    stack, is_new = Stack.objects.get_or_create(digest=stacks.digest(tree), defaults={"tree": tree})
    if is_new:
        Layer.objects.bulk_create(
            Layer(
                stack=stack,
                position=layer.position,
                above=layer.above,
                node=layer.node,
                kind=layer.kind.name,
                options=dict(layer.options),
            )
            for layer in stacks.walk(tree)
        )
        Facet.objects.bulk_create(
            Facet(stack=stack, key=key, text=text, number=number)
            for key, text, number in stacks.facets(tree)
        )
    return stack


@transaction.atomic
def change_configuration(
    configuration: Configuration, *, name: str, layers: object, notes: str
) -> Configuration:
    """Give a configuration another name, other notes, and other layers while it has no runs.

    Refused where it has runs and the layers differ, or where the name is taken.
    """
    locked = Configuration.objects.select_for_update().get(pk=configuration.pk)
    stack = record_stack(layers)
    if stack.pk != locked.stack_id and locked.runs.exists():
        sentence = _(
            "“{name}” has runs, so its layers stay as they are: save the change under another "
            "name, as a configuration of its own."
        )
        raise Refused(sentence.format(name=locked.name), "layers")
    locked.name, locked.stack, locked.notes = checked_name(name), stack, notes
    try:
        with transaction.atomic():
            locked.save()
    except IntegrityError as error:
        raise Refused(_taken(Configuration.objects.get(name=locked.name)), "name") from error
    return locked


def delete_configuration(configuration: Configuration) -> None:
    """Remove a configuration that nothing uses; Refused where runs or studies do."""
    try:
        configuration.delete()
    except ProtectedError as error:
        sentence = _("“{name}” is used by runs or studies, so it stays.")
        raise Refused(sentence.format(name=configuration.name)) from error


def _taken(configuration: Configuration) -> str:
    sentence = _("“{name}” is the name of another stack already ({title}); choose another name.")
    return sentence.format(name=configuration.name, title=stacks.title(configuration.stack.tree))
