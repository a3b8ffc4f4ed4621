"""An empty value, as of a variable that is not set, is no value of any option or argument."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from programs import environment, misbehaving_engine
from test_hostile_values import options
from tries import tried

import streamgage as sg
from streamgage.cli.program import command_names, declared
from streamgage.options.declaration import Form
from streamgage.options.given import require_value

EXPECTED = {"show": 3, "measure": 20, "fleet run": 10, "program": 30}
"""At least so many options of some commands are tried."""

NEEDED = {
    "fleet judge": ["x"],
    "results import": ["x"],
    "interpret": ["x"],
    "pin": ["0"],
    "results rm": ["1"],
}
"""Arguments without which a command is not called."""


def _tried() -> Iterator[tuple[str, str, bool]]:
    for name, option, named in options():
        form = next(
            (
                each.found(Form)
                for each in declared(name).options.values()
                if (each.shown or each.name) == option
            ),
            None,
        )
        if form is None or not form.may_be_empty:
            yield name, option, named


@pytest.mark.parametrize("command", command_names())
def test_every_empty_value_is_refused_by_its_name(command: str, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    engine = misbehaving_engine(tmp_path, 'echo "nothing here" >&2; exit 1')
    variables = environment(tmp_path, engine)
    of_command = [(option, named) for name, option, named in _tried() if name == command]
    assert len(of_command) >= EXPECTED.get(command, 0)
    for option, named in of_command:
        for value in ("", " ") if named else ("",):
            words = [f"{option}={value}"] if named and option != "-o" else [option, value]
            more = NEEDED.get(command, []) if named else []
            line = [*command.split(), *(words if named else ["--", value]), *more]
            end = tried(line, folder, variables)
            assert end.status == 2 and "is empty" in end.stderr, (option, end)
            assert not named or f"{option} is empty" in end.stderr, (option, end)
            assert not [*folder.iterdir()]


def test_empty_words_after_a_program_are_its_own() -> None:
    require_value("program", ["printf", "%s|", "a", ""], first_alone=True)
    with pytest.raises(sg.UsageError, match="program is empty"):
        require_value("program", ["", "a"], first_alone=True)


@pytest.mark.parametrize(
    "call",
    [lambda: sg.interpret(""), lambda: sg.load(" "), lambda: sg.compare("a", ["", "b"])],
)
def test_python_refuses_them_too(call: Any) -> None:  # noqa: ANN401 - a function
    with pytest.raises(sg.UsageError, match="is empty"):
        call()


@pytest.mark.parametrize("expression", ["x*", "", "|a", "()", "^"])
def test_a_check_that_every_run_passes_is_refused(expression: str) -> None:
    with pytest.raises(sg.UsageError, match="--check-regex"):
        sg.program("true", check_regex=expression, store=None)
