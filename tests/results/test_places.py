"""Sweeps of three factors: which is drawn along the axis, in colours, as charts of their own; and what was not run."""

from __future__ import annotations

from itertools import product

import pytest

from benchdash.jobs.models import Job, JobStep, Plan
from benchdash.results.comparison import compare
from benchdash.results.criteria import read_query
from tests.measured import a_configuration, a_run, an_environment

pytestmark = pytest.mark.django_db

READ = "rand_read.iops.mean"
LAYERS = "layer.disk.scheduler,layer.fs.options,layer.md.stripe"


def swept(name="array", depths=(1, 4, 16, 64), jobs=(1, 2, 4), blocks=(4096, 65536), without=()):
    array = a_configuration(name)
    for depth, count, block in product(depths, jobs, blocks):
        if (depth, count, block) not in without:
            axes = {"queue_depth": depth, "jobs": count, "block_bytes": block}
            a_run(array, {READ: 1000.0 * depth * count}, workload={"pattern": "randread", **axes})
    return array


def arrays():
    for scheduler, options, stripe in product(("bfq", "none"), ("noatime", "discard"), (1, 2, 4)):
        facets = {"disk__scheduler": scheduler, "fs__options": options, "md__stripe": stripe}
        name = f"{scheduler} {options} {stripe}"
        yield a_run(a_configuration(name, **facets), {READ: 1000.0 * stripe})


def compared(query):
    return compare(read_query(query)).view


def figure(query):
    return compared(query).sections[0].figures[0]


def test_lines_run_along_the_number_of_most_values_and_the_third_factor_parts_them():
    found = figure(f"configuration={swept().pk}")
    assert (found.chart, len(found.rows[0].at)) == ("lines", 3)
    at = [place for place in range(3) if place not in (found.along, *found.parted_by)]
    texts = [[row.at[place].text for row in found.rows] for place in (found.along, *at)]
    assert sorted(set(texts[0])) == ["1", "16", "4", "64"]
    # a line keeps its colour in all charts
    colours = {(text, row.slot) for text, row in zip(texts[1], found.rows, strict=True)}
    assert len(colours) == len(set(texts[1])) == len({slot for _text, slot in colours})


def test_two_factors_make_no_parts():
    assert figure(f"configuration={swept(blocks=(4096,)).pk}").parted_by == ()


def test_names_alone_are_rows_colours_and_parts():
    list(arrays())
    found = figure(f"tool=fio&group={LAYERS}&chart=boxes")
    assert (found.chart, found.parted_by) == ("boxes", (2,))
    found = figure(f"tool=fio&group={LAYERS}")
    assert (found.chart, found.along, found.parted_by) == ("lines", 2, (1,))
    assert figure(f"tool=fio&group={LAYERS}&chart=heat").chart == "heat"


def test_few_of_all_combinations_are_no_grid():
    for nth in range(4):
        facets = {"disk__scheduler": f"s{nth}", "fs__options": f"o{nth}", "md__stripe": nth}
        a_run(a_configuration(f"array {nth}", **facets), {READ: 1.0 + nth})
    found = compared(f"tool=fio&group={LAYERS}")
    assert found.sections[0].figures[0].parted_by == ()
    assert found.cells is None


def test_a_plan_of_layer_options_is_grouped_by_them():
    plan = Plan.objects.create(title="Options", recipe_name="fio", recipe="")
    for position, run in enumerate(arrays()):
        job = Job.objects.create(plan=plan, position=position, round=1, state=Job.State.DONE)
        JobStep.objects.create(
            job=job, position=0, name="fio", command="fio", timeout_s=60, artifact=run.artifact
        )
    assert compared(f"plan={plan.pk}").group == tuple(LAYERS.split(","))
    # whoever named configurations finds their names elsewhere
    assert compared("tool=fio").group == ("configuration",)


def test_plans_of_several_hosts_are_grouped_by_these_and_not_by_what_they_happen_to_differ_in():
    plan = Plan.objects.create(title="Each host", recipe_name="fio", recipe="")
    loops = [
        (a_configuration(f"loop of {host}", loop__nr_requests=n), an_environment(host, host))
        for host, n in (("alpha", 24), ("beta", 128))
    ]
    for position, (loop, environment) in enumerate(loops * 2):
        run = a_run(loop, {READ: 1000.0}, environment=environment)
        job = Job.objects.create(plan=plan, position=position, round=1, state=Job.State.DONE)
        JobStep.objects.create(
            job=job, position=0, name="fio", command="fio", timeout_s=60, artifact=run.artifact
        )
    view = compared(f"plan={plan.pk}")
    assert (view.group, [group.label for group in view.groups]) == (("host",), ["alpha", "beta"])


def test_cells_that_were_not_run_are_counted_and_named():
    array = swept(without=((64, 4, 4096), (64, 4, 65536)))
    cells = compared(f"configuration={array.pk}").cells
    assert (cells.not_run, cells.of) == (2, 24)
    assert all("Queue depth 64" in name and "Jobs 4" in name for name in cells.names)
    assert compared(f"configuration={swept('whole').pk}").cells is None


def test_what_tools_do_not_have_in_common_is_no_sweep_with_holes():
    runs = [
        a_run(values={READ: 1000.0 * number}, workload={"pattern": pattern, "duration_s": number})
        for number, pattern in ((1, "randread"), (2, "randread"), (2, "randwrite"))
    ]
    picked = "runs=" + ",".join(str(run.pk) for run in runs)
    assert compared(f"{picked}&group=workload.pattern,workload.duration_s").cells.not_run == 1
    other = a_run(values={"trans.rate.mean": 9.0}, workload={"duration_s": 2}, tool="pgbench")
    both = f"{picked},{other.pk}&group=workload.pattern,workload.duration_s"
    assert compared(both).cells is None


def test_what_some_outputs_do_not_state_and_a_pair_of_files_are_no_sweep_with_holes():
    by = "&group=workload.queue_depth,workload.block_bytes"
    cells = [(1, 4096), (8, 65536), (1, 65536)]
    runs = [
        a_run(values={READ: 1e3}, workload={"queue_depth": depth, "block_bytes": size}).pk
        for depth, size in cells
    ]
    assert compared("runs=" + ",".join(map(str, runs)) + by).cells.not_run == 1
    assert compared(f"runs={runs[0]},{runs[1]}{by}").cells is None
    unstated = a_run(values={READ: 1e3}, workload={"block_bytes": 4096})
    assert compared(f"runs={runs[0]},{runs[2]},{unstated.pk}{by}").cells is None
