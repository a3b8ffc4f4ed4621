"""Copies of the real engine that the system's own loader refuses."""

from __future__ import annotations

import re
import struct
import subprocess
from pathlib import Path

NEWEST = "2.99"
"""A version of glibc that no system has."""


def for_a_newer_glibc(engine: Path, folder: Path) -> Path:
    """The engine as if it were built on a system with that glibc."""
    content = engine.read_bytes()
    needed = max(set(re.findall(rb"GLIBC_(2\.\d\d)\0", content)))
    old, new = b"GLIBC_" + needed, f"GLIBC_{NEWEST}".encode()
    for before, after in ((old + b"\0", new + b"\0"), (_hash(old), _hash(new))):
        assert before in content
        content = content.replace(before, after)
    return _program(folder / "engine-for-a-newer-glibc", content)


def without_a_library(engine: Path, folder: Path) -> tuple[Path, str]:
    """Write an engine that needs a missing library, and return the library's name."""
    loaded = subprocess.run(["ldd", engine], capture_output=True, text=True, check=True).stdout
    name = next(each for each in re.findall(r"^\s+(lib[\w.+-]+) =>", loaded, re.M))
    absent = "libnon" + name[6:]
    content = engine.read_bytes().replace(f"{name}\0".encode(), f"{absent}\0".encode())
    return _program(folder / "engine-without-a-library", content), absent


def _program(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    path.chmod(0o755)
    return path


def _hash(name: bytes) -> bytes:
    """The hash of a version's name, as in ELF's tables (System V ABI, Hash Table)."""
    value = 0
    for letter in name:
        value = (value << 4) + letter
        high = value & 0xF0000000
        value = (value ^ (high >> 24)) & ~high
    return struct.pack("<I", value & 0xFFFFFFFF)
