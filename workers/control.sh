# A job's hand on its host: plain POSIX sh, nothing to install. It comes over the connection each
# time, behind folders.sh, and is never read from a file of the host. Before it stand token, step
# (its folder's name), block (the name of what it shares with other jobs, or nothing), base (the
# working folder, of the data), beside (the step was begun by a version that kept its files beside
# the data), and what an act asks for; behind it the act.
#
# A step's folder in $job: begun/ (who makes it runs the step: so it runs once), identity (pid,
# start time, boot: tells the runner from a recycled process id), out.log, err.log, states.log,
# counters.log, result, exit (exit code, whether time was over, free KiB, begin and end in ticks;
# written by rename, so whole or not there).

# In the environment of all that a step starts: it survives setsid and double forks.
mark=$token.$step

boot() { cat /proc/sys/kernel/random/boot_id 2>/dev/null; }

born() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }

nap() { sleep "$1" 2>/dev/null || sleep 1; } # an old sleep knows whole seconds only

free_kib() { df -P -k . 2>/dev/null | awk 'NR == 2 { print $4 }'; }

size() { if [ -f "$1" ]; then wc -c < "$1" | tr -d ' '; else echo 0; fi; }

# Where the job's scripts and logs are: $job, and $place of the step. Not beside the data: what a
# filesystem under test loses, fills up or shows to others takes no log and no exit code with it.
# With make, the job's folder is made: what only reads may come when all was removed, and leaves
# nothing.
enter() {
    if [ -n "$beside" ]; then
        find_data
        job=$data
    else
        find_control
        job=$control/$token
        if [ -n "$1" ]; then own "$job"; else is_own "$job"; fi
    fi
    place=$job/$step
}

# The job's folder for data, of the user who signed in. What cannot be made here ends with a code of
# its own: it is in the working folder, which a person chose.
find_data() {
    cannot=74
    make=
    [ "$us" != "$login" ] || make=make # root makes nothing where another works
    trusted "$base" $make
    folder=$real
    data=$folder/$token
    [ -z "$make" ] || own "$data" ours
    look "$data"
    case $mode in
        d*) [ "$owner" = "$us" ] || [ "$owner" = "$login" ] || refuse owner "$owner" "$data" ;;
        *) refuse missing "${owner:--}" "$data" ;;
    esac
    cannot=
}

# Room that is kept for cleaning up: a full disk does not keep the job from it.
install() {
    find_control # both before anything of the job is made
    find_data
    enter make
    [ -s "$job/spare" ] || why=$(printf '%65536s' '' | (cat > "$job/spare") 2>&1) || {
        rm -f -- "$job/spare"
        rmdir -- "$job" "$data" 2>/dev/null
        fail "$why" 73
    }
}

# FOLDER: the own folders in it, of the job and of its block, are those that were made for them, or
# are not there yet. Where root has a part in the job, they may have been given to another user since.
still_own() {
    for name in "benchdash-$token" ${block:+"benchdash-$block" "$block"}; do
        look "$1/$name"
        case $mode in
            '') ;;
            d*) ours || [ -n "$given" ] || refuse owner "$owner" "$1/$name" ;;
            l*) refuse link "$owner" "$1/$name" ;;
            *) refuse kind "$owner" "$1/$name" ;;
        esac
    done
}

# [FOLDER]...: goes to where the step works, and looks at what it works on. From here on the
# working directory is held by itself, whatever its path leads to later.
go_to_work() {
    for each; do
        trusted "$each" any
        still_own "$real"
    done
    find_data
    still_own "$folder"
    if [ "$us" != "$login" ] && [ -n "$anywhere" ]; then # root writes nothing where another can
        cd -- "$place" || exit
    else
        own "$data/$step" ours
        cd -- "$data/$step" || exit
    fi
    look .
    case $mode in d*) [ "$owner" = "$us" ] || refuse owner "$owner" "$data/$step" ;; esac
}

# [FOLDER]...: runs the step, apart from this connection, once, on what lies in these folders.
start() {
    enter make
    [ -z "$last" ] || rm -f -- "$job/spare"
    own "$place"
    if [ ! -d "$place/begun" ]; then
        go_to_work "$@"
        # the runner comes by a pipe: no file of the host is run. Without setsid (CentOS 5 has it,
        # a small BusyBox need not) ignoring HUP is what keeps it when the connection ends.
        if command -v setsid > /dev/null 2>&1; then
            printf '%s\n' "$runner" 2> /dev/null |
                setsid sh -s runner "$mark" > /dev/null 2>&1 &
        else
            printf '%s\n' "$runner" 2> /dev/null |
                (trap '' HUP; exec sh -s runner "$mark") > /dev/null 2>&1 &
        fi
        # the answer tells who runs: a worker that asks before that could take the step for one
        # that never began
        tries=0
        while [ ! -f "$place/identity" ] && [ $tries -lt 100 ]; do
            nap 0.02
            tries=$((tries + 1))
        done
    fi
    tell
}

