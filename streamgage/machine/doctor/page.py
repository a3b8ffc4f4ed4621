"""Shows the doctor's checks: a line for each, with why it matters and how to fix it."""

from __future__ import annotations

import io
from collections.abc import Sequence

from rich.console import Console

from streamgage.machine.doctor.document import Check, DoctorResult, State
from streamgage.show.symbols import Symbols
from streamgage.show.terminal import (
    NARROW,
    Terminal,
    finished,
    hanging,
    named_text,
    new_console,
)
from streamgage.units import count

_STYLES = {"spoils": "bold red", "advice": "yellow", "passed": "green", "unknown": "dim"}


_WORST_FIRST: tuple[State, ...] = ("spoils", "advice", "unknown", "passed")
_BRIEF: tuple[State, ...] = ("unknown", "passed")
"""States of checks that share one line without ``--details``."""


def render(result: DoctorResult, terminal: Terminal, *, details: bool = False) -> str:
    """The text as this terminal shows it: the verdict, then the checks, the worst first.

    ``details``: show every check, also those that passed.
    """
    text = io.StringIO()
    console = new_console(text, terminal)
    hanging(console, " ", result.verdict, style="bold")
    if result.machine is not None:
        hanging(console, " ", _heading(result, terminal.symbols))
    console.print()
    ordered = sorted(result.checks, key=lambda each: _WORST_FIRST.index(each.state))
    shown = [each for each in ordered if details or each.state not in _BRIEF]
    if not any(each.state == "passed" for each in ordered):
        shown = ordered  # it is all that was asked for
    indent = 5 + max((len(check.code) for check in shown), default=0)
    for check in shown:
        _line(console, check, terminal.symbols, indent)
    if rest := _rest([each for each in ordered if each not in shown]):
        if shown:
            console.print()
        hanging(console, " ", rest)
    return finished(text)


def _rest(checks: Sequence[Check]) -> str:
    """``11 checks passed, and 2 are unknown: --details``; empty if there are none."""
    passed = sum(each.state == "passed" for each in checks)
    unknown = len(checks) - passed
    parts = [f"{count(passed, 'check')} passed"] if passed else []
    if unknown:
        parts.append(f"{unknown if passed else count(unknown, 'check')} unknown")
    return f"{', '.join(parts)}: --details" if parts else ""


def _heading(result: DoctorResult, symbols: Symbols) -> str:
    machine = result.machine
    if machine is None:
        return ""
    return symbols.separator.join(
        [
            *([machine.host] if machine.host else []),
            machine.processor or f"unknown processor ({machine.architecture})",
            count(machine.cores, "core"),
            *([machine.kernel] if machine.kernel else []),
        ]
    )


def _line(console: Console, check: Check, symbols: Symbols, indent: int) -> None:
    lead = f" {_mark(check, symbols)} {check.code}"
    why = f". {_sentence(check.why)}" if check.why is not None else ""
    named_text(console, lead, f"{check.seen}{why}", indent=indent, style=_STYLES[check.state])
    margin = " " * (3 if console.width < NARROW else indent)
    for remedy in check.remedies:
        hanging(console, f"{margin}{symbols.arrow} ", remedy)


def _mark(check: Check, symbols: Symbols) -> str:
    marks = {"spoils": symbols.error, "advice": symbols.warning, "passed": symbols.passed}
    return marks.get(check.state, symbols.dash)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
