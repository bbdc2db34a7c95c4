"""The read-only check of a device or path on a host, right before it is written to.

The sh script prints one reason against writing per line, as its name among REASONS and its values,
and finally "asked"; without that last line the output was cut off and must not be trusted.
Reasons: mounted, swap, member of md, LVM, DRBD, Ceph or ZFS, held by another device,
held open, signature found; the same for the partitions of a disk.
"""

from __future__ import annotations

import shlex
from string import Formatter

from benchdash.errors import N_
from benchdash.recipes.steps import Touch

ASKED = "asked"
_BETWEEN = "\x1f"  # name and values: the unit separator, which no path of a target may have

REASONS = {
    "no_rbd": N_("it cannot be checked: rbd is missing here"),
    "no_image": N_("there is no such image here: create it with rbd create"),
    "no_pool_of_image": N_("its pool is not here"),
    "has_client": N_("a client is using it"),
    "no_rados": N_("it cannot be checked: rados is missing here"),
    "no_pool": N_("there is no such pool here"),
    "ceph_silent": N_(
        "Ceph does not answer: its monitors are down, or cannot be reached from here"
    ),
    "ceph_no_conf": N_("{user} cannot read /etc/ceph/ceph.conf here"),
    "ceph_no_key": N_(
        "{user} cannot read a Ceph key here: let it read the keyring in /etc/ceph, or "
        "choose “As root” if root can"
    ),
    "ceph_denied": N_("Ceph rejects the key that {user} has here"),
    "ceph_fails": N_("Ceph does not answer as it should: {message}"),
    "no_folder": N_("there is no such folder here: create it, or choose another"),
    "system_folder": N_("it is a system folder ({path})"),
    "elsewhere": N_("it leads elsewhere, to {path}"),
    "no_device": N_("{device} is not a block device here"),
    "unknown_device": N_("{device} is not known to the kernel as {name}"),
    "needs_root": N_("{device} can only be checked by root"),
    "unreadable": N_("{device} cannot be read: busy, or DRBD Secondary here"),
    "mounted": N_("{device} is mounted on {path}"),
    "swap": N_("{device} is swap"),
    "held": N_("{device} is held by {holder}"),
    "held_by_md": N_("{device} is a member of the md array {holder}"),
    "held_by_lvm": N_("{device} is used by LVM ({holder})"),
    "held_by_crypt": N_("{device} is opened by dm-crypt ({holder})"),
    "held_by_multipath": N_("{device} is a multipath path ({holder})"),
    "held_by_drbd": N_("{device} is used by DRBD ({holder})"),
    "disk_of_drbd": N_("{device} is used by DRBD (as {disk})"),
    "disk_of_ceph": N_("{device} is used by Ceph ({osd})"),
    "disk_of_zfs": N_("{device} is a member of a ZFS pool"),
    "held_open": N_("{device} is held open by {program} (process {pid})"),
    "signature_of_md": N_("{device} has an md signature ({signature})"),
    "signature_of_lvm": N_("{device} has an LVM signature"),
    "signature_of_drbd": N_("{device} has a DRBD signature"),
    "signature_of_ceph": N_("{device} has a Ceph signature"),
    "signature_of_zfs": N_("{device} has a ZFS signature"),
    "signature_of_swap": N_("{device} has a swap signature"),
    "signature": N_("{device} has the {signature} signature"),
    "not_empty": N_("{device} is not empty, and blkid here cannot tell what it is"),
}

SAY = "say() { (IFS=$(printf '\\037'); printf '%s\\n' \"$*\"); }\n"
# COMMAND...: Ceph's tools, ended where they wait for monitors; $answer is what they print. Where they
# fail, the reason is printed.
ASK_CEPH = r"""
asked() {
  if timeout -s KILL 9 true 2>/dev/null; then
    answer=$(timeout -s KILL 12 "$@" 2>&1)
  else
    answer=$("$@" 2>&1)
  fi
  case $? in
    0) return 0 ;;
    124|137) say ceph_silent; return 1 ;;
  esac
  case $answer in
    *"error opening pool"*"(2)"*) say no_pool_of_image ;;
    *"error opening image"*"(2)"*) say no_image ;;
    *"can't open ceph.conf"*|*conf_read_file*) say ceph_no_conf "$(id -un)" ;;
    *"no keyring found"*|*"unable to find a keyring"*|*"missing keyring"*) say ceph_no_key "$(id -un)" ;;
    *handle_auth_bad_method*|*"ermission denied"*|*"not permitted"*) say ceph_denied "$(id -un)" ;;
    "timed out"|*"onnection timed out"*) say ceph_silent ;;
    *) say ceph_fails "$(printf %s "$answer" | tail -n 1 | cut -c 1-300)" ;;
  esac
  return 1
}
"""

