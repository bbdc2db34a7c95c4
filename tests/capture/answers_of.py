"""Answers put together for what no sample shows."""

from __future__ import annotations

from benchdash.capture import Capture, read_capture


def answer(path: str, files: dict[str, str], **probes: str) -> Capture:
    """What is read of a machine that shows these files and answers these probes."""
    return read_capture(output(path, files, **probes))


def output(path: str, files: dict[str, str], **probes: str) -> bytes:
    """What such a machine prints."""
    lines = [f"|{name}:{line}" for name, text in files.items() for line in text.split("\n")]
    text = f"@@ path\n|{path}\n@= 0\n@@ files\n" + "\n".join(lines) + "\n@= 0\n"
    for name, answer_text in probes.items():
        body = "".join(f"|{line}\n" for line in answer_text.split("\n"))
        text += f"@@ {name}\n{body}@= 0\n@! \n"
    return (text + "@.\n").encode()


def mounted(
    path: str, source: str, kind: str, options: str, number: str = "0:50"
) -> dict[str, str]:
    """The files that show this mount."""
    line = f"50 1 {number} / {path} {options.split(',', maxsplit=1)[0]} - {kind} {source} {options}"
    return {"/proc/self/mountinfo": line, "/proc/mounts": f"{source} {path} {kind} {options} 0 0"}


def device(name: str, number: str, **files: str) -> dict[str, str]:
    """The files in /sys of a block device; `__` stands for a slash."""
    base = {"dev": number, "size": "2048000"} | files
    return {f"/sys/block/{name}/{file.replace('__', '/')}": text for file, text in base.items()}
