#!/bin/sh
# Slurm's HealthCheckProgram: drains a node that is slow, with the line as its reason.
#
#   HealthCheckProgram=/etc/slurm/slurm-health-check.sh
#   HealthCheckInterval=3600
#   HealthCheckNodeState=IDLE
#
# It runs on idle nodes alone, so it disturbs no job. A node that could not be measured (status 3)
# stays as it is. So does one whose engine cannot start, which may be status 1, too: the verdict must
# stand in the last line.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:$PATH
. /etc/streamgage/check.conf
line=$("$engine" --check --glance --expect "$expect" 2>&1)
status=$?
node=${SLURMD_NODENAME:-$(uname -n | cut -d. -f1)}
line=$(printf '%s\n' "$line" | tail -n 1)
case "$status $line" in
"1 slow: "* | "1 wrong: "*)
  scontrol update nodename="$node" state=drain reason="streamgage $line"
  ;;
*)
  echo "streamgage on $node: $line"
  ;;
esac
