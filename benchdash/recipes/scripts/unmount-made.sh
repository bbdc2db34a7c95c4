# WORK DISK FOLDER: only what is mounted from the job's own device
left=0
disk=$(readlink -f "$2")
made=$(readlink -f "$(drbdadm sh-dev "benchdash-${1##*/}" 2> /dev/null)")
while read -r source point rest; do
  [ "$point" = "$3" ] && source=$(readlink -f "$source") && [ -b "$source" ] || continue
  case $source in "$disk"|"$made") umount "$point" || left=1 ;; esac
done < /proc/self/mounts
exit $left
