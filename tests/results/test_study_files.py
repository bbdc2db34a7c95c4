"""A study goes into a file and comes out of it the same, and a mistake is named with its line."""

from __future__ import annotations

import re

import pytest
import yaml

from benchdash.errors import Refused
from benchdash.inventory.models import Capture, Configuration, Environment
from benchdash.inventory.records import record_environment
from benchdash.results.annotations import set_tags
from benchdash.results.demonstration import demo_folders, load
from benchdash.results.models import Condition, Study
from benchdash.results.records import add_condition, delete_study
from benchdash.results.study_files import export_study, import_study

pytestmark = pytest.mark.django_db

TEXT = """\
slug: mirror-or-not
title: Mirror or not?
question: What does the mirror cost?
words: |-
  **Much**, or little:

  - a list
    with more
translations:
  ja:
    title: ミラーするか
    labels:
      Mirrored: ミラーあり
source_url: https://example.org/mirror
published_as: author, 2008
factors:
  - layer.drbd.protocol
charts:
  - study=mirror-or-not&family=throughput&percent=1
delta: 2.5
measured_by:
  recipe: fio
  parameters:
    runtime: 60s
  factors:
    bs:
      - 4K
      - 64K
  roles:
    - client
    - guest[1..10]
tags:
  - mirrors
environments:
  Two PCs:
    machines:
      node-a:
        memory_bytes: 8589934592
        kernel: '2.6'
        disks:
          - medium: hdd
            count: 2
        versions:
          fio: '3.10'
      node-b:
        kernel: 2.6.18
    network:
      speed_bps: 1000000000
configurations:
  local:
    layers: |-
      ext3
      disk
    notes: The first one.
  mirror:
    layers: |-
      ext3
      drbd protocol=C
      - disk
      - disk @node-b
conditions:
  - configuration: local
    environment: Two PCs
    baseline: true
  - label: Mirrored
    configuration: mirror
"""


def changed(**values):
    return yaml.dump(yaml.safe_load(TEXT) | values, sort_keys=False)


def all_of(study):
    """The records of a study by what they say."""
    study.refresh_from_db()
    columns = ("slug", "title", "question", "words", "translations", "source_url", "delta")
    own = {name: getattr(study, name) for name in (*columns, "factors", "charts", "measured_by")}
    conditions = study.conditions.select_related("configuration", "environment")
    return own | {
        "tags": [tag.name for tag in study.tags.all()],
        "conditions": [
            (one.label, one.configuration_id, one.environment_id, one.is_baseline)
            for one in conditions
        ],
    }


def test_what_is_exported_is_what_was_imported_to_the_byte():
    study = import_study(TEXT)
    assert export_study(study) == TEXT
    assert study.conditions.get(is_baseline=True).environment.title == "Two PCs"


def test_environments_without_a_name_are_those_of_their_hosts_in_a_file():
    study = import_study(TEXT)
    kernels = ("6.1", "6.12")
    for kernel in kernels:
        machine = {"node-a": {"hostname": "store-1", "kernel": kernel}}
        add_condition(study, study.conditions.first().configuration, record_environment(machine))
    found = yaml.safe_load(export_study(study))["environments"]
    named = {name: one["machines"]["node-a"].get("kernel") for name, one in found.items()}
    assert (named["store-1"], named["store-1 (2)"]) == kernels


@pytest.mark.parametrize("folder", demo_folders(), ids=lambda folder: folder.name)
def test_the_published_studies_come_back_without_loss(folder):
    study = load(folder)
    before, text = all_of(study), export_study(study)
    counts = [kind.objects.count() for kind in (Configuration, Environment, Condition, Capture)]
    assert import_study(text, replace=True) == study
    assert all_of(study) == before
    assert [k.objects.count() for k in (Configuration, Environment, Condition, Capture)] == counts
    assert export_study(study) == text
    # and on an installation that has none of it
    runs = study.runs.all()
    runs.delete()
    study.delete()
    Configuration.objects.all().delete()
    Environment.objects.all().delete()
    again = import_study(text)
    assert export_study(again) == text


