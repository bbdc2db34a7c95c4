"""The shape of a comparison's JSON, for the description of the API."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from benchdash.analysis.intervals import Kind
from benchdash.results.parameters import CHARTS
from benchdash.vocabulary.measures import FAMILIES

_UNITS = "In the figure's unit."
Numbers = serializers.Serializer[dict[str, Any]]


@extend_schema_field(OpenApiTypes.ANY)
class AnyValue(serializers.Field[Any, Any, Any, Any]):
    """A number, a text, true or false, or null."""

    def to_representation(self, value: Any) -> Any:
        return value

    def to_internal_value(self, data: Any) -> Any:
        return data


class IntervalSerializer(Numbers):
    """`range` of two to four runs, or a 95 % `bootstrap` interval of the median from five on."""

    low = serializers.FloatField()
    high = serializers.FloatField()
    kind = serializers.ChoiceField([str(kind) for kind in Kind])


class ValueSerializer(Numbers):
    """One run."""

    run = serializers.IntegerField()
    value = serializers.FloatField(help_text=_UNITS)


class NoteSerializer(Numbers):
    """What the tool said instead of a value, and of how many runs."""

    note = serializers.CharField()
    runs = serializers.IntegerField()


class AtSerializer(Numbers):
    """A group's value of a factor that is grouped by."""

    text = serializers.CharField()
    number = serializers.FloatField(allow_null=True)


class RowSerializer(Numbers):
    """One group in one figure."""

    group = serializers.CharField(help_text="Key of the group.")
    label = serializers.CharField()  # type: ignore[assignment]  # DRF itself has a label
    slot = serializers.IntegerField(help_text="Its colour.")
    at = AtSerializer(many=True)
    n = serializers.IntegerField()
    median = serializers.FloatField(allow_null=True, help_text=_UNITS)
    mean = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    lower_quartile = serializers.FloatField(allow_null=True)
    upper_quartile = serializers.FloatField(allow_null=True)
    interval = IntervalSerializer(allow_null=True)
    ratio = serializers.FloatField(allow_null=True, help_text="To the baseline's median.")
    ratio_interval = IntervalSerializer(allow_null=True)
    verdict = serializers.ChoiceField(["better", "worse", "no_difference", "unknown"])
    values = ValueSerializer(many=True)
    notes = NoteSerializer(many=True)


class ShownSerializer(Numbers):
    """The unit that people see: a stored value divided by `factor`."""

    name = serializers.CharField(allow_blank=True)
    factor = serializers.FloatField()


class PlainFigureSerializer(Numbers):
    """One measure over groups of like runs."""

    measure = serializers.CharField()
    title = serializers.CharField()
    family = serializers.ChoiceField(list(FAMILIES))
    unit = serializers.CharField()
    shown = ShownSerializer()
    higher_is_better = serializers.BooleanField(allow_null=True)
    axis = serializers.ChoiceField(["linear", "log"])
    chart = serializers.ChoiceField(CHARTS[1:])
    along = serializers.IntegerField(
        allow_null=True, help_text="Which of a row's `at` is the number that lines run along."
    )
    sentence = serializers.CharField(allow_blank=True, help_text="What it shows, in words.")
    rows = RowSerializer(many=True)


class FigureSerializer(PlainFigureSerializer):
    """One measure, and the latency of the same groups where `latency` asks for it."""

    latency = PlainFigureSerializer(allow_null=True)


class PercentileSerializer(Numbers):
    """The median, over n runs, of one percentile (0 to 100)."""

    percent = serializers.FloatField()
    value = serializers.FloatField(help_text="In seconds.")
    n = serializers.IntegerField()


class CurveSerializer(Numbers):
    """The percentiles of one group, in rising order."""

    label = serializers.CharField()  # type: ignore[assignment]  # DRF itself has a label
    slot = serializers.IntegerField()
    points = PercentileSerializer(many=True)


