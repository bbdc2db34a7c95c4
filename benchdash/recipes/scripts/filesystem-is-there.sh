# KIND
case $1 in gfs2) package=gfs2-utils ;; *) package=e2fsprogs ;; esac
modprobe "$1" 2> /dev/null || grep -qw "$1" /proc/filesystems ||
  { echo "the kernel $(uname -r) of $(uname -n) has no $1: its module $1 cannot be loaded" >&2; exit 1; }
command -v "mkfs.$1" > /dev/null ||
  { echo "$(uname -n) has no mkfs.$1: install $package" >&2; exit 1; }