def test_words_of_a_browser_and_odd_ones_survive():
    words = "one\r\n\r\ntwo  \r\nthree: 'x' \"y\" # z\n\tand a tab"
    study = import_study(changed(words=words, title="yes", question="1.10"))
    text = export_study(study)
    again = import_study(text, replace=True)
    assert again.words == words.replace("\r\n", "\n")
    assert (again.title, again.question) == ("yes", "1.10")


def test_one_that_is_there_is_replaced_only_where_that_was_stated():
    study = import_study(TEXT)
    with pytest.raises(Refused, match=r"^Line 1: a study with the address") as refused:
        import_study(TEXT)
    assert refused.value.field == "text"
    set_tags(study, ["other"])
    delete_study(study)
    again = import_study(changed(title="Another title", conditions=[]), replace=True)
    assert again == study
    assert all_of(study)["conditions"] == []
    assert (study.title, study.deleted_at) == ("Another title", None)
    assert [tag.name for tag in study.tags.all()] == ["mirrors"]


def test_without_an_address_the_title_becomes_it():
    study = import_study("title: Mirror or not?\n")
    assert study.slug == "mirror-or-not"
    assert export_study(study) == "slug: mirror-or-not\ntitle: Mirror or not?\n"


def line_of(fragment):
    return next(n for n, line in enumerate(TEXT.splitlines(), 1) if fragment in line)


@pytest.mark.parametrize(
    ("old", "new", "begins", "words"),
    [
        ("question: What", "qestion: What", "qestion", "“qestion” is not known here. Did you mean"),
        ("- layer.drbd.protocol", "- colour", "- colour", "Runs cannot be compared by “colour”"),
        ("&family=throughput", "&family=colour", "family=colour", "colour"),
        ("delta: 2.5", "delta: much", "delta", "a number from 0.01 to 100"),
        ("recipe: fio", "recipes: fio", "recipes", "“recipes” is not known here"),
        ("- client", "- Client 1", "Client 1", "a role is a name such as"),
        ("medium: hdd", "medium: tape", "memory_bytes", "tape"),
        ("speed_bps: 1000000000", "speed: 1", "speed: 1", "The network: “speed” is not known"),
        ("- disk @node-b", '- disk @node-b "x', "disk @node-b", "a quotation mark is not closed"),
        (
            "  - configuration: local",
            "  - configuration: lokal",
            "lokal",
            "“lokal” is not a configuration",
        ),
        ("baseline: true", "baseline: maybe", "baseline", "yes or no is needed here"),
        (
            "https://example.org/mirror",
            "javascript:alert(1)",
            "javascript",
            "not the address of a page",
        ),
        ("slug: mirror-or-not", "slug: import", "slug", "an address has lowercase letters"),
        ("title: Mirror", "title: [Mirror", "title: [", "this is not YAML"),
        ("  ja:", "  fr:", "ミラーするか", "“fr” is not known here"),
    ],
)
def test_a_mistake_is_refused_with_its_line_and_stores_nothing(old, new, begins, words):
    text = TEXT.replace(old, new, 1)
    with pytest.raises(Refused) as refused:
        import_study(text)
    begins = next(n for n, each in enumerate(text.splitlines(), 1) if begins in each)
    assert re.match(rf"Line {begins}[ :]", refused.value.sentence), refused.value.sentence
    assert words in refused.value.sentence
    assert refused.value.field == "text"
    assert not Study.objects.exists()


def test_a_question_ends_with_its_own_mark():
    with pytest.raises(Refused) as refused:
        import_study(TEXT.replace("drbd protocol=C", "drdb protocol=C"))
    sentence = str(refused.value.sentence)
    assert "Layer 2" in sentence and "Did you mean “drbd”" in sentence
    assert sentence.endswith("?")


def test_a_name_that_has_other_layers_here_is_named_with_its_line():
    import_study(TEXT)
    other = TEXT.replace("ext3\n      disk", "ext4\n      disk").replace("mirror-or-not", "other")
    with pytest.raises(Refused) as refused:
        import_study(other.replace("Mirror or not?", "Other"))
    sentence = refused.value.sentence
    assert sentence.startswith(f"Line {line_of('  local:') + 1} (configurations.local)")
    assert "already names another stack" in sentence
    assert Study.objects.count() == 1


