"""What the doctor concludes from threads that nobody bound, and of who narrowed them."""

from __future__ import annotations

import pytest
from example_environments import changed, ran, surroundings, two_nodes
from example_records import MACHINE

from streamgage.machine.doctor.checks.binding import binding
from streamgage.machine.doctor.checks.confinement import cpuset
from streamgage.machine.doctor.checks.launcher import launcher
from streamgage.machine.doctor.checks.openmp import openmp
from streamgage.process.launch.started_by import LAUNCHERS, known_launcher

OPEN_MPI = {"OMPI_COMM_WORLD_SIZE": "1"}
ON_CPU_0 = ran("0", "0", inherited="0", ratio=1.99, runtime=1)


def test_threads_on_cores_of_their_own_pass() -> None:
    check = binding(surroundings())
    assert (check.state, check.why, check.remedies) == ("passed", None, [])
    assert check.seen == (
        "2 threads ran on CPUs 0-1 and may use all of CPUs 0-1; all computing at once took 1.01x"
        " the time of one alone"
    )


def test_a_mask_of_one_core_spoils_and_is_lifted_with_taskset() -> None:
    check = binding(surroundings(binding=ON_CPU_0))
    assert check.state == "spoils"
    assert check.seen == (
        "all 2 threads may run on CPU 0 alone, one core of 2; all computing at once took 1.99x the"
        " time of one alone; OpenMP by itself starts 1 (the process was started with that mask)"
    )
    assert check.remedies == ["start without taskset or numactl, or first: taskset -cp 0-1 $$"]


def test_the_two_hardware_threads_of_one_core_are_one_core() -> None:
    proof = ran("0,8", "0,8", inherited="0,8", obtainable="0-15", seen=["0", "8"])
    check = binding(surroundings(machine=two_nodes(2), binding=proof))
    assert check.state == "spoils"
    assert "CPUs 0,8 alone, one core of 8" in check.seen


def test_times_never_decide_that_threads_share_a_core() -> None:
    quick = binding(surroundings(binding=ran("0", "0", inherited="0", ratio=1.0)))
    slow = binding(surroundings(binding=ran("0-1", "0-1", seen=["0", "1"], ratio=3.0)))
    assert (quick.state, slow.state) == ("spoils", "advice")
    assert "all computing at once took 3.00x the time of one alone" in slow.seen


def test_a_quota_that_stopped_the_threads_is_told_with_their_times() -> None:
    proof = ran("0-1", "0-1", seen=["0", "1"], ratio=4.0, throttled=0.25)
    check = binding(surroundings(binding=proof))
    assert "the CPU quota stopped them for 0.25 CPU-seconds" in check.seen


def test_a_machine_of_one_core_has_no_other_to_miss() -> None:
    machine = changed(MACHINE, cores=1, online_cpus="0", allowed_cpus="0", huge_pages="always")
    proof = ran("0", inherited="0", obtainable="0")
    check = binding(surroundings(machine=machine, binding=proof))
    assert check.state == "passed"
    assert "one thread, so nothing to compare with" in check.seen


def test_the_launcher_is_named_where_it_narrowed() -> None:
    check = binding(surroundings(binding=ON_CPU_0, **OPEN_MPI))
    assert check.state == "spoils"
    assert check.seen.endswith("(Open MPI restricts the CPUs: see launcher)")
    assert check.remedies == []


def test_variables_of_openmp_are_named_where_they_narrowed() -> None:
    there = surroundings(binding=ran("0", "0", ratio=2.0), GOMP_CPU_AFFINITY="0")
    check = binding(there)
    assert check.state == "spoils"
    assert check.seen.endswith("(variables of OpenMP restrict the CPUs)")
    assert check.remedies == ["unset OMP_PLACES OMP_PROC_BIND GOMP_CPU_AFFINITY"]
    assert openmp(there).state == "advice"
    assert openmp(there).remedies == ["unset GOMP_CPU_AFFINITY"]


