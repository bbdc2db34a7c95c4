"""What a host is asked right before a device or a path is written to. Read-only sh. Pure.

The script prints one reason a line, and at last "asked"; without that line the answer is not to
be trusted. Reasons: mounted, swap, member of md, LVM, DRBD, Ceph or ZFS, held by another device,
held open, signature found; the same for the partitions of a disk.
"""

from __future__ import annotations

import shlex

from benchdash.errors import N_
from benchdash.recipes.steps import Touch

ASKED = "asked"

_RBD = r"""
command -v rbd >/dev/null 2>&1 || say "cannot be asked about: rbd is missing here"
watchers=$(rbd status "$image" 2>&1) || say "rbd status fails: $(printf %s "$watchers" | tail -n 1)"
case $watchers in *watcher=*) say "in use by a client" ;; esac
"""

_PATH = r"""
real=$(readlink -f "$name" 2>/dev/null) || real=
if [ -z "$real" ] || [ ! -d "$real" ]; then
  say "is no folder here"
else
  case $real/ in
    /|/bin/*|/boot/*|/dev/*|/etc/*|/lib/*|/lib32/*|/lib64/*|/proc/*|/root/|/run/|/sbin/*|/sys/*|/usr/*|/var/|/var/lib/|/home/)
      say "is a folder of the system ($real)" ;;
  esac
  case $real in "$name"|"${name%/}") ;; *) say "leads elsewhere, to $real" ;; esac
fi
"""

