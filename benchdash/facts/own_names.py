"""What a machine is called, by itself: its host name and the addresses of its network cards."""

from __future__ import annotations

from ipaddress import ip_address

MOST_NAMES = 100
_LONGEST_NAME = 253

# One line, without quotes; ifconfig says `inet addr:10.0.0.1` and `inet6 addr: fe80::1` on CentOS 5.
ASK_OWN_NAMES = r"""echo $(uname -n; { ip -o addr || ifconfig -a; } 2>/dev/null |
awk '{ for (i = 1; i < NF; i++) if ($i ~ /^inet6?$/) print ($(i + 1) == "addr:" ? $(i + 2) : $(i + 1)) }')"""


def own_names(output: str) -> list[str]:
    """The names of `ASK_OWN_NAMES`, less those that many machines have: of loops and of one link."""
    first, *rest = output.split()[: MOST_NAMES + 1] or [""]
    addresses = (_global(word.removeprefix("addr:").partition("/")[0]) for word in rest)
    return [*dict.fromkeys(filter(None, (first[:_LONGEST_NAME], *addresses)))]


def _global(text: str) -> str:
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    everywhere = address.is_loopback or address.is_link_local or address.is_unspecified
    return "" if everywhere else str(address)
