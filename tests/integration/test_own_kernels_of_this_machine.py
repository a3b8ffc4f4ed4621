"""``--kernel-file`` with real compilers and the real engine: good kernels and bad ones."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from own_kernel_sources import BAD, GOOD, UNCHECKED, BadKernel, write
from programs import REPOSITORY, one_sentence, streamgage

EXAMPLES = REPOSITORY / "examples" / "kernels"
SMALL = ("--size", "2MB", "--quick", "--no-store")
"""Figures mean nothing here: tests may share the machine."""
PATIENCE = "5"
"""Seconds; one kernel hangs, and a good one may lose its CPU for a while."""


@pytest.fixture(name="engine", scope="session")
def fixture_engine(few: Path) -> Path:
    return few


def measured(
    folder: Path, engine: Path, *files: Path, options: tuple[str, ...] = ()
) -> tuple[CompletedProcess[str], dict[str, Any]]:
    named = [word for file in files for word in ("--kernel-file", str(file))]
    run = streamgage(
        "measure", *named, "--kernels", "triad", "--stores", "plain", *SMALL, *options,
        "--format", "json", folder=folder, engine=engine,
    )  # fmt: skip
    assert "Traceback" not in run.stderr
    return run, json.loads(run.stdout) if run.stdout else {}


def rates(document: dict[str, Any]) -> dict[str, float]:
    return {each["kernel"]: each["median_gbps"] for each in document["kernels"]}


@pytest.mark.needs("gfortran")
def test_all_examples_are_checked_and_measured(tmp_path: Path, engine: Path) -> None:
    files = sorted(path for path in EXAMPLES.iterdir() if path.suffix in (".c", ".cpp", ".f90"))
    run, document = measured(tmp_path, engine, *files)
    assert run.returncode == 0, run.stderr
    own = {each["kernel"]: each for each in document["own_kernels"]}
    assert len(own) == len(files) == 9
    assert all(each["has_check"] and "result" in each["checked"] for each in own.values())
    moved = {
        name: (each["read_bytes"], each["written_bytes"], each["allocated_bytes"])
        for name, each in own.items()
    }
    assert moved["my-triad"] == moved["fortran-triad"] == (16, 8, 8)
    assert moved["stencil-2d5"] == (8, 8, 8)
    assert moved["spmv-crs"] == (250, 8, 8)
    assert moved["spmv-sell"] == (264.375, 8, 8)
    assert moved["gather"] == (12, 8, 8)
    assert moved["soa-update"] == (48, 24, 0)
    assert moved["norm"] == (8, 0, 0)
    shown = {each["kernel"]: each for each in document["kernels"]}
    assert all(shown[name]["median_gbps"] > 0 and shown[name]["valid"] for name in own)


@pytest.fixture(scope="module")
def bad_ones(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A source of each bad kernel."""
    folder = tmp_path_factory.mktemp("bad")
    return [write(folder, each.name, each.text) for each in BAD]


@pytest.fixture(scope="module")
def with_bad(bad_ones: list[Path], engine: Path) -> tuple[CompletedProcess[str], dict[str, Any]]:
    """A measurement of the good kernel, to which all the bad ones were given before it."""
    folder = bad_ones[0].parent
    files = [*bad_ones, write(folder, "good", GOOD)]
    return measured(folder, engine, *files, options=("--kernel-timeout", PATIENCE))


@pytest.fixture(scope="module")
def checked_bad(bad_ones: list[Path], engine: Path) -> CompletedProcess[str]:
    """All the bad kernels checked, and nothing measured."""
    named = [word for file in bad_ones for word in ("--kernel-file", str(file))]
    command = ("measure", "--check", *named, "--kernel-timeout", PATIENCE, "--format", "json")
    return streamgage(*command, folder=bad_ones[0].parent, engine=engine)


def test_the_good_kernel_is_measured_whatever_the_others_are(
    with_bad: tuple[CompletedProcess[str], dict[str, Any]],
) -> None:
    run, document = with_bad
    assert run.returncode == 1
    assert rates(document).keys() == {"triad", "good"} and rates(document)["good"] > 0
    (own,) = document["own_kernels"]
    assert own["kernel"] == "good"


@pytest.mark.parametrize("bad", BAD, ids=lambda each: each.name)
def test_a_bad_kernel_is_left_out_with_its_reason(
    bad: BadKernel, with_bad: tuple[CompletedProcess[str], dict[str, Any]]
) -> None:
    run, document = with_bad
    (finding,) = [each for each in document["findings"] if each["code"] == "kernel-failed"]
    (said,) = [line for line in run.stderr.splitlines() if f"/{bad.name}.c " in line]
    assert bad.words in said
    _, _, reason = said.partition("Left out: ")
    assert reason[1:] in finding["text"]


@pytest.mark.parametrize("bad", BAD, ids=lambda each: each.name)
def test_check_says_why_and_measures_nothing(
    bad: BadKernel, checked_bad: CompletedProcess[str]
) -> None:
    assert checked_bad.returncode == 1, checked_bad.stderr
    found = json.loads(checked_bad.stdout)
    assert len(found) == len(BAD)
    record = found[BAD.index(bad)]
    assert (record["record"], record["reason"]) == ("kernel-failure", bad.reason)
    assert record["source"].endswith(f"/{bad.name}.c") and bad.words in record["message"]


