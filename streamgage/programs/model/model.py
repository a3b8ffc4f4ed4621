"""Reads a model's headers: a GGUF file, or a folder of safetensors."""

from __future__ import annotations

from pathlib import Path

from streamgage.errors import UsageError
from streamgage.programs.model.gguf_file import read_gguf
from streamgage.programs.model.reads import ModelReads, reads_of
from streamgage.programs.model.safetensors_folder import read_safetensors


def reads_of_model(path: Path, context: int) -> ModelReads:
    """The bytes that a token reads with ``context`` tokens before it. Raises ``UsageError``."""
    try:
        is_folder, is_there = path.is_dir(), path.exists()
    except (OSError, ValueError):  # no file can have such a name
        is_folder = is_there = False
    if is_folder:
        return reads_of(*read_safetensors(path), context)
    if path.suffix == ".safetensors":
        raise UsageError(f"{path} is one file of a model: name its folder, which has config.json.")
    if not is_there:
        raise UsageError(f"There is no {path}: name a GGUF file, or a folder of safetensors.")
    return reads_of(*read_gguf(path), context)
