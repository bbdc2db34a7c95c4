"""Recipes become exact commands; nothing that anybody typed reaches a shell unquoted."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchdash.errors import Refused
from benchdash.recipes import Node, Place, Touch, builtin, load, outline, render
from benchdash.recipes.tunables import TUNABLES
from benchdash.vocabulary.tools import TOOLS
from tests.devices import sh
from tests.recipes import rendered
from tests.recipes.expanded import expand

RECIPES = {recipe.name: recipe for recipe in builtin()}
TEN = {
    f"node-{letter}": Node("root", known_as=(letter, f"10.0.0.{n}"))
    for n, letter in enumerate("abcdefghij", 1)
}
PLACE = Place("/var/tmp/bench/4f1e", TEN)
SCRIPTS = {
    step.argv[2]
    for name, given_ in (
        ("ceph-rbd-under-kvm", {}), ("sysbench", {}), ("rados", {"pool": "bench"}),
        ("drbd9-transactions", {"place": "local"}),
        ("ext4-lvm-raid6", {"mount_point": "/srv"} | rendered.MADE_ARRAY),
        *(
            ("drbd-on-two-pcs", rendered.given(RECIPES["drbd-on-two-pcs"]) | rendered.MADE_DRBD |
             {"condition": condition})
            for condition in ("local", "drbd-c-two-primaries")
        ),
        *(
            ("drbd-between-zones", rendered.given(RECIPES["drbd-between-zones"]) | storage)
            for storage in (rendered.MADE_DRBD, {"resource": "r0"})
        ),
    )
    for step in render(RECIPES[name], given_, PLACE)
    if step.argv[:2] == ("sh", "-c")
}  # fmt: skip


@pytest.mark.parametrize("name", [*RECIPES, *rendered.OTHERWISE])
def test_every_recipe_renders_as_its_golden_says(name):
    golden = (rendered.GOLDENS / f"{name}.txt").read_text(encoding="utf-8")
    assert rendered.goldens()[name] == golden


@pytest.mark.parametrize("name", RECIPES)
def test_every_word_for_people_is_there_in_both_languages(name):
    recipe = RECIPES[name]
    for words in (recipe.title, recipe.help):
        assert set(words) == {"en", "ja"}
    for parameter in recipe.parameters.values():
        assert set(parameter.label) == {"en", "ja"}
        assert set(parameter.help) in ({"en", "ja"}, set())


@pytest.mark.parametrize("name", RECIPES)
def test_every_cell_of_every_recipe_renders(name):
    recipe = RECIPES[name]
    for cell in expand(recipe, rendered.given(recipe)):
        steps = render(recipe, cell.values, PLACE)
        assert any(step.phase == "measure" for step in steps)
        assert len({step.folder for step in steps}) == len(steps)


def test_an_own_command_can_be_read_as_any_tool():
    assert {*RECIPES["custom"].parameters["tool"].choices} == {"none", *TOOLS}


HOSTILE = st.one_of(
    st.sampled_from(
        ["$(touch broken)", "`touch broken`", "'; touch broken; '", '"; touch broken; "', "a b",
         "a\ntouch broken", "-rf", "--output=/etc/passwd", "\x00", "a\x00b", "/dev/../etc", "/a/../b",
         "{work}", "{{x}}", "%s", "*", "~", "!!", "\\", "a;b|c&d>e", "｀", "\u202e", "/dev/sda; id",
         "10; id", "4K$(id)", "exec_prerun=touch broken", "[x]\nfilename=/dev/sda"]
    ),
    st.text(max_size=40),
)  # fmt: skip


@st.composite
def said(draw):
    """A recipe, and what somebody hostile typed into some of its parameters."""
    recipe = draw(st.sampled_from(list(RECIPES.values())))
    names = draw(st.lists(st.sampled_from(sorted(recipe.parameters)), max_size=3, unique=True))
    return recipe, rendered.given(recipe) | {name: draw(HOSTILE) for name in names}


@settings(max_examples=200)
@given(said())
def test_a_shell_hands_on_every_argument_as_it_was_rendered(case):
    recipe, values = case
    try:
        steps = render(recipe, values, PLACE)
    except Refused:
        return
    for step in steps:
        script = f"printf '%s\\0' {step.command()}"
        echoed = subprocess.run(["sh", "-c", script], capture_output=True, check=True).stdout
        assert echoed.decode().split("\0")[:-1] == list(step.argv)
        assert tuple(shlex.split(step.command())) == step.argv
        if not step.tunable and recipe.name != "custom":
            assert step.argv[0] in ("mkdir", "rm", "chown", "fio", "bonnie++", "dbench", "pgbench",
                                    "rados", "rbd", "sh", "mount", "umount")  # fmt: skip
        if step.argv[:2] == ("sh", "-c") and not step.tunable and recipe.name != "custom":
            assert step.argv[2] in SCRIPTS  # values are arguments of it


ATTACKS = ("$(touch broken)", "`touch broken`", "'; touch broken; '", '"; touch broken; "',
           "x\ntouch broken\n", "-x", "x$(touch broken)/../y")  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("name", ["scheduler", "stripe_cache_size", "mount_options"])
def test_the_scripts_of_tunables_take_arguments_for_what_they_are(
    tmp_path, monkeypatch, name, attack
):
    monkeypatch.chdir(tmp_path)
    for argv in (TUNABLES[name].read(attack), TUNABLES[name].write(attack, attack)):
        assert sh(*argv).returncode != 0
        assert sh("sh", "-c", shlex.join(argv)).returncode != 0
    assert list(tmp_path.iterdir()) == []


def test_a_device_is_touched_and_asked_for_as_root():
    (step,) = render(RECIPES["fio"], {"device": "/dev/sdb", "rw": "write"}, PLACE)
    assert step.touches == (Touch("device", "/dev/sdb"),) and step.root
    assert "--filename=/dev/sdb" in step.argv


def test_an_image_of_ceph_is_touched():
    values = {"ioengine": "rbd", "pool": "bench", "image": "one"}
    (step,) = render(RECIPES["fio"], values, PLACE)
    assert step.touches == (Touch("device", "rbd:bench/one"),)


@pytest.mark.parametrize(
    ("recipe", "values", "name"),
    [
        ("rados", {"pool": "bench", "mode": "seq"}, "rados:bench"),
        ("rbd", {"pool": "bench", "image": "one", "fill": "1G"}, "rbd:bench/one"),
    ],
)
def test_every_step_at_ceph_touches_its_pool_or_image(recipe, values, name):
    steps = render(RECIPES[recipe], values, PLACE)
    assert len(steps) > 1
    assert all(step.touches == (Touch("device", name),) for step in steps)


def test_a_device_in_an_own_command_is_touched():
    (step,) = render(RECIPES["custom"], {"command": "mkfs.ext4 /dev/sdb"}, PLACE)
    assert step.argv == ("mkfs.ext4", "/dev/sdb")
    assert step.touches == (Touch("device", "/dev/sdb"),)


def test_a_folder_elsewhere_is_touched_and_only_an_own_one_in_it_is_removed():
    steps = render(RECIPES["bonnie++"], {"directory": "/mnt/drbd/"}, PLACE)
    assert {touch for step in steps for touch in step.touches} == {Touch("path", "/mnt/drbd")}
    assert steps[-1].argv == ("rm", "-rf", "/mnt/drbd/benchdash-4f1e")
    inside = render(RECIPES["bonnie++"], {"directory": "/var/tmp/bench"}, PLACE)
    assert not any(step.touches for step in inside)
    assert inside[-1].argv == ("rm", "-rf", "/var/tmp/bench/benchdash-4f1e")


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("exec_prerun=touch broken", "“exec_prerun” is not allowed"),
        ("filename=/dev/sda", "a plain name"),
        ("filename=../../etc", "a plain name"),
        ("directory=/etc", "“directory” is not allowed"),
        ("include other.fio", "is not allowed"),
        ("ioengine=exec", "ioengine must be libaio"),
        ("ioengine=external:/tmp/x.so", "a character that is not allowed|ioengine must be"),
        ("size=${HOME}", "a character that is not allowed"),
        ("size=`id`", "a character that is not allowed"),
        ("rww=read", "Did you mean “rw”"),
    ],
)
def test_a_job_file_that_reaches_elsewhere_is_refused_with_its_line(line, wrong):
    values = {"job_file": f"[a]\nrw=read\n{line}\n"}
    with pytest.raises(Refused, match=f"^Line 3 of the job file: .*({wrong})"):
        render(RECIPES["fio-job-file"], values, PLACE)


@settings(max_examples=100)
@given(st.sampled_from(sorted(RECIPES)), HOSTILE)
def test_a_refusal_is_one_readable_line(name, typed):
    recipe = RECIPES[name]
    for parameter in recipe.parameters:
        try:
            recipe.read(rendered.given(recipe) | {parameter: typed})
        except Refused as refused:
            sentence, field = refused.sentence, refused.field
            assert sentence.isprintable() and field == parameter


def test_values_are_refused_with_the_parameter_and_what_it_takes():
    for name, value, sentence in (
        ("rw", "randred", "“randred”: it takes .*Did you mean “randread"),
        ("bs", "12", "a size such as 128K, at least 512, at most 1G"),
        ("runtime", "soon", "a time such as 30s, 10m or 2h, at least 1 s"),
        ("device", "/etc/passwd", "a device such as /dev/sdb"),
        ("device", "/dev/sdb:/dev/sdc", "without a colon"),
        ("directory", "/srv/../etc", "an absolute path"),
        ("iodepth", 0, "at least 1, at most 65536"),
    ):
        with pytest.raises(Refused, match=sentence) as caught:
            RECIPES["fio"].read({name: value})
        assert caught.value.field == name
    with pytest.raises(Refused, match=r"no parameter “iodept”\. Did you mean “iodepth”"):
        RECIPES["fio"].read({"iodept": 1})


@pytest.mark.parametrize("name", ["bonnie++", "drbd-on-two-pcs", "ext4-lvm-raid6"])
def test_files_of_less_than_twice_the_memory_are_refused_as_bonnie_refuses_them(name):
    recipe = RECIPES[name]
    given = rendered.given(recipe)
    place = rendered.PLACE if hasattr(rendered, "PLACE") else PLACE
    with pytest.raises(Refused, match="less than twice the memory") as caught:
        render(recipe, given | {"size": "20M", "ram": "16M"}, place)
    assert caught.value.field == "size"
    for allowed in ({"size": "32M", "ram": "16M"}, {"size": "20M", "ram": ""}):
        render(recipe, given | allowed, place)
    if not recipe.parameters["size"].default:
        render(recipe, given | {"size": "", "ram": "16M"}, place)


def test_what_excludes_each_other_is_refused():
    with pytest.raises(Refused, match="not both"):
        render(RECIPES["fio"], {"device": "/dev/sdb", "filename": "x"}, PLACE)
    recipe = RECIPES["drbd-on-two-pcs"]
    with pytest.raises(Refused, match=r"needs 2 hosts \(chosen: 1\)"):
        render(recipe, rendered.given(recipe), Place("/w/t", {"node-a": Node()}))


@pytest.mark.parametrize(
    ("guests", "measured", "images"),
    [
        (1, "first", [["one"]]),
        (3, "first", [["one"], ["two"], ["three"]]),
        (1, "all", [["one"]]),
        (3, "all", [["one", "two", "three"]]),
    ],
)
def test_without_guests_each_image_is_opened_once(guests, measured, images):
    """The measured ones by one fio; each of the load by its own, as guests would."""
    values = {"pool": "bench", "images": "one two three four", "guests": guests}
    steps = render(RECIPES["ceph-rbd-under-kvm"], values | {"measured": measured}, PLACE)
    found = [step for step in steps if step.phase == "measure"]
    assert [_images(step) for step in found] == images
    assert [step.tool for step in found] == ["fio", *[None] * (len(found) - 1)]
    for step in found:
        assert [touch.name for touch in step.touches] == [f"rbd:bench/{n}" for n in _images(step)]
    assert {step.name: _images(step) for step in steps}["fill"] == ["one", "two", "three"][:guests]


def _images(step):
    return [word.partition("=")[2] for word in step.argv if word.startswith("--rbdname=")]


def test_more_guests_than_images_are_refused():
    values = {"pool": "bench", "images": "one two", "guests": 3}
    sentence = r"RBD images instead of guests \(images\): 3 needed, 2 given"
    with pytest.raises(Refused, match=sentence) as caught:
        render(RECIPES["ceph-rbd-under-kvm"], values, PLACE)
    assert caught.value.field == "images"


@pytest.mark.parametrize(
    ("version", "output"),
    [
        ("3.33", ["--output-format=json+", "--eta=always", "--eta-newline=1"]),
        ("fio-2.8", ["--output-format=json+", "--eta=always", "--eta-newline=1"]),
        ("2.0.15", ["--output-format=json", "--eta=always"]),
        ("1.58", ["--eta=always"]),
        ("", ["--output-format=json+", "--eta=always", "--eta-newline=1"]),
    ],
)
def test_the_output_of_fio_is_what_its_version_can(version, output):
    place = Place("/w/t", {"node-a": Node("bench", {"fio": version})})
    fio = render(RECIPES["fio"], {}, place)[1]
    assert list(fio.argv[fio.argv.index("--output=./result.out") + 1 :]) == output


@pytest.mark.parametrize(
    ("recipe", "name", "words"),
    [
        ("ext4-lvm-raid6", "files", ["-n", "0"]),
        ("fio", "rwmixread", ["--rwmixread=0"]),
    ],
)
def test_zero_is_given_and_not_left_to_the_tool(recipe, name, words):
    values = rendered.given(RECIPES[recipe]) | {name: 0}
    commands = [list(step.argv) for step in render(RECIPES[recipe], values, PLACE)]
    assert any(words == argv[at : at + len(words)] for argv in commands for at in range(len(argv)))


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_an_outline_has_the_steps_of_the_commands(name):
    recipe = RECIPES[name]
    for cell in expand(recipe, rendered.given(recipe), None, 1)[:20]:
        whole = render(recipe, cell.values, PLACE)
        fields = ("name", "phase", "node", "folder", "together", "root", "expected_s")
        short = outline(recipe, cell.values, PLACE)
        assert [[getattr(step, field) for field in fields] for step in short] == [
            [getattr(step, field) for field in fields] for step in whole
        ]


def test_the_recipe_of_the_documentation_is_one():
    page = (Path(__file__).parents[2] / "docs" / "recipes.md").read_text(encoding="utf-8")
    recipe = load(page.split("```yaml\n")[1].split("```")[0])
    cells = expand(recipe, {"scheduler": "none", "disk": "/dev/sdb"})
    assert len(cells) == 9
    steps = render(recipe, cells[0].values, PLACE)
    assert [step.folder for step in steps] == [
        "1-scheduler", "2-folder", "3-drop-caches", "4-fio", "5-remove-folder",
    ]  # fmt: skip
    assert not any(step.touches for step in steps)
    with pytest.raises(Refused, match="A scheduler is set on a disk"):
        render(recipe, {"scheduler": "none"}, PLACE)
    for name in TUNABLES:
        assert f"| `{name}` |" in page
    table = page.split("## One of your own")[0]
    assert [one.name for one in builtin() if f"`{one.name}`" not in table] == []


READS = """name: x
title: X
parameters:
  said: {kind: KIND, default: "", reads: READS}
