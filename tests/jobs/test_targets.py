"""How benchdash logs in: what is refused, what stays secret, whose host key is trusted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import CommandError, call_command
from django.utils import timezone

from benchdash.errors import Refused
from benchdash.inventory.models import Host
from benchdash.inventory.records import record_environment
from benchdash.jobs.credentials import fingerprint, opened
from benchdash.jobs.models import HostEvent, Job, Plan, Target
from benchdash.jobs.targets import (
    Login,
    approve_key,
    pin,
    remove_host,
    remove_target,
    save_target,
)
from tests.jobs.keys import a_certificate, a_host_key, a_key, private_text
from tests.jobs.records import a_job, a_plan

pytestmark = pytest.mark.django_db
PASSWORD = Login("10.0.0.1", "bench", method="password", secret={"password": "hunter2"})


@pytest.fixture
def host():
    return Host.objects.create(name="node-a")


@pytest.fixture
def admin(people):
    return people("admin")


@pytest.fixture
def target(host, admin):
    return save_target(Target(host=host), PASSWORD, admin)


def test_a_secret_is_ciphertext_and_stays_where_none_is_entered(target, admin):
    assert "hunter2" not in target.secret
    save_target(target, replace(PASSWORD, secret={"password": ""}, user="root"), admin)
    target.refresh_from_db()
    assert opened(target.secret) == {"password": "hunter2"}
    assert target.user == "root"
    lines = HostEvent.objects.order_by("pk").values_list("what", "by__username")
    assert list(lines) == [
        ("made", "admin"),
        ("credentials", "admin"),
        ("changed", "admin"),
    ]


def test_another_method_forgets_what_belonged_to_the_first(target, admin):
    key = a_key()
    save_target(target, replace(PASSWORD, method="key", secret={"key": key}), admin)
    assert opened(target.secret) == {"key": key}
    with pytest.raises(Refused, match="Enter the password"):
        save_target(target, replace(PASSWORD, secret={}), admin)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"address": "-oProxyCommand=reboot"}, "address"),
        ({"address": "a b"}, "address"),
        ({"user": "root; reboot"}, "user"),
        ({"port": 0}, "port"),
        ({"folder": "relative"}, "folder"),
        ({"folder": "/"}, "folder"),
        ({"folder": "/var/tmp/../.."}, "folder"),
        ({"allowed": ("sdb",)}, "allowed"),
        ({"allowed": ("rbd:bench",)}, "allowed"),
        ({"allowed": ("rados:bench/one",)}, "allowed"),
        ({"allowed": ("/dev/sdb\nreboot",)}, "allowed"),
        ({"readable": ("x.sql",)}, "readable"),
        ({"servers": ("db.example,evil",)}, "servers"),
        ({"secret": {}}, "password"),
        ({"method": "key", "secret": {}}, "key"),
        ({"method": "key", "secret": {"key": "ssh-ed25519 AAAA me@here"}}, "key"),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(host, admin, change, field):
    with pytest.raises(Refused) as refused:
        save_target(Target(host=host), replace(PASSWORD, **change), admin)
    assert refused.value.field == field
    assert not Target.objects.exists()


def test_a_key_with_a_passphrase_asks_for_it(host, admin):
    key = a_key("open sesame")

    def save(**secret):
        login = Login("10.0.0.1", "bench", secret={"key": key, **secret})
        return save_target(Target(host=host), login, admin)

    with pytest.raises(Refused, match="has a passphrase") as refused:
        save()
    assert refused.value.field == "passphrase"
    with pytest.raises(Refused, match="does not unlock"):
        save(passphrase="wrong")
    assert opened(save(passphrase="open sesame").secret)["passphrase"] == "open sesame"


def test_a_damaged_key_is_reported_without_quoting_it(host, admin):
    key = a_key()
    middle = key[60:100]
    login = Login("10.0.0.1", "bench", secret={"key": key.replace(middle, "")})
    with pytest.raises(Refused, match="damaged") as refused:
        save_target(Target(host=host), login, admin)
    assert key[110:140] not in refused.value.sentence


def test_a_certificate_belongs_to_its_key(host, admin):
    key, other = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()

    def save(certificate):
        secret = {"key": private_text(key), "certificate": certificate}
        return save_target(Target(host=host), Login("10.0.0.1", "bench", secret=secret), admin)

    with pytest.raises(Refused, match="another key"):
        save(a_certificate(other))
    with pytest.raises(Refused, match="not an OpenSSH certificate"):
        save("ssh-ed25519-cert-v01@openssh.com AAAA")
    assert "certificate" in opened(save(a_certificate(key)).secret)


def test_a_way_through_jump_hosts_never_leads_in_a_circle(target, admin):
    near = save_target(
        Target(host=Host.objects.create(name="gate")),
        replace(PASSWORD, address="10.0.0.2", jump=target),
        admin,
    )
    with pytest.raises(Refused, match="circular"):
        save_target(target, replace(PASSWORD, jump=near), admin)


def test_the_first_key_is_pinned_by_an_operator_and_a_changed_one_by_an_admin(target, people):
    first, second = a_host_key(), a_host_key()
    operator, admin = people("operator"), people("admin")
    Target.objects.update(offered_key=first)
    with pytest.raises(Refused, match="a different key"):
        approve_key(target, fingerprint(second), operator)
    pinned = approve_key(target, fingerprint(first), operator)
    assert (pinned.host_key, pinned.offered_key, pinned.pinned_by) == (first, "", operator)
    Target.objects.update(offered_key=second)
    with pytest.raises(Refused, match="Only an admin"):
        approve_key(target, fingerprint(second), operator)
    assert approve_key(target, fingerprint(second), admin).host_key == second
    events = HostEvent.objects.filter(what__in=["pinned", "approved"]).order_by("pk")
    assert [(line.what, line.by.username) for line in events] == [
        ("pinned", "operator"),
        ("approved", "admin"),
    ]
    assert fingerprint(second) in events[1].detail


def test_another_address_is_another_machine_until_its_key_is_seen(target, admin):
    pin(target, a_host_key(), admin)
    save_target(target, replace(PASSWORD, sudo=True), admin)
    assert target.host_key
    save_target(target, replace(PASSWORD, address="10.0.0.9"), admin)
    assert (target.host_key, target.pinned_at) == ("", None)


def test_devices_folders_and_images_of_ceph_may_be_written(target, admin):
    allowed = ("/dev/sdb", "/mnt/raid/", "rbd:bench/image-1")
    saved = save_target(target, replace(PASSWORD, allowed=allowed), admin)
    assert saved.allowed == ["/dev/sdb", "/mnt/raid", "rbd:bench/image-1"]


def test_what_something_hangs_on_is_kept(target, host, admin):
    near = Host.objects.create(name="behind")
    save_target(Target(host=near), replace(PASSWORD, jump=target), admin)
    with pytest.raises(Refused, match="go through it"):
        remove_target(target, admin)
    record_environment({"node-a": {"hostname": "behind"}})
    with pytest.raises(Refused, match="kept"):
        remove_host(near)
    remove_target(near.targets.get(), admin)
    remove_host(host)
    assert not Target.objects.exists()


def test_who_logs_in_stays_while_a_job_is_there(target, admin):
    job = a_job(Job.State.RUNNING, target)
    for change in ({"user": "root"}, {"sudo": True}):
        with pytest.raises(Refused, match="runs there as bench"):
            save_target(target, replace(PASSWORD, **change), admin)
    save_target(target, replace(PASSWORD, address="10.0.0.8"), admin)
    Job.objects.filter(pk=job.pk).update(state=Job.State.DONE)
    job.nodes.update(left_at=timezone.now())  # its files are of the user before
    with pytest.raises(Refused, match="left something there as bench"):
        save_target(target, replace(PASSWORD, user="root"), admin)
    job.nodes.update(left_at=None)
    save_target(target, replace(PASSWORD, user="root"), admin)


@pytest.mark.parametrize("launched", [False, True])
def test_a_target_of_which_a_plan_has_jobs_to_come_is_kept(target, host, admin, launched):
    plan = a_plan(title="Night", nodes=[{"role": "node-a", "target": target.pk}], to_make=3)
    Plan.objects.update(launched_at=timezone.now() if launched else None)
    for removed in (lambda: remove_target(target, admin), lambda: remove_host(host)):
        with pytest.raises(Refused, match="The plan “Night” still has jobs to run there"):
            removed()
    plan.delete()
    remove_target(target, admin)


def test_credentials_move_under_the_newest_key_and_the_old_one_can_go(target, settings, capsys):
    old, new = settings.FIELD_ENCRYPTION_KEY, Fernet.generate_key().decode()
    settings.FIELD_ENCRYPTION_KEY = f"{new},{old}"
    call_command("rotate_credentials")
    settings.FIELD_ENCRYPTION_KEY = new
    target.refresh_from_db()
    assert opened(target.secret) == {"password": "hunter2"}
    settings.FIELD_ENCRYPTION_KEY = old
    with pytest.raises(CommandError, match=r"bench@10\.0\.0\.1:22"):
        call_command("rotate_credentials")
    assert "1 encrypted anew" in capsys.readouterr().out
