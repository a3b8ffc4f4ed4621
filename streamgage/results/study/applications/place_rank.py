"""Binds one rank of an MPI program to its CPUs, and becomes that program.

    python -I place_rank.py CPUS THREADS FIRST NAMES COMMAND ...

``CPUS``: numbers in the order of use, such as ``0,2,4``; the rank with the local number r has the
``THREADS`` from r * THREADS on. ``-``: ranks are left where they are. ``FIRST``: the number
of CPUs of the first rank, from the first CPU on, where it has more than the other ranks, which wait
while it works. Its own process stays on the first CPU. ``NAMES``: the variables in which a launcher
may have put the number of a rank on its host, with commas between. It needs only Python,
because it starts once per rank, on any host.
"""

import os
import sys


def main() -> None:
    """Bind the rank, then become the command."""
    threads, first = int(sys.argv[2]), int(sys.argv[3])
    names, command = sys.argv[4].split(","), sys.argv[5:]
    number = next((os.environ[name] for name in names if name in os.environ), None)
    if number is None:
        sys.exit("place_rank: the launcher gives a rank no number on its host.")
    if number == "0" and first > threads:
        threads = first
        os.environ["OPENBLAS_NUM_THREADS"] = "1"  # otherwise it takes the number of OpenMP threads
    os.environ["OMP_NUM_THREADS"] = str(threads)
    if sys.argv[1] != "-":
        bind(number, threads)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"place_rank: {command[0]} cannot be started: {error.strerror}.")


def bind(number: str, threads: int) -> None:
    """Bind the process to its CPUs, and each of its OpenMP threads to one of them."""
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
