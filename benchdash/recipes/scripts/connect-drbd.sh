# WORK WAIT-FOR-SYNC
name=benchdash-${1##*/} left=120
until [ "$(drbdadm cstate "$name")" = Connected ]; do
  left=$((left - 1))
  [ $left -gt 0 ] || { echo "the hosts do not connect" >&2; exit 1; }
  sleep 1
done
if [ "$2" = 1 ]; then
  drbdadm primary --force "$name" || exit
  until [ "$(drbdadm dstate "$name")" = UpToDate/UpToDate ]; do sleep 1; done
else
  drbdadm new-current-uuid --clear-bitmap "$name" && drbdadm primary "$name"
fi
