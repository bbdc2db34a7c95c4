# What storage does beside a measured step: plain POSIX sh, put between control.sh and its runner,
# who ends it. Where nothing is looked at, nothing is kept. benchdash/capture/states.py reads it:
#
#     @ 1795266876 5123.42 drbd      a state that is new: the host's clock, seconds since boot, source
#     |0: cs:Connected ro:…          its lines
#     @ 1795266990 5237.40 end       until here it was looked at

# LOG MDSTAT DRBD: until the runner ends, the states of storage go to the log as they change, as any
# user may read them: each second from the two files, less what only counts. Where /proc/drbd has
# no states (DRBD 9) its tool is asked, unless nothing can end a tool that hangs, and every ten
# seconds Ceph's.
note_states() {
    pause=
    session=
    trap '[ -z "$pause$session" ] || kill $pause $session 2> /dev/null; exit' TERM # first, as above
    PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
    line_end='
'
    log=$1
    room=262144
    drbd=
    if timeout -s KILL 9 true; then
        grep -qs '^version: 8' "$3" || [ ! -d /sys/module/drbd ] || drbd=$(command -v drbdsetup)
    fi
    ! ceph_here || open_ceph "$log.ceph"
    [ -r "$2" ] || [ -r "$3" ] || [ -n "$drbd$session" ] || return
    mdstat_was=
    proc_was=
    drbd_was=
    ceph_was=
    turn=0
    while kill -0 $$ && [ $room -gt 0 ]; do
        states=
        arrays "$2"
        [ "$states" = "$mdstat_was" ] || changed mdstat
        mdstat_was=$states
        states=
        volumes "$3"
        [ "$states" = "$proc_was" ] || changed drbd
        proc_was=$states
        if [ -n "$drbd" ] && answer=$(timeout -s KILL 3 "$drbd" status); then
            states=
            links "$answer"
            [ "$states" = "$drbd_was" ] || changed drbd_status
            drbd_was=$states
        fi
        [ -z "$session" ] || look_at_ceph
        turn=$((turn + 1))
        sleep 1 &
        pause=$!
        wait $pause
        pause=
    done
    [ $room -gt 0 ] || stamp end >> "$log"
    [ -z "$session" ] || kill $session 2> /dev/null
}

# FILE: Ceph's own tool, one for the whole step, as starting it is what takes time: $session reads
# commands from descriptor 7, and answers to the file $answers. A tool that waits for ever, or is gone,
# does not answer; nobody waits for it.
open_ceph() {
    answers=$1
    asked=
    command -v ceph > /dev/null && mkfifo -m 600 "$answers.ask" || return
    : > "$answers"
    trap '' PIPE
    # a Python, which would keep its answers until they fill some KiB
    PYTHONUNBUFFERED=1 ceph --connect-timeout 3 < "$answers.ask" >> "$answers" 7>&- &
    session=$!
    exec 7> "$answers.ask"
    rm -f -- "$answers.ask"
}

# Its health is asked every ten seconds, and known a look later; what is not answered until the last
# look before the next question is no health. Before the first answer it may be slow to begin.
look_at_ceph() {
    answer=
    while read -r line; do
        case $line in HEALTH_*) answer=${line%% *} ;; esac
    done < "$answers"
    if [ -n "$answer" ] || { [ -n "$ceph_was" ] && [ $((turn % 10)) -eq 9 ]; }; then
        states="|$answer$line_end"
        [ "$states" = "$ceph_was" ] || changed ceph
        ceph_was=$states
    fi
    [ -z "$answer" ] || asked=
    [ $((turn % 10)) -eq 0 ] && [ -z "$asked" ] || return
    asked=1
    : > "$answers"
    { echo health >&7; } 2> /dev/null
}

ceph_here() {
    case $measures in rados* | rbd* | *\ rados:* | *\ rbd:*) return 0 ;; esac
    set -- /sys/bus/rbd/devices/[0-9]*
    [ -e "$1" ] || grep -qsE ' (ceph|fuse.ceph[^ ]*) ' /proc/mounts
}

# WHAT: its $states, behind the time.
changed() {
    room=$((room - ${#states} - 50))
    { stamp "$1" && printf %s "$states"; } >> "$log"
}

# WHAT: the host's clock (Unix time), and the seconds since boot, which nobody sets.
stamp() {
    read -r up idle < /proc/uptime && echo "@ $(date +%s) $up $1"
}

# FILE: what /proc/mdstat says of arrays, of a resync only that there is one.
arrays() {
    [ -r "$1" ] || return
    while IFS= read -r line; do
        case $line in
            *finish=*)
                line=${line#*]}
                line=${line%%=*}=
                ;;
            md* | *' blocks '* | *=DELAYED* | *=PENDING*) ;;
            *) continue ;;
        esac
        states="$states|$line$line_end"
    done < "$1"
}

# FILE: what /proc/drbd of 8.x says of volumes; its flags come and go with each request.
volumes() {
    [ -r "$1" ] || return
    while IFS= read -r line; do
        case $line in
            *': cs:'*' ds:'*)
                disks=${line##* ds:}
                line="${line%% ds:*} ds:${disks%% *}"
                ;;
            *': cs:'*) ;;
            *) continue ;;
        esac
        states="$states|$line$line_end"
    done < "$1"
}

# TEXT: what drbdsetup prints of resources, without how far a resync is and who waits.
links() {
    IFS=$line_end
    set -f
    for line in $1; do
        for word in ' done:' ' congested:' ' blocked:' ' open:'; do line=${line%%"$word"*}; done
        states="$states|$line$line_end"
    done
    set +f
    unset IFS
}