class CurvesSerializer(Numbers):
    """The tail of one latency; `left_out` counts the groups beyond the twelfth."""

    operation = serializers.CharField()
    metric = serializers.CharField()
    curves = CurveSerializer(many=True)
    left_out = serializers.IntegerField()


class StretchSerializer(Numbers):
    """Points next to each other, and the mean of their seconds since the start."""

    seconds = serializers.FloatField()
    lowest = serializers.FloatField()
    mean = serializers.FloatField()
    highest = serializers.FloatField()


class TracedSerializer(Numbers):
    """One run over time: what all its points amount to, and at most 200 stretches of them."""

    label = serializers.CharField()  # type: ignore[assignment]  # DRF itself has a label
    slot = serializers.IntegerField()
    run = serializers.IntegerField()
    points = serializers.IntegerField()
    seconds = serializers.FloatField()
    lowest = serializers.FloatField()
    mean = serializers.FloatField()
    highest = serializers.FloatField()
    stretches = StretchSerializer(many=True)


class OverTimeSerializer(Numbers):
    """One measure of several runs over time; `left_out` counts the traces beyond the twelfth."""

    operation = serializers.CharField()
    metric = serializers.CharField()
    lines = TracedSerializer(many=True)
    left_out = serializers.IntegerField()


class HeldSerializer(Numbers):
    """An axis of the workload, or the tool, and what it was."""

    name = serializers.CharField()
    value = AnyValue(allow_null=True)
    title = serializers.CharField()
    text = serializers.CharField()


class CrossedSerializer(Numbers):
    """One value of an axis that differs, and the labels of the groups that have it."""

    text = serializers.CharField()
    groups = serializers.ListField(child=serializers.CharField())


class CrossingSerializer(Numbers):
    """An axis that differs within a section: not like with like."""

    name = serializers.CharField()
    title = serializers.CharField()
    values = CrossedSerializer(many=True)


class SectionSerializer(Numbers):
    """Figures over runs that are alike; `apart` sets them off from other sections."""

    apart = HeldSerializer(many=True)
    crossings = CrossingSerializer(many=True)
    figures = FigureSerializer(many=True)
    percentiles = CurvesSerializer(many=True)
    over_time = OverTimeSerializer(many=True)


class GroupSerializer(Numbers):
    """Runs that stand together; `pools` counts what differs within."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # DRF itself has a label
    slot = serializers.IntegerField()
    is_baseline = serializers.BooleanField()
    runs = serializers.ListField(child=serializers.IntegerField())
    pools = serializers.DictField(child=serializers.IntegerField())


class OfferedSerializer(Numbers):
    """A measure that some of the runs have."""

    measure = serializers.CharField()
    title = serializers.CharField()
    family = serializers.ChoiceField(list(FAMILIES))
    runs = serializers.IntegerField()


class DifferenceSerializer(Numbers):
    """A factor in which the groups differ, and its text for each of them, in their order."""

    factor = serializers.CharField()
    title = serializers.CharField()
    texts = serializers.ListField(child=serializers.CharField())


class CommonSerializer(Numbers):
    """A layer option or fact that all runs share."""

    title = serializers.CharField()
    text = serializers.CharField()


class ComparisonSerializer(Numbers):
    """The whole comparison."""

    query = serializers.CharField(allow_blank=True)
    runs = serializers.IntegerField(help_text="Counted ones.")
    aside = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="Runs that match and are not counted, by reason.",
    )
    group = serializers.ListField(child=serializers.CharField())
    groups = GroupSerializer(many=True)
    baseline = serializers.CharField(allow_null=True)
    percent = serializers.BooleanField()
    shared = HeldSerializer(many=True)
    unmeasured = serializers.ListField(child=serializers.CharField())
    varying = serializers.ListField(child=serializers.CharField())
    differences = DifferenceSerializer(many=True)
    in_common = CommonSerializer(many=True)
    offered = OfferedSerializer(many=True)
    sections = SectionSerializer(many=True)