# Hundredths of a second that the host has been up: a clock that nobody sets.
ticks() {
    read -r up rest < /proc/uptime
    ticks=${up%.*}${up#*.}
}

# TICKS: waits until then; a moment that has passed is now.
await() {
    ticks
    while [ "$ticks" -lt "$1" ] && [ ! -d "$place/stopped" ]; do
        # the last tenth without sleeping, and the last second where sleep knows whole ones only
        if [ $(($1 - ticks)) -gt 120 ]; then
            nap 0.1
        elif [ $(($1 - ticks)) -gt 10 ]; then
            sleep 0.05 2> /dev/null
        fi
        ticks
    done
}

# LIMIT_S [PATH]...: in the working directory of the start; $script is the command, $result its file
# there; $measures is the tool of a step that measures what lies at these paths, and the first of
# them: states.sh notes what storage does meanwhile, counters.sh what the host does. $at: in ticks,
# when it begins, where others begin on other hosts.
runner() {
    enter
    # mkdir succeeds for one alone: of two starts (an answer was lost, a worker replaced) one runs
    mkdir -- "$place/begun" 2>/dev/null || exit 0
    # room for the exit code is taken now: a full disk does not hide how the step ended
    printf '%-120s\n' '' > "$place/exit.part"
    printf 'pid=%s born=%s boot=%s\n' $$ "$(born $$)" "$(boot)" > "$place/identity.part"
    mv -- "$place/identity.part" "$place/identity"
    : > "$place/out.log" # it is followed from now on
    [ -z "$at" ] || await "$at"
    [ ! -d "$place/stopped" ] || script='exit 143' # as if TERM had met it
    ticks
    began=$ticks
    printf '%s\n' "$script" |
        BENCHDASH_STEP=$mark sh > "$place/out.log" 2> "$place/err.log" &
    child=$!
    watch "$1" &
    watcher=$!
    counting=
    if [ -n "$measures" ]; then
        shift
        note_states "$place/states.log" /proc/mdstat /proc/drbd 2>/dev/null &
        watcher="$watcher $!"
        note_counters "$place/counters.log" "$@" 2>/dev/null &
        counting=$!
    fi
    wait $child
    code=$?
    ticks
    ended=$ticks
    kill $watcher $counting 2>/dev/null
    [ -z "$counting" ] || wait $counting # its last look is behind the end
    [ ! -s "$place/states.log" ] || stamp end >> "$place/states.log"
    # copied by whom it ran as, and no link followed: it could lead to what only root may read
    if [ -n "$result" ] && [ -f "$result" ] && [ ! -h "$result" ]; then
        head -c "$most" < "$result" > "$place/result"
    fi 2> /dev/null
    over=0
    [ -d "$place/late" ] && over=1
    # 1<> writes into the room that is there; > would give it back first
    printf 'code=%s over=%s free=%s began=%s ended=%s\n' \
        $code $over "$(free_kib)" "$began" "$ended" 1<> "$place/exit.part"
    mv -- "$place/exit.part" "$place/exit"
}

watch() {
    clock=
    trap '[ -z "$clock" ] || kill $clock; exit' TERM # first: a step may end at once
    left=$1
    # short ones: a TERM between the next two lines would leave a sleep of the whole limit behind
    while [ $left -gt 0 ]; do
        part=$(( left < 10 ? left : 10 ))
        sleep $part &
        clock=$!
        wait $clock
        clock= # its number may be another process by now
        left=$((left - part))
    done
    mkdir -- "$place/late"
    end_marked
}

status() {
    enter
    tell
}

# key=value words: state, and what belongs to it.
tell() {
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
                # a process id comes again: it is the runner where it was born when that was
                [ -n "$since" ] && [ "$(born "$pid")" = "$since" ] && state=running
                # it may have ended while this looked
                [ -f "$place/exit" ] && state=ended
                ;;
            *" boot="*) state=rebooted ;;
        esac
    elif [ -d "$place/begun" ]; then
        state=starting
    fi
    ticks
    echo "state=$state out=$(size "$place/out.log") err=$(size "$place/err.log") now=$(boot) up=$ticks"
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
    enter
    [ -f "$place/$1" ] || nap 0.2
    tail -c "+$(($2 + 1))" -f "$place/$1" 2>/dev/null &
    tail=$!
    # the connection's end is the end of this input: tail alone would stay behind and wait for ever
    # (a job in the background has /dev/null for input, so it is handed over as 3)
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

# FILE OFFSET COUNT: these bytes; of a result that is not there, none.
piece() {
    enter
    [ -f "$place/$1" ] || return 0
    tail -c "+$(($2 + 1))" "$place/$1" | head -c "$3"
}

marked() { grep -ls "BENCHDASH_STEP=$mark" /proc/[0-9]*/environ | cut -d/ -f3; }

# KILL twice: what forked between the look and the signal is met by the second
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
end() {
    end_marked
    echo "left=$(marked | wc -w | tr -d ' ')"
}

stop() {
    end_marked # first: what runs has to end whatever became of its folders
    enter make
    own "$place" "$beside"
    mkdir -- "$place/begun" "$place/stopped" 2>/dev/null # from here on it cannot begin
    end
    tries=0
    while [ -f "$place/identity" ] && [ ! -f "$place/exit" ] && [ $tries -lt 10 ]; do
        nap 0.1
        tries=$((tries + 1))
    done
    tell
}

# The old value of a setting, $text: kept here before it is changed.
note() {
    enter make
    own "$job/journal"
    printf '%s' "$text" > "$job/journal/$step.part" &&
        mv -- "$job/journal/$step.part" "$job/journal/$step"
}

# Nothing of the job stays, what an older version kept beside the data neither.
clean() {
    beside=
    enter
    # Renamed first: what still looks on beside a step finds no path for its last line.
    [ ! -d "$job" ] || mv -- "$job" "$job.gone"
    rm -rf -- "$job" "$job.gone" || return
    [ -d "$base" ] || return 0
    trusted "$base"
    cd -- "$real" && [ "$(pwd -P)" = "$real" ] || return
    rm -rf -- "./$token" "./benchdash-$token" || return
    [ -z "$unmade" ] || rm -rf -- "./$unmade" "./benchdash-$unmade"
}
