"""Settings as people type them: `guests=4, caches_dropped=yes`."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from benchdash.errors import Refused
from benchdash.vocabulary.settings import Settings, settings_from_text

LONGEST = 2000


class SettingsField(forms.CharField):
    """Settings by name; a sentence where they cannot be read."""

    def clean(self, value: str) -> Settings:
        text = super().clean(value)
        try:
            return settings_from_text(text)
        except Refused as refused:
            raise forms.ValidationError(refused.sentence) from refused


def settings_field() -> SettingsField:
    """What else was set; it may stay empty."""
    return SettingsField(
        label=_("Settings"),
        required=False,
        max_length=LONGEST,
        help_text=_(
            "Anything else that was set, as NAME=VALUE, separated by commas: guests=4, "
            "cache=dropped. NAME=~ removes a setting."
        ),
        widget=forms.TextInput({"autocomplete": "off"}),
    )
