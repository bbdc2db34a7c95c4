from __future__ import annotations

import re
from collections import Counter
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone
from django.utils.translation import override

from benchdash.errors import Refused
from benchdash.inventory.models import Configuration, Environment
from benchdash.inventory.queries import machines_of
from benchdash.results.comparison import compare, study_charts
from benchdash.results.criteria import read_query
from benchdash.results.demonstration import demo_folders, load, refresh
from benchdash.results.ingest import ingest
from benchdash.results.models import Condition, Run, Study
from benchdash.results.readings import File
from benchdash.results.run_names import with_names
from benchdash.results.study_files import import_study
from benchdash.vocabulary.differences import differences
from benchdash.vocabulary.machines import lines
from benchdash.vocabulary.storage.stack import title

pytestmark = pytest.mark.django_db

FOLDERS = {folder.name[2:]: folder for folder in demo_folders()}


def facts_of(environment):
    return lines(machines_of(environment), environment.network)


def differing(left, right):
    return [line.key for line in differences(facts_of(left), facts_of(right)) if not line.equal]


def command():
    printed = StringIO()
    call_command("load_demo", stdout=printed)
    return printed.getvalue()


def figures(study, chart=0):
    """`{measure: {label: (median, share of the baseline)}}` of a chart of a study."""
    (section,) = compare(study_charts(study)[chart]).view.sections
    return {
        figure.measure: {row.label: (row.median, row.ratio) for row in figure.rows}
        for figure in section.figures
    }


def test_the_five_studies_are_listed_in_their_order():
    command()
    assert [study.slug for study in Study.objects.all()] == [
        "drbd-on-two-pcs",
        "drbd-between-ec2-zones",
        "ext4-lvm-raid6",
        "ceph-rbd-under-kvm",
        "drbd9-cluster",
    ]


def test_two_pcs_have_eight_conditions_of_seven_configurations_against_the_second():
    study = load(FOLDERS["drbd-on-two-pcs"])
    conditions = list(study.conditions.select_related("configuration__stack", "environment"))
    assert len(conditions) == 8
    assert len({condition.configuration_id for condition in conditions}) == 7
    assert [condition.position for condition in conditions if condition.is_baseline] == [1]
    first, second = conditions[:2]
    assert first.configuration == second.configuration
    assert differing(first.environment, second.environment) == ["kernel", "node-b.kernel"]
    assert title(conditions[5].configuration.stack.tree) == (
        "ext3 on LVM on DRBD C, Primary/Secondary"
    )
    measured_on = {
        condition.position + 1: facts_of(condition.environment)["hostname"][:5]
        for condition in conditions
    }
    assert [place for place, host in measured_on.items() if host == "xen02"] == [3, 4, 5, 6]
    assert {run.label[:5] for run in Run.objects.filter(environment=conditions[3].environment)} == {
        "xen02"
    }


def test_two_pcs_keep_every_number_that_was_printed():
    study = load(FOLDERS["drbd-on-two-pcs"])
    assert Run.objects.filter(study=study, counted=True).count() == 8
    each = {run.measurements.count() for run in study.runs.all()}
    assert each == {24}
    shares = figures(study)["seq_write.throughput.mean"]
    assert shares["2 No DRBD, Xen kernel"] == (90184 * 1024, 1)
    assert shares["6 Protocol C, Primary/Secondary, ext3"][1] == pytest.approx(32791 / 90184)


def test_the_words_of_two_pcs_say_what_the_data_say_and_what_the_text_has():
    study = load(FOLDERS["drbd-on-two-pcs"])
    shares = figures(study)["seq_write.throughput.mean"]
    mirror, shared = (
        f"{100 * shares[label][1]:.1f} %"
        for label in (
            "6 Protocol C, Primary/Secondary, ext3",
            "7 Protocol C, GFS2 mounted on one",
        )
    )
    created = figures(study, chart=1)["seq_create.rate.mean"]
    assert (mirror, shared) == ("36.4 %", "31.9 %")
    for words in (study.words, study.translations["ja"]["words"]):
        assert {mirror, shared, "36.3 %", "32.3 %"} <= set(re.findall(r"\d+\.\d %", words))
        assert "75,970" in words and "122" in words and "600" in words
    assert created["2 No DRBD, Xen kernel"][0] == 75970
    assert created["7 Protocol C, GFS2 mounted on one"][0] == 122


