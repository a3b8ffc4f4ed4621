"""The machine in each form: text, record, picture."""

from __future__ import annotations

from pathlib import Path

import msgspec

from streamgage.records import Machine


def render(
    machine: Machine, file: Path | None, *, picture: bool | None = None, as_record: bool = False
) -> str:
    """The text for ``file`` (null: stdout); ``picture``: that alone, or the tables alone."""
    if as_record:
        return msgspec.json.format(msgspec.json.encode(machine), indent=2).decode() + "\n"
    from streamgage.show.terminal import terminal_for
    from streamgage.tools.topology.text import render as text

    return text(machine, terminal_for(file), tabled=not picture, drawn=picture is not False)


def draw(machine: Machine, file: Path) -> bytes:
    """The picture, as the content of ``file``, by its suffix."""
    from streamgage.show.picture import picture_bytes
    from streamgage.tools.topology.drawing import figure_of

    return picture_bytes(figure_of(machine), file)
