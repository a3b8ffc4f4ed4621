#!/bin/sh
# Slurm's Prolog: no job starts on a node that is slow. Slurm then drains the node by itself
# ("Prolog error") and queues the job again; the system's log has the line.
#
#   Prolog=/etc/slurm/slurm-prolog.sh
#   PrologFlags=Alloc
#
# It takes at most 5 s. A node that could not be measured, such as one with another job on it, takes
# the job. Slurm asks that a prolog calls none of its commands, so this one calls none.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:$PATH
. /etc/streamgage/check.conf
line=$("$engine" --check --glance --expect "$expect" 2>&1)
status=$?
logger -t streamgage "$line" 2>/dev/null
line=$(printf '%s\n' "$line" | tail -n 1)
case "$status $line" in
"1 slow: "* | "1 wrong: "*) exit 1 ;; # not an engine that cannot start
esac
