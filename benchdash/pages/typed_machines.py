"""Machines and the network between them as people type them: YAML in the vocabulary's words."""

from __future__ import annotations

from typing import Any

import yaml
from django.utils.translation import gettext as _

from benchdash.errors import Refused
from benchdash.inventory.models import Environment
from benchdash.inventory.queries import machines_of

LONGEST_TEXT = 200_000
START = """node-a:
  model:
  cpu_model:
  cores:
  memory_bytes:
  os:
  kernel:
  disks:
    - model:
      size_bytes:
  versions:
    drbd:
network:
  speed_bps:
"""


def read_machines(text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """(facts by role, network) less what was left empty; Refused says in which line it breaks."""
    if len(text) > LONGEST_TEXT:
        raise Refused(_("That is more text than any machine needs."), "machines")
    said = _loaded(text)
    if not isinstance(said, dict):
        raise Refused(_("Begin with the role of a machine: “node-a:”."), "machines")
    machines = {str(role): facts for role, facts in _said(said).items()}
    network = machines.pop("network", {})
    return machines, network


def written_machines(environment: Environment) -> str:
    """The inverse of `read_machines`, for changing a copy."""
    said: dict[str, Any] = dict(machines_of(environment))
    if environment.network:
        said["network"] = environment.network
    return yaml.safe_dump(said, allow_unicode=True, sort_keys=False)


def _loaded(text: str) -> Any:
    try:
        # an alias could make a few lines endless
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, yaml.SafeLoader)):
            raise Refused(_("Write each machine out: aliases (*name) are not read."), "machines")
        return yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        sentence = _("Line {line} cannot be read: {problem}.")
        problem = error.problem or error.context
        raise Refused(sentence.format(line=line, problem=problem), "machines") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise Refused(_("This is no text that can be read."), "machines") from error


def _said(facts: Any) -> Any:
    """`facts` less what was left empty, at every depth."""
    if isinstance(facts, dict):
        kept = {str(name): _said(value) for name, value in facts.items()}
        return {name: value for name, value in kept.items() if value not in (None, "", {}, [])}
    if isinstance(facts, list):
        return [kept for value in facts if (kept := _said(value)) not in (None, "", {}, [])]
    return facts
