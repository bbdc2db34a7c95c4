"""Sentences in the words of earlier versions, which stored them: their rows are still translated.

Of files that were refused, of jobs, their hosts and their plans. Nothing reads this list but the
search for texts to translate.
"""

from __future__ import annotations

from benchdash.errors import N_

FORMER = (
    N_("A host was rebooted before {step}: what had been prepared there may be gone."),
    N_(
        "A log of {measures} hangs on a run, and none is named or lies beside it: say which run it belongs to."
    ),
    N_("Ceph does not let {user} in with the key that it has here"),
    N_(
        "Given up: {reason} – Something of it may still run on its hosts, and settings may not be as before. Both are seen to at the next contact."
    ),
    N_("JSON of rados bench cannot be read: {error}"),
    N_("JSON of rados bench has no numbers sec, cur_bw and last_lat in entry {number} of datas"),
    N_("JSON of rados bench is nested too deeply"),
    N_("No webhook is set up any more."),
    N_(
        "Other accounts may write to {path} on {host}, and could exchange what is run and measured below it: chmod go-w {quoted}, or chmod +t {quoted} for a folder that all share."
    ),
    N_("Reading it broke off three times: split it."),
    N_("Root alone can read Ceph's key: choose “As root” in recipes, or let {user} read it."),
    N_("The host answers, and neither {step} nor its exit code is there."),
    N_("The host's answer about what is there broke off."),
    N_("The output is larger than what may be stored."),
    N_("The plan stopped with {jobs} jobs to come: {reason}"),
    N_("The recipe that this plan was made from cannot be read any more, so plan again: {why}"),
    N_("The worker ended while it was sending this: it may have arrived."),
    N_("This would be {count} cells, a plan has at most {most}: take fewer values."),
    N_("This would be {count} jobs, a plan has at most {most}: take fewer values or repeats."),
    N_("What it left on its hosts is not waited for any more: {reason}"),
    N_("What it left on {host} is ended and put back."),
    N_("What its block shares is left to the next job."),
    N_("a row of figures goes on in the next line: the text was wrapped"),
    N_("a row of latencies that are not all times"),
    N_("a unit of the {name} line is not understood"),
    N_("an archive without a file in it"),
    N_("apply of an OSD"),
    N_("bytes/sec of rbd bench that do not fit its ops/sec: cut off?"),
    N_("cannot be checked: rbd is missing here"),
    N_("commit of an OSD"),
    N_("does not exist as an image here: make it with rbd create"),
    N_("fio JSON of line {line} holds a NUL character"),
    N_("fio JSON of line {line} is not UTF-8"),
    N_("fio JSON of line {line}: {place} cannot be measured ({why})"),
    N_("gobonniego is another program than bonnie++"),
    N_("in use by a client"),
    N_("in {folder}, which only {user} may enter; the working folder holds data alone"),
    N_("is in no pool that is here"),
    N_("it and the archives before it hold more than {files} files: send it by itself"),
    N_("it and the archives before it unpack to more than {mebibytes} MiB: send it by itself"),
    N_("it does not exist as a pool here"),
    N_("it is a folder of the system ({path})"),
    N_("its timestamp {seconds} is no date: send the file as fio wrote it"),
    N_("job {name} of line {line}: {sentence}"),
    N_("job {number} ({name}) in the JSON of fio: {sentence}"),
    N_(
        "line {line}: JSON of fio as a string within other JSON is not read: save that string as a file of its own"
    ),
    N_("line {line}: progress of bonnie++, and no result in the file"),
    N_("line {line}: {sentence}, as in {many} places after"),
    N_("no group and error number follow the name"),
    N_("only progress lines of fio, no result: send the report that fio prints at its end"),
    N_("packed by a method that is not read: pack it again with deflate"),
    N_("progress of pgbench without its summary: it was cut short"),
    N_("rates and CPU shares do not come in pairs: a field is lost or one too many"),
    N_("sysbench measured the memory"),
    N_("sysbench measured the processor"),
    N_(
        "the archive unpacks to more than {ratio} times its size: pack the results without the rest"
    ),
    N_(
        "the bare columns of a fio log do not say whether it is a bw, iops, slat, clat or lat log: name it like NAME_bw.1.log"
    ),
    N_("the fio run of line {line} ends before its first figures"),
    N_(
        "the latencies of this fio log are in ns if fio 3 wrote it and in µs if fio 2 did, and its {columns} columns do not say: put the version into the name, like fio-3.1_{name}"
    ),
    N_("the rows of the two parts of a bonnie++ table do not fit together"),
    N_("the run of line {line} ends without a result"),
    N_("the run of line {line} has no closing group lines: jobs may be missing"),
    N_("the table is cut off on the right: figures may be too"),
    N_("the time {seconds} s of this fio log is no date: send the log as fio wrote it"),
    N_("there are more than {most} results in what was sent together: split it"),
    N_(
        "{address} is an address of the server itself or of its link: benchdash sends nothing there, unless its operator lists it in WEBHOOK_NETWORKS."
    ),
    N_("{called}: {wanted} are needed, {given} were given."),
    N_("{count} figures where 12 belong"),
    N_("{count} latencies under another number of tests"),
    N_("{device} can be checked by root only"),
    N_("{device} cannot be read: busy, or DRBD that is Secondary here"),
    N_("{device} has the signature of {signature}"),
    N_("{device} is a member of Ceph ({osd})"),
    N_("{device} is a member of Ceph by its signature"),
    N_("{device} is a member of DRBD (as {disk})"),
    N_("{device} is a member of DRBD ({holder})"),
    N_("{device} is a member of DRBD by its signature"),
    N_("{device} is a member of LVM ({holder})"),
    N_("{device} is a member of LVM by its signature"),
    N_("{device} is a member of ZFS by its signature"),
    N_("{device} is a member of md by its signature ({signature})"),
    N_("{device} is a path of multipath ({holder})"),
    N_("{device} is swap by its signature"),
    N_("{error} stands where pgbench prints a number in a progress line"),
    N_(
        "{host} has no address in {network}, as far as its last check found: check its connection, or name another network."
    ),
    N_(
        "{host} was rebooted, and {path} is not there now: remove it where its filesystem is mounted again."
    ),
    N_("{level} is left out, and nothing is like it: {host} has {known}."),
    N_(
        "{names} are not on the list of files that may be read on {host}: an admin adds them to the target {target}."
    ),
    N_(
        "{names} are not on the list of servers that {host} may connect to: an admin adds them to the target {target}."
    ),
    N_(
        "{names} are not on the list of what may be written on {host}: an admin adds them to the target {target}."
    ),
    N_("{names}: busy {percent} % of the time. The other disks: {rest} % at most."),
    N_("{name} is a log: say which run it hangs on."),
    N_(
        "{name} is not on the list of files that may be read on {host}: an admin adds it to the target {target}."
    ),
    N_(
        "{name} is not on the list of servers that {host} may connect to: an admin adds it to the target {target}."
    ),
    N_(
        "{name} is not on the list of what may be written on {host}: an admin adds it to the target {target}."
    ),
    N_("{name} or its like stands twice in one result"),
    N_("{name} stands twice in one result"),
    N_("{name}: busy {percent} % of the time. The disks below it: {rest} % at most."),
    N_(
        "{path} on {host} belongs to another account (user id {owner}), which could exchange what is run and measured there: remove it, or choose another folder."
    ),
    N_("{percent} is no percentage, where fio prints a percentile"),
    N_("{sentence} Known are: {names}."),
    N_("{sentence}, as in {many} places after"),
    N_("{sentence}, as in {many} places before"),
    N_("{step} goes on."),
    N_(
        "{step} of the next cells reaches {name}, which this plan did not name when it was made: plan these cells by themselves."
    ),
    N_("{text} stands where a count belongs: is a field too many?"),
    N_("{text} stands where a number belongs"),
    N_("{text} stands where bonnie++ prints the concurrency"),
    N_("{text} stands where bonnie++ prints the {metric} of {operation}"),
    N_("{text} stands where bonnie++ prints the {what}"),
    N_("{text} stands where dbench prints a {what}"),
    N_("{text} stands where pgbench prints the {what}"),
    N_("{text} stands where rados bench prints a size"),
    N_("{text} stands where rados bench prints {name}"),
    N_("{title} needs {wanted} hosts, {chosen} were chosen."),
    N_("{tunable} of {where} should be {value} again, and the host says {found}."),
    N_("{tunable} of {where}: set to {value}, and the host says {found}."),
    N_("{tunable} of {where}: {value} again."),
    N_("{user} can read no /etc/ceph/ceph.conf here"),
    N_(
        "{user} can read no key of Ceph here: let it read the keyring in /etc/ceph, or choose “As root” where root can"
    ),
    N_(
        "{user} has no home folder of their own on {host} that survives a reboot ({path}): scripts and logs are kept below it. Make one, and set it with usermod --home."
    ),
    N_("{wanted} hosts are needed, {chosen} were chosen."),
    N_(
        "{where} is 0 and could not be 0 again once it is changed: change {other}, which is set there instead."
    ),
    N_("“{path}” is on {kind}: its storage could not be determined."),
)
