"""What reads and opens PMUs, in a guest whose processor has one that counts.

    python3 emulated/check_pmu.py FOLDER

FOLDER holds the engine and its tests, built static for aarch64.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from guest import GuestError, Job, JobEnd, Machine, run_jobs
from tests_in_guest import judge_tests, tests_job

MACHINE = Machine("pmu", "arm64", ("-machine", "virt", "-cpu", "max", "-m", "512M"))
JOBS = (
    Job("pmus", "ls /sys/bus/event_source/devices"),
    Job("counters", "streamgage-engine --counters"),
    tests_job(["PerfOpener.*", "PmuFiles.*"]),
)
MAY_BE_SKIPPED = (
    "PerfOpener.CountsByARealPmuOfSysfs",  # by 'msr', which x86 alone has
    "PerfOpener.IsRefusedToAUserWithoutRights",  # by 'msr' too
)


def judge(answers: dict[str, JobEnd]) -> str:
    """The PMU is there and counts, and is not taken for one of a memory controller."""
    pmus = answers["pmus"].output.split()
    assert any(name.startswith("armv8_pmuv3") for name in pmus), f"the guest's PMUs are {pmus}"
    counters = json.loads(answers["counters"].output)
    assert counters["source"] is None, f"a source of memory traffic where there is none: {counters}"
    states = {source["source"]: source["state"] for source in counters["sources"]}
    assert states["perf uncore"] == "absent", f"the sources are {states}"
    counted = "[       OK ] PerfOpener.CountsTheCyclesOfACore"
    assert counted in answers["tests"].output, f"no PMU counted:\n{answers['tests'].output}"
    return judge_tests(answers["tests"], MAY_BE_SKIPPED)


def main(folder: Path) -> None:
    """Boot, judge, and say it in a line."""
    programs = [folder / "streamgage-engine", folder / "engine_tests"]
    try:
        print(f"ok    {MACHINE.name}: {judge(run_jobs(MACHINE, programs, JOBS))}")
    except (AssertionError, GuestError) as error:
        sys.exit(f"FAIL  {MACHINE.name}: {error}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
