"""Sentences in the words of earlier versions, which stored them: their rows are still translated.

Nothing reads this list but the search for texts to translate.
"""

from benchdash.errors import N_

FORMER = (
    N_("0 merges, 1 simple merges only, 2 none."),
    N_(
        "A chart selects its runs by numbers of this installation, so it is left out of the file. Charts that select runs by study, tag or host are included."
    ),
    N_("A disk, or what appears as one to the machine."),
    N_(
        "A log of {measures} hangs on a run, and none is named or lies beside it: say which run it belongs to."
    ),
    N_("A name has to be printable and has at most {longest} characters."),
    N_("A round has at most {most} steps: take fewer values or hosts."),
    N_("A text has at most {most} characters, and this one has {n}."),
    N_("An address may have only ASCII characters and no spaces."),
    N_("Btrfs; its profiles stand for RAID."),
    N_("Ceph does not let {user} in with the key that it has here"),
    N_("Checksum of online verify."),
    N_(
        "Given up: {reason} – Something of it may still run on its hosts, and settings may not be as before. Both are seen to at the next contact."
    ),
    N_("Guests at the same time."),
    N_("Intervals can be asked to be within {least} to {most} % of their median."),
    N_("JSON of rados bench cannot be read: {error}"),
    N_("JSON of rados bench has no numbers sec, cur_bw and last_lat in entry {number} of datas"),
    N_("JSON of rados bench is nested too deeply"),
    N_(
        "Line {line}: there is a study of the address “{slug}” already; say that it is to be replaced, or write another address."
    ),
    N_("Line {line}: there may be no anchors or aliases."),
    N_("Line {line}: there may be no tags."),
    N_("None of these runs is of the series “{key}”."),
    N_(
        "Other accounts may write to {path} on {host}, and could exchange what is run and measured below it: chmod go-w {quoted}, or chmod +t {quoted} for a folder that all share."
    ),
    N_("Profile of the metadata."),
    N_("RAID of a controller, or of an unknown kind."),
    N_("Report the stripe width as the best I/O size."),
    N_("Root alone can read Ceph's key: choose “As root” in recipes, or let {user} read it."),
    N_("The host answers, and neither {step} nor its exit code is there."),
    N_("The host's answer about what is there broke off."),
    N_("The name “{name}” is taken by another recipe: write another one behind “name:”."),
    N_("The output is larger than what may be stored."),
    N_("The pattern names no setting: write {example} where its value stands."),
    N_("The plan stopped with {jobs} jobs to come: {reason}"),
    N_("The recipe that this plan was made from cannot be read any more, so plan again: {why}"),
    N_(
        "The request is too large: {mebibytes} MiB are the most (MAX_UPLOAD_BYTES). Send fewer files at once, or compress them: archives are read too."
    ),
    N_("The runs of {file} were there before and stay where they belong."),
    N_("The study measures {zone} on {wanted} hosts, {chosen} were chosen."),
    N_("The worker ended while it was sending this: it may have arrived."),
    N_("This plan adds rounds by itself until its intervals are narrow: add more once it is over."),
    N_("This plan was stopped with {jobs} jobs to come: go on with it first."),
    N_("This server sends no mail: its operator sets EMAIL_HOST."),
    N_("This study compares “{name}” in this environment already."),
    N_("This would be {count} cells, a plan has at most {most}: take fewer values."),
    N_("This would be {count} jobs, a plan has at most {most}: take fewer values or repeats."),
    N_("Two placeholders of the pattern touch: write the text that separates them."),
    N_("What it left on its hosts is not waited for any more: {reason}"),
    N_("What it left on {host} is ended and put back."),
    N_("What its block shares is left to the next job."),
    N_("What the layer above stores here, where it is not only data."),
    N_("a brace that is not part of a placeholder is doubled: {{ and }}"),
    N_("a choice has “choices”, and nothing else has"),
    N_("a command begins with the name of a program"),
    N_("a file's name has letters, digits and ._-"),
    N_("a host's name or address, or the folder of a socket"),
    N_("a name is printable and has 1 to {most} characters"),
    N_('a parameter of kind hosts has default: "", and is not many'),
    N_("a parameter of kind hosts is named “{name}”"),
    N_("a parameter's name has small letters, digits and _"),
    N_("a recipe's name has small letters, digits, + and -"),
    N_("a row of figures goes on in the next line: the text was wrapped"),
    N_("a row of latencies that are not all times"),
    N_("a speed in bytes a second is needed here, such as 100M"),
    N_("a step has a “name” of small letters, digits and -"),
    N_("a step has either “argv” or “tunable”"),
    N_("a text is needed here; put “yes”, “no”, “on” and “off” in quotes"),
    N_("a text may not contain NUL"),
    N_("a text of 1 to {most} characters is needed here"),
    N_("a text of up to {most} characters"),
    N_("a text of up to {most} characters that does not begin with a dash"),
    N_("a text that matches {pattern}"),
    N_("a tunable has “where” and “value”"),
    N_("a tunable is set and put back by each job: it cannot be shared"),
    N_("a unit of the {name} line is not understood"),
    N_("a version is compared as in “>=2.8” or “>=2.8,<3”"),
    N_("all but the last have a “node” and a condition"),
    N_("an address has small letters, digits and dashes"),
    N_("an archive without a file in it"),
    N_("apply of an OSD"),
    N_("axes of the workload are needed here, as in block_bytes: 4096"),
    N_("bytes/sec of rbd bench that do not fit its ops/sec: cut off?"),
    N_("commit of an OSD"),
    N_("conditional arguments have one of {names}"),
    N_("does not exist as an image here: make it with rbd create"),
    N_("filename is a plain name; a device is given as the parameter of that name."),
    N_("fio JSON of line {line} holds a NUL character"),
    N_("fio JSON of line {line} is not UTF-8"),
    N_("fio JSON of line {line}: {place} cannot be measured ({why})"),
    N_("gobonniego is another program than bonnie++"),
    N_("in {folder}, which only {user} may enter; the working folder holds data alone"),
    N_("ioengine is {engines} or {last}."),
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
    N_("only steps of “prepare” and “cleanup” are shared"),
    N_("packed by a method that is not read: pack it again with deflate"),
    N_("progress of pgbench without its summary: it was cut short"),
    N_("rates and CPU shares do not come in pairs: a field is lost or one too many"),
    N_("raw outputs are files beside the study's own: upload them by themselves"),
    N_("shared steps are the first of “prepare” and the last of “cleanup”"),
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
    N_("the part is one of {names}"),
    N_("the result is a file's name in the step's folder"),
    N_("the rows of the two parts of a bonnie++ table do not fit together"),
    N_("the run of line {line} ends without a result"),
    N_("the run of line {line} has no closing group lines: jobs may be missing"),
    N_("the table is cut off on the right: figures may be too"),
    N_("the time {seconds} s of this fio log is no date: send the log as fio wrote it"),
    N_("the tool is one of {names}"),
    N_("there are more than {most} results in what was sent together: split it"),
    N_("there is a baseline already"),
    N_("this condition is there already"),
    N_("this output is there already"),
    N_("this role is there already"),
    N_("this zone is there already"),
    N_("what has no “default” needs an “example”"),
    N_("what is refused needs a “sentence”"),
    N_("what measures cannot be shared"),
    N_("what shared steps of “prepare” make, shared steps of “cleanup” unmake: both are needed"),
    N_("where steps are shared, no parameter is called block"),
    N_(
        "{address} is an address of the server itself or of its link: benchdash sends nothing there, unless its operator lists it in WEBHOOK_NETWORKS."
    ),
    N_("{called} has the level {level} already."),
    N_("{called} has to be given."),
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
    N_("{files} files came with {paths} paths: send one for each."),
    N_(
        "{host} has no address in {network}, as far as its last check found: check its connection, or name another network."
    ),
    N_("{host} is measured already: add rounds to its plan."),
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
    N_("{name} waits to be read: assign its runs once they are stored."),
    N_("{name}: busy {percent} % of the time. The disks below it: {rest} % at most."),
    N_("{n} match by now, not {expected}: look at the list again. Nothing was changed."),
    N_(
        "{path} on {host} belongs to another account (user id {owner}), which could exchange what is run and measured there: remove it, or choose another folder."
    ),
    N_("{percent} is no percentage, where fio prints a percentile"),
    N_("{place}: “below” is a list of layers."),
    N_("{place}: “options” is an object of names and values."),
    N_("{sentence} Known are: {names}."),
    N_("{sentence}, as in {many} places after"),
    N_("{sentence}, as in {many} places before"),
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
    N_("“effect” is one of {names}"),
    N_("“kind” is one of {names}"),
    N_("“node” is first, all, peers or a role such as node-b"),
    N_("“{facet}” is not a layer option with its value, such as drbd.protocol=C."),
    N_("“{name}” has a NUL character in it."),
    N_("“{name}” has at most {n} characters."),
    N_(
        "“{name}” has runs, so its layers stay as they are: save the change under another name, as a configuration of its own."
    ),
    N_("“{name}” is one of {allowed}, not “{value}”."),
    N_("“{name}” is true or false, not “{value}”."),
    N_("“{name}” takes a text, a number, or a list of these."),
    N_("“{path}” is not an absolute path: it has to begin with “/”."),
    N_("“{value}” in “{name}” is not the number of a record."),
    N_("“{value}” in “{name}” is not the number of an upload; write several as 4-13,17."),
)
