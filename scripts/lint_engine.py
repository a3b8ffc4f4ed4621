"""Checks the engine's sources, tests left out, by clang-tidy, and ends with a count.

    python3 scripts/lint_engine.py FOLDER [CHECKS]

FOLDER holds compile_commands.json; CHECKS are those of clang-tidy, in place of .clang-tidy's.
Headers are checked through the sources that include them, and sources that a unity build compiles
at once are checked at once, as most of the work is on headers. What passed is not checked again
before it, a header that it includes, its command or the checks change: it is kept below
$XDG_CACHE_HOME, as ccache keeps objects.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUR_FOLDERS = ("engine", "library")
PASSED = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"), "streamgage", "tidy")
TIDY = "clang-tidy-14"
CLANG = "clang++-14"


@cache
def digest_of(path: Path) -> str:
    """The digest of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def configuration() -> str:
    """The version of clang-tidy, and what it is set to check."""
    version = subprocess.run([TIDY, "--version"], capture_output=True, text=True, check=True)
    return version.stdout + (ROOT / ".clang-tidy").read_text("utf-8")


def included(folder: Path, command: list[str]) -> list[Path]:
    """The source and every header that it includes, the system's too."""
    kept = [CLANG, "-M"]
    words = iter(command[1:])
    for word in words:
        if word in ("-o", "-MF", "-MT", "-MQ"):
            next(words)
        elif word not in ("-c", "-MD"):
            kept.append(word)
    done = subprocess.run(kept, cwd=folder, capture_output=True, text=True, check=True)
    _, _, names = done.stdout.replace("\\\n", " ").partition(": ")
    return [(folder / name).resolve() for name in names.split()]


def key_of(entry: dict[str, str], options: list[str]) -> str | None:
    """Equal for what must come out the same; None where clang cannot list the headers."""
    folder = Path(entry["directory"])
    try:
        files = included(folder, shlex.split(entry["command"]))
    except subprocess.CalledProcessError:
        return None
    command = entry["command"].replace(str(ROOT), "")
    whole = hashlib.sha256("\n".join([configuration(), command, *options]).encode())
    for path in files:
        whole.update(digest_of(path).encode())
    return whole.hexdigest()


def check(build: Path, entry: dict[str, str], options: list[str]) -> bool:
    """Check a source, print what it does not pass, and return whether it passes."""
    key = key_of(entry, options)
    if key is not None and (PASSED / key).exists():
        return True
    done = subprocess.run(
        [TIDY, "-quiet", *options, "-p", build, entry["file"]],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        print(done.stdout, flush=True)
        return False
    if key is not None:
        (PASSED / key).touch()
    return True


def is_ours(source: Path, build: Path) -> bool:
    """Return whether the source is the project's own C++, or includes it, without tests."""
    return source.suffix in (".cpp", ".cxx") and any(
        source.is_relative_to(root / folder) for root in (ROOT, build) for folder in OUR_FOLDERS
    )


def main(build: Path, options: list[str]) -> None:
    """Check all sources, one a CPU at a time."""
    commands = json.loads((build / "compile_commands.json").read_text("utf-8"))
    chosen = {entry["file"]: entry for entry in commands if is_ours(Path(entry["file"]), build)}
    PASSED.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        passed = list(pool.map(lambda entry: check(build, entry, options), chosen.values()))
    print(f"{sum(passed)} passed, {len(passed) - sum(passed)} failed")
    sys.exit(not passed or not all(passed))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), [f"--checks={each}" for each in sys.argv[2:]])
