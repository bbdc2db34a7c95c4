# What the host does beside a measured step: plain POSIX sh, put between control.sh and its runner,
# who ends it. It reads the kernel's own counters, with no process but the sleep between two looks.
# benchdash/capture/counters.py reads the log:
#
#     < 1795266876 5123.42            the host's clock (Unix time), at so many seconds since boot
#     + 0 dm-0 vg-data                a device below what is measured: how deep, kernel's name, own name
#     @ 5123.44                       seconds since boot, then how the counters stood
#     cpu 14817 594 6893 158291 655 0 129 19
#     mem MemFree:=KIB MemAvailable:=KIB Cached:=KIB Dirty:=KIB
#     net eth0 RECEIVED SENT
#     dev dm-0 READS SECTORS MS WRITES SECTORS MS BUSY_MS WEIGHTED_MS
#     md md0 STRIPE_CACHE_ACTIVE
#     osd 3 COMMIT_MS APPLY_MS

# LOG PATH...: until the runner ends, how the counters stand goes to the log: each second, and half
# as often whenever the log has grown by another MiB, so that days fit into a few of them. Counters
# go on between two looks: what is looked at less often is a mean over more time, and nothing is
# missed.
note_counters() {
    pause=
    session=
    log=$1
    shift
    # the last look is behind the tool's end
    trap '[ -z "$pause$session" ] || kill $pause $session 2> /dev/null; count_all; exit' TERM
    PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
    line_end='
'
    devices=
    tree=
    many=64
    for each; do below "$(device_of "$each")" 0; done
    find_interfaces
    ! ceph_here || open_ceph "$log.osd"
    next_ceph=0
    heard=
    read -r up idle < /proc/uptime || return
    printf '< %s %s\n%s' "$(date +%s)" "$up" "$tree" >> "$log" || return
    between=1
    room=1048576
    while kill -0 $$ && [ $between -le 1024 ]; do
        count_all
        room=$((room - ${#lines}))
        [ $room -gt 0 ] || { between=$((between * 2)) room=1048576; }
        [ -z "$session" ] || look_at_osds
        sleep $between &
        pause=$!
        wait $pause
        pause=
    done
    [ -z "$session" ] || kill $session 2> /dev/null
}

# One look at all, written at once.
count_all() {
    read -r up idle < /proc/uptime
    lines="@ $up$line_end"
    read -r name rest < /proc/stat && lines="${lines}cpu $rest$line_end"
    count_memory
    for each in $interfaces; do
        read -r received < "/sys/class/net/$each/statistics/rx_bytes" &&
            read -r sent < "/sys/class/net/$each/statistics/tx_bytes" &&
            lines="${lines}net $each $received $sent$line_end"
    done
    for each in $devices; do
        read -r r _ rs rms w _ ws wms _ busy weighted _ < "/sys/class/block/$each/stat" &&
            lines="${lines}dev $each $r $rs $rms $w $ws $wms $busy $weighted$line_end"
        case $each in
            md*)
                [ -r "/sys/class/block/$each/md/stripe_cache_active" ] &&
                    read -r active < "/sys/class/block/$each/md/stripe_cache_active" &&
                    lines="${lines}md $each $active$line_end"
                ;;
        esac
    done
    printf %s "$lines" >> "$log"
}

count_memory() {
    lines="${lines}mem"
    while read -r name size _; do
        case $name in
            MemFree: | MemAvailable: | Cached: | Dirty:) lines="$lines $name=$size" ;;
            Writeback:) break ;; # behind Dirty, and nothing behind it is wanted
        esac
    done < /proc/meminfo
    lines=$lines$line_end
}

# PATH: the kernel's name of the block device that it is or lies on; nothing where there is none.
device_of() {
    if [ -b "$1" ]; then
        source=$1
    else
        source=$(df -P -- "$1" | { read -r _ && read -r source _ && echo "$source"; })
    fi
    case $source in /dev/*) ;; *) return ;; esac
    source=$(readlink -f -- "$source")
    [ ! -d "/sys/class/block/${source##*/}" ] || echo "${source##*/}"
}

# DEVICE DEPTH: it and what it stands on, each once: parts of an array or a volume, the disk of a
# partition, what holds the file of a loop device.
below() {
    case " $devices " in *" $1 "*) return ;; esac
    [ -n "$1" ] && [ $many -gt 0 ] || return
    many=$((many - 1))
    devices="$devices $1"
    title=
    [ ! -r "/sys/class/block/$1/dm/name" ] || read -r title < "/sys/class/block/$1/dm/name"
    tree="$tree+ $2 $1 $title$line_end"
    for part in "/sys/class/block/$1/slaves/"*; do
        [ ! -e "$part" ] || below "${part##*/}" $(($2 + 1))
    done
    if [ -e "/sys/class/block/$1/partition" ]; then
        disk=$(readlink -f "/sys/class/block/$1/..")
        below "${disk##*/}" $(($2 + 1))
    elif [ -r "/sys/class/block/$1/loop/backing_file" ]; then
        read -r file < "/sys/class/block/$1/loop/backing_file"
        [ ! -e "$file" ] || below "$(device_of "$file")" $(($2 + 1))
    fi
}

# The network interfaces that are hardware; where there are none, as in a container, all but lo.
find_interfaces() {
    interfaces=
    for each in /sys/class/net/*/device; do
        [ ! -e "$each" ] || interfaces="$interfaces $(echo "$each" | cut -d/ -f5)"
    done
    [ -z "$interfaces" ] || return
    for each in /sys/class/net/*; do
        each=${each##*/}
        [ "$each" = lo ] || [ "$each" = '*' ] || interfaces="$interfaces $each"
    done
}

# Their latencies are asked every ten seconds. An answer is read a look after it began to come, when
# the last of many OSDs has come too.
look_at_osds() {
    if [ -s "$answers" ] && [ -z "$heard" ]; then
        heard=1
    elif [ -n "$heard" ]; then
        lines="@ $up$line_end"
        while read -r osd commit apply _; do
            case $osd in '' | *[!0-9]*) ;; *) lines="${lines}osd $osd $commit $apply$line_end" ;; esac
        done < "$answers"
        printf %s "$lines" >> "$log"
        : > "$answers"
        heard=
        asked=
    fi
    hundredths
    [ -z "$asked" ] && [ $now -ge $next_ceph ] || return
    asked=1
    next_ceph=$((now + 1000))
    { echo 'osd perf' >&7; } 2> /dev/null
}

# $up and $now, the same in hundredths of a second
hundredths() {
    read -r up idle < /proc/uptime
    now=${up%.*}${up#*.}
}
