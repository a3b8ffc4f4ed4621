"""Every function of ``import streamgage`` with values that nobody should give it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from programs import misbehaving_engine

import streamgage as sg
from streamgage.options.declaration import Declaration

VALUES = (
    *(None, True, -1, 10**400, float("nan"), 1j, "", "\0", "\udcff", "x" * 100_000, b"x"),
    *([], [None], ["", 1], {"a": None}, {1}, object(), print, Path("\0"), (x for x in (1, "b"))),
)
REQUIRED: dict[str, dict[str, object]] = {
    "check_kernels": {"kernel_file": "none.c"},
    "ladder": {"kernels": "triad", "quick": True, "rounds": 1, "steps": 1},
    "report": {"path": "x.md"},
}
LEFT_OUT = {"results_import", "results_rm"}
"""What only the command line has."""


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in dir(sg):
        found = getattr(sg, name)
        if isinstance(getattr(found, "declaration", None), Declaration) and name not in LEFT_OUT:
            yield name, found


@pytest.mark.parametrize(("name", "function"), [*functions()])
def test_no_value_is_a_python_error(
    name: str, function: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = misbehaving_engine(tmp_path, 'echo "nothing here" >&2; exit 1')
    monkeypatch.setenv("STREAMGAGE_ENGINE", str(engine))
    for variable in ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    complaints = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in ("progress", "interval"):
            continue
        for value in VALUES:
            given = REQUIRED.get(name, {}) | {parameter.name: value}
            several = parameter.kind is inspect.Parameter.VAR_POSITIONAL
            try:
                function(value, **REQUIRED.get(name, {})) if several else function(**given)
            except sg.StreamgageError as error:
                assert str(error)
            except (KeyboardInterrupt, SystemExit):
                raise
            except BaseException as error:
                complaints.append(
                    f"{name}({parameter.name}={value!r:.60}): {type(error).__name__}: {error}"
                )
    assert not complaints, "\n".join(complaints)
