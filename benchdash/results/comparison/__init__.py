"""Runs laid side by side: selection, groups, like with like, figures."""

from benchdash.results.comparison.compare import (
    Comparison,
    compare,
    study_charts,
    study_queries,
)

__all__ = ["Comparison", "compare", "study_charts", "study_queries"]
