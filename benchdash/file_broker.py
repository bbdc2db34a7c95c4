"""kombu's broker of files, with messages that appear whole.

kombu opens a message's file under its last name and writes to it then (kombu 5,
transport/filesystem.py, `_put`): a worker that looks in between takes an empty file, finds no JSON
in it, and ends. Writing under another name and renaming shows it whole or not at all.
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
        # channels take names in the order of text and find their queue in them: kombu's own name,
        # with zeros before the clock, so that the oldest comes first on a machine of any uptime
        name = f"{round(monotonic() * 1000):015}_{uuid4()}.{queue}.msg"
        path = Path(self.data_folder_out, name)
        aside = path.with_suffix(".part")  # channels look for `.msg` alone
        try:
            aside.write_text(dumps(payload))
            aside.replace(path)
        except OSError as error:  # as kombu says it: who sends is asked to try again
            raise ChannelError(f"Cannot add {path}: {error.strerror}") from error


class Transport(filesystem.Transport):
    """`broker_transport` where the broker is files."""

    Channel = Channel
