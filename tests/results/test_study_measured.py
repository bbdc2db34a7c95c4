"""What was measured goes with the file of a study, and comes back with all that comparisons ask of it."""

from __future__ import annotations

import zipfile
from array import array
from io import BytesIO, StringIO

import pytest
import yaml
from django.core.management import CommandError, call_command

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.inventory.models import Configuration, Environment
from benchdash.inventory.records import record_configuration, record_environment
from benchdash.results.artifacts import purge_bytes
from benchdash.results.assignment import Assignment
from benchdash.results.ingest import ingest
from benchdash.results.models import Artifact, Execution, Run, Sample, Study, Trace, Upload
from benchdash.results.readings import File
from benchdash.results.records import add_condition
from benchdash.results.study_archives import packed
from benchdash.results.study_files import export_study, import_study
from benchdash.results.traces import add_printed
from benchdash.vocabulary.storage.notation import parse
from tests.results.result_files import bonnie, fio, fio_job

pytestmark = pytest.mark.django_db

TEXT = """\
slug: guests
title: Guests
translations:
  ja:
    series:
      lab-2026-11:
        title: 実験機
        words: 数値は本物ではありません。
published_as: author
series:
  lab-2026-11:
    title: lab machines
    words: Settings are real, speeds are not.
environments:
  Lab:
    machines:
      node-a:
        kernel: 6.1.0
configurations:
  local:
    layers: |-
      ext4
      disk scheduler=none
conditions:
  - configuration: local
    environment: Lab
    baseline: true
    outputs:
      - published.csv
measured:
  - configuration: local
    environment: Lab
    settings:
      guests: 2
      series: lab-2026-11
    outputs:
      - round: 1
        together:
          - file: 002-fio.json
            label: guest-1
            started_at: '2026-11-23T17:00:00.250000+00:00'
          - file: 003-fio.json
            label: guest-2
            started_at: '2026-11-23T17:00:00.260000+00:00'
  - configuration: local
    environment: Lab
    settings:
      series: lab-2026-11
    workload:
      files: 16384
    outputs:
      - round: 2
        file: 004-bonnie.txt
        started_at: '2026-11-23T17:01:00+00:00'
        command: bonnie++ -d /mnt/x -q -b -s 16384
        doubts:
          - load: The load was 2.5 while it was measured.
        dismissed:
          - load: Nothing else used the disks.
        tags:
          - weekly
      - round: 3
        file: 005-bonnie.txt
        started_at: '2026-11-23T17:02:00+00:00'
        doubts:
          - trend: It fell by 20 % while it ran.
            operations:
              - seq_write
        repeat: true
"""


@pytest.fixture
def folder(tmp_path):
    """A study with what was published, one sample of two hosts, and one of one."""
    (tmp_path / "study.yaml").write_text(TEXT)
    for name, file in {
        "published.csv": bonnie(host="author"),
        "002-fio.json": fio(fio_job(bandwidth=1000)),
        "003-fio.json": fio(fio_job(bandwidth=1100)),
        "004-bonnie.txt": bonnie(write=80_000),
        "005-bonnie.txt": File("", bonnie(write=80_000).data + b"\n"),
    }.items():
        (tmp_path / name).write_bytes(file.data)
    return tmp_path


def of(folder):
    return import_study((folder / "study.yaml").read_text(), folder=folder)


def test_settings_rounds_starts_samples_and_doubts_are_those_of_the_file(folder):
    study = of(folder)
    assert study.runs.count() == 5
    first, second, alone, repeat = study.runs.exclude(settings={}).order_by("started_at")
    assert first.settings == {"guests": 2, "series": "lab-2026-11"}
    assert first.sample_id == second.sample_id != alone.sample_id
    assert [first.label[:7], second.label[:7]] == ["guest-1", "guest-2"]
    assert (first.execution.round, alone.execution.round) == (1, 2)
    assert f"{second.started_at:%H:%M:%S.%f}" == "17:00:00.260000"
    assert (alone.workload.files, alone.workload.options) == (16384, {"-b": "1"})
    assert [(one.kind, one.sentence[:8]) for one in alone.doubts.exclude(kind="short")] == [
        ("load", "The load")
    ]
    assert study.runs.get(settings={}).execution.round is None
    dismissed = alone.doubts.get(kind="load")
    assert dismissed.dismissed_reason == "Nothing else used the disks."
    assert [tag.name for tag in alone.tags.all()] == ["weekly"]
    assert (repeat.is_repeat, repeat.same_as_id) == (True, alone.pk)
    assert repeat.doubts.get(kind="trend").operations == ["seq_write"]


