"""The arrays, the code that goes over them, and their pages."""

from __future__ import annotations

import math

from streamgage.analysis.arrays import least_huge_share
from streamgage.analysis.shapes import describe_shape
from streamgage.cpu_list import name_nodes
from streamgage.results.measure.document import Result
from streamgage.store.load import Loaded
from streamgage.tools.compare.settings.setting import (
    Setting,
    Told,
    machine_of,
    reported_of,
    run_of,
    settings_of,
    told,
)
from streamgage.units import format_bytes, format_share, listed

_COMPILED = ("plain", "unknown")


def _array(result: Loaded) -> Told | None:
    run, reported = run_of(result), reported_of(result)
    size: int | None = None
    if run is not None and run.memory is not None:
        size = run.memory.array_bytes
    elif reported is not None:
        size = reported.array_bytes
    else:
        size = settings_of(result).array_bytes
    return told(format_bytes(size), math.log(size)) if size else None


def _types(result: Loaded) -> Told | None:
    document = result.document
    if not isinstance(document, Result):
        return None
    return told(", ".join(sorted({each.type for each in document.kernels})))


def _isas(result: Loaded) -> Told | None:
    document = result.document
    if not isinstance(document, Result):
        return None
    found = {
        each.isa for each in document.kernels if each.isa and each.store in ("regular", "streaming")
    }
    return told(", ".join(sorted(found)))


def _compiler(result: Loaded) -> Told | None:
    run = run_of(result)
    if run is None:
        return None
    found = dict.fromkeys(
        each.code for each in run.shown() if each.store in _COMPILED and run.own(each) is None
    )
    return told("; ".join(found))


def _own_kernels(result: Loaded) -> Told | None:
    document = result.document
    if not isinstance(document, Result):
        return None
    return told(
        "; ".join(
            f"{each.kernel}: {each.formula}, {each.read_bytes:g} + {each.written_bytes:g} bytes an"
            f" iteration, from {each.source}{f' by {each.code}' if each.code else ''}"
            for each in document.own_kernels
        )
    )


def _calls(result: Loaded) -> Told | None:
    run = run_of(result)
    if run is None:
        return None
    looked_at = [each for each in run.shown() if each.store in _COMPILED and each.calls is not None]
    if not looked_at:
        return None
    calling = [f"{each.kernel} calls {listed(each.calls)}" for each in looked_at if each.calls]
    return told("; ".join(calling) or "none")


def _shapes(result: Loaded) -> Told | None:
    document = result.document
    if not isinstance(document, Result):
        return None
    tuned = [
        f"{each.kernel} {each.store}: {describe_shape(each.shape)}"
        for each in document.kernels
        if each.tuned and each.shape is not None
    ]
    return told("; ".join(tuned))


def _huge(result: Loaded) -> Told | None:
    run = run_of(result)
    share = least_huge_share(run) if run is not None else None
    return None if share is None else told(format_share(share), share)


def _huge_setting(result: Loaded) -> Told | None:
    machine = machine_of(result)
    return None if machine is None else told(machine.huge_pages)


def _remote(result: Loaded) -> Told | None:
    run = run_of(result)
    if run is None or run.memory is None:
        return None
    checked = sum(each.checked_pages for each in run.memory.arrays)
    if not checked:
        return None
    share = sum(each.remote_pages for each in run.memory.arrays) / checked
    return told(format_share(share), share)


def _memory_nodes(result: Loaded) -> Told | None:
    run = run_of(result)
    if run is None or run.memory is None:
        return None
    nodes = run.memory.nodes
    return told("where first touched" if nodes is None else name_nodes(nodes))


def _page(result: Loaded) -> Told | None:
    machine = machine_of(result)
    return None if machine is None else told(format_bytes(machine.page_bytes))


SETTINGS = (
    Setting(
        "size of each array",
        "what the caches hold of it does not cross the bus",
        _array,
        apart=0.01,
    ),
    Setting("element type", "figures of unlike ones are not compared", _types),
    Setting("instruction set", "wider vectors keep more lines on their way", _isas),
    Setting(
        "compiler of the plain loops", "it decides which stores and vectors they have", _compiler
    ),
    Setting("kernels of one's own", "other code under the same name", _own_kernels),
    Setting("library calls in plain loops", "such a call chooses its own stores", _calls),
    Setting("tuned shapes", "the tuned figures are of other code", _shapes),
    Setting("pages bound to", "the way to another node's memory is longer", _memory_nodes),
    Setting(
        "pages on another node than bound or used", "the way to them is longer", _remote, apart=0.01
    ),
    Setting("huge pages had", "small pages cost look-ups", _huge, apart=0.02),
    Setting("huge pages (system's setting)", "whether programs get them", _huge_setting),
    Setting("page size", "small pages cost look-ups", _page),
)
