"""What other programs rely on changes only with approval, by the rules of ``docs/stability.md``."""

from __future__ import annotations

import inspect

import interface_text
import pytest
from golden import approved
from programs import REPOSITORY

import streamgage
from streamgage.explanations import codes
from streamgage.manual import commands, schema

HEADERS = (
    "library/streamgage/streamgage.h",
    "library/streamgage/kernel.h",
    "engine/kernels/range_kernel.h",
)


def _public(name: str) -> str:
    """A public name, and the arguments of a function with their defaults."""
    value = getattr(streamgage, name)
    if not inspect.isfunction(value):
        return f"{name}\n"
    plain = [
        each.replace(
            annotation=inspect.Parameter.empty,
            default=each.default.__name__ if inspect.isfunction(each.default) else each.default,
        )
        for each in inspect.signature(value).parameters.values()
    ]
    return f"{name}{inspect.Signature(plain)}\n"


_PARTS = {
    "commands.txt": lambda: "\n".join(map(interface_text.of_page, commands.pages())),
    "documents.txt": lambda: interface_text.of_schemas(schema.documents()),
    "c.txt": lambda: "\n".join(
        f"{name}\n{interface_text.of_header((REPOSITORY / name).read_text('utf-8'))}"
        for name in HEADERS
    ),
    "findings.txt": lambda: "".join(f"{code}\n" for code in codes()),
    "python.txt": lambda: "".join(map(_public, sorted(streamgage.__all__))),
}


@pytest.mark.parametrize("part", _PARTS)
def test_what_is_promised_has_not_changed(part: str) -> None:
    approved(f"interface/{part}", _PARTS[part]())
