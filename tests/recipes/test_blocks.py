"""Cells that have something in common: what is dear is found from the commands, and made once a block."""

from __future__ import annotations

from itertools import groupby

import pytest

from benchdash.errors import Refused
from benchdash.recipes import Node, Place, builtin, cells_of, load, order_of_round, render
from benchdash.recipes.blocks import block_factors, block_of, blocks_made
from tests.recipes.expanded import expand

RECIPES = {recipe.name: recipe for recipe in builtin()}
SHELF = """
name: shelf
title: A folder that cells share
parameters:
  kind: {kind: choice, choices: [oak, pine], default: oak}
  is_made: {kind: boolean, default: true}
  is_painted: {kind: boolean, default: false}
  colour: {kind: choice, choices: [red, blue], default: red}
  books: {kind: integer, default: 1}
  directory: {kind: path, scratch: true, default: ""}
factors:
  books: [1, 2, 3]
  kind: [oak, pine]
prepare:
  - name: make
    shared: true
    when: is_made
    argv: [make, "{work}", "{kind}", "{directory}", {when: is_painted, argv: ["{colour}"]}]
  - {name: fill, argv: [fill, "{block}", "{work}", "{books}", "{directory}"]}
measure:
  - {name: look, argv: [look, "{block}"]}
cleanup:
  - {name: empty, argv: [empty, "{block}"]}
  - {name: unmake, shared: true, when: is_made, argv: [unmake, "{work}"]}
"""
PLACE = Place("/w/4f1e", {"node-a": Node()}, "b10c")
FACTORS = {"books": [1, 2, 3], "kind": ["oak", "pine"]}


def shelf(factors=None, **values):
    return cells_of(load(SHELF), values, FACTORS if factors is None else factors)


def test_what_is_shared_has_the_name_of_the_block_and_the_rest_that_of_the_job():
    steps = {step.name: step for step in render(load(SHELF), {}, PLACE)}
    assert steps["make"].argv == ("make", "/w/b10c", "oak", "/w/benchdash-b10c")
    assert steps["fill"].argv == ("fill", "/w/b10c", "/w/4f1e", "1", "/w/benchdash-4f1e")
    assert steps["unmake"].argv == ("unmake", "/w/b10c")
    assert [name for name, step in steps.items() if step.shared] == ["make", "unmake"]
    alone = {one.name: one for one in render(load(SHELF), {}, Place("/w/4f1e", PLACE.nodes))}
    assert alone["look"].argv == ("look", "/w/4f1e") and alone["make"].argv[1] == "/w/4f1e"


@pytest.mark.parametrize(
    ("factors", "values", "dear"),
    [
        (FACTORS, {}, ["kind"]),
        ({"books": [1, 2]}, {}, []),
        (FACTORS, {"is_made": False}, None),
        ({"is_made": [True, False], "books": [1, 2]}, {}, ["is_made"]),
        ({"colour": ["red", "blue"], "books": [1, 2]}, {}, []),
        ({"colour": ["red", "blue"], "books": [1, 2]}, {"is_painted": True}, ["colour"]),
        # painted or not: the colour may matter, so it does
        (
            {"is_painted": [True, False], "colour": ["red", "blue"]},
            {},
            ["is_painted", "colour"],
        ),
        ({"directory": ["/a", "/b"]}, {}, ["directory"]),
    ],
)
def test_a_factor_is_dear_where_a_shared_command_may_depend_on_it(factors, values, dear):
    assert block_factors(shelf(factors, **values)) == dear


def test_of_study_3_the_chunk_is_dear_and_nothing_else_is():
    recipe = RECIPES["ext4-lvm-raid6"]
    factors = {**recipe.factors, "chunk": ["64K", "128K"], "make_array": [True]}
    disks = "/dev/sda /dev/sdb /dev/sdc /dev/sdd"
    cells = cells_of(recipe, {"mount_point": "/srv", "disks": disks}, factors)
    assert block_factors(cells) == ["chunk", "make_array"]
    there = cells_of(recipe, {"mount_point": "/srv", "disks": disks}, recipe.factors)
    assert block_factors(there) is None
    assert all(
        block_factors(cells_of(one, {name: p.example for name, p in one.parameters.items()
                                     if p.required})) is None
        for one in builtin()
    )  # fmt: skip


