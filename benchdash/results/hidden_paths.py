"""What visitors read of an output and its details: paths of hosts are not for them."""

from __future__ import annotations

import re
from typing import Any

# no unit ("MB/s", bonnie++'s column " /sec"), no share ("12/24", "5 /24"), no tag ("</p>"), and not
# what follows a scheme ("https://example.org/fio")
_PATH = re.compile(r"(?<![\w/.%+\-<])/(?!/|\d|(?:s|sec)\b)[^\s\"'`<>|,;:()\[\]{}=\\]+")


def without_paths(text: str) -> str:
    """The text with each absolute path replaced by `/…`, line for line."""
    return _PATH.sub("/…", text)


def details_without_paths(document: Any) -> Any:
    """A JSON document of the same shape whose texts name no paths."""
    if isinstance(document, dict):
        return {without_paths(key): details_without_paths(each) for key, each in document.items()}
    if isinstance(document, list):
        return [details_without_paths(each) for each in document]
    return without_paths(document) if isinstance(document, str) else document
