"""Mount options as a tunable, written as `barrier=0,data=writeback`, compared option by option.

The kernel spells options in its own way (`nobarrier` for `barrier=0`) and leaves defaults out:
only the wanted ones are compared, spelled as in the table.
"""

from __future__ import annotations

import re

from benchdash.errors import N_, Refused
from benchdash.vocabulary.near import near

# Switches of ext3, ext4, XFS and Btrfs: (on, off, the one that holds where neither is printed).
_SWITCHES = (
    ("barrier=1", "barrier=0", "barrier=1"),
    ("diratime", "nodiratime", "diratime"),
    ("discard", "nodiscard", "nodiscard"),
    ("delalloc", "nodelalloc", "delalloc"),
    ("auto_da_alloc", "noauto_da_alloc", "auto_da_alloc"),
    ("dioread_lock", "dioread_nolock", "dioread_nolock"),
    ("bh", "nobh", "bh"),
    ("sync", "async", "async"),
    ("lazytime", "nolazytime", "nolazytime"),
)
_OTHER_WORDS = {
    "barrier": "barrier=1",
    "barriers": "barrier=1",
    "nobarrier": "barrier=0",
    "nobarriers": "barrier=0",
    "nodioread_nolock": "dioread_lock",
}
_ATIMES = ("relatime", "noatime", "strictatime")
_ASSIGNED = {  # name: what its value may be, and the value that holds where it is not printed
    "data": (r"ordered|writeback|journal", "ordered"),
    "commit": (r"\d{1,5}", "5"),
    "stripe": (r"\d{1,9}", "0"),
    "max_batch_time": (r"\d{1,9}", "15000"),
    "min_batch_time": (r"\d{1,9}", "0"),
    "inode_readahead_blks": (r"\d{1,9}", "32"),
    "logbufs": (r"[2-8]", "8"),
    "logbsize": (r"\d{1,6}k?", "32k"),
}
# what ext4 turns off by itself with data=journal, and leaves off when that is taken back
_WITH_JOURNAL = ("delalloc", "dioread_nolock")
_GROUPS = {word: (on, off, default) for on, off, default in _SWITCHES for word in (on, off)}
_KNOWN = (*_GROUPS, *_OTHER_WORDS, *_ATIMES, *(f"{name}=" for name in _ASSIGNED))

WITHOUT_NOBH = (5, 18)  # ext4 ignored it for long, and its name went with this kernel

# The second line has every option in force of ext3 and ext4, defaults too.
READ = (
    'l=$(awk -v m="$1" \'$2 == m { l = $1 " " $3 " " $4 } END { print l }\' /proc/self/mounts); '
    '[ -n "$l" ] || { echo "nothing is mounted on $1" >&2; exit 1; }; '
    'set -- $l; echo "$3"; d=$(readlink -f "$1"); d=${d##*/}; '
    'f=/proc/fs/$2/$d/options; [ ! -r "$f" ] || tr "\\n" , < "$f"'
)
# The kernel changes some options (data=) only at a new mount, not at a remount.
WRITE = (
    'm=$1 o=$2; mount -o "remount,$o" "$m" 2>/dev/null && exit 0; '
    'l=$(awk -v m="$m" \'$2 == m { l = $1 " " $3 " " $4 } END { print l }\' /proc/self/mounts); '
    '[ -n "$l" ] || { echo "nothing is mounted on $m" >&2; exit 1; }; '
    'set -- $l; umount "$m" || exit 1; '
    'mount -t "$2" -o "$3,$o" "$1" "$m" && exit 0; '
    's=$?; mount -t "$2" -o "$3" "$1" "$m"; exit "$s"'
)


def checked(wanted: str) -> tuple[str, ...]:
    """The options as the table spells them; Refused names one that is not known."""
    words = tuple(_OTHER_WORDS.get(word, word) for word in wanted.split(",") if word)
    for word in words:
        name, equals, value = word.partition("=")
        fits = equals and name in _ASSIGNED and re.fullmatch(_ASSIGNED[name][0], value, re.ASCII)
        if not (fits or word in _GROUPS or word in _ATIMES):
            sentence = N_("The mount option “{word}” cannot be set by a recipe.", word=word[:80])
            raise Refused(near(sentence, word, _KNOWN, _KNOWN), "mount_options")
    if not words:
        raise Refused("Mount options are written as barrier=0,data=writeback.", "mount_options")
    return words


def for_mount(options: str) -> str:
    """As mount(8) takes them: `relatime` alone does not end a `noatime` that is in force."""
    return ",".join("atime,relatime" if word == "relatime" else word for word in options.split(","))


def present(output: str, wanted: str) -> str:
    """What is in force now of each wanted option, in their order: `barrier=1,data=ordered`."""
    printed = [_OTHER_WORDS.get(word, word) for word in re.split(r"[,\s]+", output) if word]
    return ",".join(_now(word, printed) for word in checked(wanted)) if printed else ""


def to_put_back(output: str, wanted: str) -> str:
    """What is in force now of each option that `wanted` changes, also of those that go with it."""
    if "data=journal" not in checked(wanted):
        return present(output, wanted)
    printed = {_OTHER_WORDS.get(word, word) for word in re.split(r"[,\s]+", output)}
    named = {*wanted.split(",")}
    further = [
        word
        for word in _WITH_JOURNAL
        if printed & {*_GROUPS[word][:2]} and not named & {*_GROUPS[word][:2]}
    ]
    return present(output, ",".join([wanted, *further]))


def _now(word: str, printed: list[str]) -> str:
    if word in _GROUPS:
        on, off, default = _GROUPS[word]
        return next((one for one in reversed(printed) if one in (on, off)), default)
    if word in _ATIMES:
        return next((one for one in printed if one in _ATIMES), "strictatime")
    name = word.partition("=")[0]
    values = [one for one in printed if one.startswith(f"{name}=")]
    return values[-1] if values else f"{name}={_ASSIGNED[name][1]}"


def without_nobh(options: str) -> str:
    """The same for a kernel that has no buffer heads to leave out."""
    return ",".join(word for word in options.split(",") if word.strip() not in ("bh", "nobh"))
