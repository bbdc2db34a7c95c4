"""The cells of a plan: every combination of its factors, in rounds, within bounds."""

from __future__ import annotations

import pytest

from benchdash.errors import Refused
from benchdash.recipes import builtin, cells_of
from benchdash.recipes.cells import levels_of, some_of
from tests.recipes.expanded import expand

RECIPES = {recipe.name: recipe for recipe in builtin()}


def test_a_matrix_varies_the_first_factor_slowest_and_repeats_all_before_any():
    cells = expand(RECIPES["fio"], {"size": "1G"}, {"rw": ["read", "write"], "bs": ["4k", "1M"]}, 2)
    assert [cell.label for cell in cells[:4]] == [
        "rw=read, bs=4K", "rw=read, bs=1M", "rw=write, bs=4K", "rw=write, bs=1M",
    ]  # fmt: skip
    assert [cell.round for cell in cells] == [1, 1, 1, 1, 2, 2, 2, 2]
    assert cells[0].factors == {"rw": "read", "bs": 4096}


def test_a_seed_shuffles_each_round_and_leaves_the_cells_their_numbers():
    factors = {"iodepth": [1, 2, 4, 8, 16, 32]}
    straight = expand(RECIPES["fio"], {}, factors, 3)
    shuffled = expand(RECIPES["fio"], {}, factors, 3, seed=7)
    assert [(cell.round, cell.number) for cell in straight] == [
        (n, cell) for n in (1, 2, 3) for cell in range(1, 7)
    ]
    assert shuffled != straight
    assert sorted(shuffled, key=lambda cell: (cell.round, cell.number)) == straight


def test_a_matrix_without_end_is_refused_before_it_is_made():
    levels = list(range(1, 1001))
    with pytest.raises(Refused, match="makes 1,000,000,000 cells"):
        expand(RECIPES["fio"], {}, {"iodepth": levels, "numjobs": levels, "fsync": levels})
    with pytest.raises(Refused, match="makes 500,000 jobs, but a plan has at most 100,000"):
        cells_of(RECIPES["fio"], {}, {"iodepth": range(1, 101), "numjobs": range(1, 51)}, 100)
    with pytest.raises(Refused, match="1 to 100 times"):
        expand(RECIPES["fio"], {}, {}, 0)
    with pytest.raises(Refused, match="needs a list"):
        expand(RECIPES["fio"], {}, {"rw": "read"})


def test_any_cell_is_known_by_its_number_alone():
    factors = {"rw": ["read", "write"], "bs": ["4k", "64k", "1M"], "iodepth": [1, 8]}
    cells = cells_of(RECIPES["fio"], {"size": "1G"}, factors)
    every = expand(RECIPES["fio"], {"size": "1G"}, factors)
    assert len(cells) == len(every) == 12
    assert [cells[cell.number] for cell in every] == every
    for cell in every:
        assert cell.values == RECIPES["fio"].read({"size": "1G", **cell.factors})
    assert cells[12].label == "rw=write, bs=1M, iodepth=8"


def test_of_many_cells_some_are_looked_at_and_every_level_is_among_them():
    axes = {"a": range(7), "b": range(50), "c": range(20)}
    some = list(some_of(axes, 100))
    assert len(some) == 100 and some == list(some_of(axes, 100))
    for name, levels in axes.items():
        assert {levels_of(axes, number)[name] for number in some} == {*levels}
    assert list(some_of({"a": range(3), "b": range(4)}, 12)) == list(range(1, 13))
