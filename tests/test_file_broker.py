from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack, suppress
from queue import Empty

import pytest
from kombu import Connection
from kombu.exceptions import ChannelError

MESSAGES = 1000
BROKER = "benchdash.file_broker:Transport"
# one at a time: whoever takes it is waiting for it
PUT = f"""
import os, sys
from tests.test_file_broker import MESSAGES, channel_of
with channel_of(sys.argv[1]) as connection:
    channel = connection.channel()
    for number in range({MESSAGES}):
        while any(name.endswith(".msg") for name in os.listdir(sys.argv[1])):
            pass
        channel._put("jobs", {{"number": number}})
"""


def channel_of(folder):
    folders = dict.fromkeys(("data_folder_in", "data_folder_out", "control_folder"), folder)
    return Connection("filesystem://", transport=BROKER, transport_options=folders)


def test_no_message_is_taken_before_it_is_whole(tmp_path):
    taken = set()
    with (
        channel_of(str(tmp_path)) as connection,
        subprocess.Popen([sys.executable, "-c", PUT, str(tmp_path)]) as writer,
        ExitStack() as stack,
    ):
        stack.callback(writer.kill)
        channel = connection.channel()
        while writer.poll() is None or any(tmp_path.glob("*.msg")):
            with suppress(Empty):
                taken.add(channel._get("jobs")["number"])
    assert taken == set(range(MESSAGES))


def test_a_message_that_cannot_be_written_is_an_error_of_the_broker(tmp_path):
    with channel_of(str(tmp_path)) as connection:
        channel = connection.channel()
        channel.data_folder_out = str(tmp_path / "gone")
        with pytest.raises(ChannelError, match=r"Cannot add .*\.msg: No such file"):
            channel._put("jobs", {"number": 1})
