"""Text as a terminal shows it, also where an interpreter or a notebook prints a value."""

from __future__ import annotations

from html import escape


class Text(str):
    """A string that is shown as it stands."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        # A notebook's own style would break the lines of a wide table.
        return f'<pre style="white-space: pre; overflow-x: auto">{escape(self)}</pre>'
