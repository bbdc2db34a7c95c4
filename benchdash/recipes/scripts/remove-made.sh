# WORK DISK: the resource of the job, and on the disk only what bears its name or UUID
token=${1##*/} disk=$2 ours=
name=benchdash-$token file=/etc/drbd.d/benchdash-$token.res
uuid=$(echo "$token" | sed 's/^\(.\{8\}\)\(.\{4\}\)\(.\{4\}\)\(.\{4\}\)/\1-\2-\3-\4-/')
if [ -s "$file" ]; then
  drbdadm down "$name" && rm -f "$file" || exit
  ours=1
fi
rm -f "$file" # an empty one was not yet on the disk when power failed
[ "$(blkid -p -s UUID -o value "$disk")" != "$uuid" ] || ours=1
[ -n "$ours" ] || exit 0
real=$(readlink -f "$disk")
end=$(($(cat "/sys/class/block/$(printf %s "${real#/*/}" | tr / '!')/size") - 2048))
for at in 0 $end; do
  dd if=/dev/zero of="$disk" bs=512 seek="$at" count=2048 conv=fsync 2> /dev/null || exit
done