_DEVICE = r"""
PATH=$PATH:/sbin:/usr/sbin:/usr/local/sbin
have() { command -v "$1" >/dev/null 2>&1; }

# Where /sys has a kernel name: before Linux 2.6.27 a partition lies below its disk only.
place() {
  for at in /sys/class/block/"$1" /sys/block/"$1" /sys/block/*/"$1"; do
    [ -e "$at/dev" ] && { echo "$at"; return; }
  done
}

# $1 a kernel name such as sda1: reasons of that one device.
ask() {
  kernel=$1; dev=/dev/$(printf %s "$kernel" | tr '!' /); sys=$(place "$kernel")
  numbers=$(cat "$sys/dev" 2>/dev/null)
  awk -v n="$numbers" -v d="$dev" '$3 == n { print d " is mounted on " $5 }' /proc/self/mountinfo 2>/dev/null
  while read -r source point rest; do
    [ -b "$source" ] && [ "$(readlink -f "$source")" = "$dev" ] &&
      printf '%s\n' "$dev is mounted on $point"
  done < /proc/mounts
  while read -r source rest; do
    [ "$(readlink -f "$source" 2>/dev/null)" = "$dev" ] && printf '%s\n' "$dev is swap"
  done < /proc/swaps 2>/dev/null
  for holder in "$sys"/holders/*; do
    [ -e "$holder" ] || continue
    held=${holder##*/}
    case $held in
      md*) say "$dev is a member of the md array $held" ;;
      dm-*) uuid=$(cat "$holder/dm/uuid" 2>/dev/null)
        case $uuid in
          LVM-*) say "$dev is a member of LVM ($(cat "$holder/dm/name"))" ;;
          CRYPT-*) say "$dev is opened by dm-crypt ($(cat "$holder/dm/name"))" ;;
          mpath-*) say "$dev is a path of multipath ($(cat "$holder/dm/name"))" ;;
          *) say "$dev is held by $held" ;;
        esac ;;
      drbd*) say "$dev is a member of DRBD ($held)" ;;
      *) say "$dev is held by $held" ;;
    esac
  done
  if have drbdsetup; then
    drbdsetup show 2>/dev/null | sed -n 's/^[[:space:]]*disk[[:space:]]*"\([^"]*\)".*/\1/p' |
      while read -r disk; do
        [ "$(readlink -f "$disk")" = "$dev" ] && say "$dev is a member of DRBD (as $disk)"
      done
  fi
  for osd in /var/lib/ceph/osd/*/block /var/lib/ceph/*/osd.*/block; do
    [ "$(readlink -f "$osd" 2>/dev/null)" = "$dev" ] && say "$dev is a member of Ceph ($osd)"
  done
  if have zpool && zpool status -LP 2>/dev/null | grep -q "^[[:space:]]*$dev[[:space:]]";
    then say "$dev is a member of a ZFS pool"; fi
  signatures "$dev"
  open_by "$dev" "$numbers"
}

# What lies on it by its own signature. Only the blkid of util-linux probes; that of busybox takes
# the same options and finds nothing, and an old one has none of them: then the bytes are read.
signatures() {
  dd if="$1" of=/dev/null bs=512 count=1 2>/dev/null ||
    { say "$1 cannot be read: busy, or DRBD that is Secondary here"; return; }
  case $(blkid -V 2>&1) in *util-linux*) ;; *) known_bytes "$1"; return ;; esac
  found=$(blkid -p -s TYPE -s PTTYPE -o export "$1" 2>/dev/null); status=$?
  case $status in
    0|8) printf '%s\n' "$found" | while IFS='=' read -r key type; do
        case $key in TYPE|PTTYPE) say "$1 $(meaning "$type")" ;; esac
      done ;;
    2) ;;
    *) known_bytes "$1" ;;
  esac
}

meaning() {
  case $1 in
    linux_raid_member|isw_raid_member|ddf_raid_member) echo "is a member of md by its signature ($1)" ;;
    LVM2_member|LVM1_member) echo "is a member of LVM by its signature" ;;
    drbd) echo "is a member of DRBD by its signature" ;;
    ceph_bluestore) echo "is a member of Ceph by its signature" ;;
    zfs_member) echo "is a member of ZFS by its signature" ;;
    swap) echo "is swap by its signature" ;;
    *) echo "has the signature of $1" ;;
  esac
}

# Superblocks lie in the first or the last MiB.
known_bytes() {
  last=$(($(cat "$sys/size") / 128 - 17))
  for skip in 0 "$last"; do
    [ "$skip" -ge 0 ] || continue
    filled=$(dd if="$1" bs=65536 skip="$skip" count=18 2>/dev/null | tr -d '\000' | head -c 1 | wc -c)
    [ "$filled" -eq 0 ] || say "$1 is not empty, and blkid here cannot tell what it is"
  done
}

open_by() {
  ls -l /proc/[0-9]*/fd 2>/dev/null |
    awk -v d="$1" '/^\/proc\// { split($1, p, "/") } $NF == d && $(NF - 1) == "->" { print p[3] }' |
    while read -r pid; do
      [ "$pid" = "$$" ] ||
        say "$1 is held open by $(cat "/proc/$pid/comm" 2>/dev/null) (process $pid)"
    done
}

real=$(readlink -f "$name" 2>/dev/null)
if [ ! -b "$real" ]; then
  say "$name is no block device here"
else
  kernel=$(printf %s "${real#/dev/}" | tr / '!')
  [ -n "$(place "$kernel")" ] || say "$name is not known to the kernel as $kernel"
  [ "$(id -u)" = 0 ] || say "$name can be asked about by root only"
  ask "$kernel"
  for part in "$(place "$kernel")"/"$kernel"*; do
    [ -e "$part/dev" ] && ask "${part##*/}"
  done
fi
"""


def guard_script(touch: Touch) -> str:
    """The script for `sh -s`, as root for a device."""
    name = touch.name.removeprefix("rbd:")
    image = touch.name.startswith("rbd:")
    body = _PATH if touch.kind == "path" else _RBD if image else _DEVICE
    return (
        f"LC_ALL=C\nexport LC_ALL\nname={shlex.quote(name)}\nimage=$name\n"
        "say() { printf '%s\\n' \"$*\"; }\n"
        f"{{ {body.strip()}\n}} | awk '!seen[$0]++'\necho {ASKED}\n"
    )


def reasons(output: str) -> tuple[str, ...]:
    """Why it must not be written to; empty where nothing speaks against it."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    if not lines or lines[-1] != ASKED:
        return (*lines, N_("The host did not answer to the end what lies there."))
    return tuple(lines[:-1])
