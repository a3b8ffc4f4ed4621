"""The text below every picture, so that it is complete without its page."""

from __future__ import annotations

from streamgage.show.machine_lines import line_of_machine
from streamgage.show.page import Page
from streamgage.show.symbols import UNICODE
from streamgage.units import format_share

ABOVE_ZERO = "The axis does not begin at 0."
ARROWS = "An arrow marks a bar that ends beyond the axis, at the figure next to it."


def footer(page: Page, *notes: str) -> list[str]:
    """The paragraphs of the footer.

    They describe the machine, then date, load and trust, then how it was measured. ``notes``:
    sentences on how to read the picture, such as ``ARROWS``.
    """
    machine = page.machine
    where = "unknown machine" if machine is None else line_of_machine(machine, UNICODE)
    when = "" if machine is None else f"{machine.host}, {machine.time[:10]}; "
    description = " ".join(text for text in (page.caption, *notes) if text)
    trust = "" if page.trust is None else f"; {page.trust.words}"
    return [text for text in (where, f"{when}{_load(page.taken)}{trust}", description) if text]


def _load(taken: float | None) -> str:
    if taken is None:
        return "load from other programs: not recorded"
    return f"other programs and the hypervisor took {format_share(taken)} of the CPUs"
