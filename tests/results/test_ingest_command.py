"""`manage.py ingest`: files, folders, archives; never stops at the first bad file."""

from __future__ import annotations

import os

import pytest
from django.core.management import CommandError, call_command

from benchdash.results.management.commands import ingest as command
from benchdash.results.models import Artifact, Run
from tests.measured import a_configuration, an_environment
from tests.results.result_files import bonnie, bonnie_row, fio, fio_job, fio_log, zipped

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path):
    """Two results, one of them in an archive, and a file that is none."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.csv").write_bytes(bonnie().data)
    (tmp_path / "sub" / "b.txt").write_text("nothing in it")
    (tmp_path / "sub" / "c.zip").write_bytes(
        zipped("c.zip", {"c.csv": bonnie_row(write=1).encode()}).data
    )
    (tmp_path / ".hidden").write_text("no")
    return tmp_path


def ingest(*paths, **options):
    """The exit code of the command."""
    try:
        call_command("ingest", *map(str, paths), **options)
    except SystemExit as end:
        return end.code
    return 0


def test_everything_in_a_folder_is_stored_and_what_is_not_is_reported(folder, capsys):
    assert ingest(folder) == 1
    printed = capsys.readouterr().out
    assert f"stored: {folder}/a.csv: bonnie++, 1 result (bonnie++/csv-1.03)" in printed
    assert f"stored: {folder}/sub/c.zip/c.csv: " in printed
    assert f"refused: {folder}/sub/b.txt: " in printed
    assert printed.endswith("2 stored, 0 stored before, 1 refused.\n")
    assert Run.objects.count() == 2


def test_a_second_time_nothing_is_stored(folder, capsys):
    (folder / "sub" / "b.txt").unlink()
    assert ingest(folder) == 0
    assert ingest(folder) == 0
    assert capsys.readouterr().out.endswith("0 stored, 2 stored before, 0 refused.\n")
    assert Run.objects.count() == 2


def test_runs_belong_where_it_is_stated(folder):
    configuration, environment = a_configuration("local"), an_environment("lab")
    ingest(folder / "a.csv", configuration="local", environment="lab")
    run = Run.objects.get()
    assert (run.configuration, run.environment) == (configuration, environment)


def test_a_name_that_does_not_exist_stores_nothing_and_says_what_is_near(folder):
    a_configuration("local disk")
    with pytest.raises(CommandError, match="local disk"):
        ingest(folder, configuration="local dsk")
    assert not Artifact.objects.exists()


def test_what_is_missing_too_large_or_no_file_is_reported_and_the_rest_is_stored(
    folder, capsys, settings
):
    settings.MAX_UPLOAD_BYTES = 200
    (folder / "large.csv").write_bytes(bonnie().data * 10)
    os.mkfifo(folder / "pipe.csv")
    names = ("none.csv", "large.csv", "pipe.csv", "a.csv")
    assert ingest(*(folder / name for name in names)) == 1
    printed = capsys.readouterr().out
    assert "pipe.csv: neither a file nor a folder" in printed
    assert "none.csv: there is no such file" in printed
    assert "large.csv: larger than" in printed
    assert Run.objects.count() == 1


def test_a_folder_is_not_divided_between_a_log_and_its_result(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "_USUAL", (1, 1))
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "out.json").write_bytes(
            fio(fio_job(bandwidth=len(name) + ord(name))).data
        )
        (tmp_path / name / "seq_bw.1.log").write_bytes(fio_log(points=ord(name)).data)
    assert ingest(tmp_path) == 0
    assert [run.traces.count() for run in Run.objects.all()] == [1, 1]
