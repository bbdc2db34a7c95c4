"""DRBD with a disk of its own is found as such, as it is in stacks that are stored from now on."""

from django.db import migrations


def find(apps, _editor):
    Facet = apps.get_model("inventory", "Facet")
    Layer = apps.get_model("inventory", "Layer")
    layers = Layer.objects.filter(kind="drbd").order_by("pk")
    for layer in layers.iterator():
        own = Layer.objects.filter(stack=layer.stack_id, above=layer.position, node=layer.node)
        if "diskless" not in layer.options and own.exists():
            Facet.objects.get_or_create(stack_id=layer.stack_id, key="drbd.diskless", text="no")


class Migration(migrations.Migration):
    dependencies = [("inventory", "0003_hosts_of_environments")]
    operations = [migrations.RunPython(find, migrations.RunPython.noop)]
