"""Checks a fio job file that somebody typed: options that measure are allowed, no others.

fio runs commands (exec_prerun), reads other files (include), expands ${VARIABLES} and passes
arithmetic to a shell. Directory and device come from the recipe's parameters.
"""

from __future__ import annotations

import re

from benchdash.errors import N_, Refused
from benchdash.vocabulary.near import near

MOST_SECTIONS = 64
ENGINES = (
    "libaio", "io_uring", "sync", "psync", "vsync", "pvsync", "pvsync2", "posixaio", "mmap",
    "splice", "null",
)  # fmt: skip
_OPTIONS = """
    allow_file_create alignsize bandwidth blockalign blocksize blocksize_range blocksize_unaligned
    bs bs_unaligned bsrange bssplit buffer_compress_percentage buffer_pattern buffered
    clat_percentiles create_fsync create_on_open create_only create_serialize dedupe_percentage
    description direct do_verify end_fsync experimental_verify fallocate fdatasync file_append
    file_service_type filename filesize fixedbufs fsync fsync_on_close group_reporting hipri
    invalidate io_limit io_size iodepth iodepth_batch iodepth_batch_complete
    iodepth_batch_complete_max iodepth_batch_complete_min iodepth_batch_submit iodepth_low
    ioengine lat_percentiles latency_percentile latency_run latency_target latency_window loops
    max_latency new_group nice nonvectored norandommap nrfiles numjobs offset offset_align
    offset_increment openfiles overwrite percentage_random percentile_list prio prioclass
    random_distribution random_generator randrepeat randseed ramp_time rate rate_cycle rate_iops
    rate_iops_min rate_min rate_process readwrite refill_buffers registerfiles runtime rw
    rw_sequencer rwmixcycle rwmixread rwmixwrite scramble_buffers size slat_percentiles
    softrandommap sqthread_poll startdelay stonewall sync thinktime thinktime_blocks
    thinktime_spin thread time_based timeout unified_rw_reporting unlink unlink_each_loop verify
    verify_async verify_backlog verify_fatal verify_interval wait_for wait_for_previous
    zero_buffers
"""
OPTIONS = frozenset(_OPTIONS.split())
_SECTION = re.compile(r"\[([\w .,+-]{1,100})\]")
_VALUE = re.compile(r"[\w .,:%/+*()=-]*")
_FILE = re.compile(r"[\w+-][\w.+-]{0,100}(?::[\w+-][\w.+-]{0,100})*", re.ASCII)


def check(text: str, field: str) -> None:
    """Refused, with the line, where the job file has something that is not allowed."""
    sections = 0
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        if line.startswith("["):
            sections += line != "[global]"
            wrong = "" if _SECTION.fullmatch(line) else N_("a section is written as [name].")
        else:
            wrong = _wrong(line)
        if wrong:
            raise Refused(
                "Line {line} of the job file: {sentence}", field, line=number, sentence=wrong
            )
    if not 1 <= sections <= MOST_SECTIONS:
        raise Refused(
            "A job file has 1 to {most} sections besides [global].", field, most=MOST_SECTIONS
        )


def _wrong(line: str) -> str:
    """What is wrong with the line of an option, "" for nothing."""
    name, _, value = (part.strip() for part in line.partition("="))
    if name not in OPTIONS:
        return near(N_("the option “{name}” is not allowed.", name=name[:80]), name, OPTIONS)
    if not _VALUE.fullmatch(value):
        return N_("the value of {name} has a character that is not allowed.", name=name)
    if name == "ioengine" and value not in ENGINES:
        return N_(
            "ioengine must be {engines} or {last}.",
            engines=", ".join(ENGINES[:-1]),
            last=ENGINES[-1],
        )
    if name == "filename" and not _FILE.fullmatch(value):
        return N_("filename must be a plain name; a device comes from a parameter of the recipe.")
    if "/" in value and name not in ("bssplit", "rw", "readwrite", "description"):
        return N_("the value of {name} may not be a path.", name=name)
    return ""
