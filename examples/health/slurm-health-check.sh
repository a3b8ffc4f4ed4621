#!/bin/sh
# Slurm's HealthCheckProgram: drains a node that is slow, with the line as its reason.
#
#   HealthCheckProgram=/etc/slurm/slurm-health-check.sh
#   HealthCheckInterval=3600
#   HealthCheckNodeState=IDLE
#
# It runs on idle nodes alone, so it disturbs no job. A node that could not be measured (status 3)
# stays as it is.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:$PATH
. /etc/streamgage/check.conf
line=$("$engine" --check --glance --expect "$expect" 2>&1)
status=$?
node=${SLURMD_NODENAME:-$(uname -n | cut -d. -f1)}
if [ "$status" -eq 1 ]; then
  scontrol update nodename="$node" state=drain reason="streamgage $line"
else
  echo "streamgage on $node: $line"
fi