def test_every_fact_of_the_two_pcs_and_of_their_switch_is_there():
    load(FOLDERS["drbd-on-two-pcs"])
    facts = facts_of(Environment.objects.order_by("pk")[1])
    for key, text in {
        "model": "Shuttle SP35P2 PRO (Intel P35 + ICH9R)",
        "cpu_model": "Intel Core 2 Quad Q6700 2.66GHz",
        "memory_bytes": "8 GiB",
        "disks": "2 × Hitachi HDS721010KLA330, 1 TB",
        "nics": "Marvell Yukon 88E8056 (on board), 1 Gbit/s",
        "os": "CentOS 5.2 64-bit",
        "kernel": "2.6.18-92.1.6.el5xen",
        "versions.drbd": "8.2.6-1.el5.centos",
        "versions.kmod-gfs2-xen": "1.92-1.1.el5_2.2",
        "node-b.model": "Shuttle SP35P2 PRO (Intel P35 + ICH9R)",
        "network.switch": "PLANEX FXG-08IMV",
        "network.measured_bytes_s": "112 MB/s",
    }.items():
        assert facts[key] == text


def test_the_zones_share_a_configuration_and_differ_by_environment():
    study = load(FOLDERS["drbd-between-ec2-zones"])
    local, same, other = study.conditions.all()
    assert local.is_baseline and same.configuration == other.configuration
    assert differing(same.environment, other.environment) == [
        "hostname",
        "node-b.hostname",
        "node-b.zone",
    ]
    published = next(
        {figure.measure: [(row.median, row.ratio) for row in figure.rows] for figure in one.figures}
        for one in compare(study_charts(study)[0]).view.sections
        if any("author" in row.label for row in one.figures[0].rows)
    )["rand_write.throughput.mean"]
    assert [median / 1024 for median, _share in published] == [31611, 17478, 17328]
    assert [round(100 * share) for _median, share in published] == [100, 55, 55]


def test_the_zones_were_measured_since_on_two_emulated_pairs_and_a_local_volume():
    study = load(FOLDERS["drbd-between-ec2-zones"])
    (name,) = study.series
    runs = study.runs.filter(settings__series=name)
    measured = Counter(run.settings["zone"] for run in runs)
    assert measured == {"local": 2, "near": 2, "far": 2}
    assert {*runs.values_list("execution__round", flat=True)} == {1, 2}
    assert "settings are real, speeds are not" in study.series[name]["words"]
    assert "速度は本物ではありません" in study.translations["ja"]["series"][name]["words"]
    near, far = (runs.filter(settings__zone=zone).first() for zone in ("near", "far"))
    assert near.configuration == far.configuration
    assert differing(near.environment, far.environment)
    view = compare(study_charts(study)[0]).view
    assert [group.label for group in view.groups] == [
        f"{condition} · {series}"
        for condition in ("Local volume", "Mirror within one zone", "Mirror between two zones")
        for series in ("author, 2011", "emulated hosts (November 2026)")
    ]
    assert view.unmeasured == ()


@pytest.mark.parametrize(
    ("slug", "conditions", "unmeasured"), [("ceph-rbd-under-kvm", 20, 16), ("drbd9-cluster", 3, 0)]
)
def test_studies_without_published_numbers_have_what_was_measured_since(
    slug, conditions, unmeasured
):
    study = load(FOLDERS[slug])
    assert study.conditions.count() == conditions
    assert study.conditions.filter(is_baseline=True, environment__isnull=False).count() == 1
    assert "charts and no figures" in study.words
    assert "グラフしかなく数値がない" in study.translations["ja"]["words"]
    assert {run.settings["series"] for run in study.runs.all()} == {*study.series}
    assert len(compare(study_charts(study)[0]).view.unmeasured) == unmeasured


def test_the_guests_are_summed_and_scale_and_one_is_slowed_by_the_others():
    study = load(FOLDERS["ceph-rbd-under-kvm"])
    on_loops, on_ceph = (study.runs.filter(settings__series=name) for name in study.series)
    assert on_loops.count() == 3 * (1 + 2 + 4 + 6) + 3 * 4
    assert on_ceph.count() == 3 * (1 + 2 + 4) + 3 * 3
    view = compare(study_charts(study)[0]).view
    assert [section.mixed[0].title for section in view.sections] == ["Jobs", "Jobs"]
    lines = []
    for matrix in view.matrices:
        (scaling,) = matrix.scalings
        lines.append(
            {line.label: [round(p.value / 1000) for p in line.places] for line in scaling.lines}
        )
        assert {place.n for line in scaling.lines for place in line.places} == {3}
    assert lines == [
        {"all": [63, 79, 77, 77], "first": [53, 36, 28, 17]},
        {"all": [4, 4, 4], "first": [4, 2, 2]},
    ]