def test_raw_outputs_take_the_folder_of_the_file(tmp_path):
    text = changed(conditions=[{"configuration": "local", "outputs": ["../run.txt"]}])
    with pytest.raises(Refused, match="upload them separately"):
        import_study(text)
    with pytest.raises(Refused, match=r"there is no file “\.\./run.txt” beside it"):
        import_study(text, folder=tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "title: &t [*t]",
        "title: x\nmachines: &m\n  <<: *m",
        "title: x\nmachines:\n"
        + "\n".join(
            f"  m{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9) if n else 'x'}]" for n in range(9)
        ),
    ],
)
def test_aliases_without_end_are_refused(text):
    with pytest.raises(Refused, match=r"with its aliases it is too large|a text is needed"):
        import_study(text)


def long_text(characters):
    """A study as long as one with thousands of outputs."""
    return "title: Long\n" + "# a comment of thirty letters\n" * (characters // 30)


def test_a_file_with_its_outputs_may_be_longer_than_what_is_pasted(tmp_path):
    text = long_text(3_000_000)
    with pytest.raises(Refused, match=r"It has at most 1000000 characters\."):
        import_study(text)
    assert import_study(text, folder=tmp_path).title == "Long"
    with pytest.raises(Refused, match=r"It has at most 20000000 characters\."):
        import_study(long_text(21_000_000), folder=tmp_path)


def test_mistakes_of_a_long_file_are_named_with_their_line(tmp_path):
    text = long_text(200_000)
    last = text.count("\n") + 1
    for wrong, sentence in (
        ("question: 'a' b", "this is not YAML"),
        ("question: !x 1", "tags are not allowed"),
        ("qestion: x", "“qestion” is not known here"),
    ):
        with pytest.raises(Refused, match=rf"Line {last}\b.*{sentence}"):
            import_study(text + wrong, folder=tmp_path)
    with pytest.raises(Refused, match="a character that YAML forbids"):
        import_study(text + "question: \ud800", folder=tmp_path)


def test_what_is_long_has_a_bounded_number_of_values(tmp_path):
    many = "title: x\ntags:\n" + "- 1\n" * 1_100_000
    with pytest.raises(Refused, match="more than 1000000 names and values"):
        import_study(many, folder=tmp_path)


WITH_ZONES = """\
title: Mirrors
measured_by:
  recipe: drbd-between-zones
  factors:
    zone:
      - name: near
        hosts: [node-a, node-b]
        condition: Near
      - far
configurations:
  one: {layers: "ext4\\ndrbd\\ndisk"}
conditions:
  - label: Near
    configuration: one
"""


def test_zones_have_hosts_and_conditions_and_come_back_in_their_order():
    study = import_study(WITH_ZONES)
    assert study.measured_by["factors"]["zone"] == [
        {"name": "near", "hosts": ["node-a", "node-b"], "condition": "Near"},
        {"name": "far"},
    ]
    text = export_study(study)
    assert text.index("name: near") < text.index("hosts:") < text.index("condition: Near")
    assert export_study(import_study(text, replace=True)) == text


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("    zone:", "    bs:", 6, "not a factor that has hosts"),
        ("drbd-between-zones", "fio", 6, "not a factor that has hosts"),
        ("name: near", "nam: near", 6, "nam"),
        ("name: near", "name: [near]", 6, "takes a name such as near"),
        ("[node-a, node-b]", "[node-a, Node B]", 7, "a role is a name"),
        ("[node-a, node-b]", "[node-a, node-a]", 7, "this role is listed twice"),
        ("[node-a, node-b]", "[]", 7, "a role is a name"),
        ("condition: Near", "condition: Nearer", 8, "“Nearer” is not a condition"),
        ("- far", "- near", 9, "this zone is listed twice"),
    ],
)
def test_a_mistake_in_a_zone_is_refused_with_its_line(old, new, line, words):
    with pytest.raises(Refused) as refused:
        import_study(WITH_ZONES.replace(old, new, 1))
    assert re.match(rf"Line {line}[ :]", refused.value.sentence), refused.value.sentence
    assert words in refused.value.sentence


def test_a_copy_under_another_address_whose_charts_show_the_first_one_says_so():
    remarks = []
    text = "slug: copy\ntitle: Copy\ncharts:\n  - study=first&group=configuration\n  - study=copy\n"
    import_study(text, remark=remarks.append)
    assert [str(one)[:44] for one in remarks] == ["A chart shows the runs of the study “first”,"]
