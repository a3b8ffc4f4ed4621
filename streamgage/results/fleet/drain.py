"""The lines by which a site takes slow nodes out of its schedule."""

from __future__ import annotations

import re

from streamgage.results.fleet.document import Fleet, FleetNode
from streamgage.results.fleet.words import node_in_words

_MOST_OF_A_REASON = 200
"""Letters; Slurm shows fewer."""
_STRANGE = re.compile(r"[^A-Za-z0-9 .,:;%+/()\[\]-]+")
"""Characters that a shell or Slurm might not take as text."""


def drain_commands(fleet: Fleet) -> list[list[str]]:
    """A command of Slurm for each node with a unit that is wrong, or slow in every run.

    Of several such units of a node, the first is the reason.
    """
    worst: dict[str, FleetNode] = {}
    for each in fleet.bad():
        worst.setdefault(each.host, each)
    return [
        [
            "scontrol",
            "update",
            f"nodename={host}",
            "state=drain",
            f"reason={_reason(fleet, each)}",
        ]
        for host, each in worst.items()
    ]


def drain_lines(fleet: Fleet) -> list[str]:
    """The commands as a person types them.

    Only the reason has characters that a shell would interpret.
    """
    lines = []
    for *words, last in drain_commands(fleet):
        name, _, reason = last.partition("=")
        lines.append(f'{" ".join(words)} {name}="{reason}"')
    return lines


def _reason(fleet: Fleet, node: FleetNode) -> str:
    wrong = "wrong results, " if node.verdict == "wrong" else ""
    device = f"{node.device} " if node.device else ""
    kernel = "" if node.kernel not in (None, fleet.kernel) else f"{fleet.kernel} "
    said = f"streamgage: {wrong}{device}{kernel}{node_in_words(fleet, node)}"
    return _STRANGE.sub(" ", said)[:_MOST_OF_A_REASON].strip()
