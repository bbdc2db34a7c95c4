"""Wrong passwords cost time: a growing, capped delay for an address, and for an account at it.

Nobody locks somebody else out. An account has no delay of its own: after many wrong passwords
from anywhere, each address has one free try instead of five, and waits afterwards. A browser in
which its person signed in before carries a signed cookie, and waits for its own tries alone
(OWASP: device cookies), whoever else tries from the same address.

Tries are counted before they are judged, so that many at once are as few as one after the other,
and in the database, where every web process sees them. Names that nobody has are counted as well.
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
from django.utils.translation import gettext as _

from benchdash.accounts.models import Attempts
from benchdash.errors import Refused

FREE, FREE_OF_ADDRESS = 5, 10  # an address may be that of a whole office
UNDER_ATTACK, FREE_UNDER_ATTACK = 20, 1
UNBOUNDED = 2**31
LONGEST_S = 60
KEPT = timedelta(hours=1)
COOKIE_AGE_S = 365 * 24 * 3600


class TooManyAttempts(Refused):
    """The delay is not over: nothing was hashed."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(_("Too many wrong passwords. Try again in {n} s.").format(n=wait_s))
        self.wait_s = wait_s


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try: `own` counts for who tries alone, `shared` for others as well."""

    own: str
    shared: tuple[str, ...] = ()

    def succeeded(self) -> None:
        """The password was right: the try counts for nothing, and so do those before it here."""
        Attempts.objects.filter(key=self.own).delete()
        Attempts.objects.filter(key__in=self.shared, failures__gt=0).update(
            failures=F("failures") - 1, waits_until=timezone.now()
        )


def begin(name: str, address: str, browser: str = "") -> Attempt:
    """Count a try on the account `name`; TooManyAttempts where it came before its time.

    `browser` tells one that is known to belong to the account.
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
    """Remove what delays nobody any more; how many rows that were."""
    with transaction.atomic():
        old = Attempts.objects.filter(forgotten_at__lt=timezone.now())
        keys = old.select_for_update(skip_locked=True).values_list("key", flat=True)
        return Attempts.objects.filter(key__in=list(keys)).delete()[0]


def network_of(address: str) -> str:
    """Who tries, by an address: one of IPv6 is as many as its holder likes, and counts by /64."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if ip.version == 4:
        return str(ip)
    return str(ip.ipv4_mapped or ip_network((ip, 64), strict=False))


def known_browser(request: HttpRequest, name: str) -> str:
    """What tells a browser in which this account signed in before; "" for any other."""
    return request.get_signed_cookie(_cookie(name), "", max_age=COOKIE_AGE_S) or ""


def remember_browser(request: HttpRequest, response: HttpResponse, name: str) -> None:
    """Let the browser that gets `response` be known for this account."""
    response.set_signed_cookie(
        _cookie(name),
        known_browser(request, name) or get_random_string(22),
        max_age=COOKIE_AGE_S,
        path=request.path,  # of the page that asks for it
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def _count(free: dict[str, int]) -> None:
    """One more try for each key, of which so many are free; TooManyAttempts where one waits."""
    _check(Attempts.objects.filter(key__in=free))
    now = timezone.now()
    blank = [Attempts(key=key, waits_until=now, forgotten_at=now) for key in sorted(free)]
    with transaction.atomic():
        Attempts.objects.bulk_create(blank, ignore_conflicts=True)
        # in one order for everyone: two tries never wait in a circle
        rows = list(Attempts.objects.select_for_update().filter(key__in=free).order_by("key"))
        _check(rows)  # another one may have been quicker
        for row in rows:
            row.failures = row.failures + 1 if row.forgotten_at > now else 1
            row.waits_until = now + timedelta(seconds=delay_s(row.failures - free[row.key]))
            row.forgotten_at = now + KEPT
        Attempts.objects.bulk_update(rows, ["failures", "waits_until", "forgotten_at"])


def _check(rows: Iterable[Attempts]) -> None:
    wait_s = max(((row.waits_until - timezone.now()).total_seconds() for row in rows), default=0)
    if wait_s > 0:
        raise TooManyAttempts(ceil(wait_s))


def delay_s(too_many: int) -> int:
    """Seconds after the last free try (0) and after each one more: 2, 4, 8, … LONGEST_S."""
    return 0 if too_many < 0 else min(2 ** min(too_many + 1, 10), LONGEST_S)


def _cookie(name: str) -> str:
    return f"known-{_digest('cookie', name)[:16]}"


def _digest(*parts: str) -> str:
    """Keyed: people type passwords where names belong."""
    return salted_hmac("attempts", "\0".join(parts), algorithm="sha256").hexdigest()
