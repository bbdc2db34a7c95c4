"""How a host stands, in words: in badges, and where hosts are chosen."""

from __future__ import annotations

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from benchdash.jobs.models import Target

_STANDINGS = {
    "ok": ("good", _("ready")),
    "trouble": ("warn", _("something is missing")),
    "new_key": ("accent", _("host key not approved yet")),
    "changed_key": ("bad", _("host key changed")),
    "unreachable": ("bad", _("unreachable")),
    "refused": ("bad", _("login refused")),
    "checking": ("accent", _("being checked")),
}


def state_of(target: Target) -> tuple[str, str]:
    """The colour of its badge, and the words."""
    if target.standing == "ok" and target.lacks_folder:
        return "warn", gettext("ready, working folder missing")
    colour, words = _STANDINGS.get(target.standing, ("", _("not checked yet")))
    return colour, str(words)


def named_with_state(target: Target) -> str:
    """A target with the name of its host, and how it stands where it is not simply ready."""
    colour, words = state_of(target)
    name = f"{target.host.name} ({target})"
    return name if colour == "good" else f"{name} – {words}"
