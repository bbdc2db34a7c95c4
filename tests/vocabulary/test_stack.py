from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdash.errors import Refused
from benchdash.vocabulary import options
from benchdash.vocabulary.differences import differences
from benchdash.vocabulary.storage import KIND_WORDS, KINDS, Kind, stack
from benchdash.vocabulary.storage.normal_form import normalised
from benchdash.vocabulary.storage.notation import _quoted, parse, print_stack
from benchdash.vocabulary.storage.shown import option_words
from tests.vocabulary.strategies import raw_stacks, stacks

RAID = """
ext4 barrier=0,data=writeback stride=32
lvm
md raid6 chunk=128 stripe_cache_size=8192
disk count=6 model=WD30EZRX scheduler=deadline
"""
PAIR = """
ext3
lvm
drbd protocol=c roles=Primary/Secondary
- disk
- disk @node-b
"""


@given(raw_stacks())
def test_the_canonical_form_of_a_canonical_form_is_itself(raw):
    assert normalised(normalised(raw)) == normalised(raw)


@given(raw_stacks(), st.randoms())
def test_the_order_of_legs_and_options_means_nothing(raw, random):
    def shuffled(layer):
        options = list(layer["options"].items())
        below = [shuffled(leg) for leg in layer["below"]]
        random.shuffle(options)
        random.shuffle(below)
        return layer | {"options": dict(options), "below": below}

    assert stack.digest(normalised(shuffled(raw))) == stack.digest(normalised(raw))


@given(stacks)
def test_what_json_carries_is_the_same_stack(tree):
    assert normalised(json.loads(json.dumps(tree))) == tree


@given(stacks)
def test_what_is_printed_reads_as_the_same_stack(tree):
    assert parse(print_stack(tree)) == tree


def as_drawn(tree):
    """The layers as drawings show them, with the marks of legs."""
    kind, options = KINDS[tree["kind"]], dict(tree["options"])
    count = options.pop("count", 1)
    words = [f"{count} ×"] * (count > 1) + [kind.title] + [f"@{tree['node']}"] * bool(tree["node"])
    for name, value in options.items():
        option = kind.options[name]
        shown = option.shown(value) if not isinstance(value, bool) else "yes" if value else "no"
        is_text = option.type == "text"
        words += [option_words(option), _quoted(shown) if is_text else shown]
    yield " ".join(words)
    for leg in tree["below"]:
        marks = ("- ", "  ") if len(tree["below"]) > 1 else ("", "")
        yield from (marks[n > 0] + line for n, line in enumerate(as_drawn(leg)))


@given(stacks)
def test_what_a_drawing_shows_reads_as_the_same_stack(tree):
    assert parse("\n".join(as_drawn(tree))) == tree


@pytest.mark.parametrize(
    ("shown", "typed"),
    [
        ("xfs block 4 KiB", "xfs block_bytes=4K"),
        ("raid6", "raid level=6"),
        ("md RAID6 chunk 512 KiB", "md level=6 chunk_bytes=512K"),
        ("Disk mq-deadline", "disk scheduler=mq-deadline"),
        ("8 × disk rpm 7200", "disk count=8 rpm=7200"),
        (
            "disk model Hitachi HDS721010KLA330 size 1 TB",
            'disk model="Hitachi HDS721010KLA330" size=1TB',
        ),
        ("DRBD C, Primary/Secondary", "drbd protocol=C roles=Primary/Secondary"),
        ("ext4 on LVM on md RAID6 on 8 x disk", "ext4\nlvm\nmd level=6\ndisk count=8"),
        ("drbd\n- ext4 on disk\n- LVM @node-b", "drbd\n- ext4\n  disk\n- lvm @node-b"),
        ("disk write cache on", "disk write_cache=yes"),
        ("md chunk 512", "md chunk=512"),
        ("cloud volume gp3", None),
        ("ext4 data journal", "ext4 data=journal"),
        # a mixture of what is shown and what is typed
        ("ext4 block=4K", "ext4 block_bytes=4K"),
        ("ext4 block=4 KiB data=journal", "ext4 block_bytes=4K data=journal"),
        ("md level=6 chunk=128 KiB", "md level=6 chunk_bytes=128K"),
        ("md RAID6 on 6 disks", "md level=6\ndisk count=6"),
        ("md\n- 3 Disks medium=hdd\n- disk", "md\n- disk count=3 medium=hdd\n- disk"),
    ],
)
def test_what_pages_show_is_read(shown, typed):
    if typed:
        assert parse(shown) == parse(typed)
    else:
        with pytest.raises(Refused, match="gp3"):
            parse(shown)


