# WORK DISK MINOR PORT ADDRESS PEER-ADDRESS PROTOCOL [PRIMARIES]
# A floating host is known by its address, not by its name. Metadata at the end of the disk.
name=benchdash-${1##*/} disk=$2 minor=$3 port=$4 primaries=
[ "$8" != 2 ] || primaries="allow-two-primaries yes;"
modprobe drbd 2> /dev/null
version=$(cat /sys/module/drbd/version)
node() {
  id="node-id $2;"
  case $version in 8.*) id= ;; esac # DRBD 9 has it, 8.4 refuses it
  case $1 in *:*) address="ipv6 [$1]:$port" ;; *) address="ipv4 $1:$port" ;; esac
  echo "floating $address { $id device minor $minor; disk \"$disk\"; meta-disk internal; }"
}
{ echo "resource $name { net { protocol $7; $primaries }"; node "$5" 0; node "$6" 1; echo "}"; } \
  > "/etc/drbd.d/$name.res" || exit
# a file that drbdadm cannot read would keep it from every other resource
drbdadm dump "$name" > /dev/null || { rm -f "/etc/drbd.d/$name.res"; exit 1; }
sync # after a power failure this file tells whose the metadata are
drbdadm create-md --force "$name" < /dev/null || yes yes | drbdadm create-md "$name" || exit
drbdadm up "$name"