def test_more_threads_than_cpus_take_turns() -> None:
    proof = ran(*["0-1"] * 4, seen=["0", "1", "0", "1"], ratio=2.0)
    check = binding(surroundings(binding=proof, OMP_NUM_THREADS="4"))
    assert check.state == "spoils"
    assert check.seen.startswith("4 threads share 2 CPUs (0-1)")
    assert check.remedies == ["export OMP_NUM_THREADS=2"]


def test_two_threads_bound_to_one_cpu_of_many_are_found() -> None:
    proof = ran("0", "0", "1-7", seen=["0", "0", "1"], inherited="0-7", obtainable="0-7")
    check = binding(surroundings(machine=two_nodes(), binding=proof))
    assert check.state == "spoils"
    assert check.seen.startswith("2 threads share 1 CPU (0)")


def test_more_threads_than_cores_share_them() -> None:
    masks = [str(cpu) for cpu in range(16)]
    proof = ran(*masks, inherited="0-15", obtainable="0-15")
    there = surroundings(machine=two_nodes(2), binding=proof, OMP_NUM_THREADS="16")
    check = binding(there)
    assert check.state == "advice"
    assert "16 threads on 8 cores (CPUs 0-15)" in check.seen
    assert check.remedies == ["export OMP_NUM_THREADS=8"]


def test_threads_uneven_over_nodes_are_counted() -> None:
    proof = ran("0", "1", "2", "4", inherited="0-7", obtainable="0-7")
    check = binding(surroundings(machine=two_nodes(), binding=proof))
    assert check.state == "advice"
    assert "uneven over the NUMA nodes (3 on node 0, 1 on node 1)" in check.seen


def test_threads_even_over_nodes_pass_that() -> None:
    masks = [str(cpu) for cpu in range(8)]
    proof = ran(*masks, inherited="0-7", obtainable="0-7")
    assert binding(surroundings(machine=two_nodes(), binding=proof)).state == "passed"


def test_free_threads_that_met_on_one_cpu_are_advice_only() -> None:
    proof = ran("0-1", "0-1", seen=["1", "1"], ratio=2.1)
    check = binding(surroundings(binding=proof))
    assert check.state == "advice"
    assert "ran on CPU 1 alone" in check.seen


def test_some_of_the_cpus_are_advice() -> None:
    proof = ran("0-1", "0-1", seen=["0", "1"], inherited="0-1", obtainable="0-7")
    check = binding(surroundings(machine=two_nodes(), binding=proof))
    assert check.state == "advice"
    assert "CPUs 0-1 may be used, 2 of 8 cores" in check.seen


def test_open_mpi_with_one_core_spoils_and_names_the_options_that_lift_it() -> None:
    proof = ran("0", "0", inherited="0", obtainable="0-7")
    check = launcher(surroundings(machine=two_nodes(), binding=proof, **OPEN_MPI))
    assert check.state == "spoils"
    assert check.seen == ("started by Open MPI (1 rank), which left 1 core of 8 (CPU 0 of 0-7)")
    assert check.why is not None
    assert check.why.startswith("Open MPI binds one or two ranks to one core each")
    assert check.remedies == [
        "mpiexec --bind-to none ...",
        "mpiexec --map-by socket:pe=4 ...",
        "mpiexec --bind-to numa --map-by core ...",
    ]


