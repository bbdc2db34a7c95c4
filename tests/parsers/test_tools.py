"""The description of each tool fits what its parser reads."""

from __future__ import annotations

import json

import pytest

from benchdash.parsers import PARSERS
from benchdash.vocabulary.measures import METRICS, OPERATIONS
from benchdash.vocabulary.tools import TOOLS
from tests.parsers.golden import golden_of, samples


def test_each_parser_has_a_description_and_each_description_a_parser():
    assert {parser.TOOL for parser in PARSERS} == {*TOOLS}


@pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)
def test_lists_of_runs_have_a_number_of_each_sample_that_has_a_mean(tool):
    headlines = {*tool.headlines}
    assert len(headlines) == len(tool.headlines)
    assert all(name in OPERATIONS and metric in METRICS for name, metric in headlines)
    for sample in samples():
        for result in json.loads(golden_of(sample).read_text("utf-8")).get("results", []):
            means = {
                (each["operation"], each["metric"])
                for each in result["measurements"]
                if each["statistic"] == "mean" and METRICS[each["metric"]].family != "cpu"
            }
            if result["tool"] == tool.name and means:
                assert means & headlines, sample
