"""What else a tool was told that can change a number, from its output and from its command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchdash.parsers import parse
from benchdash.parsers.commands import options_of_command
from benchdash.parsers.fio.options import other_options
from benchdash.parsers.fio.workload import of_options
from benchdash.parsers.options import LONGEST, MOST
from tests.parsers.fio_samples import json_of, results_of
from tests.parsers.golden import SAMPLES


def others(**options: str) -> dict[str, str]:
    """The other options beside the axes of the same options."""
    return other_options(options, of_options(options))


def options_in(name: str) -> dict[str, str]:
    results = parse((SAMPLES / name).read_bytes(), Path(name).name).results
    assert all(result.options == results[0].options for result in results)
    return results[0].options


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("fio/local-3.33-mixed.json", {}),
        ("fio/local-3.33-fsync.json", {"io_size": "2097152"}),
        ("fio/local-3.33-json+-terse-and-text.txt", {}),
        ("fio/local-3.33-two-block-sizes.json", {"bs": "4096,16384"}),
        ("fio/local-3.33-block-ranges.json", {"bssplit": "4096/60:65536/40"}),
        ("fio/local-3.36-json+-fdatasync.json", {"fdatasync": "1"}),
        ("fio/local-3.33-verify.json", {"verify": "crc32c"}),
        ("fio/local-3.33-kb-base-1000.json", {}),
        (
            "fio/local-3.33-latency-target.json",
            {"latency_percentile": "95", "latency_target": "5000", "latency_window": "200000"},
        ),
        ("bonnie++/local-2.00a-c4.csv", {}),
        ("pgbench/local-15-simpleupdate.txt", {"protocol": "prepared"}),
        ("dbench/local-4.00-target-rate.txt", {}),
    ],
)
def test_samples_print_these(name, expected):
    assert options_in(name) == expected


WORKLOAD = {"rw": "randwrite", "bs": "4k", "size": "1g", "iodepth": "8", "ioengine": "libaio"}


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("rate_iops", "400"),
        ("rate", "10485760"),
        ("thinktime", "1000"),
        ("random_distribution", "zipf:1.2"),
        ("bsrange", "4096-65536"),
        ("bssplit", "4096/50:8192/50"),
        ("fdatasync", "1"),
        ("zonemode", "strided"),
        ("offset", "1048576"),
        ("io_size", "2097152"),
        ("buffer_compress_percentage", "50"),
        ("iodepth_batch", "16"),
        ("numa_cpu_nodes", "0"),
        ("prio", "3"),
        ("latency_target", "5000"),
        ("refill_buffers", "1"),
        ("norandommap", "1"),
        ("randrepeat", "0"),
        ("sync", "dsync"),
        ("an_option_of_next_year", "x"),
    ],
)
def test_what_can_change_a_number_of_fio_is_kept(option, value):
    assert others(**WORKLOAD, **{option: value}) == {option: value}


def test_a_block_size_by_side_is_kept_and_a_plain_one_is_an_axis():
    assert others(rw="randrw", bs="4k,8k") == {"bs": "4096,8192"}
    assert others(rw="randrw", bs="4k,4k", rwmixread="70") == {}


@pytest.mark.parametrize(
    "option",
    [
        *("name", "filename", "directory", "description", "write_bw_log", "log_avg_msec"),
        *("group_reporting", "stonewall", "new_group", "wait_for", "randseed", "unlink"),
        *("per_job_logs", "lat_percentiles", "status-interval", "rbdname"),
    ],
)
def test_names_places_and_reports_are_left_out(option):
    assert others(**WORKLOAD, **{option: "x"}) == {}


def test_defaults_that_are_spelt_out_are_left_out():
    spelt = {"thinktime": "0", "random_distribution": "random", "randrepeat": "1", "loops": "1"}
    assert others(**WORKLOAD, **spelt, direct="0", fsync="0", sync="none", offset="0") == {}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"offset": "4k"}, {"offset": "4096"}),
        ({"offset": "1m"}, {"fileoffset": "1048576"}),
        ({"io_limit": "2M"}, {"io_size": "2048k"}),
        ({"bssplit": "4k/50:8K/50"}, {"bssplit": "4096/50 : 8192/50"}),
        ({"random_distribution": "zipf:1.20"}, {"random_distribution": "zipf:1.2"}),
        ({"latency_target": "5ms"}, {"latency_target": "5000"}),
        ({"startdelay": "1m"}, {"startdelay": "60s"}),
        ({"refill_buffers": ""}, {"refill_buffers": "1"}),
        ({"rate": "1m,2m"}, {"rate": "1024k,2048k"}),
    ],
)
def test_equal_things_are_written_alike(one, other):
    assert others(**WORKLOAD, **one) == others(**WORKLOAD, **other) != {}


def test_options_are_sorted_and_bounded():
    many = {f"option_{number:03}": "x" for number in range(300)}
    found = others(**WORKLOAD, **many)
    assert list(found) == sorted(found) and len(found) == MOST + 1
    fewer = others(**WORKLOAD, **{name: many[name] for name in list(many)[:-1]})
    assert found["…"] != fewer["…"]
    long, longer = others(cpus_allowed="1," * 200), others(cpus_allowed="1," * 201)
    assert long != longer and len(long["cpus_allowed"]) <= LONGEST


def test_a_group_that_sums_up_different_jobs_has_no_options():
    results = results_of("local-3.33-groups-of-different-jobs.json")
    assert [result.options for result in results if not result.workload] == [
        {} for result in results if not result.workload
    ]
    assert not all(result.workload for result in results)


def test_options_leave_workload_and_details_alone():
    document = json_of("local-3.33-mixed.json")
    plain = parse(json.dumps(document).encode()).results[0]
    document["jobs"][0]["job options"]["rate_iops"] = "100"
    rated = parse(json.dumps(document).encode()).results[0]
    assert rated.workload == plain.workload and rated.options == {"rate_iops": "100"}


def of_fio(*words: str, **rest: object) -> dict[str, str]:
    workload = rest.pop("workload", {"pattern": "randread", "block_bytes": 4096})
    return options_of_command("fio", ["fio", *words], workload, **rest)  # type: ignore[arg-type]


def test_a_command_of_fio_gives_what_its_output_does_not():
    found = of_fio(
        *("--name=x", "--rw=randread", "--bs=4k", "--direct=1", "--time_based", "--runtime=1m"),
        *("--output=/tmp/x", "--output-format=normal", "--eta=always", "--thinktime", "5ms"),
    )
    assert found == {"direct": "1", "runtime": "60", "thinktime": "5000", "time_based": "1"}


def test_a_command_tells_nothing_that_the_axes_say():
    axes = {"pattern": "randread", "block_bytes": 4096, "direct": True, "duration_s": 60.0}
    words = "--name=x", "--rw=randread", "--bs=4k", "--direct=1", "--runtime=60"
    assert of_fio(*words, workload=axes) == {}
    assert of_fio(*words, workload=axes | {"duration_s": 30.0}) == {"runtime": "60"}


def test_a_command_says_the_same_as_what_text_prints_of_it():
    axes = {"pattern": "rw", "block_bytes": 4096}
    assert of_fio("--name=x", "--readwrite=readwrite", "--blocksize=4096", workload=axes) == {}
    assert of_fio("--name=x", "--rw=rw", "--rwmixread=50", workload=axes) == {}
    assert of_fio("--name=x", "--rw=rw", "--rwmixread=70", workload=axes) == {"rwmixread": "70"}


def test_a_command_of_several_jobs_gives_those_of_the_named_one():
    words = "--rate_iops=5", "--name=a", "--loops=2", "--name=b", "--loops=3"
    assert of_fio(*words, label="a") == {"loops": "2", "rate_iops": "5"}
    assert of_fio(*words, label="b @ node-a") == {"loops": "3", "rate_iops": "5"}
    assert of_fio(*words, label="group 0") == {"a.loops": "2", "b.loops": "3", "rate_iops": "5"}


def test_a_job_file_is_read_by_its_sections():
    text = (
        "[global]\ndirectory=/x\nrate_iops=10\n; no\n[a]\nloops=2\n[global]\nprio=3\n[b]\nthread\n"
    )
    words = "--output=/s/result.out", "/s/jobs.fio"
    files = {"jobs.fio": text}
    assert of_fio(*words, files=files, label="a") == {"loops": "2", "rate_iops": "10"}
    assert of_fio(*words, files=files, label="b") == {"prio": "3", "rate_iops": "10", "thread": "1"}


@pytest.mark.parametrize(
    ("tool", "command", "workload", "expected"),
    [
        (
            "bonnie++",
            "bonnie++ -d /mnt -s 1024 -n 16 -x 3 -u root -b -f -q",
            {"file_bytes": 2**30, "files": 16384},
            {"-b": "1"},
        ),
        ("bonnie++", "/usr/sbin/bonnie++ -d/mnt -D -qb", {}, {"-D": "1", "-b": "1"}),
        ("bonnie++", "bonnie++ -s 1024 -d x", {}, {"-s": "1024"}),
        (
            "dbench",
            "dbench -D /mnt -t 60 -s -R 5 --fsync 8",
            {"sync": True, "clients": 8},
            {"fsync": "1", "target-rate": "5", "timelimit": "60"},
        ),
        (
            "pgbench",
            "pgbench -c 4 -j 2 -T 60 -M prepared -P 1 -S -R 100 -h db bench",
            {"clients": 4, "jobs": 2, "duration_s": 60.0, "script": "select only"},
            {"rate": "100"},
        ),
        (
            "sysbench",
            "sh -c cd sh sysbench fileio --threads=4 --time=60 --file-fsync-mode=fdatasync run",
            {"jobs": 4},
            {"file-fsync-mode": "fdatasync", "time": "60"},
        ),
        (
            "rados",
            "rados --pool=bench bench 60 write -b 4096 --no-cleanup -t 16 --max-objects 9",
            {"block_bytes": 4096, "queue_depth": 16},
            {"max-objects": "9"},
        ),
        (
            "rbd",
            "rbd bench pool/image --io-type write --io-size=4096 --io-threads=16 --io-total=1G",
            {"pattern": "write", "block_bytes": 4096, "queue_depth": 16},
            {},
        ),
        ("fio", "taskset -c 0-3 fio --name=x", {}, {"under": "taskset -c 0-3"}),
        ("fio", "sudo /opt/fio/bin/fio --name=x --nice=5", {}, {"nice": "5"}),
        ("fio", "dbench 4", {}, {}),
        ("iozone", "iozone -a", {}, {}),
    ],
)
def test_commands_give_these(tool, command, workload, expected):
    assert options_of_command(tool, command.split(), workload) == expected