def test_a_value_that_two_options_have_is_refused_with_both(monkeypatch):
    kind = Kind(
        "twice",
        "twice",
        "device",
        "",
        tuple(
            options.option(name, "choice", "", choices=("fast", "slow"))
            for name in ("reads", "writes")
        ),
    )
    monkeypatch.setitem(KIND_WORDS, "twice", kind)
    monkeypatch.setitem(KINDS, "twice", kind)
    with pytest.raises(
        Refused, match=r"“fast” can be reads, writes of twice; write option=value\."
    ):
        parse("twice fast")


SCRAPS = st.sampled_from(
    [
        "ext4",
        "lvm",
        "disk",
        "- ",
        "  ",
        "\n",
        "\n",
        " ",
        "@b",
        "-o ",
        "barrier=0",
        ",",
        '"',
        "\\",
        "=",
        "ro",
    ]
)


@given(st.text() | st.lists(SCRAPS, max_size=30).map("".join))
def test_any_text_is_a_stack_or_refused_with_a_sentence(text):
    try:
        tree = parse(text)
    except Refused as refused:
        assert refused.sentence.endswith((".", "?", "ext4"))  # noqa: PT017 - most texts are refused
    else:
        assert parse(print_stack(tree)) == tree


@given(stacks)
def test_a_database_that_turns_keys_around_changes_nothing_that_is_shown(tree):
    def turned(layer):
        below = [turned(leg) for leg in layer["below"]]
        options = dict(reversed(layer["options"].items()))
        return dict(reversed((layer | {"options": options, "below": below}).items()))

    assert print_stack(turned(tree)) == print_stack(tree)
    assert list(stack.lines(turned(tree)).items()) == list(stack.lines(tree).items())
    assert stack.facets(turned(tree)) == stack.facets(tree)


@given(stacks)
def test_every_facet_has_a_text_that_fits_its_column_and_is_there_once(tree):
    facets = stack.facets(tree)
    assert len({(key, text) for key, text, _ in facets}) == len(facets)
    assert all(0 < len(text) <= 200 and len(key) <= 80 for key, text, _ in facets)


def test_one_node_is_no_nodes():
    flat = [stack.lines(parse(f"gfs2 mounted_on={nodes}\ndisk")) for nodes in (1, 2)]
    assert [each["gfs2.mounted_on"] for each in flat] == ["1 node", "2 nodes"]


def test_a_pair_reads_as_its_layers_from_the_top():
    assert stack.title(parse(PAIR)) == "ext3 on LVM on DRBD C, Primary/Secondary"
    assert stack.outline(parse(PAIR)) == "ext3 > lvm > drbd > (disk | disk @node-b)"


def test_walking_names_the_node_of_each_layer_and_what_stands_above_it():
    layers = [(layer.position, layer.above, layer.node) for layer in stack.walk(parse(PAIR))]
    assert layers == [(0, None, ""), (1, 0, ""), (2, 1, ""), (3, 2, ""), (4, 2, "node-b")]


def test_mount_options_become_typed_options_and_facets():
    facets = stack.facets(parse(RAID))
    assert ("ext4.barrier", "no", None) in facets
    assert ("ext4.data", "writeback", None) in facets
    assert ("md.chunk_bytes", "128K", 131072.0) in facets
    assert ("filesystem", "ext4", None) in facets
    assert ("layer", "md", None) in facets


