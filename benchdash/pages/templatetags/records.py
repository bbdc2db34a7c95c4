"""What stands for a record in lists: its name, its state, its tags, its day, and the tray's box."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _

from benchdash.errors import side_by_side
from benchdash.pages.templatetags.words import doubt_title
from benchdash.results.language import in_language
from benchdash.results.models import Run, Upload
from benchdash.results.moments import is_rough
from benchdash.results.run_names import run_name
from benchdash.vocabulary.doubts import Doubt

register = template.Library()
register.filter("run_name", run_name)


@register.filter
def when(moment: datetime | None) -> SafeString:
    """Day and time of day; nothing where there is none."""
    return _time(moment, get_language()) if moment else SafeString()


@register.filter
def day(moment: datetime | None) -> SafeString:
    """The day, with the time of day as its title; nothing where there is none."""
    return _day(moment, get_language()) if moment else SafeString()


# Django takes 20 to 40 µs to format a date, and lists show the same ones again and again
@lru_cache(maxsize=4096)
def _time(moment: datetime, _language: str | None) -> SafeString:
    local = localtime(moment)
    exact = date_format(local, "DATETIME_FORMAT")
    return format_html('<time datetime="{}">{}</time>', local.isoformat(), exact)


@lru_cache(maxsize=4096)
def _day(moment: datetime, _language: str | None) -> SafeString:
    local = localtime(moment)
    exact, text = (date_format(local, name) for name in ("DATETIME_FORMAT", "DATE_FORMAT"))
    line = '<time datetime="{}" title="{}">{}</time>'
    return format_html(line, local.isoformat(), exact, text)


@register.filter
def run_start(run: Run) -> SafeString:
    """When it began, and what is known of that."""
    if run.started_at and is_rough(run.tool, run.tool_version, run.started_at):
        words = _("about {day}: bonnie++ prints the time mixed with a process number")
        return format_html(words, day=day(run.started_at))
    return when(run.started_at)


@register.filter
def run_day(run: Run) -> SafeString:
    """The day on which it was measured; where the output has none, that of storing."""
    if run.started_at:
        return day(run.started_at)
    return format_html("{} {}", _("stored"), day(run.created_at))


@register.filter
def run_badges(run: Run) -> SafeString:
    """Why a run counts in no statistics, or is not compared; nothing for most runs."""
    is_copy = run.same_as_id and not run.is_repeat
    is_assigned = run.configuration_id or run.deleted_at
    # a list asks this of each row, and hardly any has one: texts are looked up where they are shown
    badges = (
        (run.deleted_at, " bad", "", gettext_noop("deleted")),
        (run.withdrawn_at, " warn", "", gettext_noop("withdrawn")),
        (run.error, " bad", "", gettext_noop("failed")),
        (run.set_aside_reason, " warn", run.set_aside_reason, gettext_noop("set aside")),
        (is_copy, "", "", gettext_noop("same result")),
        (not is_assigned, " accent", "", gettext_noop("without configuration")),
    )
    return SafeString(
        " ".join(
            format_html(
                '<span class="badge{}"{}>{}</span>',
                colour,
                format_html(' title="{}"', in_language(title)) if title else "",
                _(text),
            )
            for holds, colour, title, text in badges
            if holds
        )
    )


def doubt_badge(doubts: Iterable[Doubt], address: str) -> SafeString:
    """What speaks against a run in few words, its sentences as title, leading to them."""
    doubts = list(doubts)
    if not doubts:
        return SafeString()
    titles = dict.fromkeys(doubt_title(each.kind) for each in doubts)
    sentences = dict.fromkeys(each.sentence for each in doubts)
    return format_html(
        '<a class="badge warn" href="{}#doubts" title="{}">{}</a>',
        *(address, in_language(side_by_side(sentences, "\n")), " · ".join(titles)),
    )


_COLOURS: dict[str, str] = {
    Upload.Outcome.STORED: "good",
    Upload.Outcome.REFUSED: "bad",
    Upload.Outcome.WAITING: "warn",
}


@register.filter
def upload_badge(upload: Upload) -> SafeString:
    """What became of a file, in its colour."""
    colour = _COLOURS.get(upload.outcome, "")
    # `get_outcome_display` reads all choices anew, each time
    return format_html(
        '<span class="badge {}">{}</span>', colour, Upload.Outcome(upload.outcome).label
    )


@register.filter
def tag_links(names: Iterable[Any]) -> SafeString:
    """The tags, each with the way to the runs that have it."""
    return SafeString("".join(tag_badges(names)))


def tag_badges(names: Iterable[Any]) -> list[SafeString]:
    """The same one by one."""
    runs = reverse("runs")
    link = '<a class="badge tag" href="{}?tag={}">{}</a>'
    return [format_html(link, runs, quote(str(name)), name) for name in names]


_SHOWN = '<input type="hidden" form="take" name="shown_{0}" value="{1}">'
_BOX = '<input type="checkbox" form="take" name="{0}" value="{1}" autocomplete="off" data-tick{2}'
_NAMED_BOX = _SHOWN + _BOX + ' aria-label="{3}">'
_WORDED_BOX = _SHOWN + '<label class="button take-label">' + _BOX + "> {3}</label>"


@register.simple_tag(takes_context=True)
def tick(context: Context, kind: str, pk: int, name: str = "", *, worded: bool = False) -> str:
    """The box that puts one of the `runs` or `configurations` into the tray."""
    is_ticked = pk in getattr(context["tray"], kind)
    checked = " checked" if is_ticked else ""
    if worded:
        return format_html(_WORDED_BOX, kind, pk, checked, _("Add to the tray"))
    if not name:
        return run_ticks()(pk, is_ticked)
    label = _("Add %(name)s to the tray") % {"name": name}
    return format_html(_NAMED_BOX, kind, pk, checked, label)


def run_ticks() -> Callable[[int, bool], SafeString]:
    """The box of a run by its number, ticked or not, for long lists: only digits differ."""
    label = escape(_("Add run %(number)s to the tray"))

    def box(pk: int, is_ticked: bool) -> SafeString:
        checked = " checked" if is_ticked else ""
        return SafeString(_NAMED_BOX.format("runs", pk, checked, label % {"number": pk}))

    return box
