"""A instance as it is after some months: what lists, the first page and a study show."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from benchdash.accounts.models import User
from benchdash.inventory.models import Configuration
from benchdash.inventory.records import record_configuration
from benchdash.jobs.models import Job
from benchdash.results.annotations import set_tags
from benchdash.results.ingest import ingest
from benchdash.results.models import Condition, Run, Study
from benchdash.results.readings import File
from benchdash.vocabulary.storage.notation import parse
from benchmarks.within.compare import fill
from tests.jobs.records import a_job, a_plan, a_target
from tests.measured import a_run, an_environment

STUDIES, RUNS, ENVIRONMENTS, UNREAD = 11, 3, 40, 40
STACK = "ext4\nlvm\ndrbd protocol={}\n- md level={}\n  - disk\n  - disk\n  - disk\n- disk @node-b"
VALUES = {
    "seq_write.throughput.mean": 93e6,
    "seq_read.throughput.mean": 121e6,
    "rand_seek.rate.mean": 411.0,
}


def fill_database() -> tuple[str, int, str]:
    """The study that is looked at, one of its runs, and the cookie of a contributor."""
    looked_at, _baseline = fill()
    environments = [
        an_environment(f"Two PCs {number}", cpu_model=f"Xeon E5-26{number}", memory_bytes=2**34)
        for number in range(ENVIRONMENTS)
    ]
    for configuration in Configuration.objects.order_by("pk"):
        Condition.objects.create(
            study=looked_at, position=configuration.pk, configuration=configuration
        )
    configurations = [
        record_configuration(f"DRBD {protocol}, RAID {level}", parse(STACK.format(protocol, level)))
        for protocol in "AC"
        for level in (0, 1, 5, 6)
    ]
    for number in range(STUDIES):
        study = Study.objects.create(
            slug=f"study-{number}", title=f"Study {number}", question="What does the mirror cost?"
        )
        for position, configuration in enumerate(configurations):
            Condition.objects.create(study=study, position=position, configuration=configuration)
            for _ in range(RUNS):
                columns = {"environment": environments[number], "study": study}
                a_run(configuration, VALUES, tool="bonnie++", **columns)
    for number in range(UNREAD):
        ingest([File(f"{number}.txt", f"Nothing was measured, {number}.".encode())])
    newest = Run.objects.order_by("-pk")[:100]
    for number, run in enumerate(newest):
        set_tags(run, ["nightly", f"kernel 6.{number % 8}"])
    runs = list(Run.objects.only("pk"))
    for number, run in enumerate(runs):
        run.started_at = timezone.now() - number * timedelta(hours=1)
    Run.objects.bulk_update(runs, ["started_at"])
    plan = a_plan()
    for number in range(60):
        a_job(
            Job.State.RUNNING if number < 10 else Job.State.QUEUED,
            a_target(f"store-{number}"),
            plan,
        )
    return looked_at.slug, newest[0].pk, _cookie()


def _cookie() -> str:
    person = User.objects.create(username="reader")
    person.groups.add(Group.objects.get_or_create(name="contributor")[0])
    client = Client()
    client.force_login(person)
    name = settings.SESSION_COOKIE_NAME
    return f"{name}={client.cookies[name].value}"
