"""Hosts: the machines that runs can be sent to, how to log in to each, and their import."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.inventory.models import Host, MachineSnapshot
from benchdash.inventory.records import LONGEST_HOST, change_host, checked_name, record_host
from benchdash.jobs.importing import found_hosts, found_keys, make_found, pin_found
from benchdash.jobs.models import Job, Target
from benchdash.jobs.openssh import unread
from benchdash.jobs.queries import listed, runs_on, with_targets
from benchdash.jobs.targets import (
    approve_key,
    login_values,
    refuse_name_of_results,
    remove_host,
    remove_target,
    request_check,
    save_target,
)
from benchdash.pages.access import needs, person
from benchdash.pages.history import of_record
from benchdash.pages.job_rows import job_rows
from benchdash.pages.run_rows import LISTED, run_rows
from benchdash.pages.target_form import HostForm, NewHostForm, TargetForm
from benchdash.results.ids import read_ids
from benchdash.results.language import in_language
from benchdash.results.paging import page_of
from benchdash.results.sorting import one_per_sample

NEWEST_JOBS = 10
NEWEST_RUNS = 10
NEWEST_EVENTS = 20


@needs(Role.VIEWER)
def hosts(request: HttpRequest) -> HttpResponse:
    """All hosts, the newest first, and how each stands."""
    return render(request, "hosts/list.html", {"page": page_of(with_targets(), request.GET)})


@needs(Role.VIEWER)
def host(request: HttpRequest, pk: int) -> HttpResponse:
    """One host: its targets, its newest jobs and runs, its history."""
    found = get_object_or_404(with_targets(), pk=pk)
    jobs = listed(Job.objects.filter(nodes__target__host=found).distinct())
    runs = LISTED.filter(pk__in=runs_on(found).values("pk"))
    snapshots = MachineSnapshot.objects.filter(host=found).prefetch_related("environments__names")
    context = {
        "host": found,
        "jobs": job_rows(jobs.order_by("-pk")[:NEWEST_JOBS]),
        "rows": run_rows(request, one_per_sample(runs).order_by("-pk")[:NEWEST_RUNS], slim=True),
        "snapshot": snapshots.order_by("-pk").first(),
        "events": found.events.select_related("by")[:NEWEST_EVENTS],
        **of_record(request, host=found.name),
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
        request_check(target, person(request), request.POST.get("path", ""))
    except Refused as refused:
        messages.error(request, in_language(refused.sentence))
    return redirect("host", target.host_id)


@needs(Role.OPERATOR)
@require_POST
def approve_host_key(request: HttpRequest, pk: int) -> HttpResponse:
    """Trust the key whose fingerprint was shown."""
    target = _target(pk)
    try:
        approve_key(target, request.POST.get("fingerprint", ""), person(request))
        messages.success(request, gettext("From now on, only this key is trusted."))
    except Refused as refused:
        messages.error(request, in_language(refused.sentence))
    return redirect("host", target.host_id)


def _target(pk: int) -> Target:
    known = Target.objects.select_related("host", "jump__host", "pinned_by").defer("secret")
    return get_object_or_404(known, pk=pk)


@needs(Role.ADMIN)
def new_host(request: HttpRequest) -> HttpResponse:
    """A host with its first target, looked at right away."""
    form = NewHostForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = _made(form, request)
            _announce_next_step(form, request)
            return redirect("host", made.host_id)
        except Refused as refused:
            form.add_error(refused.field or None, refused.sentence)
    return render(request, "hosts/edit_target.html", {"form": form})


@transaction.atomic
def _made(form: NewHostForm, request: HttpRequest) -> Target:
    values = form.cleaned_data
    name = checked_name(values["name"], LONGEST_HOST)
    if Host.objects.filter(name=name, targets__isnull=False).exists():
        raise Refused(
            gettext("There is already a host with this name: add a target on its page."), "name"
        )
    refuse_name_of_results(name)
    host = record_host(name, values["notes"])
    target = save_target(Target(host=host), form.login(), person(request))
    request_check(target, person(request))
    return target


@needs(Role.ADMIN)
def edit_host(request: HttpRequest, pk: int) -> HttpResponse:
    """Another name or other notes; `remove` where nothing hangs on it."""
    host = get_object_or_404(Host, pk=pk)
    form = HostForm(request.POST or None, initial={"name": host.name, "notes": host.notes})
    try:
        if "remove" in request.POST:
            remove_host(host)
            messages.success(request, gettext("The host was removed."))
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
        messages.success(request, gettext("The target was removed."))
    except Refused as refused:
        messages.error(request, in_language(refused.sentence))
    return redirect("host", target.host_id)


def _edited(request: HttpRequest, target: Target) -> HttpResponse:
    initial = login_values(target) if target.pk else None
    form = TargetForm(request.POST or None, initial=initial)
    form.exclude_as_jump(target)
    if request.method == "POST" and form.is_valid():
        try:
            saved = save_target(target, form.login(), person(request))
            request_check(saved, person(request))
            _announce_next_step(form, request)
            return redirect("host", target.host_id)
        except Refused as refused:
            form.add_error(refused.field or None, refused.sentence)
    return render(request, "hosts/edit_target.html", {"form": form, "target": target})


def _announce_next_step(form: TargetForm, request: HttpRequest) -> None:
    if form.makes_key:
        sentence = gettext("A key pair was made: run the command below on the host, then check.")
        messages.success(request, sentence)


LARGEST_FILE = 1_000_000


class ImportForm(forms.Form):
    """A file of OpenSSH, pasted or chosen."""

    kind = forms.ChoiceField(
        label=_("Kind of file"),
        choices=[
            ("ssh_config", _("ssh_config: hosts and how to reach them")),
            ("known_hosts", _("known_hosts: host keys of registered targets")),
        ],
    )
    text = forms.CharField(
        label=_("Contents"),
        required=False,
        strip=False,
        max_length=LARGEST_FILE,
        widget=forms.Textarea({"rows": 12, "class": "code", "spellcheck": "false"}),
    )
    file = forms.FileField(label=_("Or a file"), required=False)
    user = forms.CharField(label=_("User if the file gives none"), required=False, max_length=64)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if sent := values.get("file"):
            if sent.size > LARGEST_FILE:
                sentence = gettext("The file is larger than {size}: paste the part that matters.")
                self.add_error("file", sentence.format(size=filesizeformat(LARGEST_FILE)))
                return values
            values["text"] = sent.read().decode("utf-8", "replace")
        if not values.get("text", "").strip():
            self.add_error("text", gettext("Paste the text, or choose a file."))
        return values


@needs(Role.ADMIN)
def import_hosts(request: HttpRequest) -> HttpResponse:
    """The first POST shows what would be done, the second (`chosen`) does it."""
    form = ImportForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"form": form}
    if request.method == "POST" and form.is_valid():
        try:
            if "do" in request.POST:
                messages.success(request, _done(form.cleaned_data, request))
                return redirect("hosts")
            context |= _preview(form.cleaned_data)
        except Refused as refused:
            form.add_error("text", refused.sentence)
    return render(request, "hosts/import.html", context)


def _preview(values: dict[str, Any]) -> dict[str, Any]:
    if values["kind"] == "known_hosts":
        return {"keys": found_keys(values["text"]), "values": values}
    return {
        "hosts": found_hosts(values["text"], values["user"]),
        "unread": unread(values["text"]),
        "values": values,
    }


def _done(values: dict[str, Any], request: HttpRequest) -> str:
    chosen = request.POST.getlist("chosen")
    if values["kind"] == "known_hosts":
        count = pin_found(values["text"], read_ids(chosen), person(request))
        return ngettext("{n} host key pinned.", "{n} host keys pinned.", count).format(n=count)
    count = len(make_found(values["text"], chosen, person(request), values["user"]))
    return ngettext(
        "{n} target added: paste its key on its page.",
        "{n} targets added: paste their keys on their pages.",
        count,
    ).format(n=count)
