"""The models of a matrix, of one measure: of all samples in their rounds, or of blocks and of what is within them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from benchdash.analysis.blocks import Blocks, blocks_in
from benchdash.analysis.cells import meet_in_rounds
from benchdash.analysis.effects import Effect, Model, effects_of
from benchdash.analysis.verdicts import LOOK_FACTOR
from benchdash.results.comparison.judging import Judged
from benchdash.results.comparison.matrix import Table, Varying
from benchdash.vocabulary.measures import MeasureName


@dataclass(frozen=True, slots=True)
class Measured:
    """A measure with what was found, before all are judged together.

    `loose` is the same without rounds, where these hide a factor: its levels were measured in rounds
    of their own, so it is held against drift. Where factors are `dear`, `model` is that of samples
    within blocks, and `between` has a value a block (None: these are too few), each of so many samples.
    Of the samples so many are `doubted`.
    """

    varying: Varying
    name: MeasureName
    judged: Judged
    table: Table
    model: Model
    binary: bool
    doubted: int = 0
    loose: Measured | None = None
    dear: tuple[int, ...] = ()
    between: Measured | None = None
    samples_each: float = 1.0
    is_of_blocks: bool = False

    @property
    def effects(self) -> list[tuple[Measured, Effect]]:
        """What was found, each with that by which it is judged."""
        found = [(self, effect) for effect in self.model.effects]
        if self.between is not None:
            found += self.between.effects
        if self.loose is not None:
            hidden = {(place,) for place in self.model.confounded}
            loose = self.loose
            found += [(loose, one) for one in loose.model.effects if one.factors in hidden]
        return found

    def p(self, effect: Effect) -> float:
        """For a further look it counts four times."""
        return min(1.0, effect.p * (LOOK_FACTOR if self.varying.looks > 1 else 1))


def modelled(table: Table, measured: Callable[[Table, Model], Measured]) -> Measured | None:
    """The measure with its models; None where samples are too few."""
    blocks = table.blocks and blocks_in(table.values, table.levels, table.rounds, table.blocks)
    if not blocks:
        return _in_rounds(replace(table, blocks=None), measured)
    return _in_blocks(table, blocks, measured)


def _in_rounds(table: Table, measured: Callable[[Table, Model], Measured]) -> Measured | None:
    """By one model of all samples."""
    model = model_of(table)
    if model is None and table.rounds and not meet_in_rounds(table.cells, table.rounds):
        table = replace(table, rounds=None)
        model = model_of(table)
    return _with_loose(measured(table, model)) if model else None


def _in_blocks(
    table: Table, blocks: Blocks, measured: Callable[[Table, Model], Measured]
) -> Measured | None:
    """What is dear by a value a block, all else by samples within blocks."""
    model = effects_of(table.values, table.levels, table.blocks, blocks.dear)
    if model is None:
        return None
    firsts = [some[0] for some in blocks.members]
    whole = Table(
        tuple(table.runs[place] for place in firsts),
        table.factors,
        blocks.values,
        blocks.levels,
        blocks.rounds,
        [tuple(table.cells[place][factor] for factor in blocks.dear) for place in firsts],
    )
    between = _in_rounds(whole, measured)
    return replace(
        _with_loose(measured(table, model)),
        dear=blocks.dear,
        between=_of_blocks(between, blocks) if between else None,
    )


def _of_blocks(one: Measured, blocks: Blocks) -> Measured:
    loose = _of_blocks(one.loose, blocks) if one.loose else None
    return replace(one, loose=loose, dear=blocks.dear, samples_each=blocks.size, is_of_blocks=True)


def _with_loose(one: Measured) -> Measured:
    """With its model without rounds, where these hide a factor."""
    table = replace(one.table, rounds=None)
    hides = any(len({*table.levels[place]}) > 1 for place in one.model.confounded)
    model = model_of(table) if hides else None
    return replace(one, loose=replace(one, table=table, model=model)) if model else one


def model_of(table: Table) -> Model | None:
    """Of all samples, in their rounds."""
    return effects_of(table.values, table.levels, table.rounds) if table.factors else None
