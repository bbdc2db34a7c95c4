"""Hosts in the browser: registered, checked, trusted, imported; what is secret never comes back."""

from __future__ import annotations

import html

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from benchdash.inventory.models import Host
from benchdash.jobs.credentials import opened
from benchdash.jobs.models import Target
from benchdash.pages.hosts import LARGEST_FILE
from tests.jobs.keys import a_host_key, a_key
from tests.jobs.records import a_target
from tests.measured import an_environment
from tests.pages.compared import text_of

pytestmark = pytest.mark.django_db


def form(**changes):
    return {
        "name": "store-a",
        "address": "10.0.0.1",
        "port": "22",
        "user": "bench",
        "method": "key",
        "folder": "/var/tmp/benchdash",
        "allowed": "/dev/sdb\n",
        "readable": "/srv/a.sql\n",
        "servers": "db.example\n10.0.0.9\n",
        "tags": "raid6, lab",
    } | changes


def test_a_host_is_registered_in_one_form_and_looked_at_right_away(signed_in):
    admin, key = signed_in("admin"), a_key()
    answer = admin.post("/hosts/new/", form(key=key), follow=True)
    target = Target.objects.get()
    assert answer.redirect_chain == [(f"/hosts/{target.host_id}/", 302)]
    assert (str(target), target.allowed, target.tags) == (
        "bench@10.0.0.1:22",
        ["/dev/sdb"],
        ["raid6", "lab"],
    )
    assert (target.readable, target.servers) == (["/srv/a.sql"], ["db.example", "10.0.0.9"])
    assert opened(target.secret) == {"key": key}
    assert target.is_checking
    assert f'hx-get="/targets/{target.pk}/state/"' in answer.text


def test_no_target_is_offered_as_its_own_jump_host(signed_in):
    own, other = a_target("store-1"), a_target("store-2")
    page = signed_in("admin").get(f"/targets/{own.pk}/")
    offered = {str(value) for value, _words in page.context["form"].fields["jump"].choices}
    assert str(other.pk) in offered and str(own.pk) not in offered


def test_a_refused_form_makes_nothing_and_shows_no_secret_again(signed_in):
    admin, key = signed_in("admin"), a_key()
    answer = admin.post("/hosts/new/", form(key=key, folder="relative", password="hunter2"))
    assert "begin with" in answer.text
    assert key[60:100] not in answer.text
    assert "hunter2" not in answer.text
    assert not Host.objects.exists()


def test_a_refused_form_says_all_that_is_wrong_and_what_has_to_be_entered_again(signed_in):
    admin, key = signed_in("admin"), a_key()
    wrong = form(key=key, address="10.0.0.1 or 2", folder="relative", tags="one two")
    answer = admin.post("/hosts/new/", wrong)
    assert answer.context["form"].errors.keys() == {"address", "folder", "tags"}
    assert "Enter it again: Private key" in text_of(answer)
    assert "Enter it again" not in admin.post("/hosts/new/", wrong | {"key": ""}).text


def test_no_page_shows_a_secret_or_its_ciphertext(signed_in):
    target = a_target()
    admin = signed_in("admin")
    pages = ["/hosts/", f"/hosts/{target.host_id}/", f"/targets/{target.pk}/"]
    for page in [*pages, f"/admin/jobs/target/{target.pk}/change/"]:
        text = admin.get(page).text
        assert target.address in text, page
        assert "hunter2" not in text
        assert target.secret not in text


def test_a_check_is_requested_and_its_answer_replaces_the_waiting(signed_in):
    target = a_target(findings={"state": "trouble", "lines": [{"name": "sudo", "ok": False,
        "text": "asks for a password", "mend": "visudo <b>"}]})  # fmt: skip
    operator = signed_in("operator")
    operator.post(f"/targets/{target.pk}/check/")
    waiting = operator.get(f"/targets/{target.pk}/state/").text
    assert "A worker is checking" in waiting
    Target.objects.update(check_asked_at=None)
    found = operator.get(f"/targets/{target.pk}/state/").text
    assert "hx-get" not in found
    assert "visudo &lt;b&gt;" in found


def test_the_storage_that_is_captured_is_that_of_the_working_folder_unless_another_is_typed(
    signed_in,
):
    target = a_target(folder="/mnt/data/bench")
    page = signed_in("operator").get(f"/targets/{target.pk}/state/").text
    assert 'value="/mnt/data/bench" placeholder="/srv/data"' in page


def test_a_changed_key_is_a_banner_that_only_admins_can_end(signed_in):
    target = a_target(offered_key=a_host_key())
    operator = signed_in("operator")
    for page in ("/", "/hosts/", "/jobs/"):
        assert "a host key other than" in operator.get(page).text
    assert "Approve the new key" not in operator.get(f"/hosts/{target.host_id}/").text
    address, shown = f"/targets/{target.pk}/key/", {"fingerprint": target.offered_fingerprint}
    assert "Only an admin" in operator.post(address, shown, follow=True).text
    admin = signed_in("admin")
    assert "Approve the new key" in admin.get(f"/hosts/{target.host_id}/").text
    admin.post(address, shown)
    assert Target.objects.get().host_key == target.offered_key
    assert "a host key other than" not in admin.get("/").text


