"""What was said in English is found again in the catalogue, and shown in the reader's language."""

from __future__ import annotations

import pytest
from babel.messages.pofile import read_po
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from benchdash.errors import N_, Refused, Sentence, side_by_side
from benchdash.parsers import parse
from benchdash.recipes import builtin
from benchdash.recipes.reading import load
from benchdash.results.language import LONGEST, in_language, parts_of, pattern_of, templates
from benchdash.results.new_runs import failure
from benchdash.vocabulary.storage.notation import parse as read_stack
from tools.messages import LOCALE, names_of_recipes

with (LOCALE / "ja" / "LC_MESSAGES" / "django.po").open("rb") as file:
    MESSAGES = [message for message in read_po(file) if isinstance(message.id, str)]
JAPANESE = {message.id: message.string for message in MESSAGES}
PLACES = {message.id: [place for place, _ in message.locations] for message in MESSAGES}
# a row of before templates were stored holds what one of these made
PURE = ("capture", "parsers", "recipes", "vocabulary")
TEMPLATES = sorted(
    text
    for text, places in PLACES.items()
    if any(f"benchdash/{room}/" in place for room in PURE for place in places)
    and any(name for _, name in parts_of(text))
)
AWKWARD = st.one_of(
    st.sampled_from(
        ["", " ", "{}", "{line}", "\\", "\\1", "\n", "a\nb", ": ", ", and 2 more places"]
    ),
    st.text(max_size=20),
    st.sampled_from(TEMPLATES),
)


def filled(text, values):
    return "".join(literal + (values[name] if name else "") for literal, name in parts_of(text))


def in_japanese(sentence):
    with override("ja"):
        return in_language(sentence)


@given(st.sampled_from(TEMPLATES), st.data())
def test_a_template_is_found_again_whatever_fills_it(template, data):
    names = {name for _, name in parts_of(template) if name}
    values = {name: data.draw(AWKWARD) for name in names}
    if template.startswith("{sentence},"):  # its other values are numbers
        values |= {name: values[name].replace(",", "") for name in names - {"sentence"}}
    sentence = filled(template, values)
    match = pattern_of(parts_of(template)).fullmatch(sentence)
    assert match
    assert filled(template, match.groupdict()) == sentence
    assert in_japanese(sentence) != sentence


@pytest.mark.parametrize("template", TEMPLATES)
def test_plain_values_stand_in_the_translation(template):
    values = {name: f"v{number}" for number, (_, name) in enumerate(parts_of(template)) if name}
    assert in_japanese(filled(template, values)) == filled(JAPANESE[template], values)


def test_a_file_that_is_refused_is_refused_in_japanese():
    with pytest.raises(Refused) as empty:
        parse(b"")
    with pytest.raises(Refused) as other:
        parse(b"Iozone: Performance Test of File I/O\n")
    assert in_japanese(empty.value.sentence) == "空のファイルです"
    assert in_japanese(other.value.sentence) == "iozone の出力の読み取りにはまだ対応していません"


def test_a_stack_and_a_recipe_are_refused_in_japanese_with_line_and_hint():
    with pytest.raises(Refused) as stack:
        read_stack("ext4 journall=1")
    with pytest.raises(Refused) as recipe:
        load("name: x\nmeasur: []\n")
    assert in_japanese(stack.value.sentence) == (
        "レイヤー 1（ext4）：「journall」は ext4 のオプションではありません。"
        "もしかして：「journal」、「journal_size」、「journal_bytes」"
    )
    assert in_japanese(recipe.value.sentence) == (
        "2 行目（measur）：ここに「measur」は書けません。もしかして：「measure」"
    )


def test_sentences_within_sentences_are_translated_too():
    assert (
        in_japanese("line 3: empty file, and 2 more places")
        == "3 行目：空のファイルです、ほか 2 か所"
    )
    original = "terse line 4: terse version 9 is not known; and 5 more places"
    assert in_japanese(original) == "terse の 4 行目：terse バージョン 9 は未対応です; ほか 5 か所"