def test_files_and_transactions_were_measured_at_all_three_places():
    study = load(FOLDERS["drbd9-cluster"])
    places = ["Local storage", "On a node of the cluster", "On a diskless client"]
    tools = Counter(study.runs.values_list("tool", flat=True))
    assert tools == {"fio": 4 * 3 * 3, "pgbench": 3 * 3 * 2}
    files, transactions = (compare(chart).view for chart in study_charts(study))
    (section,) = files.sections
    assert len(section.figures) == 4 and section.mixed == ()
    assert [group.label.partition(" · ")[0] for group in files.groups] == places
    each = [f"{place} · Clients {clients}" for place in places for clients in (1, 2, 4)]
    assert [group.label for group in transactions.groups] == each
    assert files.unmeasured == transactions.unmeasured == ()
    # DRBD 8.4 does not tell a client from a failed disk: that one is measured is no doubt
    assert not study.runs.filter(doubts__kind__in=("drbd", "storage"))


def test_a_diskless_client_is_one_factor_with_its_cluster_and_ran_on_the_other_machine():
    study = load(FOLDERS["drbd9-cluster"])
    (name,) = study.series
    assert "DRBD 8.4" in study.series[name]["words"]
    assert "DRBD 8.4" in study.translations["ja"]["series"][name]["words"]
    query = f"study={study.slug}&tool=fio&group=layer.drbd.diskless"
    labels = [group.label for group in compare(read_query(query)).view.groups]
    assert labels == ["DRBD diskless no", "DRBD diskless yes", "DRBD diskless not stated"]
    ran_on = {
        run.configuration.stack.facets.filter(
            key="drbd.diskless", text="yes"
        ).exists(): run.host_name
        for run in with_names(study.runs.all())
    }
    assert ran_on == {False: "drbd-a", True: "drbd-b"}


def test_the_raid_study_shows_what_was_measured_since_on_an_emulated_host():
    study = load(FOLDERS["ext4-lvm-raid6"])
    assert study.conditions.count() == 120
    (name,) = study.series
    runs = study.runs.all()
    assert {run.settings["series"] for run in runs} == {name}
    # three schedulers, three caches and two mounts, each once in each of three rounds, by two tools
    assert runs.count() == runs.filter(counted=True).count() == 3 * 3 * 2 * 3 * 2
    places = runs.values_list("tool", "configuration", "execution__round").distinct()
    assert len(places) == 108 and {number for *_place, number in places} == {1, 2, 3}
    assert "settings are real, speeds are not" in study.series[name]["words"]
    assert "速度は本物ではありません" in study.translations["ja"]["series"][name]["words"]
    bonnie, _dbench = compare(study_charts(study)[0]).view.matrices
    assert (bonnie.cells, bonnie.possible) == (18, 18)
    rewrite = next(one for one in bonnie.effects if one.measure == "seq_rewrite.throughput.mean")
    assert rewrite.rounds == 3
    # a journal of all data is written twice: the one effect that is known before
    first = rewrite.factors[0]
    assert (first.title, first.highest) == ("ext4 data", "ordered")
    assert first.explained > 0.5 and first.finding in ("firm", "leans")


def test_the_raid_study_crosses_three_schedulers_five_caches_and_eight_mounts():
    load(FOLDERS["ext4-lvm-raid6"])
    published = Configuration.objects.filter(conditions__isnull=False)
    found = published.filter(stack__facets__key="md.stripe_cache_size", stack__facets__number=2048)
    assert found.count() == 24
    nobh = published.filter(stack__facets__key="ext4.nobh")
    assert nobh.count() == 30


@pytest.mark.parametrize("slug", FOLDERS)
def test_every_study_speaks_both_languages_and_names_what_it_varies(slug):
    study = load(FOLDERS[slug])
    japanese = study.translations["ja"]
    assert study.title and study.question and study.words and study.factors and study.source_url
    assert re.search(r"[ぁ-ん]", japanese["question"]) and re.search(r"[ぁ-ん]", japanese["words"])
    assert japanese["title"]


