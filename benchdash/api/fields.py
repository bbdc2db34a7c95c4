"""How records stand in JSON: the parts that several endpoints share."""

from __future__ import annotations
