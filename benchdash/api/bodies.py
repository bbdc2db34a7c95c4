"""What is sent as JSON, before any field looks at it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class TextJSONParser(JSONParser):
    """JSON of which every text can be answered with, and whose depth can be followed."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            sent = super().parse(stream, media_type, parser_context)
            json.dumps(sent, ensure_ascii=False).encode()
        except RecursionError:
            raise ParseError("The JSON is nested too deeply.") from None
        except UnicodeEncodeError:
            raise ParseError(
                "A text of the JSON has half a character in it (a lone surrogate, \\ud800 to \\udfff)."
            ) from None
        return sent
