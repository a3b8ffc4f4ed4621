"""What `scripts/gpu_check` concludes from what a run recorded."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from gpu_checking.claims import CLAIMS
from gpu_checking.findings import ProvenLaunches, WrongResult
from gpu_checking.recorded import Recorded
from gpu_checking.summary import all_judged, status_of, text_of, write_summary
from made_gpu_run import GIB, MadeRun, kernel_row, measured, said

NAMES = [claim.name for claim in CLAIMS]


def verdicts(recorded: Recorded) -> dict[str, str]:
    return {result.name: result.verdict for result in all_judged(recorded)}


def test_every_claim_holds_where_all_is_as_it_should_be(tmp_path: Path) -> None:
    results = all_judged(MadeRun().write(tmp_path))
    assert [result.line for result in results if result.verdict != "holds"] == []
    assert status_of(results) == 0


Spoil = Callable[[MadeRun], None]


def spoil_finding(probe: str, number: int, **changes: object) -> Spoil:
    """A change to one of a probe's findings."""

    def spoil(run: MadeRun) -> None:
        run.findings[probe][number] = replace(run.findings[probe][number], **changes)  # type: ignore[arg-type]

    return spoil


def spoil_rate(step: str, kernel: str, gbps: float) -> Spoil:
    """A change to a kernel's rate in a result."""

    def spoil(run: MadeRun) -> None:
        for row in run.documents[step]["kernels"]:
            if row["kernel"] == kernel:
                row["median_gbps"] = gbps

    return spoil


def spoil_record(tag: str, **changes: object) -> Spoil:
    """A change to a record of the second measure."""

    def spoil(run: MadeRun) -> None:
        for record in run.records["measure_warm"]:
            if record["record"] == tag:
                record.update(changes)

    return spoil


def spoil_output(step: str, output: str, status: int) -> Spoil:
    """Another output of a step's first command."""

    def spoil(run: MadeRun) -> None:
        words = run.outputs[step][0].words
        run.outputs[step] = [said(output, *words, status=status)]

    return spoil


def wrong_result(run: MadeRun) -> None:
    fault = WrongResult(entry="streamgage_copy_double_1_1", items=64, groups=7, stages=0, passes=1)
    run.findings["results"].append(fault)


def wrong_own_kernel(run: MadeRun) -> None:
    run.documents["own_kernel"]["kernels"][-1]["valid"] = False


def slow_ladder(run: MadeRun) -> None:
    run.documents["ladder"]["curves"][0]["points"][0]["gbps"]["value"] = 9000.0


def late_latency(run: MadeRun) -> None:
    run.documents["latency"]["idle"][0]["seconds"]["value"] = 900e-9


def slow_links(run: MadeRun) -> None:
    run.documents["links"]["tests"][0]["cells"][0]["value"] = 20.0


def slow_check(run: MadeRun) -> None:
    run.documents["check"]["runs"][0]["figures"][0]["gbps"] = 2000.0


def more_published(run: MadeRun) -> None:
    run.documents["measure_warm"]["expected"][0]["values"][0]["low_gbps"] = 4500.0


def another_peak(run: MadeRun) -> None:
    run.documents["measure_warm"]["peak"]["gbps"] = 6000.0


def slow_compilation(run: MadeRun) -> None:
    run.outputs["measure_cold"] = [said("", "measure", seconds=75.0)]


def long_gaps(run: MadeRun) -> None:
    spoil_finding("clock", 1, event_seconds=205e-4)(run)


SPOILED: dict[str, Spoil] = {
    "device-identified": lambda run: run.device.update(pci_address=None),
    "order-of-nvidia-smi": spoil_output("system", "GPU 0: NVIDIA H200 (UUID: GPU-other)\n", 0),
    "ptx-compiles": spoil_finding("compiler", 0, code=209),
    "compiler-is-quick": spoil_finding("compiler", 0, seconds=0.9),
    "no-wrong-element": wrong_result,
    "measures-are-valid": spoil_record("validation", valid=False),
    "own-kernel-is-right": wrong_own_kernel,
    "own-kernel-is-fast": spoil_rate("own_kernel", "device-triad", 3000.0),
    "without-jit": spoil_output("without_jit", "Traceback (most recent call last):\nError\n", 1),
    "refusals": spoil_output("refusals", "Traceback (most recent call last):\nKeyError\n", 1),
    "stamps-agree": spoil_record("device-clock", timed_by="host"),
    "launches-are-short": long_gaps,
    "usual-size": spoil_rate("measure_large", "copy", 4300.0),
    "one-launch-is-enough": spoil_finding("sizes", 0, gbps=4000.0),
    "tuned-shape": spoil_rate("measure_warm", "bracket", 3500.0),
    "tuner-is-complete": spoil_record("tuning", untried=12),
    "standard-reductions": spoil_finding("shapes", 2, gbps=2000.0),
    "no-better-hint": spoil_finding("hints", 1, gbps=4500.0),
    "passes-inside": spoil_finding("launches", 1, gbps=9000.0),
    "ladder-ends-in-memory": slow_ladder,
    "chain-by-addresses": spoil_finding("chain", 1, seconds=500e-9),
    "latency-of-memory": late_latency,
    "warm-up": spoil_finding("warm", 0, gbps=3000.0),
    "clocks-under-load": spoil_record("device-state", core_hertz_low=3.45e8),
    "links-are-whole": slow_links,
    "repeatable": spoil_rate("measure_cold", "triad", 3900.0),
    "float-like-double": spoil_rate("measure_float", "triad", 3900.0),
    "mixes-agree": spoil_rate("measure_warm", "update", 3000.0),
    "check-agrees": slow_check,
    "published-triad": more_published,
    "peaks-agree": another_peak,
    "below-peak": spoil_rate("measure_warm", "sum", 5000.0),
    "measure-is-short": slow_compilation,
}
"""For each claim what refutes it, and no other."""


