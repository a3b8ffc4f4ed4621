"""The check of examples/reframe, run by ReFrame on this machine."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from socket import gethostname
from typing import Any

import msgspec
import pytest
from example_records import (
    END,
    as_lines,
    good_records,
    tuned_records,
    two_isas_records,
    validation,
)
from programs import REPOSITORY, WAIT_SECONDS, command, environment, misbehaving_engine

from streamgage.records import AnyRecord, End

EXAMPLE = REPOSITORY / "examples" / "reframe"
SMALL = {"preset": "quick", "size": "4MiB", "kernels": "copy,triad", "stores": "plain"}
"""Fewer than 10^6 elements, which is below STREAM's rule whatever caches there are."""
MADE_TRIAD_GBPS = 5.03
"""The median of ``good_records``."""


@dataclass(frozen=True)
class ReframeResult:
    """How ReFrame ended, what it printed, and what it reports of its one check."""

    status: int
    shown: str
    case: dict[str, Any]

    @property
    def rates(self) -> dict[str, tuple[float, str]]:
        """Value and unit of each performance variable."""
        return {
            name.removeprefix("local:default:"): (value, unit)
            for name, (value, _, _, _, unit, _) in self.case["perfvalues"].items()
        }


def reframe(
    *arguments: str | Path, folder: Path, engine: Path | None = None, references: str | None = None
) -> subprocess.CompletedProcess[str]:
    """ReFrame with the example's configuration; all that it writes is in ``folder``."""
    variables = {"HOME": str(folder), "TMPDIR": str(folder)}
    if references is not None:
        (folder / "references.yaml").write_text(references, "utf-8")
        variables["RFM_REFERENCE_PREFIX"] = str(folder)
    program = Path(sys.executable).parent / "reframe"
    files = ("-C", EXAMPLE / "settings.py", "-c", EXAMPLE / "streamgage_check.py")
    return subprocess.run(
        [program, "--nocolor", *files, *arguments],
        cwd=folder,
        env={
            name: value
            for name, value in environment(folder, engine, **variables).items()
            if name == "RFM_REFERENCE_PREFIX" or not name.startswith("RFM_")
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )


def check(
    folder: Path,
    engine: Path,
    *arguments: str,
    program: list[str] | None = None,
    references: str | None = None,
    **variables: str,
) -> ReframeResult:
    """Run the check with small settings; ``variables`` are set as by ``-S``."""
    given = SMALL | {"executable": shlex.join(program or command())} | variables
    settings = [part for name, value in given.items() for part in ("-S", f"{name}={value}")]
    run = reframe(
        *("-r", "--report-file", "report.json", *settings, *arguments),
        folder=folder,
        engine=engine,
        references=references,
    )
    assert (folder / "report.json").is_file(), run.stdout
    report = json.loads((folder / "report.json").read_text("utf-8"))
    (case,) = report["runs"][-1]["testcases"]
    return ReframeResult(run.returncode, run.stdout, case)


def reference(rate: str, gbps: float) -> str:
    return f"StreamgageCheck:\n  'local:default':\n    {rate}: [{gbps}, -0.05, null, 'GB/s']\n"


def kept(folder: Path) -> Path:
    """What ReFrame keeps of a check that passed."""
    return folder / "output" / "local" / "default" / "builtin" / "StreamgageCheck"


@pytest.fixture(scope="module")
def measured(
    few: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, ReframeResult, dict[str, Any]]:
    """A folder in which this machine was checked, the outcome, and the document that was kept."""
    folder = tmp_path_factory.mktemp("checked")
    outcome = check(folder, few)
    assert outcome.status == 0, outcome.shown
    document = json.loads((kept(folder) / "result.json").read_text("utf-8"))
    return folder, outcome, document


@pytest.fixture
def made_engine(tmp_path: Path) -> Path:
    """An engine that always measures the same."""
    return engine_that_prints(tmp_path, as_lines(good_records()))


def engine_that_prints(folder: Path, lines: bytes, status: int = 0) -> Path:
    file = folder / "lines"
    file.write_bytes(lines)
    return misbehaving_engine(folder, f"cat '{file}'\nexit {status}")


def test_median_rates_are_performance_variables(
    measured: tuple[Path, ReframeResult, dict[str, Any]],
) -> None:
    _, outcome, document = measured
    medians = {each["kernel"]: each["median_gbps"] for each in document["kernels"]}
    assert {"copy_plain", "triad_plain"} <= outcome.rates.keys()
    for kernel in ("copy", "triad"):
        gbps, unit = outcome.rates[f"{kernel}_plain"]
        assert gbps > 0
        assert (gbps, unit) == (pytest.approx(medians[kernel], abs=0.001), "GB/s")


@pytest.mark.parametrize(
    ("records", "names"),
    [
        (tuned_records, {"triad_regular", "triad_streaming_tuned", "sum_plain_hardware"}),
        (two_isas_records, {"copy_streaming_SSE2", "copy_streaming_AVX2", "copy_streaming_tuned"}),
    ],
)
def test_each_variant_has_a_name_of_its_own(
    tmp_path: Path, records: Callable[[], list[AnyRecord]], names: set[str]
) -> None:
    outcome = check(tmp_path, engine_that_prints(tmp_path, as_lines(records())))
    assert outcome.status == 0, outcome.shown
    assert names <= outcome.rates.keys()
    document = json.loads((kept(tmp_path) / "result.json").read_text("utf-8"))
    known = [each for each in document["kernels"] if each["hardware_gbps"] is not None]
    assert len(outcome.rates) == len(document["kernels"]) + len(known)


def test_the_records_that_are_kept_can_be_shown(
    measured: tuple[Path, ReframeResult, dict[str, Any]],
) -> None:
    folder, _, document = measured
    run = subprocess.run(
        command("show", "--format", "json", kept(folder) / "records.jsonl"),
        env=environment(folder, None),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(run.stdout) == document


def test_warnings_are_shown_and_findings_logged(
    measured: tuple[Path, ReframeResult, dict[str, Any]],
) -> None:
    folder, outcome, document = measured
    warnings = [e for e in document["findings"] if e["severity"] in ("spoiled", "warning")]
    assert "below-4x-rule" in [each["code"] for each in warnings]
    for each in warnings:
        assert f"WARNING: {gethostname()}: {each['code']}: {each['text']}" in outcome.shown
    log = folder / "perflogs" / "local" / "default" / "StreamgageCheck.log"
    names, values = (line.split("|") for line in log.read_text("utf-8").splitlines())
    logged = dict(zip(names, values, strict=False))
    assert logged["findings"].split(",") == [each["code"] for each in document["findings"]]


def test_a_rate_below_its_reference_fails(made_engine: Path, tmp_path: Path) -> None:
    references = reference("triad_plain", 1e6)
    outcome = check(tmp_path, made_engine, references=references, kernels="triad")
    assert outcome.status == 1
    assert outcome.case["fail_phase"] == "performance"
    gbps, _ = outcome.rates["triad_plain"]
    assert gbps > 0
    assert f"failed to meet reference(s): triad_plain={gbps} GB/s" in outcome.shown


def test_a_rate_at_its_reference_passes(made_engine: Path, tmp_path: Path) -> None:
    references = reference("triad_plain", MADE_TRIAD_GBPS)
    outcome = check(tmp_path, made_engine, references=references)
    assert outcome.status == 0, outcome.shown
    assert f"(r:{MADE_TRIAD_GBPS}, l:-0.05, u:None)" in outcome.shown


def test_a_reference_of_which_nothing_was_measured_is_told(
    made_engine: Path, tmp_path: Path
) -> None:
    outcome = check(tmp_path, made_engine, references=reference("triad_plan", 5))
    assert outcome.status == 0, outcome.shown
    assert "there are references for triad_plan, which were not measured" in outcome.shown


def test_a_wrong_result_fails(tmp_path: Path) -> None:
    records = [record for record in good_records() if not isinstance(record, End)]
    end = msgspec.structs.replace(END, exit_status=1)
    lines = as_lines([*records, validation(3, valid=False), end])
    outcome = check(tmp_path, engine_that_prints(tmp_path, lines, status=1))
    assert (outcome.status, outcome.case["fail_phase"]) == (1, "sanity")
    assert "streamgage ended with exit status 1" in outcome.shown
    assert "triad plain is not valid; invalid: Wrong results from triad" in outcome.shown


def test_a_finding_that_is_an_error_fails(made_engine: Path, tmp_path: Path) -> None:
    # The made engine measures more than this peak: an error of the answer, not of the program.
    outcome = check(tmp_path, made_engine, executable_opts="--peak 1")
    assert outcome.case["job_exitcode"] == 0
    assert (outcome.status, outcome.case["fail_phase"]) == (1, "sanity")
    assert "above-peak: " in outcome.shown


def test_a_refusal_is_shown_in_the_programs_words(engine: Path, tmp_path: Path) -> None:
    outcome = check(tmp_path, engine, kernels="song")
    assert (outcome.status, outcome.case["fail_phase"]) == (1, "sanity")
    assert "ended with exit status 2" in outcome.shown
    assert "it said: streamgage: there is no kernel 'song'" in outcome.shown


def test_a_program_that_writes_nothing_fails(engine: Path, tmp_path: Path) -> None:
    outcome = check(tmp_path, engine, program=["true"])
    assert (outcome.status, outcome.case["fail_phase"]) == (1, "sanity")
    assert "streamgage wrote no result.json; it said: nothing" in outcome.shown


@pytest.mark.needs("mpiexec.openmpi")
def test_ranks_are_measured(engine: Path, tmp_path: Path) -> None:
    outcome = check(
        tmp_path,
        engine,
        *("-n", "StreamgageRanksCheck", "-S", "StreamgageRanksCheck.valid_systems=*"),
        kernels="triad",
        ranks="2",
        executable_opts="--allow-oversubscribe",
    )
    assert outcome.status == 0, outcome.shown
    gbps, unit = outcome.rates["triad_plain"]
    assert (gbps > 0, unit) == (True, "GB/s")


@pytest.mark.parametrize(
    ("system", "checks"),
    [
        ("local", ["StreamgageCheck"]),
        ("cluster", ["StreamgageCheck", "StreamgageRanksCheck"]),
    ],
)
def test_ranks_are_for_partitions_that_have_mpi(
    tmp_path: Path, system: str, checks: list[str]
) -> None:
    run = reframe("--system", system, "-l", folder=tmp_path)
    assert run.returncode == 0, run.stdout
    listed = [line.split()[1] for line in run.stdout.splitlines() if line.startswith("- ")]
    assert sorted(listed) == checks
