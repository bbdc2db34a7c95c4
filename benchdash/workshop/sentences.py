"""The sentences of rooms that know no gettext, as templates: "line {number}: {sentence}".

Read from the syntax tree, never by running it. A sentence is what such a room refuses with, binds
to a name that speaks (`problem`, `unread` …) or returns; a hole is named after what fills it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

_CALLS = re.compile(r"Refused|[A-Z]\w*Error|_?(?:refused?|complain|note|Entry|Member|Condition)")
_NAMES = re.compile(
    r"_?(?:at|complaint|damage|declined|doubt|error|failure|how|more|problems?|reasons?|refusal|rest|times|told|done|sentences?"
    r"|unequal|unread|warning|what|where|wrong|wrong_rate|nothing|note|message|place)",
    re.IGNORECASE,
)
_VALUE = re.compile(r'(\$\w+|\$\{[^}]*\}|\$\((?:"[^"]*"|[^()"])*\))')
_SAYS = re.compile(rf'(say|echo|printf \'%s\\n\') "((?:[^"$]|{_VALUE.pattern[1:-1]})*)"')
_WORDS = re.compile(r"[a-z]{2,}[,;:]? [A-Za-z{“]|[}”] [a-z]{2,}(?:[ ,.:]|$)")
_CODE = re.compile(r"\(\?|[\\$\n]|\[0-9|>/dev| --")


def sentences(source: str) -> Iterator[str]:
    """Each template of a module's text; one that goes on another sentence has that as `{sentence}`."""
    for node in ast.walk(ast.parse(source)):
        for part in _spoken(node):
            for text in _templates(part):
                if _WORDS.search(text) and not _CODE.search(text):
                    yield _whole(text)


def sentences_of_script(script: str) -> Iterator[str]:
    """What sh says: `say "$dev is held by $held"`; an `echo` goes on with `$name`."""
    for verb, words in _SAYS.findall(script):
        subject = "$name " if verb == "echo" else ""
        pieces = [
            piece if place % 2 == 0 else ast.Name(piece[1:] if piece[1:].isidentifier() else "")
            for place, piece in enumerate(_VALUE.split(subject + words))
        ]
        text = _filled([piece for piece in pieces if piece != ""])
        if _WORDS.search(text):
            yield text


def _spoken(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions of a statement or call that are, or hold, sentences."""
    match node:
        case ast.Call(func=ast.Attribute(value=place, attr="append"), args=[said]):
            yield from [said] if _NAMES.fullmatch(_name(place)) else []
        case ast.Call(func=callee, args=args, keywords=keywords):
            yield from args if _CALLS.fullmatch(_name(callee)) else []
            yield from (word.value for word in keywords if _NAMES.fullmatch(word.arg or ""))
        case ast.Assign(targets=[place], value=said) | ast.AugAssign(target=place, value=said):
            yield from [said] if _NAMES.fullmatch(_name(place)) else []
        case ast.Return(value=ast.expr() as said):
            yield said


def _templates(node: ast.expr) -> Iterator[str]:
    """The texts that an expression can be, or that stand in it side by side."""
    match node:
        case ast.IfExp(body=one, orelse=other):
            yield from (*_templates(one), *_templates(other))
        case ast.BoolOp(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            yield from (text for part in parts for text in _templates(part))
        case ast.ListComp(elt=part) | ast.GeneratorExp(elt=part):
            yield from _templates(part)
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr() | ast.BinOp(op=ast.Add()):
            yield _filled([*_pieces(node)])


def _pieces(node: ast.expr) -> Iterator[str | ast.expr]:
    """Literal texts and the expressions between them."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            for part in parts:
                yield from _pieces(part)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from (*_pieces(left), *_pieces(right))
        case ast.FormattedValue(value=value):
            yield value
        case _:
            yield node


def _filled(pieces: list[str | ast.expr]) -> str:
    """The template; holes that touch are one, for nothing tells their values apart."""
    text, names = "", set[str]()
    for piece in pieces:
        if isinstance(piece, str):
            text += piece.replace("{", "{{").replace("}", "}}")
            continue
        if text.endswith("}") and not text.endswith("}}"):
            continue
        stem = _name(piece).strip("_").lower() or "value"
        name = next(n for n in (stem, *(f"{stem}{i}" for i in range(2, 99))) if n not in names)
        names.add(name)
        text += f"{{{name}}}"
    return text


def _name(node: ast.expr) -> str:
    """`name` of `name`, `self.name`, `name[…]`, `name(…)` and `len(name)`; "" of what has none."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=ast.Name(id="len" | "str"), args=[value]):
            return _name(value)
        case ast.Subscript(value=value) | ast.Call(func=ast.Name() as value):
            return _name(value)
    return ""


def _whole(text: str) -> str:
    """ " Did you mean …?" and "Line 3: " go with any sentence; a hint after a full stop is no part."""
    text = re.sub(r"(?<=\.)\{\w+\}$", "", text)
    before = "{sentence}" if text[0] in " ," else ""
    return before + text + ("{sentence}" if text[-1] == " " else "")
