"""The part of `make check` that the gate runs, too: the one that has waited longest."""

from __future__ import annotations

import json
from dataclasses import asdict

from checks import checked
from checks.parts import Part
from checks.session import Say, run_within, say_aloud
from checks.steps import Command

GATE_SECONDS = 1500
"""After a gate that took longer than this, no part runs: the whole must stay bearable."""
SECONDS = 1500
"""A part that takes longer is not chosen, and one that turns out to is ended."""
_TOOLS = Part("check_tools", (Command("make .venv/check-tools"),))
_TOOLS_SECONDS = 900


def run_next(gate_seconds: float, say: Say = say_aloud) -> None:
    """Run it, keep how it ended, and print that; it changes nothing about the gate's result."""
    if gate_seconds <= GATE_SECONDS and checked.reason_against_records() is None:
        part = checked.longest_waiting(SECONDS)
        if part is not None:
            _run(part, say)
    for line in checked.unchecked(failed_alone=True):
        say(f"make check: {line}")


def _run(part: Part, say: Say) -> None:
    say(f"\nmake check: {part.name} has waited longest; the gate has passed whatever comes of it")
    if run_within(_TOOLS_SECONDS, _TOOLS, say).failures:
        say(f"make check: {part.name} was not run, because its tools cannot be installed")
        return
    end = run_within(SECONDS, part, say)
    last = checked.keep(part, end.result, end.seconds)
    say("make check: `scripts/test record` writes this into tests/checked.json:")
    say(f' "{part.name}": {json.dumps(asdict(last))}')
