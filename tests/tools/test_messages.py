"""What people read is collected by gettext's markers, and from the scripts that say sentences."""

from __future__ import annotations

from io import BytesIO

import pytest
from babel.messages.extract import extract

from tools.messages import KEYWORDS, sentences_of_script


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


def test_a_shell_script_says_sentences_too():
    script = """
      say "$dev is held by $held"
      *) say "$dev is opened by dm-crypt ($(cat "$holder/dm/name"))" ;;
      swap) echo "is swap by its signature" ;;
      printf '%s\\n' "$dev and $dev are alike$end$rest"
      command -v "$1" >/dev/null
    """
    assert list(sentences_of_script(script)) == [
        "{dev} is held by {held}",
        "{dev} is opened by dm-crypt ({value})",
        "{name} is swap by its signature",
        "{dev} and {dev2} are alike{end}",
    ]
