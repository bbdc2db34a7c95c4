#!/bin/sh
# A job's hand on its host: plain POSIX sh, nothing to install. It lies in the job's folder, each
# step is a folder beside it. Usage: sh control.sh ACT STEP [ARGUMENT]...
#
# A step's folder: run.sh (the command), begun/ (who makes it runs the step: so it runs once),
# identity (pid, start time, boot: tells the runner from a recycled process id), out.log, err.log,
# exit (exit code, whether time was over, free KiB; written by rename, so whole or not there).

LC_ALL=C; export LC_ALL
job=$(cd "$(dirname "$0")" && pwd) || exit 1
act=$1
step=$2
place=$job/$step
mark=$(basename "$job").$step

boot() { cat /proc/sys/kernel/random/boot_id 2>/dev/null; }

born() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }

nap() { sleep "$1" 2>/dev/null || sleep 1; } # an old sleep knows whole seconds only

free_kib() { df -P -k "$place" 2>/dev/null | awk 'NR == 2 { print $4 }'; }

size() { if [ -f "$1" ]; then wc -c < "$1" | tr -d ' '; else echo 0; fi; }

fail() { echo "benchdash: $1" >&2; exit "${2:-1}"; }

# SIZE LIMIT_S, the command on standard input: runs it, apart from this connection, once. With a
# third word, the room that was kept since the beginning is freed for it: a full disk does not keep
# the job from cleaning up.
start() {
    [ -z "$3" ] || rm -f "$job/spare"
    mkdir -p "$place" || fail "cannot make $place: $(free_kib) KiB free" 73
    if [ ! -d "$place/begun" ]; then
        cat > "$place/run.part.$$"
        [ "$(size "$place/run.part.$$")" -eq "$1" ] || fail "the command did not arrive whole" 74
        mv "$place/run.part.$$" "$place/run.sh"
        if command -v setsid > /dev/null 2>&1; then
            setsid sh "$0" runner "$step" "$2" < /dev/null > /dev/null 2>&1 &
        else
            (trap '' HUP; exec sh "$0" runner "$step" "$2") < /dev/null > /dev/null 2>&1 &
        fi
        tries=0
        while [ ! -f "$place/identity" ] && [ $tries -lt 100 ]; do
            nap 0.02
            tries=$((tries + 1))
        done
    fi
    status
}

runner() {
    cd "$place" || exit 1
    mkdir begun 2>/dev/null || exit 0
    # room for the exit code is taken now: a full disk does not hide how the step ended
    printf '%-120s\n' '' > exit.part
    printf 'pid=%s born=%s boot=%s\n' $$ "$(born $$)" "$(boot)" > identity.part
    mv identity.part identity
    BENCHDASH_STEP=$mark sh ./run.sh > out.log 2> err.log < /dev/null &
    child=$!
    watch "$1" &
    watcher=$!
    wait $child
    code=$?
    kill $watcher 2>/dev/null
    over=0
    [ -d late ] && over=1
    printf 'code=%s over=%s free=%s\n' $code $over "$(free_kib)" 1<> exit.part
    mv exit.part exit
}

watch() {
    clock=
    trap '[ -z "$clock" ] || kill $clock; exit' TERM # first: a step may end at once
    sleep "$1" &
    clock=$!
    wait $clock
    mkdir late
    end_marked
}

# key=value words: state, and what belongs to it.
status() {
    state=none
    if [ -f "$place/exit" ]; then
        state=ended
    elif [ -f "$place/identity" ]; then
        read -r identity < "$place/identity"
        state=gone
        case $identity in
            *" boot=$(boot)")
                pid=${identity#pid=}
                pid=${pid%% *}
                since=${identity#*born=}
                since=${since%% *}
                [ -n "$since" ] && [ "$(born "$pid")" = "$since" ] && state=running
                # it may have ended while this looked
                [ -f "$place/exit" ] && state=ended
                ;;
            *" boot="*) state=rebooted ;;
        esac
    elif [ -d "$place/begun" ]; then
        state=starting
    fi
    echo "state=$state out=$(size "$place/out.log") err=$(size "$place/err.log") now=$(boot)"
    for file in identity exit; do
        [ -f "$place/$file" ] && head -n 1 "$place/$file"
    done
    return 0
}

# Seconds since the step began, and what all CPUs did until now: on standard error, beside the log.
load() {
    read -r busy 2>/dev/null < /proc/stat && read -r up rest 2>/dev/null < /proc/uptime || return
    echo "$((${up%%.*} - ${1:-0} / 100)) $busy" >&2
}

# FILE OFFSET: from that byte on, as it grows, until the step has ended or this connection has.
follow() {
    [ -f "$place/$1" ] || nap 0.2
    tail -c "+$(($2 + 1))" -f "$place/$1" 2>/dev/null &
    tail=$!
    exec 3<&0
    (cat <&3 > /dev/null; kill $tail) 2>/dev/null &
    reader=$!
    turns=0
    while [ ! -f "$place/exit" ] && kill -0 $tail 2>/dev/null; do
        read -r identity < "$place/identity" 2>/dev/null || break
        pid=${identity#pid=}
        [ -d "/proc/${pid%% *}" ] || break
        since=${identity#*born=}
        [ "$1" = out.log ] && [ $((turns % 5)) -eq 0 ] && load "${since%% *}"
        turns=$((turns + 1))
        nap 0.4
    done
    kill $tail $reader 2>/dev/null
    return 0
}

# FILE OFFSET COUNT: these bytes.
piece() { tail -c "+$(($2 + 1))" "$place/$1" | head -c "$3"; }

marked() { grep -ls "BENCHDASH_STEP=$mark" /proc/[0-9]*/environ | cut -d/ -f3; }

end_marked() {
    for signal in TERM KILL KILL; do
        for pid in $(marked); do kill -$signal "$pid" 2>/dev/null; done
        tries=0
        while [ -n "$(marked)" ] && [ $tries -lt 8 ]; do
            nap 0.2
            tries=$((tries + 1))
        done
    done
}

# Ends every process of the step, whatever session it made for itself; says how many are left.
stop() {
    mkdir -p "$place" && mkdir "$place/begun" 2>/dev/null # from here on it cannot begin
    end_marked
    tries=0
    while [ -f "$place/identity" ] && [ ! -f "$place/exit" ] && [ $tries -lt 10 ]; do
        nap 0.1
        tries=$((tries + 1))
    done
    echo "left=$(marked | wc -w | tr -d ' ')"
    status
}

# The old value of a setting, on standard input: kept here before it is changed.
note() {
    mkdir -p "$job/journal" && cat > "$job/journal/$step.part" &&
        mv "$job/journal/$step.part" "$job/journal/$step"
}

clean() { cd / && rm -rf -- "$job"; }

shift 2 2>/dev/null
case $act in
    start | runner | status | follow | piece | stop | note | clean) "$act" "$@" ;;
    *) fail "no such act: $act" 64 ;;
esac
