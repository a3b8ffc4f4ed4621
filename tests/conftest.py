"""No test touches what belongs to its user, and none is skipped because a program is missing."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from postgresql_server import Server

# No test times anything: machines are shared, and an example may take long for no fault of its own.
# Everybody runs the same examples; `scripts/fuzz SECONDS` looks for others.
settings.register_profile(
    "shared",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("shared")

pytest.register_assert_rewrite("golden")

# A shell starts what runs in the background with SIGINT ignored, and every child inherits that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# No test waits for another, nor for a measurement of the user's; what runs longer than one test
# takes no lock.
os.environ["STREAMGAGE_LOCK"] = "none"

# Tests run at once, so that the machine is busy; what looks at that sets it.
os.environ["STREAMGAGE_LOAD_CHECK"] = "none"

# Matplotlib looks at every font of the system once for each cache folder, which takes seconds.
os.environ["MPLCONFIGDIR"] = str(Path(__file__).parents[1] / "build" / "matplotlib")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker by which `make test` and `make check` share the tests."""
    config.addinivalue_line(
        "markers",
        "needs(PROGRAM, ...): programs that `scripts/bootstrap check` installs;"
        " `make check` runs these tests, `make test` the others",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test fails with a sentence where a program that it needs is missing."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}{os.pathsep}/usr/sbin"
    needed = [name for mark in item.iter_markers("needs") for name in mark.args]
    missing = [name for name in needed if shutil.which(name, path=path) is None]
    if missing:
        names = " and ".join(missing)
        pytest.fail(f"This test needs {names}: run `scripts/bootstrap check`.", pytrace=False)


@pytest.fixture(autouse=True)
def _folders_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """State, data, cache and lock in a temporary folder, for whatever a test calls or starts."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("STREAMGAGE_STORE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("STREAMGAGE_LOCK", str(tmp_path / "lock"))


@pytest.fixture(autouse=True)
def _priority_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """The front lowers its own priority while an engine runs, which here is that of all tests."""
    monkeypatch.setattr(os, "nice", lambda _: os.getpriority(os.PRIO_PROCESS, 0))


@pytest.fixture(scope="session")
def lasting_server() -> Iterator[Server]:
    """A server of PostgreSQL for all tests; one that needs it is marked ``needs``."""
    from postgresql_server import postgresql_server

    with postgresql_server() as server:
        yield server


@pytest.fixture
def server(lasting_server: Server) -> Server:
    """That server; its database holds no store yet."""
    lasting_server.ask("DROP SCHEMA IF EXISTS streamgage CASCADE")
    return lasting_server
