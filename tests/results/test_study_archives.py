"""A study in one archive with its raw outputs: streamed out, and taken back within the bounds of uploads."""

from __future__ import annotations

import io
import random
import tarfile
import tracemalloc
import zipfile
from contextlib import contextmanager
from io import StringIO

import pytest
from django.core.management import call_command

from benchdash.errors import Refused
from benchdash.inventory.models import Configuration, Environment
from benchdash.results.assignment import Assignment
from benchdash.results.ingest import ingest
from benchdash.results.models import Artifact, Execution, Run, Sample, Study, Upload
from benchdash.results.readings import File
from benchdash.results.study_archives import packed, unpacked
from benchdash.results.study_files import import_study
from tests.results.result_files import bonnie, fio, fio_job
from tests.results.test_study_measured import TEXT, folder, of

pytestmark = pytest.mark.django_db
__all__ = ["folder"]  # the fixture


def zipped(**files):
    """An archive of these, `slash` in a name being one."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/"), content)
    return held.getvalue()


@contextmanager
def nothing_is_left(tmp_path, monkeypatch):
    """What is unpacked lies in a folder of its own, and that is gone afterwards."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    yield place
    assert not list(place.iterdir())


def forget_everything():
    Run.objects.exclude(same_as=None).delete()
    for each in (Run, Sample, Execution, Upload, Artifact, Study, Configuration, Environment):
        each.objects.all().delete()


def imported(data, name="guests.zip"):
    with unpacked(data, name) as (text, beside):
        return import_study(text, folder=beside)


def refusal(data, name="guests.zip"):
    with pytest.raises(Refused) as refused:
        imported(data, name)
    assert not Study.objects.exists() and not Run.objects.exists()
    return refused.value.sentence


def test_the_archive_has_what_the_folder_has_and_is_taken_back(folder, tmp_path, monkeypatch):
    archive = b"".join(packed(of(folder)))
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        assert opened.testzip() is None
        assert opened.namelist()[0] == "study.yaml"
        assert {name: opened.read(name) for name in opened.namelist()} == {
            each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()
        }
    assert b"".join(packed(Study.objects.get())) == archive, "equal studies are equal bytes"
    forget_everything()
    with nothing_is_left(tmp_path, monkeypatch):
        study = imported(archive)
    assert study.runs.count() == 5
    assert b"".join(packed(study)) == archive


def test_the_command_takes_the_archive_as_it_is(folder, tmp_path):
    path = tmp_path / "guests.zip"
    path.write_bytes(b"".join(packed(of(folder))))
    forget_everything()
    call_command("import_study", str(path), stdout=StringIO())
    assert Study.objects.get().runs.count() == 5
    broken = tmp_path / "broken.zip"
    broken.write_bytes(path.read_bytes()[:400])
    errors = StringIO()
    with pytest.raises(SystemExit):
        call_command("import_study", str(broken), stderr=errors)
    assert errors.getvalue().startswith(f"{broken}: ") and "damaged" in errors.getvalue()


def test_outputs_with_any_name_come_back(tmp_path):
    study = Study.objects.create(title="Disks", slug="disks")
    names = ["../../etc/x.csv", "a\\b.csv", "結" * 150 + ".csv", ".hidden.csv", "._junk", "a b.csv"]
    names += ["study.yaml", "x\u202ecsv.exe", "Thumbs.db", "-rf", "a:b?.csv"]
    for number, name in enumerate(names, 1):
        ingest([bonnie(name=name, write=number * 1000)], Assignment(study=study))
    archive = b"".join(packed(study))
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        assert len(set(opened.namelist())) == len(names) + 1
    forget_everything()
    assert imported(archive).runs.count() == len(names)


def test_a_folder_that_was_packed_by_hand_is_read_too(folder):
    """With a folder around it, other files beside it, an output that is compressed itself, and as tar."""
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as archive:
        archive.add(folder, "guests")
        for name in ("guests/README", "other/published.csv"):
            entry = tarfile.TarInfo(name)
            entry.size = 5
            archive.addfile(entry, io.BytesIO(b"hello"))
    assert imported(held.getvalue(), "guests.tar.gz").runs.count() == 5


def test_an_output_in_the_archive_may_be_compressed_itself():
    text = "title: One\nmeasured:\n  - outputs:\n      - file: run.zip\n"
    inner = zipped(**{"run.csv": bonnie().data})
    assert imported(zipped(**{"study.yaml": text, "run.zip": inner})).runs.count() == 1


def test_what_is_no_study_is_refused_in_one_sentence(folder, tmp_path, monkeypatch):
    output = bonnie().data
    bomb = zipped(**{"study.yaml": TEXT, "a.txt": b"0" * 300 * 2**20})
    link = io.BytesIO()
    with tarfile.open(fileobj=link, mode="w") as archive:
        for name, target in (("study.yaml", ""), ("published.csv", "/etc/passwd")):
            entry = tarfile.TarInfo(name)
            entry.type = tarfile.SYMTYPE if target else tarfile.REGTYPE
            entry.linkname = target
            archive.addfile(entry)
    twice = io.BytesIO()
    with zipfile.ZipFile(twice, "w") as archive:
        archive.writestr("study.yaml", "title: One")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("study.yaml", "title: Two")
    with nothing_is_left(tmp_path, monkeypatch):
        assert refusal(zipped(**{"run.csv": output})) == (
            "guests.zip: there is no study.yaml in it."
        )
        assert refusal(zipped(**{"a__study.yaml": TEXT, "b__study.yaml": TEXT})) == (
            "guests.zip: it has several studies (a/study.yaml, b/study.yaml): import them one by one."
        )
        assert refusal(twice.getvalue()) == "guests.zip: “study.yaml” is in it twice."
        assert refusal(bomb) == ("guests.zip: larger than 128 MiB (a.txt)."), (
            "no byte of it is unpacked"
        )
        assert (
            refusal(link.getvalue()) == "guests.zip: a link, which is not followed (published.csv)."
        )
        assert refusal(zipped()).startswith("guests.zip: there is no study.yaml")
        assert "damaged" in refusal(zipped(**{"study.yaml": TEXT})[:-30])
        many = {f"{number}.txt": "" for number in range(5001)}
        assert "more than 5000 files" in refusal(zipped(**{"study.yaml": TEXT} | many))
        dense = {f"{number}.txt": b"0" * 90 * 2**20 for number in range(3)}
        assert "200 times its size" in refusal(zipped(**{"study.yaml": TEXT} | dense))
        climbs = refusal(zipped(**{"study.yaml": TEXT, "..__published.csv": output}))
        assert (
            climbs.startswith("study.yaml: Line ") and "there is no file “002-fio.json”" in climbs
        )


def test_a_large_study_is_never_in_memory_as_a_whole():
    study = Study.objects.create(title="Disks", slug="disks")
    noise = random.Random(1)
    size = 4 * 2**20
    for number in range(6):
        result = fio(fio_job(bandwidth=1000 + number)).data
        padding = noise.randbytes(size // 2).hex().encode()
        ingest([File(f"{number}.json", padding + b"\n" + result)], Assignment(study=study))
    assert study.runs.count() == 6
    tracemalloc.start()
    try:
        total = largest = 0
        for part in packed(study):
            total, largest = total + len(part), max(largest, len(part))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert total > 6 * size // 2
    assert largest < 2**20
    assert peak < total * 0.8, "one output at a time"
