"""Names of nodes, folded as the tools of clusters write them: ``n[17,403-405]``."""

from __future__ import annotations

from collections.abc import Iterable


def folded(hosts: Iterable[str], most: int = 0) -> str:
    """The names in one word; cut after about so many letters, if any are given."""
    # ClusterShell takes a quarter of a second to load, and a list of results needs none of it.
    from streamgage.process.fleet.node_names import folded

    text = folded(hosts)
    if not most or len(text) <= most:
        return text
    cut = text.rfind(",", 0, most - 4)
    cut = cut if cut > 0 else most - 4
    inside = text.count("[", 0, cut) > text.count("]", 0, cut)
    return f"{text[:cut]},...{']' if inside else ''}"


def unfolded(source: str, text: str) -> tuple[str, ...]:
    """Each name. Raises ``UsageError``, which names ``source``, if it cannot be read."""
    from streamgage.process.fleet.node_names import parse_nodes

    return parse_nodes(source, text)