def test_what_was_measured_is_written_as_it_was_read_to_the_byte(folder, tmp_path):
    study, to = of(folder), tmp_path / "again"
    call_command("export_study", "guests", to=to)
    assert {each.name: each.read_text() for each in to.iterdir()} == {
        each.name: each.read_text() for each in folder.iterdir() if each.is_file()
    }
    # the text alone names no output, for they do not lie beside it
    assert "measured:" not in export_study(study) and "outputs:" not in export_study(study)
    with pytest.raises(CommandError, match="is not empty"):
        call_command("export_study", "guests", to=to)
    # and on an installation that has none of it
    Run.objects.exclude(same_as=None).delete()
    everything = (Run, Sample, Execution, Upload, Artifact, Study, Configuration, Environment)
    for each in everything:
        each.objects.all().delete()
    call_command("import_study", str(to / "study.yaml"), stdout=StringIO())
    again = tmp_path / "third"
    call_command("export_study", "guests", to=again)
    assert (again / "study.yaml").read_text() == TEXT


@pytest.mark.parametrize(
    ("change", "begins", "words"),
    [
        ({"configuration": "lokal"}, "lokal", "“lokal” is not a configuration of this file"),
        ({"environment": "Lap"}, "Lap", "“Lap” is not an environment of this file"),
        ({"settings": {"Two words": 1}}, "Two words", "cannot be the name of a setting"),
        ({"workload": {"depth": 1}}, "depth", "“depth” is not known here"),
        ({"workload": {"jobs": "many"}}, "jobs: many", "workload axes are needed"),
        ({"outputs": [{"round": 1}]}, "round", "“file” is needed here"),
        ({"outputs": [{"file": "none.txt"}]}, "none.txt", "there is no file “none.txt” beside it"),
        (
            {"outputs": [{"file": "002-fio.json"}]},
            "file: 002-fio.json",
            "this output is listed twice",
        ),
        ({"outputs": [{"file": "x", "started_at": "today"}]}, "file: x", "a time such as"),
        ({"outputs": [{"file": "x", "command": "bonnie++ 'x"}]}, "file: x", "a quotation mark"),
        ({"outputs": [{"file": "x", "doubts": [{"loud": "!"}]}]}, "loud", "“loud” is not known"),
    ],
)
def test_a_mistake_in_what_was_measured_is_refused_with_its_line(folder, change, begins, words):
    document = yaml.safe_load(TEXT)
    document["measured"][1] |= change
    text = yaml.dump(document, sort_keys=False, allow_unicode=True)
    with pytest.raises(Refused) as refused:
        import_study(text, folder=folder)
    assert words in refused.value.sentence
    line = int(refused.value.sentence.split()[1].strip(":"))
    near = [n for n, each in enumerate(text.splitlines(), 1) if begins in each]
    assert any(abs(line - each) <= 1 for each in near), refused.value.sentence
    assert not Study.objects.exists() and not Run.objects.exists()


def stack(name, filesystem):
    return record_configuration(name, parse(f"{filesystem}\ndisk"))


def machine(kernel):
    return {"node-a": {"hostname": "store", "kernel": kernel}}


def written(study, to):
    stderr = StringIO()
    call_command("export_study", study.slug, to=to, stderr=stderr)
    return yaml.safe_load((to / "study.yaml").read_text()), stderr.getvalue()


def outputs_in(document):
    of_conditions = [each for one in document["conditions"] for each in one.get("outputs", ())]
    return of_conditions, [
        each["file"] for cell in document.get("measured", ()) for each in cell["outputs"]
    ]


def test_every_output_stands_in_the_file_whatever_its_environment(tmp_path):
    local, other = stack("local", "ext4"), stack("other", "xfs")
    study = Study.objects.create(title="Disks", slug="disks")
    add_condition(study, local, None)
    for name, configuration, environment in (
        ("plain.csv", local, None),
        ("in a lab.csv", local, record_environment(machine("5.10"), name="lab")),
        ("of another.csv", other, None),
    ):
        where = Assignment(configuration=configuration, environment=environment, study=study)
        ingest([bonnie(name=name, write=len(name) * 1000)], where)
    document, said = written(study, tmp_path / "out")
    of_conditions, of_cells = outputs_in(document)
    assert of_conditions == ["plain.csv"] and len(of_cells) == 2 and not said
    assert {each.name for each in (tmp_path / "out").iterdir()} == {
        "study.yaml",
        *of_conditions,
        *of_cells,
    }
    for each in (Run, Sample, Execution, Upload, Artifact, Study):
        each.objects.all().delete()
    again = import_study((tmp_path / "out/study.yaml").read_text(), folder=tmp_path / "out")
    assert again.runs.count() == 3


def test_outputs_that_nobody_assigned_to_a_configuration_go_with_the_study(tmp_path):
    study = Study.objects.create(
        title="Clouds", slug="clouds", charts=["run=1&run=2", "study=clouds&family=throughput"]
    )
    for write, host in enumerate(("azure", "aws"), 50_000):
        ingest([bonnie(name=f"{host}.csv", host=host, write=write)], Assignment(study=study))
    document, remarks = written(study, tmp_path / "out")
    assert [each["file"] for cell in document["measured"] for each in cell["outputs"]] == [
        *("azure.csv", "aws.csv")
    ]
    # what has a number here has another elsewhere
    assert document["charts"] == ["study=clouds&family=throughput"]
    assert remarks.startswith("A chart selects its runs by this installation’s numbers")
    assert "run=1" in export_study(study)
    for each in (Run, Sample, Execution, Upload, Artifact, Study):
        each.objects.all().delete()
    again = import_study((tmp_path / "out/study.yaml").read_text(), folder=tmp_path / "out")
    assert sorted(again.runs.values_list("label", "configuration")) == [
        *(("aws", None), ("azure", None))
    ]


