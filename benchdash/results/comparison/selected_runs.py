"""A sample as a comparison takes it, and what tells samples apart that no record does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from operator import attrgetter
from os.path import commonpath
from pathlib import PurePosixPath
from typing import NamedTuple

from benchdash.results.moments import is_rough
from benchdash.results.upload_runs import paths_of
from benchdash.vocabulary.doubts import Doubt
from benchdash.vocabulary.settings import Setting

_SET_UP = attrgetter("tool", "workload_id", "settings", "beside", "jobs", "job_name")


class Look(NamedTuple):
    """The plan that made a run; `over`: none of its jobs is to come. `round` and `looks` from 1.

    `block` is what its job shared with others of the round, "" where that is nothing.
    """

    plan: int
    round: int
    over: bool
    looks: int
    block: str = ""


class SelectedRun(NamedTuple):
    """What a comparison needs of a sample: its first run, and the ids of all of them.

    `settings` are pairs in the order of their names, `jobs` how many ran where they are several,
    `look` that at the plan it is of. `series` is that of its study, "" where it names none.
    `job_name` is its label where its output does not say what it did, `machine` what its
    outputs name where no record says what it was measured on.
    """

    id: int
    tool: str
    study_id: int | None
    configuration_id: int | None
    environment_id: int | None
    workload_id: int
    tool_version: str = ""
    label: str = ""
    notes: Sequence[dict[str, str]] = ()
    not_counted: str = ""
    started_at: datetime | None = None
    sample_id: int = 0
    beside: str = ""
    settings: tuple[tuple[str, Setting], ...] = ()
    runs: tuple[int, ...] = ()
    jobs: int | None = None
    doubts: tuple[Doubt, ...] = ()
    look: Look | None = None
    series: str = ""
    job_name: str = ""
    machine: str = ""

    @property
    def began(self) -> float | None:
        """When it began, in Unix time, where that is known well enough for an order."""
        at = self.started_at
        if at is None or (self.look is None and is_rough(self.tool, self.tool_version, at)):
            return None
        return at.timestamp()

    @property
    def members(self) -> tuple[int, ...]:
        """The ids of all its runs."""
        return self.runs or (self.id,)


def distinguished_by_files(runs: Sequence[SelectedRun]) -> Sequence[SelectedRun]:
    """The runs, those that nothing else tells apart by the folders and names of their files.

    Where no record and no output says what was measured on, a folder of its own may (hostA/run1.json):
    it stands for the machine. Of jobs that say nothing of what they did and have one name it is the
    file that tells. One query, none where no two are alike.
    """
    unrecorded = [
        run
        for run in runs
        if run.configuration_id is None and run.environment_id is None and not run.machine
    ]
    used = Counter(map(_SET_UP, unrecorded))
    if not used or max(used.values()) == 1:
        return runs
    found_paths = paths_of([run.id for run in unrecorded])
    paths = {run: PurePosixPath(name.lstrip("/")) for run, name in found_paths.items()}
    shared = _common_folder({str(path.parent) for path in paths.values()})
    found = {}
    for run in unrecorded:
        if (path := paths.get(run.id)) is None:
            continue
        folder = path.parent
        if folder.is_relative_to(shared):
            folder = folder.relative_to(shared)
        named = bool(run.job_name) and used[_SET_UP(run)] > 1
        found[run.id] = run._replace(
            machine=f"{folder}/" if folder.parts else "",  # no claim that it is a machine's name
            job_name=path.name if named else run.job_name,
        )
    return [found.get(run.id, run) for run in runs]


def _common_folder(folders: Collection[str]) -> str:
    """What folders share at their beginning, "." for nothing; files that lie in none do not count."""
    inside = {folder for folder in folders if folder != "."}
    shared = commonpath(inside) if inside else ""
    # files in the shared folder itself need its name to differ from those in none
    is_needed = shared in inside and len(inside) < len(folders)
    return "." if is_needed else shared or "."
