"""Hosts: the machines that runs can be sent to, and the ways to log in to each."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.inventory.models import MachineSnapshot
from benchdash.jobs.models import Job, Target
from benchdash.jobs.queries import with_hosts, with_targets
from benchdash.jobs.targets import approve_key, ask_check
from benchdash.pages.access import needs, person
from benchdash.results.paging import page_of

NEWEST_JOBS = 10
NEWEST_EVENTS = 20


@needs(Role.VIEWER)
def hosts(request: HttpRequest) -> HttpResponse:
    """All hosts, the newest first, and how each stands."""
    return render(request, "hosts/list.html", {"page": page_of(with_targets(), request.GET)})


@needs(Role.VIEWER)
def host(request: HttpRequest, pk: int) -> HttpResponse:
    """One host: its targets, its newest jobs, its history."""
    found = get_object_or_404(with_targets(), pk=pk)
    jobs = with_hosts(Job.objects.filter(nodes__target__host=found).distinct())
    snapshots = MachineSnapshot.objects.filter(host=found).prefetch_related("environments__names")
    context = {
        "host": found,
        "jobs": jobs.order_by("-pk")[:NEWEST_JOBS],
        "snapshot": snapshots.order_by("-pk").first(),
        "events": found.events.select_related("by")[:NEWEST_EVENTS],
    }
    return render(request, "hosts/host.html", context)


@needs(Role.VIEWER)
def target_state(request: HttpRequest, pk: int) -> HttpResponse:
    """One target as a part of its host's page, which asks for it while a check goes on."""
    return render(request, "hosts/target.html", {"target": _target(pk)})


@needs(Role.OPERATOR)
@require_POST
def check_target(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask a worker to log in and look, at the storage under a path too where one is given."""
    target = _target(pk)
    try:
        ask_check(target, person(request), request.POST.get("path", ""))
    except Refused as refused:
        messages.error(request, refused.sentence)
    return redirect("host", target.host_id)


@needs(Role.OPERATOR)
@require_POST
def approve_host_key(request: HttpRequest, pk: int) -> HttpResponse:
    """Trust the key whose fingerprint was shown."""
    target = _target(pk)
    try:
        approve_key(target, request.POST.get("fingerprint", ""), person(request))
        messages.success(request, _("This key is trusted from now on, and no other."))
    except Refused as refused:
        messages.error(request, refused.sentence)
    return redirect("host", target.host_id)


def _target(pk: int) -> Target:
    known = Target.objects.select_related("host", "jump__host", "pinned_by").defer("secret")
    return get_object_or_404(known, pk=pk)
