"""The text of a recipe is read, or refused with the line and what is wrong there."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchdash.errors import Refused
from benchdash.recipes import Node, Place, load, render
from benchdash.recipes.reading import with_scripts

MINIMAL = "name: x\ntitle: X\nmeasure:\n  - name: a\n    argv: [fio]\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "It is empty"),
        ("a: [", "Line 1: this is not YAML"),
        ("a: !!python/object/apply:os.system [id]", "Line 1: tags are not allowed"),
        ("a: &x 1\nb: *x", "anchors and aliases are not allowed"),
        ("[" * 2000, "more than 12 levels"),
        ("name: x\nname: y\n", "Line 2.*“name” is given twice here"),
        ("name: x\n", "a recipe needs “title”"),
        (MINIMAL + "tittle: y\n", r"Line 6 \(tittle\): “tittle” is not known here. Did you mean"),
        (MINIMAL.replace("[fio]", "[fio, {argv: [x], part: first}]"),
         "a “part” is of the values of “each”"),
        (MINIMAL.replace("[fio]", "[fio, {argv: [x], count: n}]"), "the “count” of arguments is"),
        (MINIMAL.replace("[fio]", "[fio, {each: d, part: rest}]") +
         "parameters: {d: {kind: device, many: true, default: ''}}\n",
         "the part must be one of first, all, peers"),
        (MINIMAL.replace("fio", "'{node}'"), "a command must begin with a program name"),
        (MINIMAL.replace("[fio]", "[fio, '{bs}']"), r"Line 5 \(measure\[1\].argv\[2\]\): there is no"),
        (MINIMAL.replace("[fio]", "[fio, '{']"), "a brace that is not part of a placeholder must be doubled"),
        (MINIMAL.replace("[fio]", "[dd, of=/dev/sda]"), "a device is given by a parameter"),
        (MINIMAL.replace("[fio]", "[sh, -c, 'x {node}']"), "a script has no placeholders"),
        (MINIMAL.replace("[fio]", "[sh, -ec, '{node}']"), "a script has no placeholders"),
        (MINIMAL.replace("[fio]", "[env, bash, -c, '{node}']"), "a script has no placeholders"),
        (MINIMAL.replace("[fio]", "[python3, -c, '{node}']"), "a script has no placeholders"),
        (MINIMAL.replace("[fio]", "[dd, 'of=$(cat {node})']"), "a script has no placeholders"),
        (MINIMAL.replace("[fio]", "[pgbench, -h, '{c}']") +
         "parameters: {c: {kind: text, default: x}}\n",
         "what a tool connects to is a parameter of kind server: c"),
        (MINIMAL.replace("[fio]", "[fio, '{c:first}']") +
         "parameters: {c: {kind: server, default: x}}\n", "“first” is not a format of c"),
        (MINIMAL.replace("[fio]", "[fio, '{work:given}']"), "“given” is not a format of work"),
        (MINIMAL.replace("[fio]", "[{split: c}]") + "parameters: {c: {kind: text, default: x}}\n",
         "is for admins"),
        (MINIMAL + "parameters:\n  a: {kind: sice, default: 1}\n", "“kind” must be one of"),
        (MINIMAL + "parameters:\n  a: {kind: size, default: 1, minimum: 4K}\n", "at least 4K"),
        (MINIMAL + "parameters:\n  a: {kind: integer}\n", "an “example” is needed"),
        (MINIMAL + "factors: {a: [1]}\n", "“a” is not known here"),
        (MINIMAL + "repeats: 0\n", "a whole number above zero"),
        ("x" * 100_001, "at most 100000 characters"),
        ("a: \x07", "a character that YAML forbids"),
    ],
)  # fmt: skip
def test_a_recipe_is_refused_with_line_and_place(text, sentence):
    with pytest.raises(Refused, match=sentence):
        load(text)


@settings(max_examples=100)
@given(st.text(max_size=300) | st.binary(max_size=300).map(lambda b: MINIMAL + b.decode("latin-1")))
def test_any_text_is_a_recipe_or_is_refused(text):
    with suppress(Refused):
        load(text)


SCRIPTS = files("benchdash.recipes") / "scripts"


def test_a_script_that_recipes_share_is_part_of_the_text_of_each():
    step = "    argv:\n      - sh\n      - -c\n      - |-\n        #include empty-folder.sh\n"
    recipe = load(with_scripts(MINIMAL.replace("    argv: [fio]\n", step)))
    assert "#include" not in recipe.text
    script = (SCRIPTS / "empty-folder.sh").read_text()
    (run,) = render(recipe, {}, Place("/var/tmp/bench/4f1e", {"node-a": Node()}))
    assert run.argv == ("sh", "-c", script.rstrip("\n"))


def test_no_script_is_there_for_nothing_and_a_shell_reads_each():
    recipes = [one.read_text() for one in SCRIPTS.parent.joinpath("builtin").iterdir()]
    for script in SCRIPTS.iterdir():
        assert any(f"#include {script.name}\n" in text for text in recipes)
        subprocess.run(["sh", "-n", script], check=True)
