"""How ranks are dealt out and what each launcher is told."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgage.errors import UsageError
from streamgage.process.launch import (
    Host,
    Job,
    Launcher,
    LauncherName,
    prepared,
    read_hosts,
    refuse_unknown_hosts,
)
from streamgage.process.launch import hosts as host_files
from streamgage.process.launch.choose import DIALECTS
from streamgage.process.launch.dialects import mpich, slurm
from streamgage.process.launch.dialects import open_mpi as openmpi
from streamgage.process.ranks import Ranks
from streamgage.process.ranks.start import job_of

TWO = (Host("node1"), Host("node2"))


def job(ranks: int = 4, *hosts: Host, oversubscribe: bool = False) -> Job:
    return Job(
        ranks=ranks,
        program=("engine", "--plan", "-"),
        threads=2,
        hosts=hosts,
        oversubscribe=oversubscribe,
        variables={"A": "b c"},
    )


def dealt(ranks: int, *slots: int | None, oversubscribe: bool = False) -> list[int]:
    hosts = [Host(f"h{number}", each) for number, each in enumerate(slots)]
    shares = {
        each.host: each.ranks for each in job(ranks, *hosts, oversubscribe=oversubscribe).shares()
    }
    return [shares.get(host.name, 0) for host in hosts]


def test_ranks_are_dealt_evenly_and_the_first_hosts_get_one_more() -> None:
    assert dealt(5, None, None) == [3, 2]
    assert dealt(2, None, None, None) == [1, 1, 0]


def test_no_host_gets_more_ranks_than_slots() -> None:
    assert dealt(6, 1, None, 2) == [1, 3, 2]
    assert dealt(7, 4, 2, 1) == [4, 2, 1]


def test_too_few_slots_are_refused_unless_more_ranks_than_slots_are_wanted() -> None:
    with pytest.raises(UsageError, match="5 ranks do not fit on the hosts, which have 3 slots"):
        dealt(5, 2, 1)
    assert dealt(5, 2, 1, oversubscribe=True) == [3, 2]


@given(
    st.integers(1, 300), st.lists(st.one_of(st.none(), st.integers(1, 40)), min_size=1, max_size=9)
)
def test_every_rank_is_dealt_out_once(ranks: int, slots: list[int | None]) -> None:
    shares = dealt(ranks, *slots, oversubscribe=True)
    assert sum(shares) == ranks
    room = sum(ranks if each is None else each for each in slots)
    if room >= ranks:
        assert all(each is None or share <= each for share, each in zip(shares, slots, strict=True))


def test_open_mpi_binds_nothing_and_sets_the_variables_on_every_host() -> None:
    line = openmpi(job(4, *TWO), "mpiexec")
    assert " ".join(line.arguments) == (
        "mpiexec -n 4 --bind-to none --map-by slot --host node1:2,node2:2 -x A=b c engine --plan -"
    )


def test_open_mpi_is_told_of_more_ranks_than_cores() -> None:
    assert "--oversubscribe" in openmpi(job(4, oversubscribe=True), "mpiexec").arguments
    assert "--oversubscribe" not in openmpi(job(4), "mpiexec").arguments


def test_hydra_gets_the_hosts_with_their_ranks() -> None:
    line = mpich(job(3, *TWO), "mpiexec")
    assert " ".join(line.arguments) == (
        "mpiexec -n 3 -hosts node1:2,node2:1 -genv A b c engine --plan -"
    )


def test_slurm_reserves_the_cores_and_binds_nothing() -> None:
    line = slurm(job(4, *TWO), "srun")
    assert " ".join(line.arguments) == (
        "srun --ntasks=4 --cpu-bind=none --cpus-per-task=2 --nodes=2 --nodelist=node1,node2"
        " --ntasks-per-node=2 engine --plan -"
    )
    assert line.variables == {"A": "b c"}


def test_slurm_gets_uneven_shares_by_a_list_with_a_name_a_rank() -> None:
    line = slurm(job(3, *TWO), "srun")
    assert "--distribution=arbitrary" in line.arguments
    with prepared(line, {"PATH": "/bin"}) as call:
        assert Path(call.environment["SLURM_HOSTFILE"]).read_text() == "node1\nnode1\nnode2\n"
        assert call.environment["PATH"] == "/bin"
    assert not Path(call.environment["SLURM_HOSTFILE"]).exists()


def test_host_files_of_both_kinds_are_read(tmp_path: Path) -> None:
    path = tmp_path / "hosts"
    path.write_text("# the rack\nnode1 slots=4\n\nnode2:2 # half\n10.0.0.3\n")
    assert read_hosts(path) == (Host("node1", 4), Host("node2", 2), Host("10.0.0.3"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("node1\nnode 2\n", "Line 2 of .*, 'node 2', is not a host"),
        ("node1:0\n", "Line 1 of .* is not a host"),
        ("-x\n", "Line 1 of .* is not a host"),
        ("node1\nnode1:2\n", "Line 2 of .* names node1 again"),
        ("# nothing\n", "names no host"),
        ("x" * 300, "Line 1 of .* is not a host"),
        ("\0\n", "Line 1 of .* is not a host"),
    ],
)
def test_a_host_file_that_cannot_be_read_is_told_by_its_line(
    text: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "hosts"
    path.write_text(text)
    with pytest.raises(UsageError, match=said):
        read_hosts(path)


def test_a_host_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_hosts(tmp_path / "none")


@given(st.text(max_size=200))
def test_any_text_is_hosts_or_one_sentence(text: str) -> None:
    try:
        host_files.parse_hosts(text, "hosts")
    except UsageError as error:
        assert "\n" not in str(error)


def test_a_host_that_nobody_knows_is_refused_by_name() -> None:
    refuse_unknown_hosts((Host("localhost"), Host("127.0.0.1")), "hosts")
    with pytest.raises(UsageError, match=r"no-such-host\.invalid of hosts is unknown here"):
        refuse_unknown_hosts((Host("localhost"), Host("no-such-host.invalid")), "hosts")


def test_ranks_of_open_mpi_end_with_the_front_on_other_hosts_too() -> None:
    (dialect,) = [each for each in DIALECTS if each.name is LauncherName.OPENMPI]
    ranks = Ranks(ranks=2, hosts=(Host("node7", 2),))
    started = job_of(ranks, Launcher(dialect, "mpiexec"), Path("engine"), wait=True)
    words = openmpi(started, "mpiexec").arguments
    assert ("-x", "STREAMGAGE_FRONT=stderr") in pairwise(words)
