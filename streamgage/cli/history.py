"""``streamgage history``."""

from __future__ import annotations

from typing import Annotated

import typer

from streamgage.api.storing import OWN
from streamgage.cli.history_options import (
    KindOption,
    MachineOption,
    OfKernelOption,
    SinceOption,
    UntilOption,
)
from streamgage.cli.options import OutputOption, choose
from streamgage.cli.store_options import StoreOption, note
from streamgage.commands import history as api
from streamgage.show.output import open_output
from streamgage.store.history_formats import HistoryFormat, render

EXAMPLES = (
    (
        "streamgage history",
        "The newest results that are kept, with their numbers.",
    ),
    (
        "streamgage history --kernel copy --since 7d",
        "Those with copy, of the last seven days.",
    ),
    (
        "streamgage history --all --format csv -o history.csv",
        "All, for a program.",
    ),
)


def history(
    *,
    machine: MachineOption = None,
    kernel: OfKernelOption = None,
    kind: KindOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    most: Annotated[str, typer.Option("--most", metavar="N", help="The newest N at most.")] = "20",
    every: Annotated[bool, typer.Option("--all", help="However many there are.")] = False,
    form: Annotated[
        str,
        typer.Option("--format", metavar="|".join(HistoryFormat), help="How to print the list."),
    ] = "table",
    output: OutputOption = None,
    store: StoreOption = None,
) -> int:
    """List the results that are kept, the newest first."""
    shown_as = choose(HistoryFormat, "--format", form)
    kept_in = OWN if store is None else store
    with open_output(output) as out:
        found = api.history(
            machine=machine,
            kernel=kernel,
            kind=kind,
            since=since,
            until=until,
            most=None if every else most,
            store=kept_in,
        )
        if found or shown_as is not HistoryFormat.TABLE:
            out.write(render(found.entries, kernel, shown_as, file=output))
    if not found:
        narrowed = any(each is not None for each in (machine, kernel, kind, since, until))
        note(
            "No kept result is such: leave an option out to see more."
            if narrowed
            else "No result is kept: measure first."
        )
    elif found.more:
        note(f"These are the newest {len(found)}: --all lists all, --most N more.")
    return 0