_RBD = rf"""{ASK_CEPH}
if ! command -v rbd >/dev/null 2>&1; then
  say no_rbd
elif asked rbd status "$name"; then
  case $answer in *watcher=*) say has_client ;; esac
fi
"""

# `rados bench` adds objects of its own to a pool and harms none that are there.
_POOL = rf"""{ASK_CEPH}
if ! command -v rados >/dev/null 2>&1; then
  say no_rados
elif asked rados lspools; then
  printf '%s\n' "$answer" | grep -qxF -e "$name" || say no_pool
fi
"""

_PATH = r"""
real=$(readlink -f "$name" 2>/dev/null) || real=
if [ -z "$real" ] || [ ! -d "$real" ]; then
  say no_folder
else
  case $real/ in
    /|/bin/*|/boot/*|/dev/*|/etc/*|/lib/*|/lib32/*|/lib64/*|/proc/*|/root/|/run/|/sbin/*|/sys/*|/usr/*|/var/|/var/lib/|/home/)
      say system_folder "$real" ;;
  esac
  case $real in "$name"|"${name%/}") ;; *) say elsewhere "$real" ;; esac
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
  awk -v n="$numbers" -v d="$dev" '$3 == n { print "mounted\037" d "\037" $5 }' /proc/self/mountinfo 2>/dev/null
  while read -r source point rest; do
    [ -b "$source" ] && [ "$(readlink -f "$source")" = "$dev" ] &&
      say mounted "$dev" "$point"
  done < /proc/mounts
  while read -r source rest; do
    [ "$(readlink -f "$source" 2>/dev/null)" = "$dev" ] && say swap "$dev"
  done < /proc/swaps 2>/dev/null
  for holder in "$sys"/holders/*; do
    [ -e "$holder" ] || continue
    held=${holder##*/}
    case $held in
      md*) say held_by_md "$dev" "$held" ;;
      dm-*) uuid=$(cat "$holder/dm/uuid" 2>/dev/null)
        case $uuid in
          LVM-*) say held_by_lvm "$dev" "$(cat "$holder/dm/name")" ;;
          CRYPT-*) say held_by_crypt "$dev" "$(cat "$holder/dm/name")" ;;
          mpath-*) say held_by_multipath "$dev" "$(cat "$holder/dm/name")" ;;
          *) say held "$dev" "$held" ;;
        esac ;;
      drbd*) say held_by_drbd "$dev" "$held" ;;
      *) say held "$dev" "$held" ;;
    esac
  done
  if have drbdsetup; then
    drbdsetup show 2>/dev/null | sed -n 's/^[[:space:]]*disk[[:space:]]*"\([^"]*\)".*/\1/p' |
      while read -r disk; do
        [ "$(readlink -f "$disk")" = "$dev" ] && say disk_of_drbd "$dev" "$disk"
      done
  fi
  for osd in /var/lib/ceph/osd/*/block /var/lib/ceph/*/osd.*/block; do
    [ "$(readlink -f "$osd" 2>/dev/null)" = "$dev" ] && say disk_of_ceph "$dev" "$osd"
  done
  if have zpool && zpool status -LP 2>/dev/null | grep -q "^[[:space:]]*$dev[[:space:]]";
    then say disk_of_zfs "$dev"; fi
  signatures "$dev"
  open_by "$dev" "$numbers"
}

# What lies on it by its own signature. Only the blkid of util-linux probes; that of busybox takes
# the same options and finds nothing, and an old one has none of them: then the bytes are read.
signatures() {
  dd if="$1" of=/dev/null bs=512 count=1 2>/dev/null ||
    { say unreadable "$1"; return; }
  case $(blkid -V 2>&1) in *util-linux*) ;; *) known_bytes "$1"; return ;; esac
  found=$(blkid -p -s TYPE -s PTTYPE -o export "$1" 2>/dev/null); status=$?
  case $status in
    0|8) printf '%s\n' "$found" | while IFS='=' read -r key type; do
        case $key in TYPE|PTTYPE) say_signature "$1" "$type" ;; esac
      done ;;
    2) ;;
    *) known_bytes "$1" ;;
  esac
}

say_signature() {
  case $2 in
    linux_raid_member|isw_raid_member|ddf_raid_member) say signature_of_md "$1" "$2" ;;
    LVM2_member|LVM1_member) say signature_of_lvm "$1" ;;
    drbd) say signature_of_drbd "$1" ;;
    ceph_bluestore) say signature_of_ceph "$1" ;;
    zfs_member) say signature_of_zfs "$1" ;;
    swap) say signature_of_swap "$1" ;;
    *) say signature "$1" "$2" ;;
  esac
}

# Superblocks lie in the first or the last MiB.
known_bytes() {
  last=$(($(cat "$sys/size") / 128 - 17))
  for skip in 0 "$last"; do
    [ "$skip" -ge 0 ] || continue
    filled=$(dd if="$1" bs=65536 skip="$skip" count=18 2>/dev/null | tr -d '\000' | head -c 1 | wc -c)
    [ "$filled" -eq 0 ] || say not_empty "$1"
  done
}

open_by() {
  ls -l /proc/[0-9]*/fd 2>/dev/null |
    awk -v d="$1" '/^\/proc\// { split($1, p, "/") } $NF == d && $(NF - 1) == "->" { print p[3] }' |
    while read -r pid; do
      [ "$pid" = "$$" ] ||
        say held_open "$1" "$(cat "/proc/$pid/comm" 2>/dev/null)" "$pid"
    done
}

real=$(readlink -f "$name" 2>/dev/null)
if [ ! -b "$real" ]; then
  say no_device "$name"
else
  kernel=$(printf %s "${real#/dev/}" | tr / '!')
  [ -n "$(place "$kernel")" ] || say unknown_device "$name" "$kernel"
  [ "$(id -u)" = 0 ] || say needs_root "$name"
  ask "$kernel"
  for part in "$(place "$kernel")"/"$kernel"*; do
    [ -e "$part/dev" ] && ask "${part##*/}"
  done
fi
"""
_CEPH = {"rbd": _RBD, "rados": _POOL}


