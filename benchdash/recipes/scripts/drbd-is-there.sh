modprobe drbd 2> /dev/null || [ -d /sys/module/drbd ] ||
  { echo "the kernel $(uname -r) of $(uname -n) has no DRBD: its module drbd cannot be loaded" >&2; exit 1; }
command -v drbdadm > /dev/null ||
  { echo "$(uname -n) has no drbdadm: install drbd-utils" >&2; exit 1; }
