"""People's Markdown as HTML that can do no harm."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import nh3
from django.utils.html import linebreaks
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from benchdash.inventory.records import LONGEST_TEXT

_READER = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
_TAGS = {
    *("p", "br", "hr", "h2", "h3", "h4", "h5", "h6", "strong", "em", "code", "pre", "blockquote"),
    *("ul", "ol", "li", "a", "table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {"a": {"href"}, "ol": {"start"}}
_SCHEMES = {"http", "https", "mailto"}

# a comma or full stop of such a script has its room in itself
_WITHOUT_BLANKS = re.compile("[、。].|[\u3000-\u30ff\u3400-\u9fff\uff00-\uff60]{2}")


@lru_cache(maxsize=128)
def markdown(text: str) -> SafeString:
    """`text` as HTML of a few harmless elements; links open without telling where from.

    Each text is read once, and one that is longer than what people may write is no Markdown: the
    time for hostile Markdown grows with the square of its length.
    """
    if len(text) > LONGEST_TEXT:
        return mark_safe(linebreaks(text, autoescape=True))  # noqa: S308 - escaped there
    html = _READER.render(text)
    clean = nh3.clean(html, tags=_TAGS, attributes=_ATTRIBUTES, url_schemes=_SCHEMES)
    return mark_safe(with_scrolled_tables(clean))  # noqa: S308 - cleaned by nh3 above


def with_scrolled_tables(html: str) -> str:
    """Tables that are too wide for a phone scroll by themselves, by keys too, and not the page."""
    html = html.replace("<table>", '<div class="table-box" tabindex="0"><table>')
    html = html.replace("<th></th>", "<td></td>")  # an empty corner is no heading
    return html.replace("</table>", "</table></div>")


def _end_of_line(_renderer: Any, tokens: Sequence[Token], place: int, *_rest: Any) -> str:
    """A blank between words; nothing between two characters of a script that has no blanks."""
    beside = "".join(token.content[-1:] for token in tokens[place - 1 : place])
    beside += "".join(token.content[:1] for token in tokens[place + 1 : place + 2])
    return "" if _WITHOUT_BLANKS.fullmatch(beside) else "\n"


_READER.add_render_rule("softbreak", _end_of_line)
