"""Names of nodes, folded as the tools of clusters write them: ``n[17,403-405]``."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NUMBERS = re.compile(r"([0-9]+)")


def natural(host: str) -> list[str | int]:
    """Orders ``n2`` before ``n10``."""
    return [int(each) if each.isdecimal() else each for each in _NUMBERS.split(host)]


def folded(hosts: Iterable[str], most: int = 0) -> str:
    """The names in one word; cut after about so many letters, if any are given."""
    # ClusterShell takes a quarter of a second to load, and a list of results needs none of it.
    from streamgage.process.fleet.node_names import folded

    text = folded(hosts)
    return _cut(text, most) if most and len(text) > most else text


def _cut(text: str, most: int) -> str:
    cut = text.rfind(",", 0, most - 4)
    cut = cut if cut > 0 else most - 4
    inside = text.count("[", 0, cut) > text.count("]", 0, cut)
    return f"{text[:cut]},...{']' if inside else ''}"


def folded_units(units: Iterable[tuple[str, str | None]], most: int = 0) -> str:
    """Hosts, with their devices where a device is meant: ``n[1-4] cuda:0, n7 cuda:[0-3]``."""
    of_host: dict[str, list[str]] = {}
    of_devices: dict[str, list[str]] = {}
    for host, device in units:
        if device is None:
            of_devices.setdefault("", []).append(host)
        else:
            of_host.setdefault(host, []).append(device)
    for host, devices in of_host.items():
        of_devices.setdefault(folded(devices), []).append(host)
    parts = [f"{folded(hosts)} {devices}".rstrip() for devices, hosts in of_devices.items()]
    text = ", ".join(parts)
    return _cut(text, most) if most and len(text) > most else text


def unfolded(source: str, text: str) -> tuple[str, ...]:
    """Each name. Raises ``UsageError``, which names ``source``, if it cannot be read."""
    from streamgage.process.fleet.node_names import parse_nodes

    return parse_nodes(source, text)
