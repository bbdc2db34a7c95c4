"""Options of fio besides the workload axes, from printed options, a command or a job file.

Option names, aliases, types and defaults are those of `fio --cmdhelp=all` (3.33) and fio's HOWTO.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchdash.parsers.fio.workload import MIXED, axis_of, option_bytes, option_seconds
from benchdash.parsers.options import SWITCHED_ON, canonical, without_defaults


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


Job = tuple[str, dict[str, str]]  # name and options, those of [global] under its own

# Names, places, reports and seeds, which change no number, and what `group` or a label says.
_INCIDENTAL = _words(
    """
    name description filename directory filename_format unique_filename opendir lockfile
    group_reporting stonewall wait_for wait_for_previous new_group unlink unlink_each_loop
    randseed unified_rw_reporting clat_percentiles lat_percentiles slat_percentiles
    percentile_list significant_figures block_error_percentiles per_job_logs bwavgtime iopsavgtime
    write_bw_log write_iops_log write_lat_log write_hist_log write_iolog kb_base unit_base
    disk_util error_dump
    pool rbdname clientname clustername
    output output-format minimal append-terse terse-version eta eta-newline eta-interval
    status-interval debug parse-only showcmd readonly section version warnings-fatal max-jobs
    server client remote-config idle-prof inflate-log aux-path bandwidth-log latency-log
    """
)
_LOGS = "log_"
_ALIASES = {
    "readwrite": "rw",
    "blocksize": "bs",
    "blocksize_range": "bsrange",
    "blocksize_unaligned": "bs_unaligned",
    "blockalign": "ba",
    "timeout": "runtime",
    "nr_files": "nrfiles",
    "io_limit": "io_size",
    "fill_fs": "fill_device",
    "fileoffset": "offset",
    "iodepth_batch_submit": "iodepth_batch",
    "iodepth_batch_complete": "iodepth_batch_complete_min",
    "iomem": "mem",
    "disable_bw": "disable_bw_measurement",
    "ratemin": "rate_min",
    "ratecycle": "rate_cycle",
    "ss": "steadystate",
    "ss_dur": "steadystate_duration",
    "ss_ramp": "steadystate_ramp_time",
}
_DEFAULTS = {
    **dict.fromkeys(
        _words(
            """
        allow_mounted_write allrandrepeat atomic bs_unaligned buffer_compress_percentage
        create_on_open create_only dedupe_percentage direct disable_bw_measurement disable_clat
        disable_lat disable_slat end_fsync exitall fdatasync file_append fill_device flow flow_id
        flow_sleep fsync fsync_on_close gtod_reduce hipri ignore_zone_limits job_max_open_zones
        latency_run lockmem max_open_zones nice norandommap number_ios offset offset_align
        offset_increment overwrite pre_read ramp_time rate_ignore_thinktime read_iolog_chunked
        refill_buffers runtime serialize_overlap softrandommap startdelay sync
        thinktime thinktime_iotime thinktime_spin thread time_based trim_percentage verify
        verify_async verify_fatal write_barrier zero_buffers zonecapacity zonerange zonesize zoneskip
        """
        ),
        "0",
    ),
    **dict.fromkeys(
        _words(
            """
        allow_file_create buffered create_fsync create_serialize do_verify invalidate iodepth
        iodepth_batch iodepth_batch_complete_min loops nrfiles numjobs randrepeat replay_scale
        scramble_buffers stats thinktime_blocks verify_state_save
        """
        ),
        "1",
    ),
    "continue_on_error": "none",
    "file_service_type": "roundrobin",
    "io_submit_mode": "inline",
    "mem": "malloc",
    "percentage_random": "100",
    "random_distribution": "random",
    "random_generator": "tausworthe",
    "rate_cycle": "1000",
    "rate_process": "linear",
    "rwmixread": "50",
    "rwmixwrite": "50",
    "rw_sequencer": "sequential",
    "thinktime_blocks_type": "complete",
    "zonemode": "none",
}
_SIZES = _words(
    """
    bs ba bsrange bssplit size filesize io_size offset offset_align offset_increment rate rate_min
    rate_iops rate_iops_min zonesize zonerange zonecapacity zoneskip read_iolog_chunked number_ios
    buffer_compress_chunk verify_interval verify_offset verify_backlog hugepage-size
    trim_backlog sync_file_range cmdprio_bssplit
    """
)
_SIZE = re.compile(r"(?<![\w.%])\d{1,18}[kmgtp]?(?:ib|b|i)?(?![\w.%])", re.IGNORECASE | re.ASCII)
_SECONDS = _words("runtime ramp_time startdelay steadystate_duration steadystate_ramp_time")
_MICROSECONDS = _words("thinktime thinktime_spin latency_target latency_window max_latency")
_TRAILING_ZEROS = re.compile(r"(\d\.\d*?)0+(?!\d)")
# they hold less than the option says
_SYNC = ("0", "1", "none", "sync")
_FLAGS = _words(
    """
    bs_unaligned exitall exitall_on_error group_reporting minimal new_group norandommap readonly
    refill_buffers showcmd stonewall thread time_based verify_only zero_buffers append-terse
    """
)


def other_options(options: Mapping[str, str], workload: Mapping[str, Any]) -> dict[str, str]:
    """Of a job's `options` those that are no axis of `workload`, canonical and sorted.

    An axis that the workload lacks, or has with another value, does not hold the option.
    """
    others = {}
    kb_base = 1024  # of the options after it, as for the axes
    for printed, text in options.items():
        if printed == "kb_base":
            kb_base = 1000 if text == "1000" else 1024
        name = _ALIASES.get(printed, printed)
        if name in _INCIDENTAL or name.startswith(_LOGS):
            continue
        value = _value(name, text, kb_base)
        if not _is_axis(name, value, text, workload, kb_base):
            others[name] = value
    return canonical(without_defaults(others, _DEFAULTS).items())


def _is_axis(name: str, value: str, text: str, workload: Mapping[str, Any], kb_base: int) -> bool:
    if name in ("rwmixread", "rwmixwrite"):  # of other patterns it means nothing
        pattern = str(workload.get("pattern", "rw")).partition(":")[0]
        return "read_fraction" in workload or pattern not in MIXED
    if name == "fdatasync" or (name == "sync" and value not in _SYNC):
        return False
    given = axis_of(name, text, kb_base)
    if given is None or given[1] is None:
        return False
    axis, reading = given
    # a result of one of several jobs has one job
    return axis in workload and (axis == "jobs" or workload[axis] == reading)


def _value(name: str, text: str, kb_base: int) -> str:
    """`4k` as 4096, `1m` of a time as 60 or 60000000; the word of a switch as 1."""
    text = "".join(text.split()) if name in _SIZES else text.strip()
    if not text:
        return SWITCHED_ON
    if name in _SIZES:
        return _SIZE.sub(lambda size: str(option_bytes(size[0], kb_base) or size[0]), text)
    if name in _SECONDS and (seconds := option_seconds(text)) is not None:
        return f"{seconds:.12g}"
    if name in _MICROSECONDS and not text.isdecimal():
        seconds = option_seconds(text)
        return text if seconds is None else f"{seconds * 1e6:.12g}"
    if name == "random_distribution":
        return _TRAILING_ZEROS.sub(lambda number: number[1].rstrip("."), text)
    return text


def of_command(
    words: Sequence[str], workload: Mapping[str, Any], files: Mapping[str, str], label: str
) -> dict[str, str]:
    """The same from the words after `fio` and the texts of its job files.

    Of several jobs those of the one named `label`; where there is none of that name, what all
    share under its own name and the rest as `JOB.OPTION`.
    """
    jobs = _jobs(words, files)
    named = [job for job in jobs if job[0] == label.partition(" @ ")[0]]
    found = [(name, other_options(options, workload)) for name, options in named or jobs]
    every = [set(options.items()) for _, options in found]
    shared = set.intersection(*every) if every else set()
    rest = {
        (f"{name}.{option}", value)
        for name, options in found
        for option, value in options.items() - shared
    }
    return canonical(shared | rest)


def _jobs(words: Sequence[str], files: Mapping[str, str]) -> list[Job]:
    """Every job of a command: `--name` begins one, a word without `-` is the name of a job file."""
    given: dict[str, str] = {}
    options = given
    jobs: list[Job] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("-"):
            text = files.get(word) or files.get(word.rpartition("/")[2]) or ""
            jobs += _jobs_of_file(text, given)
            continue
        name, equals, value = word.lstrip("-").partition("=")
        if not equals and name not in _FLAGS and rest and not rest[0].startswith("-"):
            value = rest.pop(0)
        if name != "name":
            options[name] = value
        elif value == "global":
            options = given
        else:
            options = dict(given)
            jobs.append((value, options))
    return jobs


def _jobs_of_file(text: str, given: Mapping[str, str]) -> Iterator[Job]:
    """The jobs of a job file; what stands in [global] is under those of the sections after it."""
    shared = dict(given)
    options = shared
    for raw in text.splitlines():
        line = raw.strip()
        if line.startswith("[") and line.endswith("]"):
            name = line[1:-1]
            options = shared if name == "global" else dict(shared)
            if name != "global":
                yield name, options
        elif line and line[0] not in "#;":
            name, _, value = line.partition("=")
            options[name.strip()] = value.strip()
