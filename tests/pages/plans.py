"""The form of a plan, filled in."""

from __future__ import annotations

from benchdash.jobs.models import Plan


def filled_in(target, **changes):
    return {
        "node-a": target.pk,
        "repeats": "2",
        "p-rw": "randwrite",
        "p-bs": "4K",
        "p-size": "64M",
        "p-runtime": "5s",
        "p-numjobs": "1",
        "p-ioengine": "psync",
        "f-iodepth": "1\n8\n",
    } | changes


def planned(operator, target, recipe="fio", **changes):
    answer = operator.post(f"/plans/new/{recipe}/", filled_in(target, **changes), follow=True)
    return answer, Plan.objects.order_by("pk").last()
