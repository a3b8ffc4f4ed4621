"""The lines by which a site takes slow nodes out of its schedule, and puts them back."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from streamgage.analysis.conclusion import supports
from streamgage.results.fleet import KIND
from streamgage.results.fleet.document import Fleet, FleetNode
from streamgage.results.fleet.words import node_in_words

BY_US = "streamgage"
"""Every reason begins so; only nodes that were drained for such a reason are put back."""
_MOST_OF_A_REASON = 200
"""Letters; Slurm shows fewer."""
_STRANGE = re.compile(r"[^A-Za-z0-9 .,:;%+/()\[\]-]+")
"""Characters that a shell or Slurm might not take as text."""
_TAINT = "streamgage"
Words = list[str]


@dataclass(frozen=True)
class Scheduler:
    """How a scheduler takes a node out, for a reason, and puts it back."""

    program: str
    """The program that does it, and shows the reasons."""
    drain: Callable[[str, str], list[Words]]
    resume: Callable[[str], list[Words]]


SCHEDULERS: Mapping[str, Scheduler] = {
    "slurm": Scheduler(
        "scontrol",
        lambda host, reason: [
            ["scontrol", "update", f"nodename={host}", "state=drain", f"reason={reason}"]
        ],
        lambda host: [["scontrol", "update", f"nodename={host}", "state=resume"]],
    ),
    "pbs": Scheduler(
        "pbsnodes",
        lambda host, reason: [["pbsnodes", "-o", "-C", reason, host]],
        lambda host: [["pbsnodes", "-r", "-C", "", host]],
    ),
    "flux": Scheduler(
        "flux",
        lambda host, reason: [["flux", "resource", "drain", host, reason]],
        lambda host: [["flux", "resource", "undrain", host]],
    ),
    "kubernetes": Scheduler(
        "kubectl",
        lambda host, reason: [
            ["kubectl", "cordon", host],
            ["kubectl", "taint", "--overwrite", "nodes", host, f"{_TAINT}=slow:NoSchedule"],
            ["kubectl", "annotate", "--overwrite", "node", host, f"{_TAINT}/reason={reason}"],
        ],
        lambda host: [
            ["kubectl", "uncordon", host],
            ["kubectl", "taint", "nodes", host, f"{_TAINT}:NoSchedule-"],
            ["kubectl", "annotate", "node", host, f"{_TAINT}/reason-"],
        ],
    ),
}
"""By their names."""


def nodes_to_drain(fleet: Fleet) -> list[FleetNode]:
    """The nodes that no program should run on: wrong ones, then those slow in every run.

    If the fleet is not quotable, nothing shows that a node is slow; a wrong result is wrong anyway.
    """
    supported = supports(KIND.words(fleet).trust)
    return fleet.bad() if supported else fleet.with_verdict("wrong")


def drain_commands(fleet: Fleet, scheduler: str) -> list[Words]:
    """The commands for each node with a unit that is wrong, or slow in every run.

    Of several such units of a node, the first is the reason.
    """
    how = SCHEDULERS[scheduler]
    worst: dict[str, FleetNode] = {}
    for each in nodes_to_drain(fleet):
        worst.setdefault(each.host, each)
    return [
        words for host, each in worst.items() for words in how.drain(host, _reason(fleet, each))
    ]


def resume_commands(fleet: Fleet, drained: Collection[str], scheduler: str) -> list[Words]:
    """The commands that put back the nodes of ``drained`` of which every unit is fine again."""
    how = SCHEDULERS[scheduler]
    verdicts: dict[str, set[str]] = {}
    for each in fleet.nodes:
        verdicts.setdefault(each.host, set()).add(each.verdict)
    fine = [host for host in drained if verdicts.get(host) == {"fine"}]
    return [words for host in fine for words in how.resume(host)]


def drain_lines(fleet: Fleet, scheduler: str) -> list[str]:
    """The commands that drain nodes, as a person types them."""
    return [typed(words) for words in drain_commands(fleet, scheduler)]


def typed(words: Words) -> str:
    """A command as a person types it: only reasons have characters that a shell would interpret."""
    parts = []
    for word in words:
        name, equals, reason = word.partition("=")
        if equals and " " in reason:
            parts.append(f'{name}="{reason}"')
        else:
            parts.append(f'"{word}"' if " " in word else word or shlex.quote(word))
    return " ".join(parts)


def _reason(fleet: Fleet, node: FleetNode) -> str:
    wrong = "wrong results, " if node.verdict == "wrong" else ""
    device = f"{node.device} " if node.device else ""
    kernel = "" if node.kernel not in (None, fleet.kernel) else f"{fleet.kernel} "
    said = f"{BY_US}: {wrong}{device}{kernel}{node_in_words(fleet, node)}"
    return _STRANGE.sub(" ", said)[:_MOST_OF_A_REASON].strip()
