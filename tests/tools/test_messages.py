"""What people read is collected by gettext's markers."""

from __future__ import annotations

from io import BytesIO

import pytest
from babel.messages.extract import extract

from tools.messages import KEYWORDS


@pytest.mark.parametrize(
    "source",
    [
        'raise Refused("line {line}: no “{name}”", "names", line=3, name=name)',
        'raise ParseError("line {line}: no " "“{name}”", line=3, name=name)',
        'problems.append(N_("line {line}: no “{name}”", line=3, name=name))',
        'return near(N_("line {line}: no “{name}”", line=3, name=name), name, known)',
        'raise Refused(_("line {line}: no “{name}”").format(line=3, name=name), "names")',
    ],
)
def test_a_marked_template_is_collected(source):
    found = extract("python", BytesIO(source.encode()), KEYWORDS)
    assert [text for _, text, _, _ in found] == ["line {line}: no “{name}”"]
