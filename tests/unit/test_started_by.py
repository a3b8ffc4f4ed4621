"""Which rank of its host a process is, by the variables that launchers set."""

from __future__ import annotations

import pytest

from streamgage.process.launch.bound import slurm_gave_each_task_its_own
from streamgage.process.launch.started_by import rank_of

SLURM_STEP = {"SLURM_STEP_ID": "0", "SLURM_PROCID": "9", "SLURM_STEP_NUM_TASKS": "12"}


@pytest.mark.parametrize(
    ("name", "variables"),
    [
        (
            "Open MPI",
            {
                "OMPI_COMM_WORLD_LOCAL_RANK": "1",
                "OMPI_COMM_WORLD_LOCAL_SIZE": "4",
                "OMPI_COMM_WORLD_RANK": "9",
                "OMPI_COMM_WORLD_SIZE": "12",
            },
        ),
        (
            "MVAPICH",
            {
                "MV2_COMM_WORLD_LOCAL_RANK": "1",
                "MV2_COMM_WORLD_LOCAL_SIZE": "4",
                "MV2_COMM_WORLD_RANK": "9",
                "MV2_COMM_WORLD_SIZE": "12",
            },
        ),
        (
            "MPICH",
            {
                "MPI_LOCALRANKID": "1",
                "MPI_LOCALNRANKS": "4",
                "PMI_RANK": "9",
                "PMI_SIZE": "12",
            },
        ),
        (
            "Intel MPI",
            {
                "MPI_LOCALRANKID": "1",
                "MPI_LOCALNRANKS": "4",
                "PMI_RANK": "9",
                "PMI_SIZE": "12",
                "I_MPI_ROOT": "/opt",
            },
        ),
        (
            "jsrun",
            {
                "JSM_NAMESPACE_LOCAL_RANK": "1",
                "JSM_NAMESPACE_LOCAL_SIZE": "4",
                "JSM_NAMESPACE_RANK": "9",
                "JSM_NAMESPACE_SIZE": "12",
            },
        ),
        (
            "a launcher with Cray's PMI",
            {
                "PMI_LOCAL_RANK": "1",
                "PMI_LOCAL_SIZE": "4",
                "PMI_RANK": "9",
                "PMI_SIZE": "12",
            },
        ),
        (
            "srun (Slurm)",
            SLURM_STEP
            | {
                "SLURM_LOCALID": "1",
                "SLURM_NODEID": "2",
                "SLURM_STEP_TASKS_PER_NODE": "3(x2),4,2",
            },
        ),
    ],
)
def test_a_rank_finds_its_numbers(name: str, variables: dict[str, str]) -> None:
    rank = rank_of(variables)
    assert rank is not None and rank.launcher.name == name
    assert (rank.local, rank.here, rank.number, rank.of) == (1, 4, 9, 12)


def test_a_rank_of_pals_finds_its_numbers_but_not_how_many_there_are() -> None:
    rank = rank_of({"PALS_LOCAL_RANKID": "1", "PALS_LOCAL_SIZE": "4", "PALS_RANKID": "9"})
    assert rank is not None
    assert (rank.local, rank.here, rank.number, rank.of) == (1, 4, 9, None)


@pytest.mark.parametrize(("nodes", "here"), [("1", 8), ("2", None)])
def test_flux_says_how_many_tasks_a_host_has_where_there_is_one_host(
    nodes: str, here: int | None
) -> None:
    task = {"FLUX_TASK_LOCAL_ID": "1", "FLUX_TASK_RANK": "1", "FLUX_JOB_SIZE": "8"}
    rank = rank_of(task | {"FLUX_JOB_NNODES": nodes})
    assert rank is not None and (rank.local, rank.here) == (1, here)


@pytest.mark.parametrize("listed", ["", "x", "2(x", "2(x2)", "1,1,1"])
def test_a_list_of_tasks_that_says_nothing_of_this_node_is_not_believed(listed: str) -> None:
    rank = rank_of(
        SLURM_STEP
        | {
            "SLURM_LOCALID": "1",
            "SLURM_NODEID": "2",
            "SLURM_STEP_TASKS_PER_NODE": listed,
        }
    )
    assert rank is not None and rank.here is None


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"OMPI_COMM_WORLD_LOCAL_RANK": "-1"},
        {"SLURM_LOCALID": "0", "SLURM_PROCID": "0", "SLURM_TASKS_PER_NODE": "4"},
    ],
    ids=["nothing", "no-number", "batch-script"],
)
def test_other_processes_are_no_ranks(variables: dict[str, str]) -> None:
    assert rank_of(variables) is None


def test_the_launcher_inside_another_counts() -> None:
    inner = {"MPI_LOCALRANKID": "3", "MPI_LOCALNRANKS": "4"}
    rank = rank_of(SLURM_STEP | {"SLURM_LOCALID": "0"} | inner)
    assert rank is not None and (rank.launcher.name, rank.local) == ("MPICH", 3)


@pytest.mark.parametrize(
    ("kind", "masks", "own"),
    [
        ("mask_cpu:", "0x3,0xC", True),
        ("mask_cpu:", "0x3,0x6", False),
        ("mask_cpu:", "0x3", False),
        ("mask_cpu:", "0x3,x", False),
        ("none", "", False),
    ],
)
def test_slurm_gave_tasks_their_own_cpus_where_masks_have_none_in_common(
    kind: str, masks: str, own: bool
) -> None:
    variables = {"SLURM_CPU_BIND_TYPE": kind, "SLURM_CPU_BIND_LIST": masks}
    assert slurm_gave_each_task_its_own(variables, 2) is own