def guard_script(touch: Touch) -> str:
    """The script for `sh -s`, as root for a device."""
    scheme, _, name = touch.name.partition(":")
    if touch.kind == "device" and scheme in _CEPH:
        body = _CEPH[scheme]
    else:
        body, name = _PATH if touch.kind == "path" else _DEVICE, touch.name
    return (
        f"LC_ALL=C\nexport LC_ALL\nname={shlex.quote(name)}\n{SAY}"
        f"{{ {body.strip()}\n}} | awk '!seen[$0]++'\necho {ASKED}\n"
    )


def reasons(output: str) -> tuple[str, ...]:
    """Reasons not to write to it; empty where there is none."""
    # str.strip() would take the separator before an empty value too
    lines = [line for each in output.splitlines() if (line := each.strip(" \t\r"))]
    if not lines or lines[-1] != ASKED:
        unanswered = N_("the host's answer about what is there is cut off")
        return (*map(reason, lines), unanswered)
    return tuple(map(reason, lines[:-1]))


def reason(line: str) -> str:
    """What a line of the script says, in a sentence."""
    name, *values = line.split(_BETWEEN)
    template = REASONS.get(name, "")
    holes = [hole for _, hole, _, _ in Formatter().parse(template) if hole]
    if not template or len(holes) != len(values):  # not of the script, or cut
        return " ".join([name, *values])
    return N_(template, **dict(zip(holes, values, strict=True)))
