"""Reads the headers of a folder of safetensors files, by the format's own package."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

from streamgage.errors import UsageError
from streamgage.process.installation import require
from streamgage.programs.model.reads import ModelFacts, Role, Tensor, elements_of_cache
from streamgage.records.foreign import UnreadableError, decoded, read_file

_BITS = re.compile(r"(?:BF|F|I|U|C)([0-9]+)(?:_|$)")
_CONFIG = "config.json"


def read_safetensors(folder: Path) -> tuple[list[Tensor], ModelFacts]:
    """Read the headers of all files of the folder, and its config.json. Raises ``UsageError``."""
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise UsageError(f"{folder} has no *.safetensors: name a folder that has, or a GGUF file.")
    require("--model with safetensors", "safetensors", "numpy")
    tensors = [tensor for file in files for tensor in _read(file)]
    if not tensors:
        raise UsageError(f"{folder} has no tensors: name the folder with the model's weights.")
    return tensors, facts_of(_config(folder / _CONFIG))


def _read(file: Path) -> list[Tensor]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, framework="np") as opened:
            found = {name: opened.get_slice(name) for name in opened.keys()}  # noqa: SIM118
            return [
                _tensor(name, each.get_dtype(), each.get_shape(), file)
                for name, each in found.items()
            ]
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror or error}.") from error
    except SafetensorError as error:
        raise UsageError(
            f"{file} is not a whole safetensors file ({error}): fetch it again, or name another."
        ) from error


def _tensor(name: str, dtype: str, shape: list[int], file: Path) -> Tensor:
    bits = _BITS.match(dtype)
    size = 8 if dtype == "BOOL" else int(bits[1]) if bits else 0
    if not size:
        raise UsageError(f"{file} has elements of type {dtype}, whose size is not known.")
    rows = shape[0] if len(shape) > 1 else 1
    return Tensor(name, dtype, prod(shape) * size // 8, rows, role_of(name, len(shape)))


def role_of(name: str, dimensions: int) -> Role:
    """The role of a tensor, by the names that models for Transformers have."""
    if re.search(r"(?:^|\.)(?:vision|visual|audio|mtp|multi_modal|encoder)", name):
        return "unused"
    if re.search(r"\.experts\.[0-9]+\.", name):
        return "one expert"
    if ".experts." in name:
        return "experts" if dimensions > 1 else "unused"
    if re.search(r"(?:^|\.)(?:embed_tokens|wte|tok_embeddings|embed_in)\.weight$", name):
        return "embedding"
    if re.search(r"(?:^|\.)(?:lm_head|embed_out|output)\.weight$", name):
        return "output"
    return "weight"


def _config(file: Path) -> Mapping[str, Any]:
    try:
        return decoded(read_file(file), dict[str, Any])
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read ({error.strerror or error}): it says how the model uses its"
            " weights."
        ) from error
    except UnreadableError as error:
        raise UsageError(f"{file} is not a readable config.json ({error}).") from error


def facts_of(config: Mapping[str, Any]) -> ModelFacts:
    """Read the facts, by the keys of Transformers; those of a text model within another first."""
    inner = config.get("text_config")
    keys: dict[str, Any] = {**config, **(inner if isinstance(inner, dict) else {})}

    def of(*names: str) -> int | None:
        found = (keys.get(name) for name in names)
        return next((each for each in found if type(each) is int and each > 0), None)

    layers = of("num_hidden_layers", "n_layer")
    heads = of("num_attention_heads", "n_head")
    width = of("hidden_size", "n_embd")
    of_head = of("head_dim") or (width // heads if width and heads else None)
    compressed = of("kv_lora_rank")
    if compressed is not None:
        elements = elements_of_cache(layers, 1, compressed, of("qk_rope_head_dim") or 0)
    else:
        kv_heads = of("num_key_value_heads") or heads
        elements = elements_of_cache(layers, kv_heads, of_head, of_head)
    window = of("sliding_window") if keys.get("use_sliding_window", True) else None
    return ModelFacts(
        layers=layers,
        experts=of("num_local_experts", "num_experts", "n_routed_experts"),
        experts_used=of("num_experts_per_tok", "num_experts_per_token"),
        cache_elements=elements,
        window=window,
        tied=keys.get("tie_word_embeddings") is True,
    )
