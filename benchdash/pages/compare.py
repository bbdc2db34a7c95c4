"""The compare page: its address is its whole state."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.pages.access import needs
from benchdash.pages.compare_form import form_context
from benchdash.pages.comparing import shown, stacks_of
from benchdash.results.comparison import compare
from benchdash.results.comparison.choices import choices
from benchdash.results.criteria import read_criteria


@needs(Role.VISITOR)
def compare_page(request: HttpRequest) -> HttpResponse:
    """Runs side by side as the address asks; what makes no sense is said, with a way on."""
    try:
        criteria = read_criteria(dict(request.GET.lists()))
        if _has_blanks(request):
            return redirect(f"{reverse('compare')}?{criteria.query()}")
        comparison = compare(criteria, binary=getattr(request.user, "binary_units", False))
    except Refused as refused:
        return render(request, "compare/refused.html", {"refused": refused}, status=422)
    context = shown(comparison) | form_context(comparison, choices(criteria))
    context |= stacks_of(comparison)
    return render(request, "compare/page.html", context)


def _has_blanks(request: HttpRequest) -> bool:
    """True for fields that a form sent although nobody filled them in: they leave the address."""
    return any(not value.strip() for _name, values in request.GET.lists() for value in values)
