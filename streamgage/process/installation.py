"""Finds out how streamgage was installed, and the command that installs further packages.

The packages of each extra are declared in ``pyproject.toml``, and read here from the metadata.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec

from streamgage.errors import UsageError

NAME = "streamgage"
_OF_EXTRA = re.compile(r"""([\w.-]+(?:\[[^\]]*\])?)[^;\[]*;.*\bextra == ['"]([\w-]+)['"]""")
"""A requirement in the metadata that belongs to an extra, with the name of the extra."""


def require(what: str, *packages: str) -> None:
    """Check that the optional packages that ``what`` needs are installed.

    Raises ``UsageError`` with the command that installs the missing ones.
    """
    missing = [each for each in packages if not _installed(each)]
    if missing:
        raise UsageError(
            f"{what} needs {' and '.join(missing)}, which"
            f" {'is' if len(missing) == 1 else 'are'} not installed: {_advice(missing)}."
        )


def _installed(package: str) -> bool:
    return _distribution(package) is not None


def _distribution(package: str) -> Distribution | None:
    try:
        return distribution(package.partition("[")[0])
    except PackageNotFoundError:
        return None


def own_version() -> str | None:
    """The version of streamgage; None if it is not installed."""
    own = _distribution(NAME)
    return None if own is None else own.version


def extras() -> dict[str, list[str]]:
    """The packages of each extra; none if streamgage itself is not installed."""
    own = _distribution(NAME)
    found: dict[str, list[str]] = {}
    for each in (own.requires if own is not None else None) or ():
        match = _OF_EXTRA.match(each)
        if match is not None and match[1].partition("[")[0] != NAME:
            found.setdefault(match[2], []).append(match[1])
    return found


def _advice(missing: Sequence[str]) -> str:
    """Say how to install these packages."""
    extra = next((name for name, brought in extras().items() if missing[0] in brought), None)
    command = None if extra is None else _command(extra)
    if command is None:
        return f"install {' '.join(missing)} for {sys.executable}"
    return f"install what is missing with `{command}`"


def _command(extra: str) -> str | None:
    """The command that installs an extra as streamgage was installed; ``None`` if unknown."""
    own = _distribution(NAME)
    installer = ((own.read_text("INSTALLER") if own is not None else None) or "").strip()
    prefix = Path(sys.prefix)
    wanted = shlex.quote(f"{NAME}[{extra}]")
    if (prefix / "pipx_metadata.json").exists():
        return f"pipx inject {NAME} {' '.join(extras()[extra])}"
    if (prefix / "uv-receipt.toml").exists():
        return f"uv tool install {shlex.quote(_source(own, extra))}"
    if "archive-v0" in prefix.parts:  # where uv keeps the environments of `uv tool run`
        return f"uv tool run --from {shlex.quote(_source(own, extra))} {NAME}"
    if installer == "uv":
        return f"uv pip install --python {shlex.quote(sys.executable)} {wanted}"
    if installer == "pip":
        return f"{_python()} -m pip install {wanted}"
    return None


def _source(own: Distribution | None, extra: str) -> str:
    """The name of streamgage with an extra, with its source: the index, a file or a folder."""
    origin = (own.read_text("direct_url.json") if own is not None else None) or "{}"
    url = str(msgspec.json.decode(origin, type=dict[str, object]).get("url", ""))
    if not url or (url.startswith("file:") and not Path(unquote(urlsplit(url).path)).exists()):
        return f"{NAME}[{extra}]"
    return f"{NAME}[{extra}] @ {url}"


def _python() -> str:
    """The name of this Python as a user types it."""
    name = "python3"
    found = shutil.which(name)
    return name if found == sys.executable else shlex.quote(sys.executable)
