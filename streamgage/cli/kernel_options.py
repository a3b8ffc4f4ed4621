"""Options of a user's own kernels, and what was found of them."""

from __future__ import annotations

from typing import Annotated

import typer

from streamgage.commands.check_kernels import KernelChecks
from streamgage.errors import UsageError
from streamgage.kernels.own_kernels import TIMEOUT_SECONDS
from streamgage.results.measure.formats import Format
from streamgage.show.output import Output

KernelFileOption = Annotated[
    list[str] | None,
    typer.Option(
        "--kernel-file",
        metavar="FILE",
        help="A kernel of your own, .c, .cpp, .f90 or .so (docs/own-kernels.md); may be given"
        " several times.",
    ),
]
CcOption = Annotated[
    list[str] | None,
    typer.Option(
        "--cc",
        metavar="'CMD FLAGS'",
        help="What compiles kernel files, e.g. 'clang -O2'; once a language. Default: the compiler"
        " that is found, with -O3 -march=native.",
    ),
]
KernelTimeoutOption = Annotated[
    str | None,
    typer.Option(
        metavar="SECONDS",
        help=f"How long a run of a kernel of your own may take; default: {TIMEOUT_SECONDS:.0f}.",
    ),
]


def show_checks(found: KernelChecks, shown_as: Format, out: Output) -> int:
    """Print what was checked, and how; the exit status."""
    if shown_as not in (Format.TABLE, Format.JSON):
        raise UsageError("--check prints --format table or json: choose one of them.")
    out.write(found.to_json() if shown_as is Format.JSON else found.table())
    return found.exit_status
