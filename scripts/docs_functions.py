"""Shows the functions of commands in the reference with all that their declarations have.

Griffe reads sources; options that a function shares with others are put into its signature and
docstring when it is imported.
"""

from __future__ import annotations

from importlib import import_module
from inspect import Parameter as Python
from inspect import signature

import griffe


class CommandFunctions(griffe.Extension):
    """Replaces signature and docstring of every function that is a command."""

    def on_function(self, *, func: griffe.Function, **_: object) -> None:
        """Called for each function of the package."""
        if not any("command" in str(each.value) for each in func.decorators):
            return
        function = getattr(import_module(func.module.path), func.name)
        func.parameters = griffe.Parameters(
            *map(_parameter, signature(function).parameters.values())
        )
        if func.docstring is not None:
            func.docstring.value = function.__doc__


def _parameter(each: Python) -> griffe.Parameter:
    default = None if each.default is Python.empty else repr(each.default)
    kind = griffe.ParameterKind[each.kind.name.lower()]
    return griffe.Parameter(each.name, annotation=each.annotation, kind=kind, default=default)
