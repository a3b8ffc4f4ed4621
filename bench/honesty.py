"""Tests whether intervals are honest and verdicts stable, by many equal measurements.

An interval of 95 % should hold the median of all runs in about 95 of 100 runs, and the verdicts on
write-allocate should not change from run to run. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

KERNELS = "sum,copy,update,triad,daxpy,striad,sdaxpy,bracket"
STORES = "plain,regular,streaming"

_Key = tuple[str, str, bool, str]


def run_once(folder: Path, number: int, *, quick: bool) -> dict[str, Any]:
    """The result document of one run; its records stay in ``folder``."""
    result = folder / f"{number}.json"
    command = [str(Path(sys.executable).parent / "streamgage"), "measure"]
    command += ["--quick"] if quick else []
    command += ["--kernels", KERNELS, "--stores", STORES, "--format", "json", "-o", str(result)]
    command += ["--records", str(folder / f"{number}.jsonl")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(command)} ended with {done.returncode}: {done.stderr.strip()}")
    return msgspec.json.decode(result.read_bytes(), type=dict[str, Any])


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--quick", action="store_true", help="runs of 10 s, not of half a minute")
    parser.add_argument("--keep", type=Path, help="folder for the results and records")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        results = []
        for number in range(options.runs):
            print(f"run {number + 1} of {options.runs}", file=sys.stderr, flush=True)
            results.append(run_once(folder, number, quick=options.quick))
    report(results)


def report(results: list[dict[str, Any]]) -> None:
    """Print a row for each variant: intervals that hold the median of all runs, and verdicts."""
    found: dict[_Key, list[dict[str, Any]]] = {}
    for result in results:
        for each in [*result["kernels"], *result.get("checks", [])]:
            key = (each["kernel"], each["store"], each["tuned"], each.get("purpose", "rate"))
            found.setdefault(key, []).append(each)
    print("| kernel | stores | median GB/s | half-width | held | alpha | verdicts |")
    print("|---|---|---|---|---|---|---|")
    for (kernel, store, tuned, purpose), each in found.items():
        middle = median(one["median_gbps"] for one in each)
        bounded = [one for one in each if one["low_gbps"] is not None]
        held = sum(one["low_gbps"] <= middle <= one["high_gbps"] for one in bounded)
        half = median((one["high_gbps"] - one["low_gbps"]) / 2 / middle for one in bounded)
        alphas = [one["alpha"]["value"] for one in each if one["alpha"]["value"] is not None]
        spread = f"{min(alphas):.2f} - {max(alphas):.2f}" if alphas else ""
        verdicts = Counter(str(one["alpha"]["verdict"] or "") for one in each)
        texts = ", ".join(f"{verdict} {count}" for verdict, count in verdicts.items() if verdict)
        name = f"{store}{', tuned' if tuned and purpose == 'rate' else ''}"
        name += f", {purpose}" if purpose != "rate" else ""
        print(
            f"| {kernel} | {name} | {middle:.1f} | {half:.1%} | {held} of {len(bounded)}"
            f" | {spread} | {texts} |"
        )


if __name__ == "__main__":
    main()