def test_an_operator_trusts_a_host_at_first_contact(signed_in):
    target = a_target(host_key="", offered_key=a_host_key())
    operator = signed_in("operator")
    text = operator.get(f"/hosts/{target.host_id}/").text
    assert "first contact" in text
    assert target.offered_fingerprint in text
    operator.post(f"/targets/{target.pk}/key/", {"fingerprint": target.offered_fingerprint})
    assert Target.objects.get().host_key == target.offered_key


def test_ssh_config_is_shown_first_and_made_then(signed_in):
    admin = signed_in("admin")
    text = "Host store\n  HostName 10.0.0.7\n  User ann\n  IdentityFile ~/.ssh/id_lab\n"
    shown = admin.post("/hosts/import/", {"kind": "ssh_config", "text": text}).text
    assert "ann@10.0.0.7:22" in shown
    assert "~/.ssh/id_lab" in shown
    assert not Target.objects.exists()
    fields = {"kind": "ssh_config", "text": text, "do": "1", "chosen": ["store"]}
    assert "1 target added" in admin.post("/hosts/import/", fields, follow=True).text
    assert Target.objects.get().user == "ann"
    refused = admin.post("/hosts/import/", {"kind": "known_hosts", "text": "nothing"}).text
    assert "None of these lines is a known_hosts key" in refused


def test_a_file_that_is_too_large_to_be_one_of_openssh_is_refused_whole(signed_in):
    large = SimpleUploadedFile("config", b"Host store\n" + b"#" * LARGEST_FILE)
    answer = signed_in("admin").post("/hosts/import/", {"kind": "ssh_config", "file": large})
    assert "The file is larger than" in answer.text
    assert "store" not in answer.text


def test_what_is_known_of_a_host_can_be_removed_where_nothing_hangs_on_it(signed_in, house):
    admin = signed_in("admin")
    target = a_target("spare")
    busy = house.target
    assert "it is kept" in admin.post(f"/targets/{busy.pk}/", {"remove": "1"}, follow=True).text
    assert "is kept" in admin.post(f"/hosts/{busy.host_id}/edit/", {"remove": "1"}).text
    admin.post(f"/targets/{target.pk}/", {"remove": "1"})
    admin.post(f"/hosts/{target.host_id}/edit/", {"remove": "1"})
    assert not Host.objects.filter(name="spare").exists()


def test_a_new_pair_replaces_the_stored_key_and_enter_does_not_make_one(signed_in):
    admin = signed_in("admin")
    admin.post("/hosts/new/", form(key=a_key()))
    target = Target.objects.get()
    before = target.public_key
    page = admin.get(f"/targets/{target.pk}/").text
    assert page.index('<button class="visually-hidden"') < page.index('name="make_key"')
    admin.post(f"/targets/{target.pk}/", form())
    assert Target.objects.get().public_key == before
    shown = admin.post(f"/targets/{target.pk}/", form(make_key="1"), follow=True).text
    target = Target.objects.get()
    assert target.public_key not in ("", before)
    assert "run the command below on the host" in shown
    assert target.public_key in html.unescape(shown)
    admin.post(f"/targets/{target.pk}/", form(method="password", password="hunter2"))
    assert Target.objects.get().public_key == ""


def test_the_command_is_for_admins(signed_in):
    signed_in("admin").post("/hosts/new/", form(make_key="1"))
    target = Target.objects.get()
    assert "authorized_keys" not in signed_in("operator").get(f"/hosts/{target.host_id}/").text


def test_a_name_that_results_have_already_is_not_taken_over_without_a_word(signed_in):
    an_environment("lab", "store-a")
    answer = signed_in("admin").post("/hosts/new/", form(key=a_key()))
    assert "There are already results from a host with this name" in answer.text
    assert not Target.objects.exists()


def test_a_host_without_its_working_folder_is_not_simply_ready(signed_in):
    line = {"name": "working folder", "ok": None, "text": "not there", "mend": "", "warns": True}
    found = {"state": "ok", "sentence": "", "lines": [line]}
    a_target("there", findings=found | {"lines": []})
    on = a_target("missing", findings=found | {"folder_made_on": "/ (/dev/vda1)"})
    operator = signed_in("operator")
    words = "ready, working folder missing"
    for address in ("/hosts/", f"/hosts/{on.host_id}/"):
        assert f'<span class="badge warn">{words}</span>' in operator.get(address).text
    assert '<li class="warn"><strong>working folder' in operator.get(f"/hosts/{on.host_id}/").text
    offered = operator.get("/plans/new/fio/").context["form"].fields["node-a"].choices
    labels = [str(label).partition(")")[2] for _value, label in offered]
    assert labels[1:] == [f" – {words}", ""]
