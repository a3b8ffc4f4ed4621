"""A CPU quota and a cpuset: in real control groups, or replayed where none can be made here."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from control_groups import control_group, version_of
from doctor_runs import check, cores_of_machine, doctor, own_cpus, replaying_engine


def quota_of(cpus: float) -> dict[str, str]:
    """The settings of a group that grants the time of so many CPUs."""
    if version_of("cpu") == 1:
        return {"cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": f"{cpus * 100_000:.0f}"}
    return {"cpu.max": f"{cpus * 100_000:.0f} 100000"}


FIRST = str(min(own_cpus()))
IN_GROUP = 'echo $$ > "$1/cgroup.procs" && shift && exec "$@"'


def one_cpu() -> dict[str, str]:
    """On the nodes that this process may use, which version 1 wants to be told."""
    settings = {"cpuset.cpus": FIRST}
    if version_of("cpuset") == 1:
        status = Path("/proc/self/status").read_text()
        settings["cpuset.mems"] = status.partition("Mems_allowed_list:")[2].split()[0]
    return settings


def in_real_group(
    controller: str, settings: Callable[[], dict[str, str]], folder: Path, engine: Path
) -> dict[str, Any] | None:
    """What the doctor says inside of the group; None where there can be none here."""
    with ExitStack() as lasting:
        try:
            group = lasting.enter_context(control_group(controller, settings()))
        except OSError:
            return None
        inside = ["sh", "-c", IN_GROUP, "sh", str(group)]
        document, _ = doctor(*inside, folder=folder, engine=engine)
        return document


def examined(
    kind: str,
    changes: dict[str, dict[str, Any]],
    *,
    controller: str,
    settings: Callable[[], dict[str, str]],
    folder: Path,
    engine: Path,
) -> dict[str, Any]:
    """What the doctor says inside of the group, or of records as they would be inside of it."""
    document = in_real_group(controller, settings, folder, engine) if kind == REAL else None
    if document is None:
        document, _ = doctor(folder=folder, engine=replaying_engine(folder, changes))
    return document


REAL, REPLAYED = "in a real control group, where there can be one", "by records that are replayed"
both = pytest.mark.parametrize("kind", [REAL, REPLAYED])


@both
def test_a_quota_that_no_mask_shows_is_found(kind: str, engine: Path, tmp_path: Path) -> None:
    document = examined(
        *(kind, {"--machine": {"cpu_quota": 0.5}}),
        controller="cpu",
        settings=lambda: quota_of(0.5),
        folder=tmp_path,
        engine=engine,
    )
    quota = check(document, "cpu-quota")
    assert quota["state"] == "spoils"
    assert "the cgroup grants the time of 0.5 CPUs" in quota["seen"]
    assert check(document, "cpuset")["state"] != "spoils" or len(own_cpus()) == 1


@both
def test_a_cpuset_of_one_cpu_is_told_from_a_mask(kind: str, engine: Path, tmp_path: Path) -> None:
    threads = [{"mask": FIRST, "cpus_seen": FIRST}] * 2
    confined = {"inherited_cpus": FIRST, "obtainable_cpus": FIRST, "threads": threads}
    changes = {"--machine": {"allowed_cpus": FIRST}, "--binding": confined}
    document = examined(
        *(kind, changes), controller="cpuset", settings=one_cpu, folder=tmp_path, engine=engine
    )
    expected = "spoils" if cores_of_machine() > 1 else "passed"
    assert check(document, "cpuset")["state"] == expected
    assert check(document, "binding")["state"] == expected
    if expected == "spoils":
        assert "the cpuset restricts the CPUs: see cpuset" in check(document, "binding")["seen"]
        assert "a thread that asks for every CPU gets 1 of" in check(document, "cpuset")["seen"]


HIDE_SYS = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /sys && exec "$@"', "sh"]


@pytest.mark.parametrize("granted", [0.25, 0.5])
def test_a_quota_is_felt_where_sys_is_hidden(granted: float, engine: Path, tmp_path: Path) -> None:
    hidden = subprocess.run([*HIDE_SYS, "true"], check=False, capture_output=True, text=True)
    if hidden.returncode != 0:
        pytest.skip(f"/sys cannot be hidden here: {hidden.stderr}")
    with ExitStack() as lasting:
        try:
            group = lasting.enter_context(control_group("cpu", quota_of(granted)))
        except OSError as error:
            pytest.skip(f"no control group can be made here: {error}")
        inside = ["sh", "-c", IN_GROUP, "sh", str(group), *HIDE_SYS]
        document, _ = doctor(*inside, folder=tmp_path, engine=engine)
    quota = check(document, "cpu-quota")
    # It is felt, unless other programs use the time that it leaves idle.
    assert quota["state"] in ("spoils", "unknown")
    assert "/sys is not mounted here" in quota["seen"]
    got = re.search(r"computing for ([0-9.]+) s got ([0-9.]+) CPU-seconds", quota["seen"])
    assert got is not None
    # The kernel stops threads at the end of a slice, and the first period may have begun before.
    assert float(got[2]) <= granted * (float(got[1]) + 0.2) + 0.1
    if quota["state"] == "spoils":
        assert "a similar limit grants the time of 0." in quota["seen"]
    pages = check(document, "huge-pages")
    assert pages["state"] == "unknown"
    assert pages["seen"].startswith("unknown: /sys is not mounted here")
    assert "1 NUMA node" not in check(document, "numa-balancing")["seen"]