def test_a_baseline_by_a_number_of_this_installation_stays_here(tmp_path):
    study = Study.objects.create(
        title="Disks",
        slug="disks",
        charts=[
            "study=disks&group=configuration&baseline=177&percent=1",
            "study=disks&baseline=177",
            "study=disks&group=setting.guests&baseline=1",
        ],
    )
    ingest([bonnie()], Assignment(study=study))
    document, remarks = written(study, tmp_path / "out")
    assert document["charts"] == [
        "study=disks&group=configuration&percent=1",
        "study=disks",
        "study=disks&group=setting.guests&baseline=1",
    ]
    assert remarks.startswith("The baseline of a chart is named by this installation’s number")


def test_no_output_is_written_over_another(tmp_path):
    local = stack("local", "ext4")
    study = Study.objects.create(title="Disks", slug="disks")
    add_condition(study, local, None)
    for number, name in enumerate(("001-fio.csv", "003-bonnie.csv", "a bonnie run.csv"), 1):
        where = Assignment(configuration=local, study=study)
        ingest([bonnie(name=name, write=number * 1000)], where)
    document, _said = written(study, tmp_path / "out")
    names = outputs_in(document)[0]
    assert len(set(names)) == 3
    assert len({(tmp_path / "out" / name).read_bytes() for name in names}) == 3


def test_a_purged_output_is_left_out_and_said(tmp_path):
    local = stack("local", "ext4")
    study = Study.objects.create(title="Disks", slug="disks")
    add_condition(study, local, None)
    for name in ("kept.csv", "secret.csv"):
        where = Assignment(configuration=local, study=study)
        ingest([bonnie(name=name, write=len(name) * 1000)], where)
    secret = Upload.objects.get(name="secret.csv")
    purge_bytes(
        secret, named=secret.name, reason="a password", by=User.objects.create(username="admin")
    )
    document, said = written(study, tmp_path / "out")
    assert outputs_in(document)[0] == ["kept.csv"]
    assert "were purged: it is left out" in said


def test_two_environments_of_one_name_stay_two(tmp_path):
    local = stack("local", "ext4")
    study = Study.objects.create(title="Disks", slug="disks")
    for kernel in ("5.10", "6.1"):
        add_condition(study, local, record_environment(machine(kernel), name="store"))
    document = yaml.safe_load(export_study(study))
    assert len(document["environments"]) == 2
    study.delete()
    assert import_study(yaml.dump(document, sort_keys=False)).conditions.count() == 2


def test_what_a_tool_printed_while_it_ran_is_no_file_of_its_study(tmp_path):
    local = stack("local", "ext4")
    study = Study.objects.create(title="Disks", slug="disks")
    add_condition(study, local, None)
    where = Assignment(configuration=local, study=study)
    (outcome,) = ingest([File("fio.json", fio(fio_job("first")).data)], where)
    points = array("d", [1.0, 2.0]), array("d", [90e6, 91e6])
    add_printed(outcome.runs[0].pk, {("rand_write", "throughput"): points})
    document, remarks = written(study, tmp_path / "out")
    assert (*outputs_in(document), remarks) == (["fio.json"], [], "")
    assert zipfile.ZipFile(BytesIO(b"".join(packed(study)))).namelist() == [
        "study.yaml",
        "fio.json",
    ]


def test_logs_of_fio_go_with_their_run_and_come_back(tmp_path):
    local = stack("local", "ext4")
    study = Study.objects.create(title="Disks", slug="disks")
    add_condition(study, local, None)
    options = {"write_bw_log": "seq"}
    where = Assignment(configuration=local, study=study)
    log = File("seq_bw.1.log", b"1000, 90000, 0, 1048576\n2000, 91000, 0, 1048576\n")
    result = fio(fio_job("first"), fio_job("seq", 2000, **options))
    ingest([File("in/fio.json", result.data), File(f"in/{log.name}", log.data)], where)
    run = Trace.objects.select_related("run").get(measure__metric="throughput").run
    assert run.position == 1
    document, said = written(study, tmp_path / "out")
    (output,) = (one for cell in document["measured"] for one in cell["outputs"])
    assert (output["logs"], said) == ([{"file": "seq_bw.1.log", "result": 2}], "")
    for each in (Trace, Run, Sample, Execution, Upload, Artifact, Study):
        each.objects.all().delete()
    import_study((tmp_path / "out/study.yaml").read_text(), folder=tmp_path / "out")
    again = Trace.objects.select_related("run").get(measure__metric="throughput").run
    assert (again.position, again.label) == (1, run.label)
    wrong = (tmp_path / "out/study.yaml").read_text().replace("result: 2", "result: 3")
    with pytest.raises(Refused, match="the output has 2 results"):
        import_study(wrong, folder=tmp_path / "out", replace=True)