def test_every_claim_that_can_be_refuted_has_a_record_that_does_so() -> None:
    assert {*SPOILED} == {*NAMES} - {"device-listed"}, "what is not listed is not tried"
    assert len(NAMES) == len(set(NAMES))


@pytest.mark.parametrize("name", SPOILED)
def test_a_record_that_contradicts_one_claim_refutes_that_one(tmp_path: Path, name: str) -> None:
    run = MadeRun()
    SPOILED[name](run)
    results = all_judged(run.write(tmp_path))
    assert [result.name for result in results if result.verdict == "refuted"] == [name]
    assert status_of(results) == 1


def test_nothing_is_tried_of_an_empty_folder_and_each_line_says_why(tmp_path: Path) -> None:
    results = all_judged(Recorded(tmp_path))
    assert {result.verdict for result in results} == {"not tried"}
    assert all(result.evidence for result in results)
    assert status_of(results) == 3
    assert len(text_of(results).splitlines()) == len(CLAIMS) + 1


def test_small_arrays_decide_nothing_about_times(tmp_path: Path) -> None:
    found = verdicts(MadeRun(size_bytes=1 << 20).write(tmp_path))
    tried = {name for name, verdict in found.items() if verdict == "holds"}
    assert tried == {claim.name for claim in CLAIMS if not claim.timed}
    assert {"no-wrong-element", "measures-are-valid", "refusals"} < tried


def test_no_claim_is_made_of_results_that_were_cut_short(tmp_path: Path) -> None:
    run = MadeRun()
    run.findings["results"] = [ProvenLaunches(element_type="double", launches=90, wrong=0)]
    (found,) = [
        result for result in all_judged(run.write(tmp_path)) if result.name == "no-wrong-element"
    ]
    assert (found.verdict, "only double" in found.evidence) == ("not tried", True)


def test_the_better_of_two_variants_stands_for_a_kernel(tmp_path: Path) -> None:
    run = MadeRun()
    spoil_rate("measure_warm", "bracket", 3500.0)(run)
    run.documents["measure_warm"]["kernels"].append(kernel_row("bracket", 4200.0, tuned=True))
    assert verdicts(run.write(tmp_path))["tuned-shape"] == "holds"


def test_arrays_that_fill_the_memory_decide_nothing_about_larger_ones(tmp_path: Path) -> None:
    run = MadeRun()
    run.documents["measure_large"] = measured(1.0, GIB)
    assert verdicts(run.write(tmp_path))["usual-size"] == "not tried"


def test_a_kernel_that_was_not_measured_is_not_compared(tmp_path: Path) -> None:
    run = MadeRun()
    kernels = run.documents["measure_warm"]["kernels"]
    kernels[:] = [row for row in kernels if row["kernel"] != "init"]
    assert verdicts(run.write(tmp_path))["tuned-shape"] == "holds"


def test_small_working_sets_decide_nothing_about_memory(tmp_path: Path) -> None:
    run = MadeRun()
    run.device["cache_bytes"] = 256 << 20
    run.documents["latency"]["idle"][0]["bytes"] = 32 << 20
    found = verdicts(run.write(tmp_path))
    assert found["passes-inside"] == found["latency-of-memory"] == "not tried"


def test_the_summary_is_made_again_from_the_folder(tmp_path: Path) -> None:
    recorded = MadeRun().write(tmp_path)
    write_summary(recorded)
    first = [(tmp_path / name).read_bytes() for name in ("summary.json", "summary.txt")]
    write_summary(Recorded(tmp_path))
    assert [(tmp_path / name).read_bytes() for name in ("summary.json", "summary.txt")] == first
    summary = json.loads(first[0])
    assert [claim["name"] for claim in summary["claims"]] == NAMES
    assert summary["request"]["device"] == "cuda:0"