def test_sentences_that_stand_side_by_side_are_translated_one_by_one():
    load = "The one-minute load average is 9 on 4 CPUs."
    in_ja = "CPU 4 個に対し、1 分間のロードアベレージが 9 です。"
    assert in_japanese(f"node-a: {load}\nnode-b: {load}") == f"node-a: {in_ja}\nnode-b: {in_ja}"
    both = f"Nothing was measured. node-a: {load}\nnode-b: {load} Wait, or measure regardless of the conditions."
    assert in_japanese(both) == (
        f"測定しませんでした。node-a: {in_ja}\nnode-b: {in_ja} 待つか、ホストの状態にかかわらず測定してください。"
    )
    assert in_japanese(f"unknown words; {load}") == f"unknown words; {in_ja}"
    line = "terse line 1: its semicolons were turned into commas"
    assert in_japanese(f"{line}; {line}") == f"{in_japanese(line)}; {in_japanese(line)}"
    assert in_japanese("fio: no such; thing: at all") == "fio: no such; thing: at all"


def test_what_speaks_against_writing_to_a_device_is_stated_in_japanese():
    original = (
        "Nothing is written to /dev/sdb: /dev/sdb1 is mounted on /srv; /dev/sdb has "
        "a swap signature."
    )
    assert in_japanese(original) == (
        "/dev/sdb には書き込みません："
        "/dev/sdb1 は /srv にマウントされています; /dev/sdb はシグネチャーから見てスワップです。"
    )


def test_a_head_and_several_bounds_are_distinguished_from_what_they_stand_with():
    original = "terse line 1: 8 fields are too few for terse version 3"
    assert (
        in_japanese(original) == "terse の 1 行目：terse バージョン 3 には 8 個の項目では足りません"
    )
    bounds = "a size such as 128K, at least 4K, at most 1G, a multiple of 4K"
    assert in_japanese(bounds) == "128K のようなサイズ、4K 以上、1G 以下、4K の倍数"
    times = "a time such as 30s, 10m or 2h, at least 1 s, at most 60 s"
    assert in_japanese(times) == "30s、10m、2h のような時間、1 秒以上、60 秒以下"


def test_titles_of_settings_recipes_and_parameters_are_stated_in_japanese_within_sentences():
    original = "Mount options of /srv should be relatime again, but the host says noatime."
    assert in_japanese(original) == (
        "/srv の マウントオプション は relatime に戻っているはずですが、ホストでは noatime です。"
    )
    recipe = next(one for one in builtin() if one.name == "ext4-lvm-raid6")
    with pytest.raises(Refused) as few:
        recipe.parameters["scheduler"].read("Z")
    label = recipe.parameters["scheduler"].label["ja"]
    assert label in in_japanese(few.value.sentence)
    for english, japanese in names_of_recipes("ja"):
        original = in_japanese(f"{english} needs 2 hosts (chosen: 1).")
        assert original == f"{japanese} には 2 台のホストが必要ですが、選択されたのは 1 台です。"


def test_what_a_tool_reports_is_shown_in_japanese():
    reported = failure("fio", {"code": 5, "message": "empty file, and 2 more places"})
    assert reported == "fio reported an error: empty file, and 2 more places"
    assert in_japanese(reported) == "fio がエラーを報告しました：empty file, and 2 more places"


def test_english_and_what_no_catalogue_knows_stay_as_they_are():
    with override("en"):
        assert in_language("line 3: empty file") == "line 3: empty file"
    for text in ("", "mke2fs: no such device", "x" * (LONGEST + 1), "empty file " * 1000):
        assert in_japanese(text) == text
    assert in_japanese(None) == ""


def test_what_is_safe_as_html_makes_no_other_text_safe():
    assert isinstance(in_japanese(mark_safe("<b>unknown</b>")), SafeString)
    assert not isinstance(in_japanese("<b>unknown</b>"), SafeString)
    assert not isinstance(in_japanese(mark_safe("line 1: <b>x</b>")), SafeString)


def test_no_hole_but_the_last_is_tried_twice_so_that_hostile_texts_take_no_time():
    assert templates("ja")
    for template in templates("ja"):
        holes = template.pattern.pattern.count(".*?")
        assert template.pattern.pattern.count("(?>") >= holes - 1


def test_a_sentence_with_values_is_translated_by_its_template_alone():
    inner = N_("larger than {mebibytes} MiB", mebibytes="3 MiB, and 2 more places, empty file")
    before = Sentence("line {line}: {sentence}", line=7, sentence=N_("empty file"))
    assert in_japanese(before) == "7 行目：空のファイルです"
    assert in_japanese(Sentence("nobody knows {this}", this=before)) == (
        "nobody knows 7 行目：空のファイルです"
    )
    assert in_japanese(side_by_side([before, N_("no such: words"), before], "\n")) == (
        "7 行目：空のファイルです\nno such: words\n7 行目：空のファイルです"
    )
    with override("en"):
        assert in_language(inner) == inner
