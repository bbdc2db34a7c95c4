"""Each file is stored exactly once or not at all, whoever brings it and whatever breaks."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack

import pytest

from benchdash.results.ingest import ingest
from benchdash.results.models import Artifact, Measurement, Run, Upload
from benchdash.results.readings import File
from tests.another_process import another_process
from tests.results.result_files import bonnie, bonnie_row

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def somebody(tmp_path):
    """`somebody(file, …)` is another process that is ready to store these files."""
    with ExitStack() as processes:

        def start(*files, **environment):
            paths = []
            for file in files:
                paths.append(tmp_path / file.name)
                paths[-1].write_bytes(file.data)
            command = ("-m", "tests.results.ingest_process", *map(str, paths))
            return processes.enter_context(another_process(*command, **environment))

        yield start


def go(process):
    process.stdin.write("\n")
    process.stdin.flush()


def words_of(process):
    return process.stdout.readline().split()


def at_once(processes):
    """Let all of them store at the same moment; what became of their files."""
    for process in processes:
        assert words_of(process) == ["ready"]
    for process in processes:
        go(process)
    return [words_of(process) for process in processes]


def test_four_people_with_the_same_file_at_once_store_it_once(somebody):
    answers = at_once([somebody(bonnie()) for _ in range(4)])
    assert Counter(word for answer in answers for word in answer) == {"stored": 1, "known": 3}
    assert Artifact.objects.count() == Run.objects.count() == 1
    assert Upload.objects.count() == 4
    assert Measurement.objects.count() > 0


def test_two_people_with_the_same_files_in_opposite_order_wait_for_no_one_for_ever(somebody):
    files = [bonnie(f"{n}.csv", write=n) for n in range(1, 60)]
    one, other = at_once([somebody(*files), somebody(*reversed(files))])
    assert Counter(one + other) == {"stored": 59, "known": 59}
    assert Run.objects.count() == 59


def test_the_same_result_in_two_files_at_once_counts_once(somebody):
    files = [File(f"{n}.csv", bonnie_row().encode() + b"\n" * n) for n in range(4)]
    answers = at_once([somebody(file) for file in files])
    assert answers == [["stored"]] * 4
    assert Counter(Run.objects.values_list("counted", flat=True)) == {True: 1, False: 3}
    assert Run.objects.filter(same_as=Run.objects.get(counted=True)).count() == 3


def test_a_process_killed_in_the_middle_leaves_nothing_behind(somebody):
    process = somebody(bonnie(), STOP_IN_THE_MIDDLE="yes")
    words_of(process)
    go(process)
    assert words_of(process) == ["in", "the", "middle"]
    process.kill()
    process.wait()
    assert not Artifact.objects.exists() and not Run.objects.exists()
    (outcome,) = ingest([bonnie()])
    assert outcome.upload.outcome == Upload.Outcome.STORED
    assert Measurement.objects.filter(run=outcome.runs[0]).exists()


def test_a_file_whose_bytes_were_refused_may_be_uploaded_again(somebody):
    sent = File("a.txt", b"nothing in it")
    answers = at_once([somebody(sent) for _ in range(2)])
    assert answers == [["refused"]] * 2
    assert Artifact.objects.count() == 1
