"""Login throttling: a growing, capped delay per address, and per account at an address.

Nobody can lock somebody else out. An account has no delay of its own: after many wrong passwords
from anywhere, each address has one free attempt instead of five, and waits afterwards. A browser
in which its person has signed in before carries a signed cookie, and waits only for its own
attempts (OWASP: device cookies), whoever else tries from the same address.

An attempt is counted before the password is checked, so that parallel attempts gain nothing, and
in the database, where every web process sees it. Names that do not exist are counted as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_address, ip_network
from math import ceil

from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import get_random_string, salted_hmac

from benchdash.accounts.models import Attempts
from benchdash.errors import N_, Refused

FREE, FREE_OF_ADDRESS = 5, 10  # failures before the first delay; an address may be an office's
UNDER_ATTACK, FREE_UNDER_ATTACK = 20, 1
UNBOUNDED = 2**31
LONGEST_S = 60
FORGOTTEN_AFTER = timedelta(hours=1)
COOKIE_AGE_S = 365 * 24 * 3600


class TooManyAttempts(Refused):
    """The delay is not over; the password was not checked."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(N_("Too many wrong passwords. Try again in {n} s.", n=wait_s))
        self.wait_s = wait_s


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt: the key `own` is counted for this client alone, `shared` for others too."""

    own: str
    shared: tuple[str, ...] = ()

    def succeeded(self) -> None:
        """The password was right: forget this attempt, and the earlier failures of `own`."""
        Attempts.objects.filter(key=self.own).delete()
        Attempts.objects.filter(key__in=self.shared, failures__gt=0).update(
            failures=F("failures") - 1, waits_until=timezone.now()
        )


def begin(name: str, address: str, browser: str = "") -> Attempt:
    """Count an attempt on the account `name`; TooManyAttempts while a delay is running.

    `browser` is the token of a browser that is known to belong to the account, else "".
    """
    if browser:
        attempt = Attempt(_digest("browser", name, browser))
        _count({attempt.own: FREE})
        return attempt
    network, account = _digest("address", network_of(address)), _digest("account", name)
    attempt = Attempt(_digest("account at address", name, network_of(address)), (network, account))
    known = Attempts.objects.filter(key=account, forgotten_at__gt=timezone.now())
    is_attacked = known.filter(failures__gte=UNDER_ATTACK).exists()
    free = FREE_UNDER_ATTACK if is_attacked else FREE
    _count({attempt.own: free, network: FREE_OF_ADDRESS, account: UNBOUNDED})
    return attempt


def forget_attempts() -> int:
    """Delete rows that no longer delay anybody; returns how many."""
    with transaction.atomic():
        old = Attempts.objects.filter(forgotten_at__lt=timezone.now())
        keys = old.select_for_update(skip_locked=True).values_list("key", flat=True)
        return Attempts.objects.filter(key__in=list(keys)).delete()[0]


def network_of(address: str) -> str:
    """The client's address as it is counted: IPv6 by /64, whose holder has all addresses in it."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if ip.version == 4:
        return str(ip)
    return str(ip.ipv4_mapped or ip_network((ip, 64), strict=False))


def known_browser(request: HttpRequest, name: str) -> str:
    """The token of a browser in which this account has signed in before; "" for any other."""
    return request.get_signed_cookie(_cookie(name), "", max_age=COOKIE_AGE_S) or ""


def remember_browser(request: HttpRequest, response: HttpResponse, name: str) -> None:
    """Set the cookie by which this browser is known for this account."""
    response.set_signed_cookie(
        _cookie(name),
        known_browser(request, name) or get_random_string(22),
        max_age=COOKIE_AGE_S,
        path=request.path,  # sent to the sign-in page only
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def _count(free: dict[str, int]) -> None:
    """Count an attempt for each key, with its free ones; TooManyAttempts while one is delayed."""
    _check(Attempts.objects.filter(key__in=free))
    now = timezone.now()
    blank = [Attempts(key=key, waits_until=now, forgotten_at=now) for key in sorted(free)]
    with transaction.atomic():
        Attempts.objects.bulk_create(blank, ignore_conflicts=True)
        # locked in one order, so that two attempts cannot deadlock
        rows = list(Attempts.objects.select_for_update().filter(key__in=free).order_by("key"))
        _check(rows)  # again: another attempt may have been counted since the first look
        for row in rows:
            row.failures = row.failures + 1 if row.forgotten_at > now else 1
            row.waits_until = now + timedelta(seconds=delay_s(row.failures - free[row.key]))
            row.forgotten_at = now + FORGOTTEN_AFTER
        Attempts.objects.bulk_update(rows, ["failures", "waits_until", "forgotten_at"])


def _check(rows: Iterable[Attempts]) -> None:
    wait_s = max(((row.waits_until - timezone.now()).total_seconds() for row in rows), default=0)
    if wait_s > 0:
        raise TooManyAttempts(ceil(wait_s))


def delay_s(excess: int) -> int:
    """Seconds to wait: 2 after the last free failure (0), then 4, 8, … LONGEST_S; none before."""
    return 0 if excess < 0 else min(2 ** min(excess + 1, 10), LONGEST_S)


def _cookie(name: str) -> str:
    return f"known-{_digest('cookie', name)[:16]}"


def _digest(*parts: str) -> str:
    """Keyed, because people type passwords into the field of the name."""
    return salted_hmac("attempts", "\0".join(parts), algorithm="sha256").hexdigest()
