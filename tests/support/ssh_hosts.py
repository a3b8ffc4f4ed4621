"""Network hosts with a real sshd each, and an ssh that reaches them without a question.

Their names are their addresses; they call themselves host0, host1 and so on.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from machines_apart import apart
from network_hosts import NetworkHosts, network_hosts

_SERVER = """\
HostKey {folder}/hostkey
PidFile none
AuthorizedKeysFile {folder}/userkey.pub
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
PasswordAuthentication no
Subsystem sftp internal-sftp
"""
_CLIENT = """\
IdentityFile {folder}/userkey
IdentitiesOnly yes
StrictHostKeyChecking no
UserKnownHostsFile /dev/null
LogLevel ERROR
"""
_TURNS = 300
_SECONDS_OF_A_TURN = 0.1


@dataclass(frozen=True)
class SshHosts:
    """The hosts, and the options of ssh that reach them."""

    hosts: NetworkHosts
    client: Path
    """A configuration file of ssh."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which the hosts are reached."""
        return self.hosts.names


@contextmanager
def ssh_hosts(number: int, folder: Path) -> Iterator[SshHosts]:
    """Start so many hosts; their servers end with the block."""
    for key in ("hostkey", "userkey"):
        make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / key)]
        subprocess.run(make, check=True)
    server, client = folder / "sshd_config", folder / "ssh_config"
    server.write_text(_SERVER.format(folder=folder))
    client.write_text(_CLIENT.format(folder=folder))
    Path("/run/sshd").mkdir(exist_ok=True)  # its folder of separated privileges
    with network_hosts(number, folder) as hosts:
        daemon = ["/usr/sbin/sshd", "-D", "-e", "-f", str(server)]
        with (folder / "sshd.log").open("wb") as log:
            servers = [
                subprocess.Popen(
                    [*hosts.inside(name), *apart(f"host{place}", folder, daemon)],
                    stdin=subprocess.DEVNULL,
                    stderr=log,
                )
                for place, name in enumerate(hosts.names)
            ]
        try:
            for name in hosts.names:
                _wait_until_it_answers(name, client, folder)
            yield SshHosts(hosts, client)
        finally:
            for each in servers:
                each.terminate()
            for each in servers:
                each.wait()


def _wait_until_it_answers(name: str, client: Path, folder: Path) -> None:
    for _ in range(_TURNS):
        command = ["ssh", "-F", str(client), "-oBatchMode=yes", name, "true"]
        if subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return
        time.sleep(_SECONDS_OF_A_TURN)
    raise AssertionError(f"sshd of {name} does not answer\n{(folder / 'sshd.log').read_text()}")
