"""Python and TypeScript know the same charts; `view.test.ts` holds the other half."""

from __future__ import annotations

import re

from benchdash.results.comparison.tables import ROUNDS, SERIES
from tools.chart_types import SCHEMA, schema_text
from tools.project import ROOT


def test_the_schema_of_charts_is_that_of_their_classes():
    assert SCHEMA.read_text(encoding="utf-8") == schema_text(), "run `make types`"


def test_styles_have_a_colour_and_a_class_for_each_series_and_no_more():
    styles = ROOT / "frontend" / "styles"
    colours = re.findall(r"--series-(\d+): light-dark", (styles / "tokens.css").read_text())
    swatches = (styles / "swatch.css").read_text()
    classes = re.findall(r"^\.series-(\d+) \{ --swatch: var\(--series-\1\)", swatches, re.MULTILINE)
    assert colours == classes == [str(number) for number in range(1, SERIES + 1)]
    assert set(re.findall(r"\.round-(\d)", swatches)) == {str(n) for n in range(1, ROUNDS)}
