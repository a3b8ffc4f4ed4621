"""Declares how the command line shows results that have a picture."""

from __future__ import annotations

from typing import Any

from streamgage.options.declaration import Display, Mode
from streamgage.results.kind import Kind
from streamgage.show.picture_file import PICTURES

CURVES = f"Draw the curves in {PICTURES}, with their data in FILE.{{data}}"


def drawn(kind: Kind[Any], what: str = CURVES, modes: tuple[Mode, ...] = ()) -> Display:
    """Declare how a kind of result that has a picture is shown.

    ``what`` is the help text of ``-o``, in which ``{data}`` stands for the data file's suffix.
    """
    data = "dat" if "columns" in kind.gives else "csv"
    return Display(
        kind.formats,
        output=f"{what.format(data=data)}, and print the result; with another --format and"
        " another name, write that to FILE.",
        data=data,
        measures=True,
        modes=modes,
    )
