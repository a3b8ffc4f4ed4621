"""A real server of PostgreSQL on this machine, for as long as tests need it.

It is reached by a socket in its own folder alone. Root may not start it, so that the user
``postgres`` of Debian's package does.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

USER, PASSWORD, DATABASE = "bench", "Ge:he/im@7", "results"
_QUOTED = "Ge%3Ahe%2Fim%407"
"""The password as an address has it."""
_ADMIN = "postgres"
_SETTINGS = "-c listen_addresses= -c unix_socket_directories={folder} -c fsync={fsync}"


@dataclass(frozen=True)
class Server:
    """A server with a database that an ordinary user owns."""

    folder: Path
    durable: bool = False
    """Whether what is written outlives a loss of power, which takes time."""

    def address(
        self, user: str = USER, password: str = _QUOTED, database: str = DATABASE, more: str = ""
    ) -> str:
        """The address in the form for ``--store``."""
        return f"postgresql://{user}:{password}@/{database}?host={self.folder}{more}"

    def shown(self, user: str = USER, database: str = DATABASE) -> str:
        """The address as it is printed."""
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def ask(self, *statements: str, database: str = DATABASE) -> list[tuple[Any, ...]]:
        """Run statements as the server's administrator, and return what the last one finds."""
        with psycopg.connect(
            host=str(self.folder), user=_ADMIN, dbname=database, autocommit=True
        ) as connection:
            for each in statements:
                cursor = connection.execute(each)
            return cursor.fetchall() if cursor.description is not None else []

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = _SETTINGS.format(folder=self.folder, fsync="on" if self.durable else "off")
        self._program("pg_ctl", "-w", "-l", str(self.folder / "log"), "-o", settings, "start")

    def stop(self) -> None:
        """End it at once; connections are lost."""
        self._program("pg_ctl", "-m", "immediate", "-w", "stop")

    @property
    def stop_line(self) -> str:
        """The command line that stops it."""
        return " ".join(self._command("pg_ctl", "-m", "immediate", "-w", "stop")) + " >/dev/null"

    def make(self) -> None:
        """Make the data of a new server: passwords are asked for, but not of the administrator."""
        self._program("initdb", "-U", _ADMIN, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        rules = f"local all {_ADMIN} trust\nlocal all all scram-sha-256\n"
        (self.folder / "data" / "pg_hba.conf").write_text(rules)

    def _program(self, name: str, *arguments: str) -> None:
        done = subprocess.run(
            self._command(name, *arguments),
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # a pipe would stay open as long as the server runs
            stderr=subprocess.DEVNULL,
            check=False,
        )
        assert done.returncode == 0, f"{name} {arguments} failed: see {self.folder / 'log'}"

    def _command(self, name: str, *arguments: str) -> list[str]:
        [*_, newest] = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
        other = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        return [
            *(other if os.geteuid() == 0 else []),
            *(str(newest), "-D", str(self.folder / "data"), *arguments),
        ]


@contextmanager
def postgresql_server(*, durable: bool = False) -> Iterator[Server]:
    """A new server; it ends with the block."""
    folder = Path(tempfile.mkdtemp(prefix="sg-", dir="/tmp"))  # a socket's path must be short
    try:
        folder.chmod(0o755)
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        server = Server(folder, durable)
        server.make()
        server.start()
        try:
            server.ask(
                f"CREATE ROLE {USER} LOGIN PASSWORD '{PASSWORD}'",
                f"CREATE ROLE reader LOGIN PASSWORD '{PASSWORD}'",
                f"CREATE DATABASE {DATABASE} OWNER {USER}",
                database="postgres",
            )
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
