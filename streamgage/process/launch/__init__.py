"""Launchers of parallel programs: Open MPI, MPICH and Slurm, one dialect a file."""

from __future__ import annotations

from streamgage.process.launch.call import Call, prepared
from streamgage.process.launch.choose import Launcher, LauncherName, choose_launcher
from streamgage.process.launch.hosts import read_hosts, refuse_unknown_hosts
from streamgage.process.launch.job import MOST_RANKS, CommandLine, Host, Job, Share

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
    "prepared",
    "read_hosts",
    "refuse_unknown_hosts",
]
