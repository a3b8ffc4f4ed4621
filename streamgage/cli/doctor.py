"""``streamgage doctor``."""

from __future__ import annotations

from typing import Annotated

import typer

from streamgage.cli.options import OutputOption
from streamgage.commands import doctor as api
from streamgage.show.output import open_output

EXAMPLES = (
    ("streamgage doctor", "Every check, with what to change."),
    ("streamgage doctor --counters", "Only what can count memory traffic."),
    ("streamgage doctor --json -o examination.json", "The same as one document."),
)
EXIT_STATUSES = {
    "0": "Nothing found spoils a measurement.",
    "1": "Something does; with --counters, nothing can count memory traffic.",
}


def doctor(
    *,
    counters: Annotated[
        bool,
        typer.Option("--counters", help="Check only what can count memory traffic; 1 if nothing."),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one document of JSON.")] = False,
    output: OutputOption = None,
) -> int:
    """Say whether this environment is fit to measure, and what to change."""
    from streamgage.tools.doctor import page as examination

    with open_output(output) as out:
        answer = api.doctor(counters=counters)
        found = answer.document
        out.write(examination.document(found) if json else examination.table(found, output))
    return answer.exit_status