def test_the_two_pcs_are_compared_under_labels_of_the_readers_language():
    study = load(FOLDERS["drbd-on-two-pcs"])
    with override("ja"):
        labels = figures(study)["seq_write.throughput.mean"].keys()
    assert "2 DRBD なし・Xen カーネル" in labels
    assert set(study.translations["ja"]["labels"].values()) == set(labels)


def test_a_second_load_changes_nothing_and_what_people_edited_survives():
    command()
    study = Study.objects.get(slug="drbd-on-two-pcs")
    study.words = "My own words."
    study.save()
    Condition.objects.filter(study=study, position=7).delete()
    Configuration.objects.filter(name="Two PCs: local ext3").update(name="Local")
    runs = Run.objects.count()
    printed = command()
    assert printed.count("there already") == 5
    study.refresh_from_db()
    assert study.words == "My own words." and study.conditions.count() == 7
    assert not Configuration.objects.filter(name="Two PCs: local ext3").exists()
    assert Run.objects.count() == runs


def test_outputs_that_were_stored_before_find_their_place():
    folder = FOLDERS["drbd-between-ec2-zones"]
    ingest([File("mine.txt", (folder / "local.txt").read_bytes())])
    study = load(folder)
    assert study.runs.count() == 3 + 6
    assert Run.objects.count() == 3 + 6


def test_outputs_of_another_study_stay_there_and_who_imports_is_told():
    folder = FOLDERS["drbd-between-ec2-zones"]
    study, remarks = load(folder), []
    text = (folder / "study.yaml").read_text().replace(study.slug, "another-address")
    text = text.replace(study.title, "Another title")
    again = import_study(text, folder=folder, remark=remarks.append)
    assert (study.runs.count(), again.runs.count()) == (3 + 6, 0)
    assert len(remarks) == 3 + 6
    assert "The runs of local.txt already existed and stay where they belong." in map(str, remarks)


def test_a_study_that_fails_leaves_nothing_behind(tmp_path):
    folder = FOLDERS["drbd-between-ec2-zones"]
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "other-zone.txt").write_text("fio")
    text = (tmp_path / "study.yaml").read_text()
    with pytest.raises(Refused, match=r"Line \d+ \(conditions\[3\].outputs\): no result found"):
        import_study(text, folder=tmp_path)
    assert not Study.objects.exists() and not Run.objects.exists()
    assert not Environment.objects.exists()


def test_a_study_of_an_older_version_gets_what_it_lacks_and_keeps_what_people_wrote():
    folder = FOLDERS["drbd-between-ec2-zones"]
    study = load(folder)
    complete = study.measured_by
    zones = dict(study.runs.values_list("pk", "settings"))
    assert {one["zone"] for one in zones.values()} == {"local", "near", "far"}
    assert not refresh(folder)
    recipe = complete["recipe"]
    study.measured_by = {"recipe": recipe, "factors": {"condition": ["mirror", "ours"]}}
    study.title, study.question = "Ours", ""
    study.save()
    changed, *_others = study.runs.order_by("pk")
    study.runs.exclude(pk=changed.pk).update(settings={"cache": "cold"})
    Run.objects.filter(pk=changed.pk).update(settings={"zone": "elsewhere"})
    assert "brought up to date: 2-drbd-between-ec2-zones" in command()
    study.refresh_from_db()
    assert (study.title, study.question) == ("Ours", "")
    assert study.measured_by == {
        "recipe": recipe,
        "factors": {"condition": ["mirror", "ours"], "zone": complete["factors"]["zone"]},
    }
    for pk, settings in study.runs.values_list("pk", "settings"):
        wanted = zones[pk] | {"cache": "cold"} if pk != changed.pk else {"zone": "elsewhere"}
        assert settings == wanted
    assert "there already: 2-drbd-between-ec2-zones" in command()
    Study.objects.filter(pk=study.pk).update(measured_by={"recipe": "fio"})
    assert not refresh(folder)


def test_runs_of_compressed_outputs_get_what_they_lack():
    folder = FOLDERS["ceph-rbd-under-kvm"]
    study = load(folder)
    own = study.runs.exclude(settings={})
    before = dict(own.values_list("pk", "settings"))
    for run in own:
        run.settings = {name: value for name, value in run.settings.items() if name != "guests"}
        run.save()
    assert refresh(folder) and dict(own.values_list("pk", "settings")) == before


def test_a_deleted_study_is_left_alone():
    folder = FOLDERS["drbd-between-ec2-zones"]
    study = load(folder)
    Study.objects.filter(pk=study.pk).update(deleted_at=timezone.now(), measured_by={})
    assert not refresh(folder)
