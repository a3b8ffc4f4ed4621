"""Calls launchers of parallel programs: Open MPI, MPICH and Slurm."""

from __future__ import annotations

from streamgage.process.launch.choose import Launcher, choose_launcher, mpi_called
from streamgage.process.launch.dialects import LauncherName
from streamgage.process.launch.hosts import read_hosts, refuse_unknown_hosts
from streamgage.process.launch.job import MOST_RANKS, Call, CommandLine, Host, Job, Share, prepared

__all__ = [
    "MOST_RANKS",
    "Call",
    "CommandLine",
    "Host",
    "Job",
    "Launcher",
    "LauncherName",
    "Share",
    "choose_launcher",
    "mpi_called",
    "prepared",
    "read_hosts",
    "refuse_unknown_hosts",
]
