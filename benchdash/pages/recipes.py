"""Own recipes: written or chosen as a file, checked, and offered from then on."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.jobs.models import OwnRecipe
from benchdash.jobs.own_recipes import save_recipe
from benchdash.pages.access import needs, person
from benchdash.recipes.document import LONGEST
from benchdash.results.language import in_language


class RecipeForm(forms.Form):
    """The text of a recipe, pasted or chosen."""

    text = forms.CharField(
        label=gettext_lazy("Contents"),
        required=False,
        strip=False,
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 20, "class": "code", "spellcheck": "false"}),
    )
    file = forms.FileField(label=gettext_lazy("Or a file"), required=False)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        values["name"] = ""
        if file := values.get("file"):
            values["name"] = file.name
            values["text"] = file.read(4 * LONGEST).decode("utf-8", "replace")
        if not values.get("text", "").strip():
            self.add_error("text", _("Paste the text, or choose a file."))
        return values


@needs(Role.ADMIN)
def new_recipe(request: HttpRequest) -> HttpResponse:
    """One that nobody wrote before."""
    return _edited(request, OwnRecipe())


@needs(Role.ADMIN)
def edit_recipe(request: HttpRequest, pk: int) -> HttpResponse:
    """Another text, or none any more: plans keep theirs."""
    own = get_object_or_404(OwnRecipe, pk=pk)
    if request.method == "POST" and "remove" in request.POST:
        own.delete()
        messages.success(request, _("The recipe was removed; plans keep its text."))
        return redirect("new_plan")
    return _edited(request, own)


def _edited(request: HttpRequest, own: OwnRecipe) -> HttpResponse:
    form = RecipeForm(request.POST or None, request.FILES or None, initial={"text": own.text})
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        try:
            saved = save_recipe(own, values["text"], person(request), values["name"])
            return redirect("fill_in_plan", saved.name)
        except Refused as refused:
            form.add_error("file" if values["name"] else "text", in_language(refused.sentence))
    return render(request, "plans/edit_recipe.html", {"form": form, "own": own})
