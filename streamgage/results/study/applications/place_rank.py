"""Binds one rank of an MPI program to its CPUs, and becomes that program.

    python -I place_rank.py CPUS THREADS FIRST COMMAND ...

``CPUS``: numbers in the order of use, such as ``0,2,4``; the rank with the local number r has the
``THREADS`` from r * THREADS on. ``-``: ranks are left where they are. ``FIRST``: CPUs that the
first rank's threads have, from the first on, where they are more: while it works the others wait.
Its own process stays on the first. Needs nothing but Python: it is started once for each rank, on
whatever host.
"""

import os
import sys

LOCAL_RANKS = ("OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID", "PMI_LOCAL_RANK")
"""Of Open MPI, of Hydra (MPICH, MVAPICH, Intel MPI), and of Slurm."""


def main() -> None:
    """Bind, then run the command in this process."""
    threads, first = int(sys.argv[2]), int(sys.argv[3])
    command = sys.argv[4:]
    number = next((os.environ[name] for name in LOCAL_RANKS if name in os.environ), None)
    if number is None:
        sys.exit("place_rank: the launcher does not tell a rank its number on the host.")
    if number == "0" and first > threads:
        threads = first
        os.environ["OPENBLAS_NUM_THREADS"] = "1"  # else it takes those of OpenMP
    os.environ["OMP_NUM_THREADS"] = str(threads)
    if sys.argv[1] != "-":
        bind(number, threads)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"place_rank: {command[0]} cannot be started: {error.strerror}.")


def bind(number: str, threads: int) -> None:
    """Bind the process to its CPUs, and its threads of OpenMP to one each."""
    cpus = [int(each) for each in sys.argv[1].split(",")]
    mine = cpus[int(number) * threads : (int(number) + 1) * threads]
    if len(mine) < threads:
        sys.exit(f"place_rank: rank {number} of the host has no CPUs among {sys.argv[1]}.")
    try:
        os.sched_setaffinity(0, mine)
    except OSError as error:
        sys.exit(f"place_rank: a rank cannot run on CPUs {mine}: {error.strerror}.")
    os.environ["OMP_PLACES"] = ",".join(f"{{{cpu}}}" for cpu in mine)
    os.environ["OMP_PROC_BIND"] = "true"


if __name__ == "__main__":
    main()