def test_a_drbd_with_a_disk_of_its_own_is_found_beside_those_without():
    facets = stack.facets(parse(PAIR))
    assert ("drbd.diskless", "no", None) in facets
    client = "drbd diskless=yes\n- disk @node-b\n- disk @node-c"
    assert [text for key, text, _ in stack.facets(parse(client)) if key == "drbd.diskless"] == [
        "yes"
    ]
    for unsaid in ("drbd protocol=C", "drbd\n- disk @node-b"):
        assert not any(key == "drbd.diskless" for key, *_ in stack.facets(parse(unsaid)))


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("ext4 nobarrier,noatime", {"barrier": False, "atime": "noatime"}),
        (
            "ext4 -o rw,relatime,commit=30",
            {"read_only": False, "atime": "relatime", "commit_s": 30},
        ),
        ("ext3 nobh", {"nobh": True}),
        ("ext3 bh", {"nobh": False}),
        ("btrfs compress=zstd:3,noatime", {"compress": "zstd:3", "atime": "noatime"}),
        ("md raid10 chunk=64", {"level": "10", "chunk_bytes": 65536}),
        ("lvm stripes=2 stripesize=64", {"stripes": 2, "stripe_bytes": 65536}),
        ("drbd resync-rate=30M", {"resync_rate_bytes_s": 30 * 2**20}),
        ("drbd no-disk-barrier", {"disk_barrier": False}),
        ("disk size=1TB", {"size_bytes": 10**12}),
        ("disk scheduler=mq_deadline", {"scheduler": "mq-deadline"}),
        ("rbd features=layering,striping", {"features": "layering,striping"}),
        ("disk count=1", {}),
    ],
)
def test_what_people_type_becomes_typed_options(line, options):
    assert parse(line)["options"] == options


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("drbd protocol=D", "Layer 1 (drbd): protocol is “D”; it takes one of A, B, C."),
        (
            "ext5",
            "Layer 1: “ext5” is not a kind of layer. Did you mean “ext4” or “ext3” or “ext2”?",
        ),
        (
            "ext4\nlvm stripe=2",
            (
                "Layer 2 (lvm): “stripe” is not an option of LVM. "
                "Did you mean “stripes” or “stripesize” or “stripe_size”?"
            ),
        ),
        (
            "md chunk=13",
            (
                "Layer 1 (md): chunk_bytes is “13”; "
                "it takes a size such as 128K, at least 4K, a multiple of 4K."
            ),
        ),
        ("ext4 data=ordered,data=journal", "Line 1: data is given twice, with two values."),
        ("ext4 barrier=1 barriers=0", "Layer 1 (ext4): barrier is given twice, with two values."),
        ('disk model="WD', "Line 1: a quotation mark is not closed."),
        ("disk\nlvm", "Layer 1 (disk): nothing can be below it."),
        ("", "A stack needs at least one layer, for example: ext4"),
        ("lvm @-x", "Layer 1 (lvm): the node “-x” is not a name such as node-b."),
        (
            "ext4\n  lvm",
            (
                "Line 2: its indentation matches no layer. Layers are written one below the other; "
                "where there are several legs, each begins with “- ”."
            ),
        ),
    ],
)
def test_a_refusal_names_the_layer_the_option_and_what_is_allowed(text, sentence):
    with pytest.raises(Refused) as refused:
        parse(text)
    assert refused.value.sentence == sentence


@pytest.mark.parametrize(
    "tree",
    [
        None,
        [],
        "ext4",
        {"kind": 3},
        {"kind": "ext4", "options": []},
        {"kind": "ext4", "below": {}},
        {"kind": "ext4", "below": [None]},
        {"kind": "ext4", "colour": "red"},
        {"kind": "ext4", "node": ["x"]},
        {"kind": "disk", "options": {"model": ["x"]}},
        {"kind": "disk", "options": {"size_bytes": float("nan")}},
        {"kind": "disk", "options": {"size_bytes": -1}},
        {"kind": "disk", "options": {"rpm": True}},
    ],
)
def test_json_that_is_no_stack_is_refused(tree):
    with pytest.raises(Refused):
        normalised(tree)


def test_a_tower_of_layers_is_refused_before_python_runs_out_of_stack():
    tree = {"kind": "lvm"}
    for _ in range(900):
        tree = {"kind": "lvm", "below": [tree]}
    with pytest.raises(Refused):
        normalised(tree)
    with pytest.raises(Refused):
        parse("\n".join(["lvm"] * 3000))


def test_alike_legs_are_one_leg_with_a_count():
    six = parse("md raid6\n" + "- disk model=X\n" * 6)
    assert six == parse("md raid6\ndisk model=X count=6")
    assert six["below"][0]["options"] == {"model": "X", "count": 6}


def test_alike_legs_add_up_to_a_limit():
    with pytest.raises(Refused) as refused:
        parse("md\n- disk count=9999\n- disk count=2")
    assert refused.value.sentence == "Layer 1 (md): at most 10000 identical layers can be below it."


def test_two_stacks_lie_side_by_side_line_by_line():
    lines = stack.lines(parse("ext4\nlvm stripes=2\ndrbd\n- lvm\n- lvm @node-b stripes=3"))
    assert lines == {
        "layers": "ext4 > lvm > drbd > (lvm | lvm @node-b)",
        "lvm.stripes": "2",
        "node-b: lvm.stripes": "3",
    }


def test_what_differs_between_two_stacks_is_named_line_by_line():
    left, right = parse("ext4 barrier=1 data=ordered\ndisk"), parse("ext4 barrier=0\nlvm\ndisk")
    different = differences(stack.lines(left), stack.lines(right))
    assert [(line.key, line.left, line.right) for line in different if not line.equal] == [
        ("layers", "ext4 > disk", "ext4 > lvm > disk"),
        ("ext4.data", "ordered", None),
        ("ext4.barrier", "yes", "no"),
    ]


def test_every_kind_has_words_that_lead_to_one_option_only():
    for kind in KINDS.values():
        for word in set(kind.flags) & set(kind.words):
            assert kind.flags[word][0] is kind.words[word][0]
        for option in kind.options.values():
            assert option.help.endswith((".", "…"))
            assert all(option.read(choice) == choice for choice in option.choices)
            assert option.read(option.default) is not None or not option.default
