"""Engines that this system or this version of streamgage cannot use: one sentence each."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from engines_that_do_not_load import NEWEST, for_a_newer_glibc, without_a_library
from example_records import as_lines, good_records
from programs import misbehaving_engine, one_sentence, real_engine, streamgage

from streamgage.process.installation import own_version
from streamgage.records import Machine

COMMANDS = pytest.mark.parametrize(
    "arguments",
    [
        ["topology"],
        ["measure"],
        ["scale", "1"],
        ["traffic", "--", "true"],
        ["pin", "S0:0", "--show"],
    ],
    ids=lambda each: each[0],
)


@COMMANDS
def test_an_engine_for_a_newer_glibc_is_named_with_both_versions(
    tmp_path: Path, arguments: list[str]
) -> None:
    engine = for_a_newer_glibc(real_engine(), tmp_path)
    run = streamgage(*arguments, folder=tmp_path, engine=engine)
    assert run.returncode == 1
    said = one_sentence(run.stderr)
    assert said.startswith(f"{engine} was built for glibc {NEWEST} or newer, and this system has ")
    assert said.endswith("install streamgage from its portable wheel, or build it on this system.")


def test_a_library_that_is_missing_is_named(tmp_path: Path) -> None:
    engine, library = without_a_library(real_engine(), tmp_path)
    run = streamgage("measure", folder=tmp_path, engine=engine)
    assert run.returncode == 1
    assert f"needs the library {library}, which this system does not have" in one_sentence(
        run.stderr
    )


def older_machine() -> bytes:
    records = good_records()
    (place,) = [n for n, each in enumerate(records) if isinstance(each, Machine)]
    return as_lines([msgspec.structs.replace(records[place], engine="0.0.7")])


@pytest.mark.parametrize(
    "body",
    [
        "cat older",
        "echo 'streamgage-engine: The plan has an unknown field.' >&2\nexit 2",
        "echo '{}'",
    ],
    ids=["records", "a refused plan", "nothing known"],
)
def test_an_engine_of_another_version_is_named_with_both_versions(
    tmp_path: Path, body: str
) -> None:
    (tmp_path / "older").write_bytes(older_machine())
    version = 'if test "$1" = --version; then echo "streamgage-engine 0.0.7"; exit; fi\n'
    engine = misbehaving_engine(tmp_path, version + body)
    run = streamgage("measure", folder=tmp_path, engine=engine)
    assert run.returncode == 1
    assert (
        f"{engine} is of version 0.0.7, and this streamgage of version {own_version()}: install"
        " both again, or unset STREAMGAGE_ENGINE if that names the engine."
    ) in run.stderr
