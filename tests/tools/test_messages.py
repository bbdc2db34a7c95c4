"""What people read is collected by gettext's markers."""

from __future__ import annotations

import pytest

from tools.messages import texts_of_code


@pytest.mark.parametrize(
    "source",
    [
        'raise Refused("line {line}: no “{name}”", "names", line=3, name=name)',
        'raise ParseError("line {line}: no " "“{name}”", line=3, name=name)',
        'problems.append(N_("line {line}: no “{name}”", line=3, name=name))',
        'return near(N_("line {line}: no “{name}”", line=3, name=name), name, known)',
        'raise Refused(_("line {line}: no “{name}”").format(line=3, name=name), "names")',
        'raise Refused(N_("line {line}: no “{name}”", line=3, name=name))',
        'raise Refused(near(N_("line {line}: no “{name}”"), name, known), "names")',
        "yield f\"{_('line {line}: no “{name}”')}: {name}\"",
        'raise Refused(sentence or _("line {line}: no “{name}”"))',
    ],
)
def test_a_marked_template_is_collected(source):
    assert list(texts_of_code(source)) == [("line {line}: no “{name}”", None)]


def test_one_of_two_texts_is_no_text_of_both():
    source = 'Refused("no name" if first else near(N_("no such name"), name), N_("names"))'
    found = {text for text, _context in texts_of_code(source)}
    assert found == {"no name", "no such name", "names"}


def test_plurals_and_contexts_are_kept():
    source = 'npgettext("load", "{n} job", "{n} jobs", n), pgettext("step", "measure")'
    assert list(texts_of_code(source)) == [
        (("{n} job", "{n} jobs"), "load"),
        ("measure", "step"),
    ]
