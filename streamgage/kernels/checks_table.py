"""What the checks of a user's own kernels saw: ``streamgage measure --check``."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from streamgage.records import CheckName, KernelCheck, KernelFailure
from streamgage.units import count, listed

_WORDS: dict[CheckName, str] = {
    "declaration": "its declaration",
    "guard-pages": "guard pages around every array",
    "accesses": "arrays read and written as declared",
    "ranges": "no element of another range touched",
    "division": "the same result however the iterations are divided",
    "result": "its own check of the results",
}
NOT_CHECKED = "its results are not checked: it declares no check"


def render(
    checks: Sequence[KernelCheck], failures: Sequence[KernelFailure], *, as_json: bool
) -> str:
    """A line a kernel and the checks that it passed below it, or all of it as JSON."""
    if as_json:
        records = [*checks, *failures]
        return msgspec.json.format(msgspec.json.encode(records), indent=2).decode() + "\n"
    lines = []
    for each in checks:
        lines.append(f" {each.kernel} ({each.source}) passed, over {_iterations(each)}:")
        lines += [f"   {_WORDS[name]}" for name in each.checked]
        if "result" not in each.checked:
            lines.append(f"   but {NOT_CHECKED}")
    lines += [f" {_name(each)} failed: {each.message}" for each in failures]
    return "\n".join(lines) + "\n"


def _iterations(check: KernelCheck) -> str:
    return count(check.iterations, "iteration")


def _name(failure: KernelFailure) -> str:
    source = failure.source
    return source if failure.kernel is None else f"{failure.kernel} ({source})"


def checked_words(check: KernelCheck) -> str:
    """Such as ``guard pages around every array and its own check of the results``."""
    return listed([_WORDS[name] for name in check.checked])
