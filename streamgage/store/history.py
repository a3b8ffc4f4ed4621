"""History: which results are kept."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from streamgage.errors import UsageError
from streamgage.records.reader import Note
from streamgage.results.summary import Entry
from streamgage.store import Filter
from streamgage.store.open import open_memory

_AGO = re.compile(r"([0-9]{1,5})([hdw])", re.ASCII)
_HOURS = {"h": 1, "d": 24, "w": 24 * 7}


def moment(option: str, text: str | None) -> str | None:
    """A date such as 2026-11-22, a time, or 7d (days ago), as ISO 8601 in UTC.

    Raises ``UsageError`` for anything else.
    """
    if text is None:
        return None
    ago = _AGO.fullmatch(text.strip())
    try:
        if ago:
            then = datetime.now(UTC) - timedelta(hours=int(ago[1]) * _HOURS[ago[2]])
        else:
            then = datetime.fromisoformat(text.strip())
            then = then.replace(tzinfo=UTC) if then.tzinfo is None else then.astimezone(UTC)
        return then.isoformat(timespec="seconds").replace("+00:00", "Z")
    except (ValueError, OverflowError) as error:
        raise UsageError(
            f"{option} {text!r} is no time: write a date such as 2026-11-22 (UTC), a time such as"
            " 2026-11-22T13:00, or 12h, 7d or 2w for as long ago."
        ) from error


def listed(wanted: Filter, store: Path | None, note: Note) -> list[Entry]:
    """The kept results that ``wanted`` lets through, the newest first."""
    with open_memory(store, note) as memory:
        return memory.entries(wanted)
