# WORK DISK KIND FOLDER [drbd], which is the job's resource in place of the disk
# The filesystem bears the job's token as its UUID. Inode tables are written at once, else the
# kernel would write them while it is measured.
token=${1##*/} device=$2
uuid=$(echo "$token" | sed 's/^\(.\{8\}\)\(.\{4\}\)\(.\{4\}\)\(.\{4\}\)/\1-\2-\3-\4-/')
[ "$5" != drbd ] || device=$(drbdadm sh-dev "benchdash-$token") || exit
case $3 in
  gfs2) mkfs.gfs2 -O -q -p lock_nolock -j 1 "$device" ;;
  *) "mkfs.$3" -q -F -U "$uuid" -E lazy_itable_init=0 "$device" ;;
esac || exit
mount -t "$3" "$device" "$4" && chown "$(stat -c %u "$1")" "$4"
