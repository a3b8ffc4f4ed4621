"""Settings of the machine, and the program that measured it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from streamgage.comparison.compare.settings.setting import (
    Setting,
    SettingValue,
    machine_of,
    reported_of,
    run_of,
    setting_value,
    settings_of,
)
from streamgage.records import Machine
from streamgage.results.result import Result
from streamgage.units import count, format_bytes

_ALIKE = 0.01
"""Sizes that differ by at most this share count as equal."""


def _of_machine(
    read: Callable[[Machine], SettingValue | None],
) -> Callable[[Result[Any]], SettingValue | None]:
    def of(result: Result[Any]) -> SettingValue | None:
        machine = machine_of(result)
        return None if machine is None else read(machine)

    return of


def host_of(result: Result[Any]) -> str | None:
    """The host that measured; with MPI ranks on several hosts, all of them."""
    run = run_of(result)
    hosts = run.placement.hosts if run is not None and run.placement is not None else ()
    machine = machine_of(result)
    return ", ".join(hosts) or (machine.host if machine is not None else None)


def tool_of(result: Result[Any]) -> str | None:
    """The other benchmark that measured, with its version; ``None`` if it was streamgage."""
    reported = reported_of(result)
    if reported is None:
        return None
    words = [reported.tool, reported.version or ""]
    words += [f"({reported.language})" if reported.language else ""]
    return " ".join(word for word in words if word)


def _processor(result: Result[Any]) -> SettingValue | None:
    machine, reported = machine_of(result), reported_of(result)
    if (device := settings_of(result).device) is not None:
        return setting_value(device)
    if machine is not None:
        return setting_value(machine.processor or f"unknown ({machine.architecture})")
    return setting_value(reported.processor if reported is not None else None)


def _cores(machine: Machine) -> SettingValue | None:
    packages = f", {count(machine.packages, 'package')}" if machine.packages > 1 else ""
    threads = count(machine.hardware_threads, "hardware thread")
    return setting_value(f"{count(machine.cores, 'core')}, {threads}{packages}")


def _caches(machine: Machine) -> SettingValue | None:
    data = sorted(machine.data_caches, key=lambda each: each.level)
    return setting_value(
        ", ".join(
            f"L{each.level} {f'{each.instances} x ' if each.instances > 1 else ''}"
            f"{format_bytes(each.bytes)}"
            for each in data
        )
    )


def _modules(machine: Machine) -> SettingValue | None:
    kinds: dict[str, int] = {}
    for each in machine.memory_modules:
        if each.bytes:
            speed = f"-{each.rate}" if each.rate else ""
            name = f"{format_bytes(each.bytes)} {each.kind or 'memory'}{speed}"
            kinds[name] = kinds.get(name, 0) + 1
    return setting_value(", ".join(f"{number} x {name}" for name, number in kinds.items()))


def _memory(machine: Machine) -> SettingValue | None:
    size = machine.memory_bytes
    return setting_value(format_bytes(size), math.log(size)) if size else None


SETTINGS = (
    Setting(
        "host",
        "even machines of one model differ in memory modules, clocks and neighbours",
        lambda result: setting_value(host_of(result)),
    ),
    Setting("processor", "another processor has another memory system", _processor),
    Setting(
        "system", "another computer or instance", _of_machine(lambda m: setting_value(m.system))
    ),
    Setting(
        "description",
        "cores, caches and nodes are described as those of another machine",
        _of_machine(lambda m: setting_value(m.described_by or "of the machine itself")),
    ),
    Setting(
        "hypervisor",
        "a guest shares its memory with others, and the host decides where its pages lie",
        _of_machine(lambda m: setting_value(m.hypervisor or "none")),
    ),
    Setting("cores", "more cores use more bandwidth, until it is all used", _of_machine(_cores)),
    Setting("caches", "a larger cache holds more of the arrays", _of_machine(_caches)),
    Setting(
        "NUMA nodes",
        "each has its own memory controllers",
        _of_machine(lambda m: setting_value(str(len(m.numa_nodes)) if m.numa_nodes else None)),
    ),
    Setting("memory modules", "channels and their speed set the peak", _of_machine(_modules)),
    Setting("memory", "other modules may be faster or slower", _of_machine(_memory), apart=_ALIKE),
    Setting(
        "measured by",
        "each benchmark chooses, times and reports in its own way",
        lambda result: setting_value(tool_of(result) or "streamgage"),
    ),
)
