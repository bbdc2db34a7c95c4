"""What is read of a request before its view: the format, the JSON body, the page of a list."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import IO, Any

from django.http import Http404, QueryDict
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound, ParseError, ValidationError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.pagination import CursorPagination
from rest_framework.parsers import JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.serializers import DictField, ListField, ListSerializer, Serializer
from rest_framework.settings import api_settings

from benchdash.errors import N_, Refused, UnknownName
from benchdash.results.ids import read_id
from benchdash.vocabulary.near import near

URL_FORMAT_OVERRIDE = str(api_settings.URL_FORMAT_OVERRIDE)


def validated(
    form_class: type[Serializer[Any]], sent: Any, *, partial: bool = False
) -> dict[str, Any]:
    """A body as values; ValidationError names the fields that are wrong, Refused one that is unknown."""
    form = form_class(data=sent, partial=partial)
    refuse_unknown(form, sent)
    form.is_valid(raise_exception=True)
    return dict(form.validated_data)


def validated_query(form_class: type[Serializer[Any]], request: Request) -> dict[str, Any]:
    """A query string as values; ValidationError names those that are wrong, UnknownName an unknown one."""
    form = form_class(data=request.query_params)
    known = [*form.fields, URL_FORMAT_OVERRIDE]
    for name in request.query_params:
        if name not in known:
            sentence = N_("This address has no “{name}”.", name=name)
            raise UnknownName(near(sentence, name, known, known), name)
    form.is_valid(raise_exception=True)
    return dict(form.validated_data)


def refuse_unknown(form: Any, sent: Any, path: str = "") -> None:
    """Refused for the first name in a body that no field has, with the nearest; parts of it too."""
    if isinstance(form, ListSerializer | ListField):
        for number, each in enumerate(sent if isinstance(sent, list) else ()):
            refuse_unknown(form.child, each, f"{path}.{number}")
        return
    if not isinstance(form, Serializer) or not isinstance(sent, Mapping):
        return
    for name in sent:
        first, _dot, rest = str(name).partition(".")
        place = f"{path}.{name}".removeprefix(".")
        # a form has no dictionaries: it has `setting.guests`
        if isinstance(sent, QueryDict) and isinstance(form.fields.get(first), DictField):
            if not rest:
                raise Refused("“{name}” needs the name of what it is about.", place, name=name)
        elif name not in form.fields:
            sentence = N_("There is no field “{name}”.", name=name)
            raise Refused(near(sentence, first, form.fields, form.fields), place)
        else:
            refuse_unknown(form.fields[name], sent[name], place)


class TextJSONParser(JSONParser):
    """JSON of which every text can be answered with, and whose depth can be followed."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            sent = super().parse(stream, media_type, parser_context)
            json.dumps(sent, ensure_ascii=False).encode()
        except RecursionError:
            raise ParseError(_("The JSON is nested too deeply.")) from None
        except UnicodeEncodeError:
            raise ParseError(
                _("A JSON string contains half a character: a lone surrogate, \\ud800 to \\udfff.")
            ) from None
        return sent


class NamedFormats(DefaultContentNegotiation):
    """DRF's own gives a bare 404; this one names the formats that there are."""

    def filter_renderers(
        self, renderers: Iterable[BaseRenderer], format_: str
    ) -> list[BaseRenderer]:
        try:
            return super().filter_renderers(renderers, format_)
        except Http404:
            known = ", ".join(str(each.format) for each in renderers)
            sentence = _("There is no format “{format}” at this address: {known}.")
            if "/" in format_:  # as the runs' own are written
                sentence += " " + _("The format of runs is the filter “output_format”.")
            raise NotFound(sentence.format(format=format_, known=known)) from None


class NewestFirst(CursorPagination):
    """`?cursor=` of the answer's `next`; `?page_size=` up to 500."""

    ordering = "-pk"
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 500

    def get_page_size(self, request: Request) -> int:
        """The rows of a page; 400 where they are no number, and at most 500."""
        size = request.query_params.get(self.page_size_query_param)
        if size is not None and read_id(size) is None:
            raise ValidationError({self.page_size_query_param: _("Say how many rows, at least 1.")})
        return super().get_page_size(request) or self.page_size
