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
        if path.is_dir():
            return reads_of(*read_safetensors(path), context)
        if path.suffix == ".safetensors":
            raise UsageError(
                f"{path} is one file of a model: name its folder, which has config.json."
            )
        path.stat()
    except (OSError, ValueError) as error:  # ValueError: no file can have such a name
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(
            f"{path} cannot be read ({reason}): name a GGUF file, or a folder of safetensors."
        ) from error
    return reads_of(*read_gguf(path), context)
