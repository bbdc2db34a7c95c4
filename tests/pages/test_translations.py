"""Japanese is complete: every text that people can see has its translation."""

from __future__ import annotations

import re
import string

import pytest
from babel.messages.pofile import read_po
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from benchdash.jobs.models import Job
from benchdash.results.models import Run, Upload
from benchdash.results.new_runs import failure
from tests.jobs.records import a_job
from tests.measured import a_run
from tools.messages import LOCALE, catalogue

PATH = LOCALE / "ja" / "LC_MESSAGES" / "django.po"


@pytest.fixture(scope="module")
def japanese():
    with PATH.open("rb") as file:
        return read_po(file, locale="ja", domain="django")


def test_every_text_is_translated_and_no_translation_is_left_over(japanese):
    wanted = {(message.id, message.context) for message in catalogue() if message.id}
    known = {(message.id, message.context): message.string for message in japanese if message.id}
    assert sorted(map(str, wanted - known.keys())) == []
    assert sorted(map(str, known.keys() - wanted)) == []
    assert [key for key, text in known.items() if not text or text == ("",)] == []


def test_a_translation_fills_in_the_same_values(japanese):
    for message in japanese:
        texts = message.id if isinstance(message.id, tuple) else (message.id,)
        translated = message.string if isinstance(message.string, tuple) else (message.string,)
        for text in translated if message.id else ():
            assert fields(text) <= set().union(*map(fields, texts)), message.id
            if len(texts) == 1:
                assert fields(text) == fields(texts[0]), message.id


LETTER = "[\u3041-\u30fa\u30fc-\u30ff\u4e00-\u9fff]"
LATIN_MARK = re.compile(rf"{LETTER}(?:[,:;?!]| ?\()|[)] ?{LETTER}|[“”]|[、。：] ")
NO_BLANK = re.compile(rf"{LETTER}(?=[A-Za-z0-9{{])|[A-Za-z0-9}}](?={LETTER})")


def test_japanese_has_its_own_marks_and_blanks_beside_latin_letters(japanese):
    for message in japanese:
        # names of parameters stand in brackets there, and dates have no blanks
        of_recipes = [place for place, _line in message.locations] == ["benchdash/recipes"]
        is_date = message.context == "letters of Django's date formats"
        if not message.id or of_recipes or is_date:
            continue
        texts = message.string if isinstance(message.string, tuple) else (message.string,)
        for text in (re.sub(r'<[^>]*>|\{".*', "", each) for each in texts):
            assert not LATIN_MARK.search(text), text
            assert not NO_BLANK.search(text), text


def fields(text):
    """Names that are filled in, in both ways: `%(name)s` and `{name}`."""
    braces = text if not text.startswith('{"') else ""
    named = {name for _t, name, _f, _c in string.Formatter().parse(braces) if name}
    return named | {part.split(")s")[0] for part in text.split("%(")[1:]}


def test_the_texts_of_code_templates_and_vocabulary_are_all_found():
    found = {message.id for message in catalogue()}
    assert "Drop files or folders here" in found  # a template
    assert "Tick the runs first." in found  # code
    assert "I/O scheduler of the queue." in found  # the vocabulary


@pytest.mark.django_db
def test_the_language_follows_the_browser_and_the_switch():
    browser = Client(headers={"accept-language": "ja,en;q=0.5"})
    assert '<html lang="ja"' in browser.get("/sign-in/").text
    browser.post("/language/", {"language": "en", "next": "/sign-in/"})
    assert '<html lang="en"' in browser.get("/sign-in/").text


@pytest.mark.django_db
def test_numbers_and_dates_follow_the_language(house, contributor):
    address = f"/runs/{house.run.pk}/"
    assert "年" in contributor.get(address, headers={"accept-language": "ja"}).text
    assert "16,384" in contributor.get(address, headers={"accept-language": "en"}).text


