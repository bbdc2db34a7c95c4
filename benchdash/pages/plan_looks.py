"""What a plan looked at once its rounds were over, and why they ended, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchdash.analysis.verdicts import ENOUGH
from benchdash.jobs.models import Plan, StoppingLook
from benchdash.pages.matrix_cells import label_of
from benchdash.pages.plan_matrix import title_of
from benchdash.results.comparison.sentences import percent_text
from benchdash.vocabulary.measures import MeasureName

Decision = StoppingLook.Decision


@dataclass(frozen=True, slots=True)
class Stopping:
    """`sentence` is how things stand, `lines` are (number, sentence, look) of each look.

    `named` are the cells that the last look found too wide or without a number, by what they are;
    of a plan of one cell none.
    """

    sentence: str
    measure: str
    lines: list[tuple[int, str, StoppingLook]]
    named: list[tuple[str, str]]


def stopping_of(plan: Plan, looks: Sequence[StoppingLook]) -> Stopping | None:
    """None for a plan of a fixed number of rounds."""
    if plan.until_percent is None:
        return None
    last = looks[-1] if looks else None
    within = f"{plan.until_percent:g} %"
    if last is None:
        sentence = _(
            "Rounds end once the interval of each cell’s median is within ± %(within)s, "
            "after %(first)s at the earliest and %(most)s at the latest."
        ) % {"within": within, "first": ENOUGH, "most": plan.rounds_at_most}
    else:
        sentence = _stopping_sentence(last, within, plan.rounds_at_most or last.rounds)
    words = last.measure.split(".", 2) if last and last.measure else []
    return Stopping(
        sentence,
        title_of(MeasureName(*words)) if words else "",
        [(n, _line(look, within), look) for n, look in enumerate(looks, 1)],
        _named(plan, last) if last and plan.cell_count > 1 else [],
    )


def _stopping_sentence(last: StoppingLook, within: str, most: int) -> str:
    n, wider = last.rounds, last.wider
    words = {"n": n, "wider": wider, "within": within, "most": most}
    if last.decision == Decision.NARROW:
        return _("Within ± %(within)s after %(n)s rounds.") % words
    if last.decision == Decision.MOST:
        if not wider:
            return _("%(n)s-round limit: no cell has a number.") % words
        return (
            ngettext(
                "%(n)s-round limit: %(wider)s cell is still wider than ± %(within)s.",
                "%(n)s-round limit: %(wider)s cells are still wider than ± %(within)s.",
                wider,
            )
            % words
        )
    if last.decision == Decision.UNMEASURED:
        if not wider:
            return _("Ended after %(n)s rounds: no cell has a number.") % words
        return (
            ngettext(
                "Ended after %(n)s rounds: %(wider)s cell is still wider than ± %(within)s, and the "
                "last round could not measure it.",
                "Ended after %(n)s rounds: %(wider)s cells are still wider than ± %(within)s, and the "
                "last round could not measure them.",
                wider,
            )
            % words
        )
    return (
        ngettext(
            "After %(n)s rounds %(wider)s cell is wider than ± %(within)s: another round, "
            "up to %(most)s in all.",
            "After %(n)s rounds %(wider)s cells are wider than ± %(within)s: another "
            "round, up to %(most)s in all.",
            wider,
        )
        % words
    )


def _line(look: StoppingLook, within: str) -> str:
    """`after 5 rounds: 3 cells wider than ± 5 %, the widest ± 12.3 %`."""
    words = {"n": look.rounds, "wider": look.wider, "within": within, "without": look.without}
    parts = [
        ngettext(
            "after %(n)s rounds: %(wider)s cell wider than ± %(within)s",
            "after %(n)s rounds: %(wider)s cells wider than ± %(within)s",
            look.wider,
        )
        % words
    ]
    if look.widest_percent is not None:
        parts.append(_("the widest ± %s %%") % percent_text(look.widest_percent / 100))
    if look.without:
        some = ngettext(
            "%(without)s cell without a number", "%(without)s cells without a number", look.without
        )
        parts.append(some % words)
    return _(", ").join(parts)


def _named(plan: Plan, look: StoppingLook) -> list[tuple[str, str]]:
    kinds = (
        (_("Wider"), "wider", look.wider),
        (_("Without a number"), "without", look.without),
    )
    found = []
    for title, kind, count in kinds:
        names = [label_of(plan, cell) for cell in look.cells.get(kind, ())]
        if more := count - len(names):
            names.append(_("%s more") % f"{more:,}")
        if names:
            found.append((title, "; ".join(names)))
    return found