def test_a_launcher_that_leaves_half_is_advice() -> None:
    proof = ran("0-3", "0-3", seen=["0", "1"], inherited="0-3", obtainable="0-7")
    variables = {"SLURM_STEP_ID": "0", "SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "2"}
    check = launcher(surroundings(machine=two_nodes(), binding=proof, **variables))
    assert check.state == "advice"
    assert check.seen == (
        "started by srun (Slurm) (2 ranks), which left 4 cores of 8 (CPUs 0-3 of 0-7)"
    )
    assert check.remedies[0] == "srun --cpu-bind=none ..."


def test_a_launcher_that_narrows_nothing_passes() -> None:
    check = launcher(surroundings(**OPEN_MPI))
    assert check.state == "passed"
    assert "Open MPI (1 rank), which left all available CPUs (0-1)" in check.seen


def test_no_launcher_passes() -> None:
    assert launcher(surroundings()).seen.startswith("no launcher of parallel programs")
    assert launcher(surroundings()).state == "passed"


@pytest.mark.parametrize("made", LAUNCHERS, ids=lambda each: each.name)
def test_every_launcher_is_known_by_its_variables_and_helps(made: type) -> None:
    variables = {name.replace("*", "X"): "2" for name in made.variables}
    assert known_launcher(variables) is made
    assert all(made.remedies(4))


@pytest.mark.parametrize(
    ("variables", "name"),
    [
        ({"SLURM_JOB_ID": "7", **OPEN_MPI}, "Open MPI"),
        ({"SLURM_STEP_ID": "0", "SLURM_PROCID": "0", "SLURM_JOB_ID": "7"}, "srun (Slurm)"),
        ({"PMI_SIZE": "2", "MPI_LOCALNRANKS": "2", "PBS_JOBID": "1"}, "MPICH"),
        ({"PMI_SIZE": "2", "MPI_LOCALNRANKS": "2", "I_MPI_ROOT": "/opt"}, "Intel MPI"),
        ({"JOB_ID": "2"}, None),
    ],
)
def test_the_innermost_launcher_counts(variables: dict[str, str], name: str | None) -> None:
    found = known_launcher(variables)
    assert (found.name if found else None) == name


def test_a_whole_cpuset_passes() -> None:
    assert cpuset(surroundings()).state == "passed"


def test_a_cpuset_of_one_core_spoils() -> None:
    check = cpuset(surroundings(binding=ran("0", "0", inherited="0", obtainable="0")))
    assert check.state == "spoils"
    assert "gets 1 of 2 (0), 1 core of 2" in check.seen


def test_a_cpuset_of_some_cores_is_advice() -> None:
    proof = ran("0-3", "0-3", inherited="0-3", obtainable="0-3")
    check = cpuset(surroundings(machine=two_nodes(), binding=proof))
    assert check.state == "advice"
    assert check.remedies[0].startswith("docker run --cpuset-cpus=0-7")


def test_a_cpuset_that_may_not_be_asked_for_is_unknown() -> None:
    assert cpuset(surroundings(binding=ran("0-1", obtainable=None))).state == "unknown"


@pytest.mark.parametrize(
    ("variables", "state", "words"),
    [
        ({}, "passed", ""),
        ({"OMP_NUM_THREADS": "2"}, "passed", ""),
        ({"OMP_NUM_THREADS": " "}, "passed", ""),
        ({"OMP_NUM_THREADS": "many"}, "passed", ""),
        ({"OMP_PROC_BIND": "true"}, "passed", ""),
        ({"OMP_DYNAMIC": "false"}, "passed", ""),
        ({"OMP_NUM_THREADS": "1"}, "advice", "1 thread on 2 cores"),
        ({"OMP_NUM_THREADS": "4,2"}, "advice", "4 threads on 2 cores"),
        ({"OMP_DYNAMIC": "TRUE"}, "advice", "fewer threads when CPUs are busy"),
        ({"KMP_AFFINITY": "compact"}, "advice", "the OpenMP runtime of LLVM or Intel"),
        ({"OMP_THREAD_LIMIT": "1"}, "spoils", "no program gets more than 1 thread"),
        ({"OMP_THREAD_LIMIT": "64"}, "passed", ""),
    ],
)
def test_variables_of_openmp(variables: dict[str, str], state: str, words: str) -> None:
    check = openmp(surroundings(**variables))
    assert check.state == state
    assert words in (check.why or "")
    assert (check.remedies == []) == (state == "passed")
