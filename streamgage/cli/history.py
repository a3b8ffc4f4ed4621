"""``streamgage history``."""

from __future__ import annotations

from typing import Annotated

import typer

from streamgage.cli.history_options import (
    KindOption,
    MachineOption,
    OfKernelOption,
    SinceOption,
    UntilOption,
    filter_of,
)
from streamgage.cli.options import OutputOption, choose, whole_number
from streamgage.cli.store_options import StoreOption, note
from streamgage.present.history.formats import HistoryFormat, render
from streamgage.present.output import open_output
from streamgage.studies.history import listed

MOST = 1_000_000_000

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
    number = whole_number("--most", most, 1, MOST) or 1
    wanted = filter_of(
        machine=machine,
        kernel=kernel,
        kind=kind,
        since=since,
        until=until,
        most=None if every else number + 1,
    )
    with open_output(output) as out:
        found = listed(wanted, store, note)
        shown = found if every else found[:number]
        if found or shown_as is not HistoryFormat.TABLE:
            out.write(render(shown, kernel, shown_as, file=output))
    if not found:
        note(
            "No kept result is such: leave an option out to see more."
            if wanted != filter_of(most=wanted.most)
            else "No result is kept: measure first."
        )
    elif len(found) > len(shown):
        note(f"These are the newest {len(shown)}: --all lists all, --most N more.")
    return 0
