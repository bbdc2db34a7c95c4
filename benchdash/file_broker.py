"""kombu's broker of files, with messages that appear whole.

kombu shows a message's file before there is anything in it: a worker that takes it then breaks off.
"""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    """One that writes aside."""

    def _put(  # type: ignore[override]  # kombu's own names its arguments otherwise than its base
        self, queue: str, payload: dict[str, Any], **_kwargs: Any
    ) -> None:
        name = f"{round(monotonic() * 1000):015}_{uuid4()}.{queue}.msg"
        path = Path(self.data_folder_out, name)
        aside = path.with_suffix(".part")
        try:
            aside.write_text(dumps(payload))
            aside.replace(path)
        except OSError as error:  # as kombu says it: who sends is asked to try again
            raise ChannelError(f"Cannot add {path}: {error.strerror}") from error


class Transport(filesystem.Transport):
    """`broker_transport` where the broker is files."""

    Channel = Channel