@pytest.mark.django_db
def test_why_a_file_was_refused_is_stored_in_english_and_shown_in_the_readers_language(contributor):
    form = {"file": [SimpleUploadedFile("words.txt", b"only words")]}
    ja = {"accept-language": "ja"}
    assert "結果が見つかりません" in contributor.post("/uploads/", form, headers=ja).text
    upload = Upload.objects.get()
    assert upload.sentence.startswith("no result found")
    assert "結果が見つかりません" in contributor.get(f"/uploads/{upload.pk}/", headers=ja).text
    assert "no result found" in contributor.get(f"/uploads/{upload.pk}/").text
    answer = contributor.get(f"/api/v1/uploads/{upload.pk}/")
    assert answer.json()["sentence"] == upload.sentence
    answer = contributor.get(f"/api/v1/uploads/{upload.pk}/", headers=ja)
    assert answer.json()["sentence"].startswith("結果が見つかりません")


@pytest.mark.django_db
def test_a_stored_sentence_keeps_its_values_and_is_found_by_its_english_words(contributor):
    row = f"{'=' * 40}\nsqlite: empty\n".encode() + b"\x89PNG"
    form = {"file": [SimpleUploadedFile("a\x1f[].png", b"\x89PNG" + row)]}
    contributor.post("/uploads/", form)
    upload = Upload.objects.get(sentence__icontains="not text: it is a PNG")
    assert upload.sentence == "not text: it is a PNG image"
    assert upload.sentence.template == "not text: {kind}"
    upload.refresh_from_db()
    upload.save()
    assert Upload.objects.get().sentence.values == {"kind": "it is a PNG image"}
    assert Upload.objects.values_list("sentence", flat=True).get() == upload.sentence
    page = contributor.get(f"/uploads/{upload.pk}/", headers={"accept-language": "ja"}).text
    assert "テキストではありません：PNG 画像です" in page
    assert "\x1f" not in page and "{kind}" not in page


@pytest.mark.django_db
def test_a_row_of_before_values_were_stored_is_shown_in_the_readers_language(contributor):
    form = {"file": [SimpleUploadedFile("words.txt", b"only words")]}
    contributor.post("/uploads/", form)
    Upload.objects.update(sentence="line 3: empty file, and 2 more places")
    upload = Upload.objects.get()
    assert type(upload.sentence) is str
    page = contributor.get(f"/uploads/{upload.pk}/", headers={"accept-language": "ja"}).text
    assert "3 行目：空のファイルです、ほか 2 か所" in page


@pytest.mark.django_db
@pytest.mark.parametrize("message", ["/srv/logs: empty file", "x" * 270])
def test_why_a_run_is_set_aside_is_shown_in_the_readers_language(contributor, message):
    error = {"message": message}
    sentence = failure("fio", error)
    run = a_run(error=error, set_aside_reason=sentence)
    run.refresh_from_db()
    assert run.set_aside_reason == sentence and not run.counted
    assert Run.objects.exclude(set_aside_reason="").get() == run
    page = contributor.get(f"/runs/{run.pk}/", headers={"accept-language": "ja"}).text
    assert f'title="fio がエラーを報告しました：{message}"' in page
    assert f"fio がエラーを報告しました：{message}</p>" in page
    assert f'title="{sentence}"' in contributor.get(f"/runs/{run.pk}/").text
    assert contributor.get(f"/api/v1/runs/{run.pk}/").json()["set_aside_reason"] == sentence


@pytest.mark.django_db
def test_what_a_worker_stated_of_a_job_is_shown_in_the_readers_language(signed_in):
    operator = signed_in("operator")
    reason = "1-fio ended with exit code 3. It said: <b>fio</b>: no such device"
    job = a_job(Job.State.FAILED)
    Job.objects.filter(pk=job.pk).update(reason=reason)
    page = operator.get(f"/jobs/{job.pk}/", headers={"accept-language": "ja"}).text
    assert (
        "1-fio は終了コード 3 で終わりました。出力：&lt;b&gt;fio&lt;/b&gt;: no such device" in page
    )
    assert "1-fio ended with exit code 3." in operator.get(f"/jobs/{job.pk}/").text


@pytest.mark.django_db
def test_what_a_form_refuses_is_refused_in_the_readers_language(contributor):
    form = {"name": "x", "layers": "ext4 journall=1"}
    page = contributor.post("/configurations/new/", form, headers={"accept-language": "ja"}).text
    assert "レイヤー 1（ext4）：「journall」は ext4 のオプションではありません。" in page
