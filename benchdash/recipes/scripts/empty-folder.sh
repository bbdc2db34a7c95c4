# FOLDER
[ -z "$(ls -A "$1")" ] && [ "$(stat -c %d "$1")" = "$(stat -c %d "$1/..")" ] ||
  { echo "$1 is not empty, or something is mounted there: name another folder" >&2; exit 1; }
