"""An assignment for each machine that a batch of files names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from benchdash.errors import Refused
from benchdash.results.assignment import Assignment, assignment_by_name
from benchdash.results.by_machine import MOST_MACHINES, MachineRuns, machines_in
from benchdash.results.language import in_language
from benchdash.results.outcomes import Outcome

FIELDS = ("fitting", "configuration", "environment", "study")


@dataclass(slots=True)
class MachineForm:
    """One machine, what was typed for it, and why that cannot be."""

    machine: MachineRuns
    typed: dict[str, str] = field(default_factory=dict)
    refused: str = ""
    assignment: Assignment = field(default_factory=Assignment)

    def read(self) -> None:
        """The records that are named; what is typed wins over what was suggested."""
        names = self.typed
        try:
            self.assignment = assignment_by_name(
                configuration=names.get("configuration") or names.get("fitting", ""),
                environment=names.get("environment", ""),
                study=names.get("study", ""),
            )
        except Refused as refused:
            self.refused = in_language(refused.sentence)

    def runs_in(self, artifacts: Collection[int]) -> list[int]:
        """The runs of the machine in these files."""
        return [pk for artifact in artifacts for pk in self.machine.runs.get(artifact, ())]


def machine_forms(outcomes: Sequence[Outcome], posted: Mapping[str, str]) -> list[MachineForm]:
    """A form for each machine, where the files name several, with what was typed for it by name."""
    typed = {
        posted.get(f"machine-{number}", ""): {
            name: posted.get(f"{name}-{number}", "").strip() for name in FIELDS
        }
        for number in range(MOST_MACHINES)
    }
    machines = machines_in(outcome.upload.artifact_id for outcome in outcomes)
    forms = [MachineForm(machine, typed.get(machine.name, {})) for machine in machines]
    for form in forms:
        form.read()
    return forms
