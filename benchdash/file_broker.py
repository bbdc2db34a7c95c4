"""kombu's broker of files, with messages that appear whole.

kombu shows a message's file before there is anything in it: a worker that takes it then breaks off.
"""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

from kombu.transport import filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    """One that writes aside."""

    def _put(  # type: ignore[override]  # as its own does
        self, queue: str, payload: dict[str, Any], **_kwargs: Any
    ) -> None:
        name = f"{round(monotonic() * 1000):015}_{uuid4()}.{queue}.msg"
        path = Path(self.data_folder_out, name)
        aside = path.with_suffix(".part")
        aside.write_text(dumps(payload))
        aside.replace(path)


class Transport(filesystem.Transport):
    """`broker_transport` where the broker is files."""

    Channel = Channel
