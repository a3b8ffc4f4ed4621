"""Options of a user's own kernels, and what was found of them."""

from __future__ import annotations

from typing import Annotated

import typer

from streamgage.errors import FAILED, UsageError
from streamgage.present import kernel_checks
from streamgage.present.formats import Format
from streamgage.present.output import Output
from streamgage.studies.own_kernels import TIMEOUT_SECONDS, OwnKernels

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


def show_checks(found: OwnKernels, shown_as: Format, out: Output) -> int:
    """Print what was checked, and how; the exit status."""
    if shown_as not in (Format.TABLE, Format.JSON):
        raise UsageError("--check prints --format table or json: choose one of them.")
    out.write(kernel_checks.render(found.checks, found.failures, as_json=shown_as is Format.JSON))
    return FAILED if found.failures else 0
