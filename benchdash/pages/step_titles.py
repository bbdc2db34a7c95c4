"""What the steps of recipes are called for people; scripts and the API have their names."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

TITLES = {
    "command": _("Command"),
    "connect-resource": _("Connect the DRBD resource"),
    "drbd-is-there": _("Check that DRBD is there"),
    "drop-caches": _("Drop the page cache"),
    "drop-caches-of-osds": _("Drop the caches of the OSDs"),
    "empty-folder": _("Empty the folder"),
    "files": _("Lay out the files"),
    "filesystem-is-there": _("Check that the filesystem is there"),
    "fill": _("Fill with data"),
    "folder": _("Make the folder"),
    "give-folder": _("Give the folder to the user"),
    "is-mirror": _("Check that it is a mirror"),
    "lay-out": _("Lay out the files"),
    "make-array": _("Make the array"),
    "make-filesystem": _("Make the filesystem"),
    "make-resource": _("Make the DRBD resource"),
    "mount": _("Mount"),
    "mount-on-peer": _("Mount on the other host"),
    "mount-options": _("Set the mount options"),
    "objects": _("Write the objects"),
    "postgresql": _("Start PostgreSQL"),
    "promote-peer": _("Make the other host primary"),
    "promote-peer-of-made": _("Make the other host primary"),
    "protocol-a": _("Set DRBD protocol A"),
    "protocol-b": _("Set DRBD protocol B"),
    "protocol-c": _("Set DRBD protocol C"),
    "remove-array": _("Remove the array"),
    "remove-folder": _("Remove the folder"),
    "remove-made": _("Remove what was made"),
    "remove-objects": _("Remove the objects"),
    "remove-postgresql": _("Stop and remove PostgreSQL"),
    "remove-resource": _("Remove the DRBD resource"),
    "scheduler": _("Set the I/O scheduler"),
    "stripe-cache": _("Set the stripe cache"),
    "stripe-cache-of-made": _("Set the stripe cache"),
    "tables": _("Fill the tables"),
    "two-primaries": _("Allow two primaries"),
    "unmount": _("Unmount"),
    "unmount-on-peer": _("Unmount on the other host"),
}


def step_title(name: str) -> str:
    """`Make the folder` of `folder`; a step that somebody named, or that is a tool, keeps its name."""
    return str(TITLES.get(name) or name)
