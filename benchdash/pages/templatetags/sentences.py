"""`{{ upload.sentence|sentence }}`: what is stored in English, in the reader's language."""

from __future__ import annotations

from django import template

from benchdash.results.language import in_language
from benchdash.results.study_remarks import remarks_in

register = template.Library()
register.filter("sentence", in_language)
register.filter("remarks", remarks_in)
