"""Programs on a machine of their own, as far as names and /tmp go. Only root can make one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

_APART = """\
hostname "$1" && cd "$2" && mount -t tmpfs tmpfs /mnt && mkdir /mnt/upper /mnt/work &&
mount -t overlay overlay -o lowerdir=/tmp,upperdir=/mnt/upper,workdir=/mnt/work /tmp &&
mount --no-canonicalize --bind . "$2" && shift 2 && exec "$@"
"""


def apart(name: str, shared: Path, command: Sequence[str]) -> list[str]:
    """``command`` where the machine has this name, and a /tmp of its own.

    Of this machine's /tmp it sees what was there, and ``shared`` is one folder for all.
    """
    return ["unshare", "--mount", "--uts", "sh", "-c", _APART, "sh", name, str(shared), *command]
