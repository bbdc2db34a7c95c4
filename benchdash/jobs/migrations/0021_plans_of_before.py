from secrets import token_hex

from django.db import migrations


def _fill(apps, _schema):
    """Plans of before have all their jobs: what these say of factors, hosts and time is the plan's."""
    plans, jobs, nodes, steps = (
        apps.get_model("jobs", name).objects for name in ("Plan", "Job", "JobNode", "JobStep")
    )
    for plan in plans.only("pk", "factors").iterator():
        plan.key = token_hex(16)
        first = list(
            jobs.filter(plan=plan, round=1, attempt=1)
            .order_by("cell")
            .values_list("pk", "values", "expected_s")
        )
        seconds = [expected for _pk, _values, expected in first]
        plan.cell_count = len(first)
        plan.round_s = None if None in seconds or not seconds else sum(seconds)
        plan.axes = _axes(plan.factors, [values for _pk, values, _expected in first])
        if first:
            of_one = nodes.filter(job=first[0][0]).order_by("pk").select_related("target")
            plan.nodes = [
                {"role": node.role, "target": node.target_id, "folder": node.folder}
                | {"user": node.target.user, "tools": {}}
                for node in of_one
            ]
        touches = steps.filter(job__plan=plan, job__round=1).exclude(touches=[])
        found = {
            (node, touch["kind"], touch["name"]): None
            for node, some in touches.values_list("node", "touches")
            for touch in some
        }
        plan.reaches = [
            {"node": node, "kind": kind, "name": name} for node, kind, name in found
        ]
        plan.save()


def _axes(factors, cells):
    """`[[name, levels], …]`, the one that changes slowest first: the order of a JSON object is lost."""
    axes = []
    for name in factors:
        levels = [values.get(name) for values in cells]
        changes = next((n for n, level in enumerate(levels) if level != levels[0]), 0)
        axes.append((-changes, name, [x for n, x in enumerate(levels) if x not in levels[:n]]))
    return [[name, levels] for _changes, name, levels in sorted(axes, key=lambda axis: axis[:2])]


class Migration(migrations.Migration):
    dependencies = [("jobs", "0020_jobs_as_they_come_up")]
    operations = [migrations.RunPython(_fill, migrations.RunPython.noop)]
