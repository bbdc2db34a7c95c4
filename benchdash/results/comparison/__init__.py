"""Runs laid side by side: choose, read, lay out, judge, present; `compare.py` is the whole road."""

from benchdash.results.comparison.compare import (
    Comparison,
    compare,
    study_charts,
    study_queries,
)

__all__ = ["Comparison", "compare", "study_charts", "study_queries"]