measure:
  - name: a
    argv: [cat, {when: said, argv: ["{said}"]}]
"""


@pytest.mark.parametrize(
    ("kind", "value", "touch"),
    [
        ("text", "/home/x/.secret", Touch("file", "/home/x/.secret")),
        ("text", "a/../../x", Touch("file", "a/../../x")),
        ("text", "~/.pgpass", Touch("file", "~/.pgpass")),
        ("text", "/var/tmp/bench/../../x", Touch("file", "/var/tmp/bench/../../x")),
        ("text", "postgresql://evil/x", Touch("server", "postgresql://evil/x")),
        ("text", "host=evil dbname=x", Touch("server", "host=evil dbname=x")),
        ("server", "evil", Touch("server", "evil")),
        ("path", "/home/x/.secret", Touch("path", "/home/x/.secret")),
        ("path", "/var/tmp/bench/mine", None),
        ("text", "plain", None),
        ("server", "localhost", None),
    ],
)
def test_whatever_a_new_recipe_may_read_or_ask_is_reported(kind, value, touch):
    recipe = load(READS.replace("KIND", kind).replace(", reads: READS", ""))
    (step,) = render(recipe, {"said": value}, PLACE)
    assert step.touches == ((touch,) if touch else ())


def test_a_path_that_is_only_read_is_reported_as_a_file():
    recipe = load(READS.replace("KIND", "path").replace("READS", "true"))
    (step,) = render(recipe, {"said": "/home/x/.secret"}, PLACE)
    assert step.touches == (Touch("file", "/home/x/.secret"),)
