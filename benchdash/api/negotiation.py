"""`?format=`: one that an address has, or a sentence with those that it has."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import Http404
from rest_framework.exceptions import NotFound
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer


class NamedFormats(DefaultContentNegotiation):
    """DRF's own, which says no more than that nothing was found."""

    def filter_renderers(
        self, renderers: Iterable[BaseRenderer], format_: str
    ) -> list[BaseRenderer]:
        try:
            return super().filter_renderers(renderers, format_)
        except Http404:
            known = ", ".join(str(each.format) for each in renderers)
            raise NotFound(f"There is no format “{format_}” at this address: {known}.") from None
