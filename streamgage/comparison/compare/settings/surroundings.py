"""Settings around the measurement: system, versions, other load, and number of rounds."""

from __future__ import annotations

from typing import Any

from streamgage.analysis.outside import share_of_cpus, taken_by_others
from streamgage.comparison.compare.settings.setting import (
    Setting,
    SettingValue,
    machine_of,
    run_of,
    setting_value,
    settings_of,
)
from streamgage.records.warnings import MUCH_LOAD
from streamgage.results.result import Result
from streamgage.units import count, format_share


def _clock(result: Result[Any]) -> SettingValue | None:
    machine = machine_of(result)
    frequency = machine.frequency if machine is not None else None
    if frequency is None:
        return None
    boost = ", no boost" if frequency.boost is False else ""
    return setting_value(
        f"{frequency.governor}, up to {frequency.limit_hertz / 1e9:.2f} GHz{boost}"
    )


def _quota(result: Result[Any]) -> SettingValue | None:
    machine = machine_of(result)
    if machine is None:
        return None
    return setting_value("none" if machine.cpu_quota is None else count(machine.cpu_quota, "CPU"))


def _priority(result: Result[Any]) -> SettingValue | None:
    machine = machine_of(result)
    if machine is None or machine.nice is None:
        return None
    return setting_value(f"nice {machine.nice}")


def _balancing(result: Result[Any]) -> SettingValue | None:
    machine = machine_of(result)
    if machine is None or machine.numa_balancing is None:
        return None
    return setting_value("on" if machine.numa_balancing else "off")


def _kernel(result: Result[Any]) -> SettingValue | None:
    machine = machine_of(result)
    return None if machine is None else setting_value(machine.kernel)


def _engine(result: Result[Any]) -> SettingValue | None:
    machine = machine_of(result)
    return (
        None if machine is None else setting_value(f"{machine.engine}, built by {machine.compiler}")
    )


def _other_load(result: Result[Any]) -> SettingValue | None:
    run = run_of(result)
    share: float | None = None
    if run is not None:
        used = [each.other_seconds for each in run.disturbances if each.other_seconds is not None]
        share = share_of_cpus(run, max(0.0, sum(used))) if used else None
    else:
        share = result.document.taken
    return None if share is None else setting_value(f"{format_share(share)} of CPU time", share)


def _steal(result: Result[Any]) -> SettingValue | None:
    run = run_of(result)
    if run is None or taken_by_others(run) is None:
        return None
    lost = [each.steal_seconds for each in run.disturbances if each.steal_seconds is not None]
    share = share_of_cpus(run, sum(lost)) if lost else None
    return None if share is None else setting_value(f"{format_share(share)} of CPU time", share)


def _rounds(result: Result[Any]) -> SettingValue | None:
    rounds = settings_of(result).rounds
    return None if rounds is None else setting_value(str(rounds))


SETTINGS = (
    Setting("operating system", "it places pages and threads", _kernel),
    Setting(
        "clock frequency", "slower cores use less bandwidth, and their caches are slower", _clock
    ),
    Setting("CPU quota", "threads are stopped when it is used up", _quota),
    Setting("priority", "programs with a lower nice value come first", _priority),
    Setting("automatic NUMA balancing", "it moves pages during the run", _balancing),
    Setting("engine", "its loops and its timing may have changed", _engine),
    Setting("other programs", "they take CPUs and bandwidth", _other_load, apart=MUCH_LOAD),
    Setting(
        "taken by the hypervisor", "other guests take CPUs and bandwidth", _steal, apart=MUCH_LOAD
    ),
    Setting("rounds", "more of them narrow the bounds, but do not change a figure", _rounds),
)
