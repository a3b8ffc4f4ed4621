"""Settings of the arrays: their size, the code of the kernels, and their pages."""

from __future__ import annotations

import math
from typing import Any

from streamgage.analysis.arrays import least_huge_share
from streamgage.comparison.compare.settings.setting import (
    Setting,
    SettingValue,
    machine_of,
    read_setting,
    run_of,
    setting_value,
    settings_of,
)
from streamgage.cpu_list import name_nodes
from streamgage.results.array_setup import USUAL
from streamgage.results.result import Result
from streamgage.units import format_bytes, format_share, listed

_COMPILED = ("plain", "unknown")


def _array(result: Result[Any]) -> SettingValue | None:
    run = run_of(result)
    memory = run.memory if run is not None else None
    size = memory.array_bytes if memory is not None else settings_of(result).array_bytes
    return setting_value(format_bytes(size), math.log(size)) if size else None


def _alignment(result: Result[Any]) -> SettingValue | None:
    setup = result.document.array_setup or USUAL
    size = setup.alignment_bytes
    return setting_value("2 MiB or more" if size is None else format_bytes(size))


def _init(result: Result[Any]) -> SettingValue | None:
    return setting_value((result.document.array_setup or USUAL).init)


def _compiler(result: Result[Any]) -> SettingValue | None:
    run = run_of(result)
    if run is None:
        return None
    found = dict.fromkeys(
        each.code for each in run.shown() if each.store in _COMPILED and run.own(each) is None
    )
    return setting_value("; ".join(found))


def _calls(result: Result[Any]) -> SettingValue | None:
    run = run_of(result)
    if run is None:
        return None
    looked_at = [each for each in run.shown() if each.store in _COMPILED and each.calls is not None]
    if not looked_at:
        return None
    calling = [f"{each.kernel} calls {listed(each.calls)}" for each in looked_at if each.calls]
    return setting_value("; ".join(calling) or "none")


def _huge(result: Result[Any]) -> SettingValue | None:
    run = run_of(result)
    share = least_huge_share(run) if run is not None else None
    return None if share is None else setting_value(format_share(share), share)


def _huge_setting(result: Result[Any]) -> SettingValue | None:
    machine = machine_of(result)
    return None if machine is None else setting_value(machine.huge_pages)


def _remote(result: Result[Any]) -> SettingValue | None:
    run = run_of(result)
    if run is None or run.memory is None:
        return None
    checked = sum(each.checked_pages for each in run.memory.arrays)
    if not checked:
        return None
    share = sum(each.remote_pages for each in run.memory.arrays) / checked
    return setting_value(format_share(share), share)


def _memory_nodes(result: Result[Any]) -> SettingValue | None:
    run = run_of(result)
    if run is None or run.memory is None:
        return None
    nodes = run.memory.nodes
    return setting_value("where first touched" if nodes is None else name_nodes(nodes))


def _page(result: Result[Any]) -> SettingValue | None:
    machine = machine_of(result)
    size = None if machine is None else machine.page_bytes
    return None if size is None else setting_value(format_bytes(size))


SETTINGS = (
    Setting(
        "size of each array",
        "the part in the caches does not cross the bus",
        _array,
        apart=0.01,
    ),
    Setting("alignment of arrays", "lines and pages that vectors straddle cost time", _alignment),
    Setting("initial values", "some memories and buses are faster with equal values", _init),
    Setting(
        "element type", "figures of different types are not compared", read_setting("element_types")
    ),
    Setting(
        "instruction set",
        "wider vectors keep more lines in flight",
        read_setting("instruction_sets"),
    ),
    Setting(
        "compiler of the plain loops", "it decides which stores and vectors they have", _compiler
    ),
    Setting(
        "your own kernels", "the same name may stand for other code", read_setting("own_kernels")
    ),
    Setting("library calls in plain loops", "such a call chooses its own stores", _calls),
    Setting("tuned shapes", "the tuned figures come from different code", read_setting("shapes")),
    Setting("pages bound to", "another node's memory is farther away", _memory_nodes),
    Setting(
        "pages on the wrong node",
        "those pages are farther away",
        _remote,
        apart=0.01,
    ),
    Setting("huge pages used", "small pages need more address look-ups", _huge, apart=0.02),
    Setting("huge pages (system's setting)", "it decides whether programs get them", _huge_setting),
    Setting("page size", "small pages need more address look-ups", _page),
)
