"""Makes real control groups with a quota or a cpuset, if this machine allows it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

_NAME = "streamgage-test-"
_LOCK = Path("/tmp/streamgage-test-control-groups.lock")
"""Of this machine: two at once would switch controllers off that the other needs."""


@contextmanager
def control_group(controller: str, settings: Mapping[str, str]) -> Iterator[Path]:
    """Make a group with these settings, a file for each; it is removed after its processes' end.

    Raises ``OSError`` where no such group can be made here.
    """
    with _alone(), _parent(controller) as parent:
        _remove_left(parent)
        group = parent / f"{_NAME}{os.getpid()}"
        group.mkdir()
        try:
            for name, value in settings.items():
                (group / name).write_text(value)
            yield group
        finally:
            group.rmdir()


def version_of(controller: str) -> int:
    """The version that has the controller: 1 or 2. Raises ``OSError`` if neither has it."""
    return 2 if controller not in _mounts_of_version_1() else 1


@contextmanager
def _alone() -> Iterator[None]:
    with _LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _remove_left(parent: Path) -> None:
    """What tests that were killed have left."""
    for group in parent.glob(f"{_NAME}[0-9]*"):
        if not Path("/proc", group.name.removeprefix(_NAME)).exists():
            with suppress(OSError):
                group.rmdir()


@contextmanager
def _parent(controller: str) -> Iterator[Path]:
    """Where a new group can have the controller; it is left as it was."""
    older = _mounts_of_version_1()
    if controller in older:
        yield older[controller]
        return
    roots = [Path(mount) for mount, kind, _ in _mounts() if kind == "cgroup2"]
    if not roots:
        raise FileNotFoundError(controller)
    switch = roots[0] / "cgroup.subtree_control"
    was_on = controller in switch.read_text().split()
    if not was_on:
        switch.write_text(f"+{controller}")
    try:
        yield roots[0]
    finally:
        if not was_on:
            switch.write_text(f"-{controller}")


def _mounts_of_version_1() -> dict[str, Path]:
    """The folder of this process's own group by controller."""
    own = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        own |= dict.fromkeys(controllers.split(","), path)
    found = {}
    for mount, kind, options in _mounts():
        for controller in set(options.split(",")) & set(own) if kind == "cgroup" else ():
            inside = Path(mount) / own[controller].lstrip("/")
            found[controller] = inside if inside.is_dir() else Path(mount)
    return found


def _mounts() -> Iterator[tuple[str, str, str]]:
    """Folder, kind and options of what is mounted."""
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, mount, kind, options, *_ = line.split()
        yield mount, kind, options
