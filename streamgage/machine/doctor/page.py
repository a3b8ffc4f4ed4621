"""Shows the doctor's checks: a line for each, with why it matters and how to fix it."""

from __future__ import annotations

import io

from rich.console import Console

from streamgage.machine.doctor.document import Check, DoctorResult
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


def render(result: DoctorResult, terminal: Terminal) -> str:
    """The text as this terminal shows it."""
    text = io.StringIO()
    console = new_console(text, terminal)
    if result.machine is not None:
        hanging(console, " ", _heading(result, terminal.symbols))
        console.print()
    indent = 5 + max((len(check.code) for check in result.checks), default=0)
    for check in result.checks:
        _line(console, check, terminal.symbols, indent)
    console.print()
    hanging(console, " ", result.verdict, style="bold")
    return finished(text)


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
