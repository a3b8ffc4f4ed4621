"""Measures everything with an engine and compares what was there to measure with a stored list.

    python3 cross/check_run.py EXPECTED COMMAND ...

COMMAND starts the engine, for example an emulator and its options with it. Every kernel is run with
every store mode and every instruction set that the processor has, on both types of element; all
must validate. Which kernels ran with which stores, and why others did not, must be what the file
EXPECTED says, so that none vanishes unseen. With CROSS_WRITE=1 the file is written instead.
"""

import difflib
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

KERNELS = [
    "init",
    "sum",
    "dot",
    "copy",
    "scale",
    "update",
    "add",
    "triad",
    "daxpy",
    "striad",
    "sdaxpy",
    "bracket",
]
Record = dict[str, object]


def run_engine(command: list[str], **choice: object) -> subprocess.CompletedProcess[str]:
    """Let the engine measure all kernels and stores, as briefly as it can."""
    plan = {
        "schema": 1,
        "kernels": KERNELS,
        "stores": ["plain", "regular", "streaming", "claim", "libc"],
        "placement": {"kind": "none", "threads": 2},
        "array_bytes": 1 << 20,
        "seed": 1,
        "sampling": {"min_samples": 1, "look_every": 1, "max_samples": 2, "budget_seconds": 5},
        **choice,
    }
    return subprocess.run(
        [*command, "--plan", "-"],
        input=json.dumps(plan),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def instruction_sets(command: list[str]) -> list[str]:
    """All that the processor has: the engine lists them where one is unknown."""
    refusal = run_engine(command, isas=["none"]).stderr
    listed = re.search(r"choose from (.*)\.$", refusal.strip())
    if listed is None:
        sys.exit(f"no list of instruction sets in: {refusal}")
    return listed[1].split(", ")


def measure(command: list[str], isas: list[str], element: str) -> list[Record]:
    """The records of a run that validates."""
    done = run_engine(command, isas=isas, type=element)
    records: list[Record] = [json.loads(line) for line in done.stdout.splitlines()]
    variants = [record for record in records if record["record"] == "variant"]
    checks = [record for record in records if record["record"] == "validation"]
    wrong = [record for record in checks if not record["valid"]]
    if done.returncode != 0 or wrong or not variants or len(checks) != len(variants):
        sys.exit(
            f"{element}: exit status {done.returncode}, {len(variants)} variants, "
            f"{len(checks)} validations, of which wrong: {wrong}\n{done.stderr}"
        )
    return records


def summary(records: list[Record], element: str) -> list[str]:
    """One line for all kernels that had the same code, stores and instruction set, or lacked it."""
    kernels: dict[str, list[str]] = defaultdict(list)
    for record in records:
        if record["record"] == "variant":
            code = f", {record['code']}" if "vectors" in str(record["code"]) else ""
            store = f", {record['store_instruction']}" if record["store_instruction"] else ""
            line = f"{element} {record['store']}: {record['isa']}{code}{store}"
        elif record["record"] == "absent":
            # The kernel's name opens some reasons; it is in the list of kernels anyhow.
            reason = str(record["reason"]).replace(f"does {record['kernel']}", "does it")
            reason = re.sub(f"^{record['kernel']} ", "it ", reason)
            line = f"{element} {record['store']}: absent: {reason}"
        else:
            continue
        kernels[line].append(str(record["kernel"]))
    return [f"{line}\n  {' '.join(names)}" for line, names in kernels.items()]


def main(expected_file: Path, command: list[str]) -> None:
    """Compare, and say where the two part."""
    isas = instruction_sets(command)
    lines = ["instruction sets: " + ", ".join(isas)]
    for element in ("double", "float"):
        lines += summary(measure(command, isas, element), element)
    found = "\n".join(lines) + "\n"
    if os.environ.get("CROSS_WRITE"):
        expected_file.write_text(found)
    expected = expected_file.read_text()
    sys.stdout.writelines(
        difflib.unified_diff(
            expected.splitlines(keepends=True), found.splitlines(keepends=True), "expected", "found"
        )
    )
    if found != expected:
        sys.exit("what there is to measure differs from what is expected")
    print(f"{found.count('  ')} kinds of variants as expected, all valid")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
