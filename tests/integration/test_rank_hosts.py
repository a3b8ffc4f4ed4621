"""Ranks on several hosts, which are network namespaces of this machine. Only root can make them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from network_hosts import network_hosts
from programs import streamgage
from rank_runs import (
    ended,
    of_kind,
    records_of,
    run_ranks,
    slowed,
    start_ranks,
    wait_for_ranks,
    wait_for_samples,
    wait_until_gone,
)

from streamgage.process.launch import LauncherName

pytestmark = [
    pytest.mark.needs("mpiexec.openmpi", "mpiexec.mpich", "ip"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can make network namespaces"),
]

both = pytest.mark.parametrize("launcher", [LauncherName.OPENMPI, LauncherName.MPICH])
PATIENT = ("--timeout", "15")


@both
def test_ranks_on_four_hosts_measure_together(
    launcher: LauncherName, tmp_path: Path, engine: Path
) -> None:
    with network_hosts(4, tmp_path) as hosts:
        run = run_ranks(
            4,
            launcher,
            *("--hosts", hosts.host_file, "--quick"),
            folder=tmp_path,
            engine=engine,
            **hosts.environment(launcher),
        )
    assert run.returncode == 0, run.stderr
    (placement,) = of_kind(tmp_path, "placement")
    names = ["host0", "host1", "host2", "host3"]
    assert [place["host"] for place in placement["ranks"]] == names
    # Each host has its own CPUs, so that every rank gets the first.
    assert len({place["cpu"] for place in placement["threads"]}) == 1
    assert all(each["valid"] for each in of_kind(tmp_path, "validation"))


@both
def test_a_host_that_is_down_from_the_start_is_named(
    launcher: LauncherName, tmp_path: Path, engine: Path
) -> None:
    with network_hosts(4, tmp_path) as hosts:
        hosts.cut_off(hosts.names[2])
        run = run_ranks(
            4,
            launcher,
            *("--hosts", hosts.host_file, "--timeout", "5"),
            folder=tmp_path,
            engine=engine,
            **hosts.environment(launcher),
        )
    assert run.returncode == 1, run.stderr
    assert hosts.names[2] in run.stderr or "host2" in run.stderr, run.stderr
    assert "Traceback" not in run.stderr
    assert not of_kind(tmp_path, "sample")


@both
def test_a_host_that_is_cut_off_meanwhile_is_named_and_the_samples_are_kept(
    launcher: LauncherName, tmp_path: Path, engine: Path
) -> None:
    with network_hosts(4, tmp_path) as hosts:
        process = start_ranks(
            4,
            launcher,
            *("--hosts", hosts.host_file, *PATIENT),
            folder=tmp_path,
            engine=engine,
            **hosts.environment(launcher),
        )
        ranks = wait_for_samples(process, tmp_path)
        hosts.cut_off(hosts.names[2])
        run = ended(process)
        assert run.returncode == 1, run.stderr
        assert "rank 2 on host host2 has not answered for 15 s" in run.stderr, run.stderr
        assert of_kind(tmp_path, "sample")
        wait_until_gone(ranks)  # those of the lost host give up by themselves


@both
def test_with_one_slow_host_every_rank_is_timed_in_every_sample(
    launcher: LauncherName, tmp_path: Path, engine: Path
) -> None:
    """Which rank is called slow is tested with made times: here, anything may be slow."""
    with network_hosts(4, tmp_path) as hosts:
        process = start_ranks(
            4,
            launcher,
            *("--hosts", hosts.host_file, "--quick", "--timeout", "60"),
            # A sample takes longer than a turn does, on a busy machine as well.
            *("--size", "384MB", "--stores", "plain", "--no-tune"),
            folder=tmp_path,
            engine=engine,
            **hosts.environment(launcher),
        )
        with slowed(wait_for_ranks(process, tmp_path)[2]["pid"]):
            run = ended(process)
    assert run.returncode == 0, run.stderr
    samples = of_kind(tmp_path, "sample")
    assert samples
    assert all(len(each["rank_seconds"]) == 4 and min(each["rank_seconds"]) > 0 for each in samples)
    assert all(each["valid"] for each in of_kind(tmp_path, "validation"))
    shown = streamgage("show", records_of(tmp_path), "--format", "json", folder=tmp_path)
    assert shown.returncode == 0, shown.stderr
    document = json.loads(shown.stdout)
    slow = [each["text"] for each in document["findings"] if each["code"] == "slow-rank"]
    assert all(" on host host" in text for text in slow), slow
