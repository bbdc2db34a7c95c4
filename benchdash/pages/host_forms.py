"""Making, changing and removing hosts and the ways to log in to them."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.inventory.models import Host
from benchdash.inventory.records import change_host, record_host
from benchdash.jobs.models import Target
from benchdash.jobs.targets import ask_check, remove_host, remove_target, save_target
from benchdash.pages.access import needs, person
from benchdash.pages.target_form import HostForm, NewHostForm, TargetForm, initial_of


@needs(Role.ADMIN)
def new_host(request: HttpRequest) -> HttpResponse:
    """A host with its first target, looked at right away."""
    form = NewHostForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect("host", _made(form, request).host_id)
        except Refused as refused:
            form.add_error(refused.field or None, refused.sentence)
    return render(request, "hosts/edit_target.html", {"form": form})


@transaction.atomic
def _made(form: NewHostForm, request: HttpRequest) -> Target:
    said = form.cleaned_data
    if Host.objects.filter(name=said["name"], targets__isnull=False).exists():
        raise Refused(_("There is a host of this name: add a target on its page."), "name")
    host = record_host(said["name"], said["notes"])
    target = save_target(Target(host=host), form.login(), person(request))
    ask_check(target, person(request))
    return target


@needs(Role.ADMIN)
def edit_host(request: HttpRequest, pk: int) -> HttpResponse:
    """Another name or other notes; `remove` where nothing hangs on it."""
    host = get_object_or_404(Host, pk=pk)
    form = HostForm(request.POST or None, initial={"name": host.name, "notes": host.notes})
    try:
        if "remove" in request.POST:
            remove_host(host)
            messages.success(request, _("The host is removed."))
            return redirect("hosts")
        if request.method == "POST" and form.is_valid():
            change_host(host, **form.cleaned_data)
            return redirect("host", pk)
    except Refused as refused:
        form.add_error(refused.field or None, refused.sentence)
    return render(request, "hosts/edit_host.html", {"form": form, "host": host})


@needs(Role.ADMIN)
def new_target(request: HttpRequest, pk: int) -> HttpResponse:
    """One more way to log in."""
    return _edited(request, Target(host=get_object_or_404(Host, pk=pk)))


@needs(Role.ADMIN)
def edit_target(request: HttpRequest, pk: int) -> HttpResponse:
    """The same form for one that is there; `remove` where nothing hangs on it."""
    target = get_object_or_404(Target.objects.select_related("host"), pk=pk)
    if "remove" not in request.POST:
        return _edited(request, target)
    try:
        remove_target(target, person(request))
        messages.success(request, _("The target is removed."))
    except Refused as refused:
        messages.error(request, refused.sentence)
    return redirect("host", target.host_id)


def _edited(request: HttpRequest, target: Target) -> HttpResponse:
    initial = initial_of(target) if target.pk else None
    form = TargetForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            saved = save_target(target, form.login(), person(request))
            ask_check(saved, person(request))
            return redirect("host", target.host_id)
        except Refused as refused:
            form.add_error(refused.field or None, refused.sentence)
    return render(request, "hosts/edit_target.html", {"form": form, "target": target})
