"""Launchers of parallel programs: Open MPI, MPICH and Slurm, one dialect a file."""

from __future__ import annotations

from streamgage.launch.choose import Launcher, LauncherName, choose_launcher
from streamgage.launch.hosts import read_hosts, refuse_unknown_hosts
from streamgage.launch.job import MOST_RANKS, CommandLine, Host, Job, Share
from streamgage.launch.prepared import Call, prepared

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