def test_check_tells_what_it_checked(tmp_path: Path, engine: Path) -> None:
    files = [write(tmp_path, "good", GOOD), write(tmp_path, "unchecked", UNCHECKED)]
    named = [word for file in files for word in ("--kernel-file", str(file))]
    run = streamgage("measure", "--check", *named, folder=tmp_path, engine=engine)
    assert run.returncode == 0, run.stderr
    assert "guard pages around every array" in run.stdout
    good, _, unchecked = run.stdout.partition(" unchecked (")
    assert "its own check of the results" in good and "not checked" not in good
    assert "its results are not checked" in unchecked


def test_where_all_are_bad_nothing_is_measured(tmp_path: Path, engine: Path) -> None:
    options = ("--kernels", "")
    bad = write(tmp_path, BAD[0].name, BAD[0].text)
    run, document = measured(tmp_path, engine, bad, options=options)
    assert run.returncode == 1 and not document
    assert run.stderr.endswith("No kernel of your own is left, so nothing was measured.\n")
    assert run.stderr.count(BAD[0].words) == 1, "the reason is told once"


def test_where_all_are_bad_the_others_that_were_named_are_measured(
    tmp_path: Path, engine: Path
) -> None:
    run, document = measured(tmp_path, engine, write(tmp_path, BAD[0].name, BAD[0].text))
    assert run.returncode == 1 and rates(document).keys() == {"triad"}
    assert document["findings"][0]["code"] == "kernel-failed"


def test_two_kernels_of_one_name_are_told_apart(tmp_path: Path, engine: Path) -> None:
    files = [write(tmp_path, name, GOOD) for name in ("one", "two")]
    run, document = measured(tmp_path, engine, *files)
    assert run.returncode == 1 and "good" in rates(document)
    assert f"{files[1]} declares the name good, as does {files[0]}" in run.stderr


def test_a_shared_object_is_measured_as_its_source_is(tmp_path: Path, engine: Path) -> None:
    library = tmp_path / "mine.so"
    command = ["gcc", "-O2", "-shared", "-fPIC", f"-I{REPOSITORY / 'library'}", "-o", str(library)]
    subprocess.run([*command, str(write(tmp_path, "good", GOOD))], check=True)
    run, document = measured(tmp_path, engine, library)
    assert run.returncode == 0, run.stderr
    assert document["own_kernels"][0]["source"] == str(library)


def test_kernels_of_the_catalogue_can_be_left_out(tmp_path: Path, engine: Path) -> None:
    file = write(tmp_path, "good", GOOD)
    run = streamgage(
        *("measure", "--kernel-file", str(file), "--kernels", "", *SMALL, "--format", "json"),
        folder=tmp_path,
        engine=engine,
    )
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout)
    assert {each["kernel"] for each in document["kernels"]} == {"good"}
    assert "good " in document["quote"]


def test_an_own_kernel_is_scaled_and_goes_down_the_ladder(tmp_path: Path, engine: Path) -> None:
    file = str(write(tmp_path, "good", GOOD))
    for command in (
        ("scale", "1,2", "--cpus", "compact", "--size", "2MB", "--rounds", "1", "--quick"),
        ("ladder", "--modes", "sequential", "--to", "64KiB", "--steps", "1", "--rounds", "1"),
    ):
        run = streamgage(
            *(*command, "--kernel-file", file, "--format", "json", "--no-store"),
            folder=tmp_path,
            engine=engine,
        )
        assert run.returncode == 0, run.stderr
        curves = json.loads(run.stdout)["curves"]
        assert {each["kernel"] for each in curves} == {"good"}, command


@pytest.mark.needs("clang-16")
def test_an_own_kernel_is_built_by_several_compilers(tmp_path: Path, engine: Path) -> None:
    file = str(write(tmp_path, "good", GOOD))
    run = streamgage(
        *("compilers", "--kernel-file", file, "--cc", "gcc -O1", "--cc", "clang-16 -O2"),
        *("--cc", "gcc -march=nonsense", "--size", "2MB", "--rounds", "1", "--quick"),
        *("--format", "json", "--no-store"),
        folder=tmp_path,
        engine=engine,
    )
    assert run.returncode == 1, run.stderr
    document = json.loads(run.stdout)
    assert [each["name"] for each in document["rates"]] == ["gcc -O1", "clang-16 -O2"]
    assert document["baseline"] == "gcc -O1"
    failed = [each for each in document["compilations"] if each["failure"]]
    assert [each["name"] for each in failed] == ["gcc -march=nonsense"]
    assert "nonsense" in failed[0]["failure"]


def test_the_result_is_kept_with_what_was_left_out(tmp_path: Path, engine: Path) -> None:
    files = [write(tmp_path, BAD[0].name, BAD[0].text), write(tmp_path, "good", GOOD)]
    named = [word for file in files for word in ("--kernel-file", str(file))]
    store = ("--store", str(tmp_path / "store.sqlite"))
    measure = ("measure", *named, "--kernels", "", "--size", "2MB", "--quick", *store)
    assert streamgage(*measure, folder=tmp_path, engine=engine).returncode == 1
    again = streamgage("show", "last", "--details", *store, folder=tmp_path, engine=engine)
    assert "kernel-failed" in again.stdout and "syntax.c:7" in again.stdout
    assert "a = s*b, from" in again.stdout


def test_bad_usage_is_one_sentence(tmp_path: Path, engine: Path) -> None:
    for options in (
        ("--check",),
        ("--kernel-file", "nothing.c"),
        ("--kernel-file", str(write(tmp_path, "good", GOOD)), "--mpi", "2"),
        ("--cc", "gcc"),
    ):
        run = streamgage("measure", *options, folder=tmp_path, engine=engine)
        assert run.returncode == 2
        one_sentence(run.stderr)
