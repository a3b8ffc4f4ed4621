"""Hosts that are network namespaces of this machine, each with a name and an address of its own.

Launchers reach them by an agent in the place of ssh, which enters the namespace. Only root can make
them. All of them share this machine's CPUs and memory: times mean nothing.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from streamgage.process.launch import LauncherName

_NET = "10.213.77"


@dataclass(frozen=True)
class NetworkHosts:
    """The hosts, and what a launcher's environment needs to reach them."""

    names: tuple[str, ...]
    folder: Path
    prefix: str

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
                "OMPI_MCA_oob_tcp_if_include": f"{_NET}.0/24",
                "OMPI_MCA_btl_tcp_if_include": f"{_NET}.0/24",
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

    def cut_off(self, name: str) -> None:
        """The host's cable is pulled."""
        _ip("link", "set", f"{self.prefix}{self.names.index(name)}", "down")


@contextmanager
def network_hosts(number: int, folder: Path) -> Iterator[NetworkHosts]:
    """So many hosts on a bridge of their own, taken away in the end."""
    prefix = f"sg{os.getpid() % 100000}"
    addresses = tuple(f"{_NET}.{each + 2}" for each in range(number))
    hosts = NetworkHosts(addresses, folder, prefix)
    hosts.host_file.write_text("".join(f"{address}\n" for address in addresses), "utf-8")
    _write_agent(hosts)
    try:
        _ip("link", "add", f"{prefix}br", "type", "bridge")
        _ip("addr", "add", f"{_NET}.1/24", "dev", f"{prefix}br")
        _ip("link", "set", f"{prefix}br", "up")
        for each, address in enumerate(addresses):
            _add_host(prefix, each, address)
        yield hosts
    finally:
        for each in range(number):
            _end_programs(f"{prefix}h{each}")
            subprocess.run(["ip", "netns", "del", f"{prefix}h{each}"], check=False)
            subprocess.run(["ip", "link", "del", f"{prefix}{each}"], check=False, **_QUIET)
        subprocess.run(["ip", "link", "del", f"{prefix}br"], check=False)


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
    asked = ["ip", "netns", "pids", space]
    for process in subprocess.run(
        asked, capture_output=True, text=True, check=False
    ).stdout.split():
        with suppress(ProcessLookupError):
            os.kill(int(process), signal.SIGKILL)


def _write_agent(hosts: NetworkHosts) -> None:
    """What launchers call as they would ssh: options, host, command."""
    cases = "\n".join(
        f"  {address}) space={hosts.prefix}h{number}; name=host{number} ;;"
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
