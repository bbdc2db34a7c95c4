"""The same numbers count once: every further run of them names the first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import F

from benchdash.parsers.result import Result
from benchdash.results.bulk import insert, insert_new
from benchdash.results.models import Run
from benchdash.results.models.run import LIVING
from benchdash.vocabulary.canonical import digest_of

# the condition of the index `one_first_per_result`
_AMONG_FIRSTS = "WHERE deleted_at IS NULL AND withdrawn_at IS NULL AND same_as_id IS NULL"


def result_digest(result: Result, workload: str, place: str) -> str:
    """sha256 over tool, workload and numbers; a result without a number is like no other.

    `workload` is its canonical form, `place` (artifact and position) stands in for the numbers
    that are not there.
    """
    numbers = sorted(f"{' '.join(name)} {value!r}" for name, value in result.by_name().items())
    content = [result.tool, workload, *(numbers or [place])]
    return digest_of("\n".join(content))


def first_runs(digests: Iterable[str]) -> dict[str, int]:
    """`{digest: id of the run that counts for it}` among living runs."""
    firsts = Run.objects.filter(LIVING, same_as=None, digest__in=set(digests))
    return dict(firsts.values_list("digest", "pk"))


def insert_runs(runs: Sequence[Run]) -> None:
    """Insert unsaved runs; those whose numbers are stored, or came before in `runs`, say so."""
    # the partial index tells which of them are the first, also where somebody else stores them now
    insert_new(runs, ("digest",), _AMONG_FIRSTS)
    copies = [run for run in runs if run.pk is None]
    if copies:
        stored = first_runs(run.digest for run in copies)
        for run in copies:
            run.same_as_id = stored[run.digest]
        insert(copies)


def promote_copies(firsts: Iterable[int]) -> None:
    """Where a first lives no more, or has other numbers now, its oldest copy takes its place."""
    alone = Run.objects.filter(LIVING, same_as__in=set(firsts)).exclude(
        same_as__deleted_at=None, same_as__withdrawn_at=None, same_as__digest=F("digest")
    )
    heirs: dict[str, int] = {}
    for pk, digest in alone.order_by("pk").values_list("pk", "digest"):
        heir = heirs.setdefault(digest, pk)
        Run.objects.filter(pk=pk).update(same_as=None if heir == pk else heir)
