"""Runs ``streamgage doctor`` under launchers, masks and control groups, as a user would."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from programs import WAIT_SECONDS, command, environment, real_engine

OF_OPENMP = ("OMP_", "GOMP_", "KMP_")


def doctor(
    *before: str, folder: Path, engine: Path, options: Sequence[str] = (), **variables: str
) -> tuple[dict[str, Any], int]:
    """Run it, and return its JSON and exit status; ``before`` precedes the command line."""
    file = folder / "doctor.json"
    file.unlink(missing_ok=True)
    kept = {
        name: value
        for name, value in environment(folder, engine).items()
        if not name.startswith(OF_OPENMP)
    }
    done = subprocess.run(
        [*before, *command("doctor", "--json", "-o", file, *options)],
        cwd=folder,
        env=kept | variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )
    assert file.is_file(), done.stderr
    document = json.loads(file.read_text("utf-8"))
    assert isinstance(document, dict)
    return document, done.returncode


def check(document: dict[str, Any], code: str) -> dict[str, Any]:
    """The only check with this code."""
    (found,) = (each for each in document["checks"] if each["code"] == code)
    assert isinstance(found, dict)
    return found


def cores_of(cpus: set[int]) -> int:
    """The number of cores of these CPUs, by the kernel's lists of siblings."""
    folder = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"
    return len({Path(folder.format(cpu)).read_text() for cpu in cpus})


def cores_of_machine() -> int:
    """The cores whose CPUs are online."""
    cpus = Path("/sys/devices/system/cpu").glob("cpu[0-9]*/topology/thread_siblings_list")
    return len({path.read_text() for path in cpus})


def own_cpus() -> set[int]:
    """The CPUs that these tests may use."""
    return os.sched_getaffinity(0)


def replaying_engine(folder: Path, changes: dict[str, dict[str, Any]]) -> Path:
    """Write an engine that runs the real one and changes some fields of its records."""
    script = folder / "engine-with-changes"
    script.write_text(
        "#!/usr/bin/env python3\n"
        "import json, subprocess, sys\n"
        f"done = subprocess.run([{str(real_engine())!r}, *sys.argv[1:]], stdout=subprocess.PIPE)\n"
        "record = json.loads(done.stdout)\n"
        f"record.update({changes!r}.get(sys.argv[1], {{}}))\n"
        "print(json.dumps(record))\n",
        "utf-8",
    )
    script.chmod(0o755)
    return script
