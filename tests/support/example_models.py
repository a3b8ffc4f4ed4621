"""Writes models of few weights, by the writers of their formats."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from safetensors.numpy import save_file

LAYERS, WIDTH, WORDS, HIDDEN = 3, 64, 1000, 160
HEADS, KV_HEADS = 4, 2
EXPERTS, USED = 8, 2
CACHE_OF_A_TOKEN = LAYERS * KV_HEADS * 2 * (WIDTH // HEADS) * 2
"""Bytes of the keys and values of one token, as F16."""


def shapes(*, experts: bool) -> dict[str, tuple[int, ...]]:
    """The tensors of a layer, by the names of llama.cpp."""
    inner = {"ffn_up": (HIDDEN, WIDTH), "ffn_down": (WIDTH, HIDDEN)}
    fed: dict[str, tuple[int, ...]] = (
        {f"{name}_exps": (EXPERTS, *shape) for name, shape in inner.items()} if experts else inner
    )
    kv = WIDTH // HEADS * KV_HEADS
    return {"attn_q": (WIDTH, WIDTH), "attn_k": (kv, WIDTH), "attn_v": (kv, WIDTH), **fed}


def write_gguf(
    file: Path,
    *,
    type: gguf.GGMLQuantizationType = gguf.GGMLQuantizationType.F16,
    experts: bool = False,
    tied: bool = False,
    layers: int = LAYERS,
    counts: Mapping[str, int] | None = None,
) -> int:
    """Write a model of random weights, and return the bytes of all tensors in it."""
    writer = gguf.GGUFWriter(file, "llama")
    writer.add_block_count(LAYERS)
    writer.add_embedding_length(WIDTH)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_token_list([f"word {number}" for number in range(WORDS)])
    if experts:
        writer.add_expert_count(EXPERTS)
        writer.add_expert_used_count(USED)
    for name, number in (counts or {}).items():
        writer.add_uint32(name, number)
    tensors: dict[str, tuple[int, ...]] = {"token_embd.weight": (WORDS, WIDTH)}
    if not tied:
        tensors["output.weight"] = (WORDS, WIDTH)
    for layer in range(layers):
        for name, shape in shapes(experts=experts).items():
            tensors[f"blk.{layer}.{name}.weight"] = shape
    source = np.random.default_rng(7)
    total = 0
    for name, shape in tensors.items():
        data = gguf.quantize(source.standard_normal(shape, dtype=np.float32), type)
        writer.add_tensor(name, data, raw_dtype=type)
        total += data.nbytes
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return total


def write_safetensors(folder: Path, config: Mapping[str, Any] | None = None) -> None:
    """Write a folder of two files, with 16-bit weights and a config.json."""
    folder.mkdir()
    names = {
        "model.embed_tokens.weight": (WORDS, WIDTH),
        "lm_head.weight": (WORDS, WIDTH),
        **{
            f"model.layers.{layer}.mlp.experts.{expert}.up_proj.weight": (HIDDEN, WIDTH)
            for layer in range(LAYERS)
            for expert in range(EXPERTS)
        },
        **{
            f"model.layers.{layer}.self_attn.q_proj.weight": (WIDTH, WIDTH)
            for layer in range(LAYERS + 1)
        },
        "visual.patch_embed.weight": (HIDDEN, HIDDEN),
    }
    written = {name: np.zeros(shape, dtype=np.float16) for name, shape in names.items()}
    half = len(written) // 2
    for number, part in enumerate((list(written)[:half], list(written)[half:]), 1):
        save_file(
            {name: written[name] for name in part}, folder / f"model-0000{number}.safetensors"
        )
    known = {
        "num_hidden_layers": LAYERS,
        "hidden_size": WIDTH,
        "num_attention_heads": HEADS,
        "num_key_value_heads": KV_HEADS,
        "num_experts": EXPERTS,
        "num_experts_per_tok": USED,
    }
    (folder / "config.json").write_text(json.dumps({**known, **(config or {})}), "utf-8")
