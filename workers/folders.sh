# Folders that no other account of the host can exchange: plain POSIX sh, put before the scripts
# that use it. Owner, kind and modes are those of a path itself (lstat, by ls -ldn), of each of its
# parents, every time before it is used. What stands in a folder of ours, or in one with the sticky
# bit, and is ours, nobody but root can put anything else in place of.

LC_ALL=C; export LC_ALL
umask 077
us=$(id -u)
login=${SUDO_UID:-$us} # who came as this user, and asked for root

fail() { echo "benchdash: $1" >&2; exit "${2:-1}"; }

# WHY OWNER PATH: in words that workers/folders.py makes a sentence of.
refuse() { echo "benchdash refuses: $1 $2 $3" >&2; exit 77; }

# PATH: its $mode, such as drwxr-xr-x, and the user id of its $owner; both empty where it is not.
look() {
    set -f
    set -- $(ls -ldn -- "$1" 2>/dev/null)
    set +f
    mode=$1
    owner=$3
}

ours() { [ "$owner" = 0 ] || [ "$owner" = "$us" ] || [ "$owner" = "$login" ]; }

# Others may write there, and so put another thing in the place of any.
open_to_others() {
    case $mode in
        ?????????[tT]*) return 1 ;;
        ?????w* | ????????w*) return 0 ;;
    esac
    return 1
}

# PATH [make|any]: refused where an account besides root and us could lead it elsewhere. With make,
# what is missing is made; with any, it may be missing, or no folder. $real is then the path without
# links. A link is followed where root made it, or this very user: root follows none of the user who
# asked for root.
trusted() {
    look /
    { ours && ! open_to_others; } || refuse open "$owner" /
    real=
    rest=${1#/}/
    links=0
    while [ -n "$rest" ]; do
        name=${rest%%/*}
        rest=${rest#*/}
        [ -n "$name" ] || continue
        look "$real/$name"
        if [ -z "$mode" ] && [ "$2" = make ]; then
            why=$(mkdir -m 755 -- "$real/$name" 2>&1)
            look "$real/$name"
            [ -n "$mode" ] || fail "${why:-cannot make $real/$name}" "${cannot:-73}"
        fi
        if [ -z "$mode" ]; then
            [ "$2" = any ] || refuse missing - "$real/$name"
            real=$real/$name
            break
        fi
        ours || refuse owner "$owner" "$real/$name"
        case $mode in
            l*)
                [ "$owner" = 0 ] || [ "$owner" = "$us" ] || refuse link "$owner" "$real/$name"
                links=$((links + 1))
                there=$(cd -- "$real/$name" 2>/dev/null && pwd -P) && [ $links -lt 20 ] ||
                    refuse link "$owner" "$real/$name"
                rest=${there#/}/$rest
                real=
                ;;
            d*)
                # of an older version, under a umask that let the group write
                if open_to_others && [ "$2" = make ] && [ -z "$rest" ] && [ "$owner" = "$us" ]; then
                    chmod go-w -- "$real/$name"
                    look "$real/$name"
                fi
                open_to_others && refuse open "$owner" "$real/$name"
                real=$real/$name
                ;;
            *)
                [ "$2" = any ] || refuse kind "$owner" "$real/$name"
                open_to_others && refuse open "$owner" "$real/$name"
                real=$real/$name
                ;;
        esac
    done
    [ -n "$real" ] || real=/
}

# PATH [ours]: a folder for this user alone, in one that is trusted; made where it is missing.
# With a second word, one that others could write to until now is closed to them, not refused.
own() {
    why=$(mkdir -- "$1" 2>&1)
    is_own "$@" || fail "${why:-cannot make $1}" "${cannot:-73}"
}

# PATH [ours]: the same, and false where it is missing.
is_own() {
    look "$1"
    [ -n "$mode" ] || return
    case $mode in
        l*) refuse link "$owner" "$1" ;;
        d*) [ "$owner" = "$us" ] || refuse owner "$owner" "$1" ;;
        *) refuse kind "$owner" "$1" ;;
    esac
    case $mode in
        ?????w* | ????????w*) [ -n "$2" ] || refuse open "$owner" "$1" ;;
    esac
    case $mode in
        drwx--[-S]--[-T]*) ;;
        *) chmod 700 -- "$1" || exit ;;
    esac
}

# The folder of scripts and logs, below the home folder: $control.
find_control() {
    case ${HOME:-} in
        /*) [ -d "$HOME" ] || refuse home - "$HOME" ;;
        *) refuse home - "${HOME:--}" ;;
    esac
    trusted "$HOME"
    case $real/ in
        // | /tmp/* | /var/tmp/* | /run/user/* | /dev/* | /proc/*) refuse home - "$HOME" ;;
    esac
    look "$real"
    [ "$owner" = "$us" ] || refuse home "$owner" "$HOME"
    control=$real/.benchdash
    own "$control"
}
