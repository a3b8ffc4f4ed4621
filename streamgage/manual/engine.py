"""Makes the page of streamgage-engine from its ``--help``."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from streamgage.manual.page import STATUSES, Option, Page
from streamgage.process.engine import find_engine
from streamgage.process.process import ENGINE

_OPTION = re.compile(
    r"^  (-\S+)( \S+(?: \.\.\.)?)??(?:((?: (?:Needs|Excludes):(?: --\S+)+)+) *|\s{2,}|$)(\S.*)?$"
)
"""Names, value, the options that it needs or excludes, and the beginning of the text."""
_STATUSES = {
    "1": "It failed, or a result was wrong; with --check, also: the node is slow.",
    "3": "With --check: the node was not measured or was disturbed, so nothing is known of it.",
}
_REMARKS = (
    "It needs no Python: this one file measures a node and prints a table or a line of JSON, which"
    " schema/node.schema.json describes.",
    "A plan is described by schema/plan.schema.json and schema/latency_plan.schema.json, its"
    " records by schema/records.schema.json.",
)


def page(engine: Path | None = None) -> Page:
    """Make the page of ``engine``, or of the installed engine."""
    text = subprocess.run(
        [engine or find_engine(), "--help"], capture_output=True, text=True, check=True
    ).stdout
    return parse(text)


def parse(text: str) -> Page:
    """Make a page of a help text that CLI11 printed."""
    listed, _, examples = text.partition("\nExamples:\n")
    lines = listed.splitlines()
    options: list[Option] = []
    needs: list[str] = []
    for line in lines:
        if match := _OPTION.match(line):
            names, value, others, text = match.groups()
            needs.append(_of_others(others or ""))
            options.append(
                Option(tuple(names.split(",")), text or "", (value or "").strip() or None)
            )
        elif line.startswith("   ") and options:  # the rest of a long text
            last = options.pop()
            options.append(Option(last.names, f"{last.text} {line.strip()}".strip(), last.value))
    return Page(
        name=ENGINE,
        summary=lines[0],
        usage="[OPTIONS]",
        options=tuple(
            Option(each.names, f"{each.text.rstrip('.')}.{need}", each.value)
            for each, need in zip(options, needs, strict=True)
        ),
        examples=_examples(examples),
        statuses={**STATUSES, **_STATUSES},
        remarks=_REMARKS,
    )


def _of_others(text: str) -> str:
    """Say which options an option needs, and which exclude it."""
    found = re.findall(r"(Needs|Excludes):((?: --\S+)+)", text)
    words = {"Needs": "Needs", "Excludes": "Not with"}
    return "".join(f" {words[kind]} {', '.join(names.split())}." for kind, names in found)


def _examples(text: str) -> tuple[tuple[str, str], ...]:
    """Return each command line with the line below it, which says what it does."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return tuple(zip(lines[::2], lines[1::2], strict=True))
