"""Hosts that are network namespaces of this machine, each with a name and an address of its own.

Launchers reach them by an agent in the place of ssh, which enters the namespace. Only root can make
them. All of them share this machine's CPUs and memory: times mean nothing.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from streamgage.process.launch import LauncherName

_LETTERS = cycle("uvwxyz")
"""Numbers that distinguish the hosts of one process."""


@dataclass(frozen=True)
class NetworkHosts:
    """The hosts, and what a launcher's environment needs to reach them."""

    names: tuple[str, ...]
    folder: Path
    prefix: str
    network: str

    @property
    def host_file(self) -> Path:
        """A host file with their addresses' names."""
        return self.folder / "hosts"

    def environment(self, launcher: LauncherName) -> dict[str, str]:
        """Variables by which ``launcher`` uses the agent and the hosts' network."""
        agent = str(self.folder / "agent")
        if launcher is LauncherName.OPENMPI:
            return {
                "OMPI_MCA_plm_rsh_agent": agent,
                "OMPI_MCA_oob_tcp_if_include": f"{self.network}.0/24",
                "OMPI_MCA_btl_tcp_if_include": f"{self.network}.0/24",
                "OMPI_MCA_btl": "tcp,self",
                "OMPI_MCA_plm_rsh_no_tree_spawn": "1",
            }
        return {
            "HYDRA_LAUNCHER": "ssh",
            "HYDRA_LAUNCHER_EXEC": agent,
            "HYDRA_IFACE": f"{self.prefix}br",
            "UCX_TLS": "tcp,self",
            "UCX_NET_DEVICES": "eth0",
        }

    def inside(self, name: str) -> list[str]:
        """The prefix of a command that runs in the host's network."""
        return ["ip", "netns", "exec", f"{self.prefix}h{self.names.index(name)}"]

    def cut_off(self, name: str) -> None:
        """Disconnect the host, as if its cable were pulled."""
        _ip("link", "set", f"{self.prefix}{self.names.index(name)}", "down")


@contextmanager
def network_hosts(number: int, folder: Path) -> Iterator[NetworkHosts]:
    """Make so many hosts on a bridge of their own, and remove them at the end."""
    _take_away_what_ended_tests_left()
    prefix = f"sg{os.getpid()}{next(_LETTERS)}"
    network = _free_network()
    addresses = tuple(f"{network}.{each + 2}" for each in range(number))
    hosts = NetworkHosts(addresses, folder, prefix, network)
    hosts.host_file.write_text("".join(f"{address}\n" for address in addresses), "utf-8")
    _write_agent(hosts)
    try:
        _ip("link", "add", f"{prefix}br", "type", "bridge")
        _ip("addr", "add", f"{network}.1/24", "dev", f"{prefix}br")
        _ip("link", "set", f"{prefix}br", "up")
        for each, address in enumerate(addresses):
            _add_host(prefix, each, address)
        yield hosts
    finally:
        _take_away(prefix)


def _take_away_what_ended_tests_left() -> None:
    """A test that was killed leaves its hosts, and their addresses would answer in our place."""
    for bridge in _said("ip", "-brief", "link", "show", "type", "bridge"):
        left = re.match(r"(sg([0-9]+)[u-z])br ", bridge)
        if left and not Path("/proc", left[2]).exists():
            _take_away(left[1])


def _take_away(prefix: str) -> None:
    """The hosts with this prefix, what still runs on them, and their bridge."""
    for line in _said("ip", "netns", "list"):
        space = line.split()[0]
        if space.startswith(f"{prefix}h"):
            _end_programs(space)
            subprocess.run(["ip", "netns", "del", space], check=False)
    for link in _said("ip", "-brief", "link", "show", "master", f"{prefix}br"):
        subprocess.run(["ip", "link", "del", link.split("@")[0]], check=False, **_QUIET)
    subprocess.run(["ip", "link", "del", f"{prefix}br"], check=False)


def _free_network() -> str:
    """The first three numbers of addresses that nothing on this machine has.

    Each process begins with one of its own, so that two that look at once choose differently.
    """
    taken = "\n".join(_said("ip", "-brief", "address"))
    networks = (f"10.213.{(os.getpid() + each) % 256}" for each in range(256))
    return next(network for network in networks if f"{network}." not in taken)


def _said(*command: str) -> list[str]:
    return subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=False
    ).stdout.splitlines()


_QUIET: dict[str, int] = {"stderr": subprocess.DEVNULL}


def _add_host(prefix: str, number: int, address: str) -> None:
    space, cable = f"{prefix}h{number}", f"{prefix}{number}"
    _ip("netns", "add", space)
    _ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", space)
    _ip("link", "set", cable, "master", f"{prefix}br", "up")
    _ip("-n", space, "addr", "add", f"{address}/24", "dev", "eth0")
    _ip("-n", space, "link", "set", "eth0", "up")
    _ip("-n", space, "link", "set", "lo", "up")


def _end_programs(space: str) -> None:
    """What a launcher has left on a host that it could not reach any more."""
    for process in _said("ip", "netns", "pids", space):
        with suppress(ProcessLookupError):
            os.kill(int(process), signal.SIGKILL)


def _write_agent(hosts: NetworkHosts) -> None:
    """What launchers call as they would ssh: options, host, command."""
    cases = "\n".join(
        f"  {address} | host{number}) space={hosts.prefix}h{number}; name=host{number} ;;"
        for number, address in enumerate(hosts.names)
    )
    variables = " ".join(
        f"{name}={shlex.quote(value)}"
        for name, value in sorted(hosts.environment(LauncherName.OPENMPI).items())
    )
    agent = hosts.folder / "agent"
    agent.write_text(
        "#!/bin/sh\n"
        'while test "${1#-}" != "$1"; do shift; done\n'
        f'host=$1; shift\ncase "$host" in\n{cases}\n  *) echo "no host $host" >&2; exit 255 ;;\n'
        f"esac\nexport {variables}\n"
        'exec ip netns exec "$space" unshare -u sh -c \'hostname "$0"; eval "$@"\' "$name" "$*"\n',
        "utf-8",
    )
    agent.chmod(0o755)


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)
