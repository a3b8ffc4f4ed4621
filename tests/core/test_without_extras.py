"""streamgage with its core dependencies alone: everything works, or says what installs the rest."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import msgspec
import pytest
from core_environment import make_core_environment
from every_command import Driver
from example_results import every_kind
from programs import REPOSITORY, real_engine
from short_engine import write_engine

from streamgage.process.installation import extras
from streamgage.results.scale.document import Scale


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_core_environment(tmp_path_factory.mktemp("core"))


def test_every_command_and_format_works_or_names_the_extra(
    tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engines, folder = tmp_path / "engines", tmp_path / "here"
    engines.mkdir()
    folder.mkdir()
    monkeypatch.setenv("STREAMGAGE_ENGINE", str(write_engine(real_engine(), engines)))
    monkeypatch.delenv("STREAMGAGE_STORE", raising=False)
    driver = Driver([str(program)], list(extras()), folder)
    driver.run(REPOSITORY / "examples" / "two-packages")
    assert driver.wrong == []


@pytest.mark.parametrize(
    ("call", "extra"),
    [
        ("run.to_pandas()", "pandas"),
        ("run.plot()", "report"),
        ("run.save('scale.svg')", "report"),
        ("run.report('scale.html')", "report"),
    ],
)
def test_python_raises_with_the_command_that_installs_the_extra(
    tmp_path: Path, program: Path, call: str, extra: str
) -> None:
    done = in_python(program, tmp_path, f"try:\n    {call}\nexcept sg.UsageError as e: print(e)")
    python = program.parent / "python"
    assert f"`{python} -m pip install 'streamgage[{extra}]'`" in done
    assert not list(tmp_path.glob("scale.*g*"))


def test_a_notebook_shows_what_to_install(tmp_path: Path, program: Path) -> None:
    shown = in_python(program, tmp_path, "print(run._repr_html_())")
    assert shown.startswith("<p>A result in a notebook needs jinja2, which is not installed: ")


def in_python(program: Path, folder: Path, lines: str) -> str:
    """What these lines print in that environment, about ``run``, a made scaling."""
    scale = next(each.printed for each in every_kind() if isinstance(each.document, Scale))
    (folder / "scale.json").write_bytes(msgspec.json.encode(scale))
    code = f"import streamgage as sg\nrun = sg.load('scale.json')\n{lines}"
    done = subprocess.run(
        [program.parent / "python", "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONSAFEPATH": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout
