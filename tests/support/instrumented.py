"""Modules loaded ahead of their use, so that a fuzzer sees which of their code runs."""

from __future__ import annotations

import importlib
import pkgutil


def load_all(*packages: str) -> None:
    """Import every module of ``packages``: many are otherwise loaded where they are needed."""
    for name in packages:
        package = importlib.import_module(name)
        for each in pkgutil.walk_packages(package.__path__, f"{name}."):
            importlib.import_module(each.name)
