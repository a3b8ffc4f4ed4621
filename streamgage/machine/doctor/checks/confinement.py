"""Checks which CPUs, and how much of their time, a control group (a container or a job) grants."""

from __future__ import annotations

from streamgage.cpu_list import format_cpu_list
from streamgage.machine.doctor.checks.surroundings import Surroundings
from streamgage.machine.doctor.document import Check, unknown_check
from streamgage.units import count


def cpuset(surroundings: Surroundings) -> Check:
    """Check whether some CPUs are out of reach, even for a thread that asks for them."""
    obtainable, online = surroundings.obtainable, surroundings.online
    if surroundings.binding.obtainable_cpus is None:
        return unknown_check("cpuset", "threads in this process may not ask for more CPUs")
    reason = surroundings.why_unknown("online_cpus")
    if obtainable >= online and reason is not None:
        return unknown_check("cpuset", f"how many CPUs the machine has is not known: {reason}")
    if obtainable >= online:
        return Check(
            code="cpuset",
            state="passed",
            seen=f"all {count(len(online), 'CPU')} of the machine are available",
        )
    cores, all_cores = surroundings.cores(obtainable), surroundings.machine.cores
    return Check(
        code="cpuset",
        state="spoils" if cores == 1 and all_cores > 1 else "advice",
        seen=f"a thread that asks for every CPU gets {len(obtainable)} of {len(online)}"
        f" ({format_cpu_list(obtainable)}), {count(cores, 'core')} of {all_cores}",
        why="figures are those of these CPUs, and one core cannot fill the memory's bandwidth"
        if cores == 1
        else "figures are those of the container's or job's CPUs and not of the machine",
        remedies=[
            f"docker run --cpuset-cpus={format_cpu_list(online)} ..., Slurm's --exclusive, or"
            f" AllowedCPUs={format_cpu_list(online)} of the systemd unit"
        ],
    )


def cpu_quota(surroundings: Surroundings) -> Check:
    """Compare the granted CPU time with the number of available cores."""
    quota = surroundings.machine.cpu_quota
    reason = surroundings.why_unknown("cpu_quota")
    if reason is not None:
        return _felt_quota(surroundings, reason)
    if quota is None:
        return Check(code="cpu-quota", state="passed", seen="no CPU quota")
    cores = surroundings.cores(surroundings.obtainable)
    stopped = surroundings.binding.throttled_seconds or 0.0
    threads = len(surroundings.binding.threads)
    proof = f"; {count(threads, 'thread')} computing were stopped for {stopped:.2f} CPU-seconds"
    seen = f"the cgroup grants the time of {count(quota, 'CPU')} for {count(cores, 'core')}"
    if quota >= cores:
        return Check(code="cpu-quota", state="passed", seen=seen)
    return _spoiling_quota(seen + (proof if stopped > 0 else ""), quota)


def _felt_quota(surroundings: Surroundings, reason: str) -> Check:
    """Detect a quota that cannot be read, from the CPU time that threads got on idle CPUs."""
    trial = surroundings.binding.cpu_time
    if trial is None or trial.idle_seconds is None:
        return unknown_check("cpu-quota", reason)
    got = (
        f"{count(trial.threads, 'thread')} computing for {trial.seconds:.1f} s got"
        f" {trial.cpu_seconds:.2f} CPU-seconds"
    )
    if not trial.held_back:
        felt = f"{got} because the CPUs were busy" if trial.got_less else f"none was noticed: {got}"
        return unknown_check("cpu-quota", f"{reason}; {felt}")
    return _spoiling_quota(
        f"{got}, though their CPUs were idle for {trial.idle_seconds:.2f} s: a CPU quota or a"
        f" similar limit grants the time of {trial.granted:.2g} CPUs (it cannot be read: {reason})",
        trial.granted,
    )


def _spoiling_quota(seen: str, quota: float) -> Check:
    remedies = ["docker update --cpus=0 CONTAINER, no resources.limits.cpu for the pod, or as root"]
    remedies[0] += ": echo max > /sys/fs/cgroup/GROUP/cpu.max"
    if quota >= 1:
        remedies.append(f"streamgage measure --threads {int(quota)}")
    return Check(
        code="cpu-quota",
        state="spoils",
        seen=seen,
        why="a stopped thread waits in the middle of a kernel for the next period, mostly 100 ms,"
        " and no affinity mask shows that",
        remedies=remedies,
    )
