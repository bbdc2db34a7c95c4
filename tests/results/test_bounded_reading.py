"""What is sent together is read within one budget, a piece at a time, whatever it unpacks to."""

from __future__ import annotations

import gzip
import io
import os
import tracemalloc
import zipfile

import pytest

from benchdash.parsers.unpacking import Budget, Limits
from benchdash.results import ingest as door
from benchdash.results import readings
from benchdash.results.artifacts import content_of
from benchdash.results.ingest import ingest
from benchdash.results.models import Artifact, Execution, Measurement, Run, Trace, Upload
from benchdash.results.readings import File
from tests.results.result_files import bonnie, bonnie_row, fio, fio_job, fio_log, zipped

pytestmark = pytest.mark.django_db


def packed(name, size, mark=b""):
    """A zip of one file of zeros."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros.txt", mark + bytes(size))
    return File(name, target.getvalue())


def sentences_of(outcomes):
    return {outcome.upload.name: outcome.sentence for outcome in outcomes}


def test_the_archives_of_one_request_share_one_budget():
    sent = [packed(f"{n}.zip", 2**19, b"%d" % n) for n in range(4)]
    sentences = sentences_of(
        ingest([*sent, bonnie()], budget=Budget(Limits(unpacked_bytes=2**20 + 9)))
    )
    sentence = "it and the archives before it unpack to more than 1 MiB: send it separately"
    assert (sentences["2.zip"], sentences["3.zip"]) == (sentence, sentence)
    assert "0.zip" not in sentences and sentences["a.csv"] == ""
    refused_upload = Upload.objects.get(name="3.zip")
    assert content_of(refused_upload.artifact) == sent[3].data
    assert sentences_of(ingest([sent[3]])).keys() == {"3.zip/zeros.txt"}


def test_files_and_results_are_counted_over_a_whole_request():
    two = zipped("a.zip", {"1": b"x", "2": b"y"}), zipped("b.zip", {"1": b"z", "2": b"w"})
    sentences = sentences_of(ingest(two, budget=Budget(Limits(files=3))))
    assert "more than 3 files: send it separately" in sentences["b.zip"]
    rows = [bonnie(f"{n}.csv", write=1000 + n) for n in range(3)]
    sentences = sentences_of(ingest(rows, budget=Budget(Limits(results=2))))
    assert sentences["2.csv"].endswith("more than 2 results were sent together: split the upload")
    assert Run.objects.count() == 2 and Artifact.objects.filter(uploads__name="2.csv").exists()


def test_the_members_of_an_archive_are_not_held():
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(12):
            archive.writestr(f"{number}.txt", os.urandom(2**16) + bytes(8 * 2**20))
    tracemalloc.start()
    outcomes = ingest([File("a.zip", target.getvalue())])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(outcomes) == 12
    assert peak < 48 * 2**20


def everything():
    """Results, logs and what cannot be read, in an archive and beside one."""
    jobs = fio_job("one", write_bw_log="trial"), fio_job("two", 2000, write_bw_log="other")
    inner = [fio_log("trial_bw.1.log"), fio(*jobs), fio_log("other_bw.2.log", points=9)]
    archive = zipped("a.zip", {f"in/{file.name}": file.data for file in inner})
    nested = File("b.csv.gz", gzip.compress(bonnie_row(write=1).encode()))
    return [archive, nested, bonnie("c.csv", write=2), bonnie("d.csv", write=2), File("e", b"no")]


def stored():
    """All that the database says of it."""
    return (
        sorted(Upload.objects.values_list("name", "outcome", "sentence", "artifact__sha256")),
        sorted(Run.objects.values_list("artifact__sha256", "position", "label", "digest")),
        sorted(Trace.objects.values_list("artifact__sha256", "run__label", "points")),
        Measurement.objects.count(),
        {each.sha256: content_of(each) for each in Artifact.objects.all()},
    )


def test_what_was_put_away_on_disk_is_stored_as_if_it_had_not_been(monkeypatch):
    files = everything()  # once: an archive says when it was made
    ingest(files)
    in_memory = stored()
    assert len(in_memory[2]) == 2
    Trace.objects.all().delete()
    Run.objects.all().delete()
    Execution.objects.all().delete()
    Upload.objects.all().delete()
    Artifact.objects.all().delete()
    for module in (readings, door):
        monkeypatch.setattr(module, "HELD_BYTES", 1)
    ingest(files)
    assert stored() == in_memory
