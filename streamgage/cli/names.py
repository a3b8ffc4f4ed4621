"""Shell completion of names that only the engine or the store knows: kernels, devices, runs ..."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import typer

from streamgage.errors import StreamgageError
from streamgage.options.declaration import Completed
from streamgage.records.address import place_in

Offered = list[tuple[str, str]]
"""Possible words, each with the text that shells show next to it."""
_MOST_RUNS = 40
"""Only this many of the newest results are offered, so that the list stays short."""


def completer_of(what: Completed) -> Callable[[typer.Context, str], Offered]:
    """Return the function that completes such a value; it offers nothing if the engine fails."""

    def complete(ctx: typer.Context, incomplete: str) -> Offered:
        try:
            if what == "runs":
                return _runs(ctx, incomplete)
            if what == "devices":
                return _devices(incomplete)
            return _names(_catalogue(what), incomplete)
        except (StreamgageError, OSError):
            return []  # a line that is typed is no place for messages

    return complete


def _catalogue(what: Completed) -> Sequence[str]:
    """The names that a plan may have; only the engine has the list."""
    from streamgage.process.this_machine import catalogue

    names = catalogue()
    return names.kernels if what == "kernels" else names.stores


def _devices(incomplete: str) -> Offered:
    """The devices that drivers list, each with what it is."""
    from streamgage.process.this_machine import devices_of

    return [
        (each.id, each.name) for each in devices_of("all").devices if each.id.startswith(incomplete)
    ]


def _names(known: Sequence[str], incomplete: str) -> Offered:
    """Completes the last of several names separated by commas; names given before are left out."""
    before, comma, last = incomplete.rpartition(",")
    used = before.split(",")
    return [
        (f"{before}{comma}{name}", "")
        for name in known
        if name.startswith(last) and name not in used
    ]


def _runs(ctx: typer.Context, incomplete: str) -> Offered:
    """``last``, and the numbers of the newest results in the store that the line names."""
    from streamgage.store.place import store_place
    from streamgage.store.store import Filter, Store

    named = ctx.params.get("store")
    with Store(store_place(None if named is None else place_in(named)), create=False) as store:
        found = store.entries(lambda _: None, Filter(most=_MOST_RUNS))
    started = {each.id: (each.started or each.added)[:16].replace("T", " ") for each in found}
    of_kind = {each.id: each.tool or each.kind for each in found}
    runs = [(str(each.id), f"{of_kind[each.id]}, {started[each.id]}") for each in found]
    if found:
        runs.append(("last", "the newest"))
    return [each for each in runs if each[0].startswith(incomplete)]
