"""The findings of a comparison of compilers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from streamgage.analysis.finding import Finding
from streamgage.results.compilers.document import Compilers
from streamgage.results.document import other_load
from streamgage.results.run_findings import OF_RUNS, few_rounds
from streamgage.units import listed

_MOST_NAMED = 4
_WRONG = "the results are wrong"
_OF_MEMORY = re.compile(r"mem(cpy|move|set|pcpy)|bcopy|bzero")
"""Functions that a copy or a fill may become, such as ``_intel_fast_memcpy``."""


def is_wrong(failure: str | None) -> bool:
    """Return whether ``failure`` is that of a run with a wrong result."""
    return failure is not None and _WRONG in failure


def wrong_kernels(answer: Compilers) -> Finding | None:
    """Find compilers whose loops compute wrong results."""
    wrong = [each.name for each in answer.compilations if is_wrong(each.failure)]
    if not wrong:
        return None
    return Finding(
        code="invalid",
        severity="error",
        text=f"The loops of {_named(wrong)} gave wrong results (every element was compared). Leave"
        " out flags that let a compiler change a program's meaning, such as -ffast-math. If"
        " that does not help, report it to the makers of the compiler.",
    )


def became_calls(answer: Compilers) -> Finding | None:
    """Find loops that some compilers replaced by a library function, and others did not."""
    kernels = dict.fromkeys(loop.kernel for row in answer.compilations for loop in row.loops)
    for kernel in kernels:
        calls = {
            row.name: loop.calls
            for row in answer.compilations
            for loop in row.loops
            if loop.kernel == kernel
        }
        functions: dict[str, list[str]] = {}
        for name, called in calls.items():
            for function in called:
                if _OF_MEMORY.search(function):
                    functions.setdefault(function, []).append(name)
        if functions:
            turned = {name for names in functions.values() for name in names}
            became = [
                f"{_named(names)} turned {kernel} into {function}"
                for function, names in functions.items()
            ]
            kept = [name for name in calls if name not in turned]
            rest = [f"{_named(kept)} did not"] if kept else []
            return Finding(
                code="copy-memcpy",
                severity="note",
                text=f"{'; '.join([*became, *rest])}. The library's"
                " function may use streaming stores where the others use ordinary ones, so that"
                f" {kernel} compares two kinds of stores, not two compilers.",
            )
    return None


CHECKS: tuple[tuple[str, Callable[[Compilers], Finding | None]], ...] = (
    ("invalid", wrong_kernels),
    *OF_RUNS[1:],
    ("other-load", other_load),
    ("not-converged", lambda answer: few_rounds(answer.rounds)),
    ("copy-memcpy", became_calls),
)
"""The checks in the order of display, most important first."""


def _named(names: Sequence[str]) -> str:
    if len(names) <= _MOST_NAMED:
        return listed(names)
    return f"{', '.join(names[:_MOST_NAMED])} and {len(names) - _MOST_NAMED} more"