def test_blocks_are_shuffled_and_the_cells_within_each():
    cells = expand(load(SHELF), {}, FACTORS, 8, seed=3)
    orders = set()
    for number, own in groupby(cells, lambda cell: cell.round):
        order = [(cell.values["kind"], cell.number) for cell in own]
        assert sorted(cell for _kind, cell in order) == [1, 2, 3, 4, 5, 6]
        kinds = [kind for kind, _each in groupby(order, lambda one: one[0])]
        assert sorted(kinds) == ["oak", "pine"], number  # each is made once
        orders.add(tuple(order))
    assert len(orders) > 4 and len({order[0][0] for order in orders}) == 2
    assert expand(load(SHELF), {}, FACTORS, 8, seed=3) == cells
    assert expand(load(SHELF), {}, FACTORS, 9, seed=3)[: len(cells)] == cells
    straight = [cell.number for cell in expand(load(SHELF), {}, FACTORS, 1)]
    assert straight == [1, 3, 5, 2, 4, 6]


def test_without_blocks_the_order_of_a_seed_is_what_it_always_was():
    assert [order_of_round(6, number, 7) for number in (1, 2)] == [
        [4, 2, 1, 6, 5, 3],
        [3, 1, 5, 6, 4, 2],
    ]
    assert order_of_round(3, 9, None) == [1, 2, 3]


def test_blocks_are_counted_where_something_is_made():
    cells = shelf({"kind": ["oak", "pine"], "is_made": [True, False], "books": [1, 2, 3]})
    dear = block_factors(cells)
    assert blocks_made(cells, dear, has_peers=False) == 2
    assert len({block_of(cells.values(n), dear) for n in range(1, len(cells) + 1)}) == 4


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("look, argv", "look, shared: true, argv", "only “prepare” and “cleanup” steps"),
        ("empty, argv: [empty,", "empty, shared: true, tool: fio, argv: [fio,", "cannot be shared"),
        ("{name: unmake, shared: true,", "{name: unmake,", "both are needed"),
        ("fill, argv", "fill, shared: true, argv", None),
        ("empty, argv", "empty, shared: true, argv", None),
        ("    shared: true\n    when", "    when", "both are needed"),
    ],
)
def test_what_cannot_be_shared_is_refused(old, new, sentence):
    text = SHELF.replace(old, new)
    assert text != SHELF
    if sentence is None:
        load(text)
        return
    with pytest.raises(Refused, match=sentence):
        load(text)


def test_a_parameter_called_block_keeps_its_meaning_in_recipes_of_before():
    text = """
name: of-before
title: Of before
parameters: {block: {kind: size, default: 4K}}
measure: [{name: look, argv: [look, "{block}"]}]
"""
    (look,) = render(load(text), {}, PLACE)
    assert look.argv == ("look", "4K")
    with pytest.raises(Refused, match="no parameter may be called block"):
        load(
            SHELF.replace("  books: {kind", "  block: {kind: integer, default: 1}\n  books: {kind")
        )


def test_shared_steps_are_the_outermost():
    fill = '  - {name: fill, argv: [fill, "{block}", "{work}", "{books}", "{directory}"]}\n'
    first = SHELF.replace(fill, "").replace("prepare:\n", f"prepare:\n{fill}")
    with pytest.raises(Refused, match="first in “prepare” and last in “cleanup”"):
        load(first)
    tunable = SHELF.replace(
        "prepare:\n",
        "prepare:\n  - {name: s, shared: true, tunable: sysctl, where: vm.swappiness, value: '1'}\n",
    )
    with pytest.raises(Refused, match="it cannot be shared"):
        load(tunable)
