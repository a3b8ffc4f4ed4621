"""CMake's presets configure with the compilers that they name."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from programs import REPOSITORY

PRESETS = json.loads((REPOSITORY / "CMakePresets.json").read_text("utf-8"))
COMPILERS = {
    each["name"]: each["cacheVariables"]["CMAKE_CXX_COMPILER"]
    for each in PRESETS["configurePresets"]
    if "CMAKE_CXX_COMPILER" in each["cacheVariables"]
}


def configure(preset: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["cmake", "--preset", preset, "-B", str(folder)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("preset", ["gcc", pytest.param("clang", marks=pytest.mark.needs("clang"))])
def test_a_preset_configures_its_compiler_and_writes_a_compile_database(
    preset: str, tmp_path: Path
) -> None:
    said = configure(preset, tmp_path)
    assert said.returncode == 0, said.stderr
    commands = json.loads((tmp_path / "compile_commands.json").read_text("utf-8"))
    sources = {each["file"]: each["command"] for each in commands}
    main = sources[str(REPOSITORY / "engine" / "main.cpp")]
    assert Path(main.split()[0]).name == COMPILERS[preset]
    assert "-Werror" in main


@pytest.mark.parametrize("preset", ["icx", "nvc"])
def test_a_preset_of_a_compiler_that_is_not_here_names_it(preset: str, tmp_path: Path) -> None:
    said = configure(preset, tmp_path)
    here = shutil.which(COMPILERS[preset]) is not None
    assert (said.returncode == 0) == here
    assert here or COMPILERS[preset] in said.stderr
