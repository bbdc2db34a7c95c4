"""Values as both databases take them: no NUL, no lone surrogate, no NaN, no text too long."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from benchdash.errors import Refused, cleaned
from benchdash.parsers.result import Result
from benchdash.results.language import without_refused_characters
from benchdash.results.models import Run, Workload
from benchdash.vocabulary.workloads import AXES, typed

_SUSPICIOUS = re.compile(r"\\u0000|\\ud[89a-f]|NaN|Infinity")
_LENGTHS = {
    field.name: field.max_length or 0
    for model in (Run, Workload)
    for field in model._meta.concrete_fields
}
LONGEST_LABEL = _LENGTHS["label"]
_LARGEST_INTEGER = 2**63 - 1


def storable_result(result: Result) -> Result:
    """`result` with texts and documents that can be stored; Refused for an impossible axis."""
    for name in ("tool_version", "format", "label"):
        setattr(result, name, storable_text(getattr(result, name), _LENGTHS[name]))
    result.workload = {name: _axis(name, value) for name, value in typed(result.workload).items()}
    result.details = storable_document(result.details)
    result.error = storable_document(result.error)
    return result


def _axis(name: str, value: Any) -> Any:
    if isinstance(value, str):
        return storable_text(value, _LENGTHS[name])
    if not math.isfinite(value) or abs(value) > _LARGEST_INTEGER:
        raise Refused(
            "{title} is {value}, which no storage has", title=AXES[name].title, value=value
        )
    return value


def storable_text(value: str, length: int) -> str:
    """`value` less what PostgreSQL refuses; cut to `length` characters with an ellipsis."""
    clean = without_refused_characters(value)
    return clean if len(clean) <= length else clean[: length - 1] + "…"


def storable_sentence(sentence: str, length: int) -> str:
    """As `storable_text`; what fits keeps its template and values."""
    return cleaned(sentence, lambda text: storable_text(text, length))


def storable_document(value: Any) -> Any:
    """JSON that jsonb takes: NaN and infinities become their names, characters as in text."""
    # the C encoder tells in a hundredth of the time whether there is anything to mend
    return _mended(value) if value and _SUSPICIOUS.search(json.dumps(value)) else value


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return without_refused_characters(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {_mended(str(key)): _mended(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_mended(item) for item in value]
    return value
