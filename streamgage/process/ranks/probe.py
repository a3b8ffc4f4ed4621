"""Finds the hosts that do not answer, by starting a program on each with the same launcher."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from streamgage.process.launch import Host, Job, Launcher, prepared
from streamgage.process.program import stop_group

_SECONDS = 20.0
_AT_ONCE = 32
_MOST_HOSTS = 256


def silent_hosts(launcher: Launcher, hosts: Sequence[Host]) -> tuple[str, ...]:
    """The names of the hosts on which the launcher starts nothing; only the first 256 are tried."""
    probed = hosts[:_MOST_HOSTS]
    if not probed:
        return ()
    with ThreadPoolExecutor(min(_AT_ONCE, len(probed))) as pool:
        answers = list(pool.map(lambda host: _answers(launcher, host), probed))
    return tuple(host.name for host, up in zip(probed, answers, strict=True) if not up)


def _answers(launcher: Launcher, host: Host) -> bool:
    job = Job(ranks=1, program=("true",), hosts=(Host(host.name),))
    with prepared(launcher.command_line(job)) as call:
        process = subprocess.Popen(
            call.arguments,
            env=call.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
        )
        try:
            return process.wait(_SECONDS) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            stop_group(process)
