"""kombu's filesystem broker, with messages that appear atomically.

kombu opens a message's file under its final name before it writes to it (kombu 5,
transport/filesystem.py, `_put`): a worker that polls in between takes an empty file, fails to
decode it, and ends. Here it is written under another name and renamed.
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
    """A channel that writes under a temporary name first."""

    def _put(  # type: ignore[override]  # kombu's own names its arguments otherwise than its base
        self, queue: str, payload: dict[str, Any], **_kwargs: Any
    ) -> None:
        # Channels sort names as text and find the queue in them. This is kombu's name with the clock
        # padded with zeros, so that the oldest comes first whatever the uptime.
        name = f"{round(monotonic() * 1000):015}_{uuid4()}.{queue}.msg"
        path = Path(self.data_folder_out, name)
        temporary = path.with_suffix(".part")  # channels take `.msg` only
        try:
            temporary.write_text(dumps(payload))
            temporary.replace(path)
        except OSError as error:  # as kombu raises it, so that the sender retries
            raise ChannelError(f"Cannot add {path}: {error.strerror}") from error


def transport_options(folder: Path) -> dict[str, Any]:
    """The `broker_transport_options` of a queue below this folder, which is made: kombu makes none."""
    messages, control = folder / "messages", folder / "control"
    for each in (messages, control):
        each.mkdir(parents=True, exist_ok=True)
    return {
        # in and out are one folder: kombu reads what it wrote
        "data_folder_in": str(messages),
        "data_folder_out": str(messages),
        "control_folder": str(control),
        "polling_interval": 0.2,
    }


class Transport(filesystem.Transport):
    """The `broker_transport` of the embedded default."""

    Channel = Channel
