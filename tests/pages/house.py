"""A small house with one of everything that pages show, brought in through its own doors."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchdash.inventory.models import Configuration, Environment
from benchdash.inventory.records import record_configuration, record_environment
from benchdash.jobs.models import Job, OwnRecipe, Target
from benchdash.results.annotations import set_tags
from benchdash.results.assignment import Assignment
from benchdash.results.ingest import ingest
from benchdash.results.models import Condition, Doubt, Note, Permalink, Run, Study, Upload
from benchdash.results.permalinks import make_permalink
from benchdash.results.readings import File
from benchdash.results.records import add_condition, choose_baseline, write_study
from benchdash.vocabulary.storage.notation import parse
from tests.jobs.records import FIO, a_job, a_target, an_own_recipe, print_out

SAMPLES = Path(__file__).parent.parent / "samples"
LOCAL = "ext3 data=ordered\nlvm\ndisk"
MIRROR = "ext3\nlvm\ndrbd protocol=C roles=Primary/Secondary\n- disk\n- disk @node-b"


@dataclass
class House:
    """What the pages of the house are about."""

    study: Study
    condition: Condition
    local: Configuration
    mirror: Configuration
    environment: Environment
    run: Run
    upload: Upload
    refused: Upload
    note: Note
    permalink: Permalink
    target: Target
    job: Job
    recipe: OwnRecipe
    doubt: Doubt


def sample(name, ending=b""):
    """A file of tests/samples, as it is uploaded; an `ending` makes another file of it."""
    path = SAMPLES / name
    return File(path.name, path.read_bytes() + ending)


def build(ending=b""):
    """The house, with two measured runs, one that belongs nowhere, and one refused file.

    Beside the demonstration, which has the same files, they need an `ending` of their own.
    """
    local = record_configuration("Local disk", parse(LOCAL))
    mirror = record_configuration("DRBD C", parse(MIRROR), notes="**Mirrored** over the switch.")
    environment = record_environment(
        {"node-a": {"model": "SP35P2", "kernel": "2.6.18"}, "node-b": {"model": "SP35P2"}},
        {"speed_bps": "1G"},
        name="Two PCs",
    )
    study = write_study(
        Study(),
        title="DRBD on two PCs",
        question="What does the mirror cost?",
        words="One *run* each.",
        factors=["layer.drbd.protocol"],
    )
    condition = add_condition(study, local, environment)
    choose_baseline(condition)
    add_condition(study, mirror, None, "Mirrored")
    assignment = Assignment(configuration=local, environment=environment, study=study)
    first = ingest([sample("bonnie++/drbd-1.03c-condition-1.txt", ending)], assignment)[0]
    assignment = Assignment(configuration=mirror, environment=environment, study=study)
    ingest([sample("bonnie++/drbd-1.03c-condition-7.txt", ending)], assignment)
    ingest([sample("bonnie++/local-2.00a-c4.csv")])
    Run.objects.exclude(same_as=None).update(is_repeat=True)
    refused = ingest([File("notes/README", b"Nothing was measured here, only written.\n")])[0]
    run = first.runs[0]
    set_tags(run, ["baseline of 2008"])
    note = Note.objects.create(run=run, text="The *switch* was idle.")
    permalink = make_permalink(f"study={study.slug}", None)
    target = a_target()
    job = a_job(Job.State.RUNNING, target)
    print_out(job, FIO)
    a_job(Job.State.QUEUED, target, job.plan)
    over = a_job(Job.State.DONE, target, job.plan)
    over.steps.filter(tool="fio").update(artifact=run.artifact)
    return House(
        *(study, condition, local, mirror, environment, run, first.upload, refused.upload, note),
        *(permalink, target, job, an_own_recipe(), run.doubts.get()),
    )


def shown(client, query):
    """Ids of the runs on a page of the list."""
    return [run.pk for run in client.get(f"/runs/{query}").context["page"].rows]
