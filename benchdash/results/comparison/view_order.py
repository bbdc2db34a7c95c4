"""How the runs of the view model were made: in which order, and which of a sweep were not."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

OrderKind: TypeAlias = Literal["interleaved", "partly", "sequential", "unknown"]


class OrderMark(Struct, frozen=True):
    """One run in the order in which they ran; `seconds` since the first, where that is known."""

    run: int
    group: Annotated[str, Meta(description="Key of the group.")]
    slot: int
    round: int | None
    seconds: float | None


class Order(Struct, frozen=True):
    """In which order the groups ran: whether drift can pass for a difference."""

    kind: OrderKind
    rounds: int | None
    text: Annotated[str, Meta(description="The same in words.")]
    marks: Annotated[
        tuple[OrderMark, ...],
        Meta(description="In their order; none where it is unknown, and 500 at most."),
    ]
    left_out: int = 0


class Cells(Struct, frozen=True):
    """Of how many combinations of a sweep's factors how many were not run; the first hundred by name."""

    of: int
    not_run: int
    names: tuple[str, ...]
