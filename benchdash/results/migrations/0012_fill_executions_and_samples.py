import hashlib
from collections import Counter
from itertools import groupby

from django.db import migrations

from benchdash.errors import N_
from benchdash.vocabulary.units import bytes_shown

PORTION = 500


def fill(apps, schema_editor):
    """Of stored runs what can be told from them: fio's groups are in their details.

    A parser tells more when the file is read again (`manage.py reparse`).
    """
    Run = apps.get_model("results", "Run")
    workloads = {
        workload.pk: workload for workload in apps.get_model("results", "Workload").objects.all()
    }
    columns = ("id", "artifact_id", "tool", "label", "workload_id", "details", "error", "set_aside_reason")
    artifacts = list(Run.objects.order_by("artifact").values_list("artifact", flat=True).distinct())
    for start in range(0, len(artifacts), PORTION):
        runs = Run.objects.filter(artifact__in=artifacts[start : start + PORTION])
        rows = runs.order_by("artifact", "position").only(*columns)
        files = [list(file) for _artifact, file in groupby(rows, key=lambda run: run.artifact_id)]
        store(apps, files, workloads)
    part_equal_numbers(Run)


def store(apps, files, workloads):
    Run, Execution, Sample = (
        apps.get_model("results", name) for name in ("Run", "Execution", "Sample")
    )
    executions, samples, members = {}, {}, []
    for runs in files:
        for run, number, group in passes(runs):
            execution = executions.setdefault(
                (run.artifact_id, number), Execution(artifact_id=run.artifact_id, number=number)
            )
            moment = run.artifact_id, number, group
            workload = workloads[run.workload_id]
            told = run.tool, run.workload_id, "" if workload.pattern else run.label.partition(" @ ")[0]
            sample = samples.setdefault((moment, told), Sample())
            members.append((run, execution, sample, moment, told))
    Execution.objects.bulk_create(executions.values(), PORTION)
    stand_beside(members, samples, workloads)
    Sample.objects.bulk_create(samples.values(), PORTION)
    failed = {moment: run.label or run.tool for run, *_ids, moment, _told in members if run.error is not None}
    for run, execution, sample, moment, _told in members:
        run.execution_id, run.sample_id = execution.pk, sample.pk
        if moment in failed and not run.set_aside_reason and run.error is None:
            run.set_aside_reason = N_("{job} ran beside it and failed.", job=failed[moment])
    runs = [run for run, *_rest in members]
    Run.objects.bulk_update(runs, ["execution", "sample", "set_aside_reason"], 200)


def passes(runs):
    """`(run, execution, group)` of one file: fio's jobs are one execution until a group comes again."""
    number, group, moment = -1, None, 0
    for run in runs:
        mine = run.details.get("groupid") if run.tool == "fio" else None
        if mine is None or group is None or mine < group:
            number, moment = number + 1, 0
        elif mine != group and waits(run):
            moment += 1
        group = mine
        yield run, number, moment


def waits(run):
    """True unless fio says that the group was only a group of its own, and ran beside the others."""
    options = run.details.get("options")
    return options is None or "stonewall" in options or "wait_for" in options


def stand_beside(members, samples, workloads):
    words = {}
    for run, _execution, _sample, moment, told in members:
        workload = workloads[run.workload_id]
        texts = words.setdefault(moment, Counter())
        texts[told, workload_words(workload)] += workload.jobs or 1
    for (moment, told), sample in samples.items():
        others = Counter()
        for (other, text), count in words[moment].items():
            if other != told:
                others[text] += count
        sample.beside = ", ".join(f"{count} × {text}" for text, count in sorted(others.items()))[:300]


def workload_words(workload):
    return " ".join(
        filter(
            None,
            (
                workload.pattern or "job",
                bytes_shown(workload.block_bytes) if workload.block_bytes else "",
                f"QD {workload.queue_depth}" if (workload.queue_depth or 0) > 1 else "",
            ),
        )
    )


def part_equal_numbers(Run):
    """Jobs of one execution that printed the same numbers are no copies of each other."""
    seen = Counter()
    copies = Run.objects.exclude(same_as=None).order_by("pk")
    for pk, execution, digest, first in copies.values_list("pk", "execution", "digest", "same_as__execution"):
        # in its own file the first one is not among the copies
        seen[execution, digest] += 1
        count = seen[execution, digest] + (execution == first)
        if count > 1:
            own = hashlib.sha256(f"{digest} {count}".encode()).hexdigest()
            living = Run.objects.filter(
                digest=own, same_as=None, withdrawn_at=None, deleted_at=None
            ).first()
            Run.objects.filter(pk=pk).update(digest=own, same_as=living)


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0011_executions_samples_settings'),
    ]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
