"""What a language model reads for a token, by headers that the formats' own writers made."""

from __future__ import annotations

import struct
from pathlib import Path

import gguf
import pytest
from example_models import (
    CACHE_OF_A_TOKEN,
    EXPERTS,
    HIDDEN,
    LAYERS,
    USED,
    WIDTH,
    WORDS,
    write_gguf,
    write_safetensors,
)

from streamgage.errors import UsageError
from streamgage.programs.model.gguf_file import facts_of as facts_of_gguf
from streamgage.programs.model.model import reads_of_model
from streamgage.programs.model.reads import ModelFacts, Tensor, reads_of
from streamgage.programs.model.safetensors_folder import facts_of

Type = gguf.GGMLQuantizationType
EMBEDDING = 2 * WORDS * WIDTH
ROW = 2 * WIDTH


def test_a_dense_model_reads_all_its_weights_and_one_row_of_the_embedding(tmp_path: Path) -> None:
    total = write_gguf(tmp_path / "dense.gguf")
    reads = reads_of_model(tmp_path / "dense.gguf", 0)
    assert reads.bytes == total - EMBEDDING + ROW
    assert reads.parts == (
        ("F16 weights", total - EMBEDDING),
        ("a row of the embedding", ROW),
    )


def test_quantised_weights_count_as_they_lie_in_memory(tmp_path: Path) -> None:
    total = write_gguf(tmp_path / "small.gguf", type=Type.Q8_0)
    reads = reads_of_model(tmp_path / "small.gguf", 0)
    embedding = WORDS * WIDTH * 34 // 32  # a scale of 2 bytes for 32 elements of one
    assert reads.bytes == total - embedding + embedding // WORDS
    assert reads.parts[0][0] == "Q8_0 weights"


def test_an_embedding_that_is_the_output_is_read_whole(tmp_path: Path) -> None:
    total = write_gguf(tmp_path / "tied.gguf", tied=True)
    assert reads_of_model(tmp_path / "tied.gguf", 0).bytes == total


def test_of_experts_only_the_active_ones_are_read(tmp_path: Path) -> None:
    total = write_gguf(tmp_path / "experts.gguf", experts=True)
    reads = reads_of_model(tmp_path / "experts.gguf", 0)
    of_experts = LAYERS * EXPERTS * 2 * HIDDEN * WIDTH * 2
    active = of_experts * USED // EXPERTS
    assert dict(reads.parts)["F16 weights of experts (2 of 8)"] == active
    assert reads.bytes == total - of_experts + active - EMBEDDING + ROW


def test_the_keys_and_values_of_the_context_are_read_for_each_token(tmp_path: Path) -> None:
    write_gguf(tmp_path / "dense.gguf")
    none, many = (reads_of_model(tmp_path / "dense.gguf", each) for each in (0, 4096))
    assert many.bytes - none.bytes == 4096 * CACHE_OF_A_TOKEN
    assert dict(many.parts)["keys and values of 4096 tokens"] == 4096 * CACHE_OF_A_TOKEN


def test_a_sliding_window_bounds_what_is_read_of_the_context(tmp_path: Path) -> None:
    """Not all layers may have it, so this is the least."""
    write_gguf(tmp_path / "window.gguf", counts={"llama.attention.sliding_window": 512})
    none, many = (reads_of_model(tmp_path / "window.gguf", each) for each in (0, 4096))
    assert many.bytes - none.bytes == 512 * CACHE_OF_A_TOKEN


def test_layers_that_only_guess_ahead_are_not_read(tmp_path: Path) -> None:
    usual = write_gguf(tmp_path / "usual.gguf")
    assert write_gguf(tmp_path / "ahead.gguf", layers=LAYERS + 1) > usual
    assert (
        reads_of_model(tmp_path / "ahead.gguf", 0).bytes
        == reads_of_model(tmp_path / "usual.gguf", 0).bytes
    )


def test_a_model_in_several_files_is_read_from_any_of_them(tmp_path: Path) -> None:
    name = "m-0000{}-of-00002.gguf"
    first = write_gguf(tmp_path / name.format(1))
    with pytest.raises(UsageError, match=r"m-00002-of-00002\.gguf is not next to it"):
        reads_of_model(tmp_path / name.format(1), 0)
    second = write_gguf(tmp_path / name.format(2))
    assert reads_of_model(tmp_path / name.format(2), 0).bytes == (
        first + second - 2 * EMBEDDING + 2 * ROW
    )


def test_only_the_header_of_a_file_is_read(tmp_path: Path) -> None:
    """A file with a hole in place of its weights gives the same bytes at once."""
    whole, hollow = tmp_path / "whole.gguf", tmp_path / "hollow.gguf"
    write_gguf(whole)
    content = whole.read_bytes()
    start = gguf.GGUFReader(whole).data_offset
    with hollow.open("wb") as file:
        file.write(content[:start])
        file.truncate(len(content))
    assert reads_of_model(hollow, 0) == reads_of_model(whole, 0)


_LIST, _BYTE = 9, 0


def _with_field(path: Path, value: bytes) -> None:
    """A header with one field, of that type and content."""
    head = b"GGUF" + struct.pack("<IQQ", 3, 0, 1)
    path.write_bytes(head + struct.pack("<Q", 1) + b"x" + value)


def test_a_list_that_is_longer_than_the_file_is_refused_where_the_file_ends(tmp_path: Path) -> None:
    path = tmp_path / "long.gguf"
    _with_field(path, struct.pack("<IIQ", _LIST, _BYTE, 1 << 62) + bytes(100))
    with pytest.raises(UsageError, match=r"is not a whole GGUF file .it ends too early"):
        reads_of_model(path, 0)


def test_lists_in_lists_without_an_end_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep.gguf"
    _with_field(path, struct.pack("<I", _LIST) + struct.pack("<IQ", _LIST, 1) * 50_000)
    with pytest.raises(UsageError, match=r"is not a whole GGUF file .its lists go too deep"):
        reads_of_model(path, 0)


def test_a_folder_of_safetensors_reads_active_experts_and_no_pictures(tmp_path: Path) -> None:
    write_safetensors(tmp_path / "model")
    reads = reads_of_model(tmp_path / "model", 0)
    active = LAYERS * USED * HIDDEN * WIDTH * 2
    weights = EMBEDDING + LAYERS * WIDTH * WIDTH * 2  # the output, and the layers that are used
    assert dict(reads.parts) == {
        "F16 weights of experts (2 of 8)": active,
        "F16 weights": weights,
        "a row of the embedding": ROW,
    }
    assert reads_of_model(tmp_path / "model", 10).bytes - reads.bytes == 10 * CACHE_OF_A_TOKEN


def test_a_config_may_tie_the_output_to_the_embedding(tmp_path: Path) -> None:
    write_safetensors(tmp_path / "model", {"tie_word_embeddings": True})
    parts = dict(reads_of_model(tmp_path / "model", 0).parts)
    assert "a row of the embedding" not in parts


def test_experts_without_their_number_give_no_figure(tmp_path: Path) -> None:
    write_safetensors(tmp_path / "model", {"num_experts_per_tok": None})
    with pytest.raises(UsageError, match="how many are active"):
        reads_of_model(tmp_path / "model", 0)


def test_an_unknown_cache_is_said_only_if_it_is_asked_for() -> None:
    weight = Tensor("blk.0.x", "F16", 100, 1, "weight")
    assert reads_of([weight], ModelFacts(), 0).bytes == 100
    with pytest.raises(UsageError, match="leave --context out"):
        reads_of([weight], ModelFacts(), 1)


def test_heads_may_differ_by_layer_and_be_compressed() -> None:
    keys = {"general.architecture": "x", "x.block_count": 3, "x.attention.key_length": 8}
    by_layer = {**keys, "x.attention.head_count_kv": [2, 0, 1], "x.attention.value_length": 4}
    assert facts_of_gguf(by_layer).cache_elements == 3 * 12
    compressed = {**keys, "x.attention.kv_lora_rank": 512, "x.rope.dimension_count": 64}
    assert facts_of_gguf(compressed).cache_elements == 3 * 576
    inner = {"num_hidden_layers": 2, "hidden_size": 8, "num_attention_heads": 2}
    assert facts_of({"text_config": inner}).cache_elements == 2 * 2 * 8


@pytest.mark.parametrize("content", [b"", b"GGUF", b"GGUF\3\0\0\0" + b"\xff" * 64, b"x" * 100])
def test_what_is_no_model_is_said_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "bad.gguf"
    file.write_bytes(content)
    with pytest.raises(UsageError, match="is not a whole GGUF file"):
        reads_of_model(file, 0)
    folder = tmp_path / "folder"
    write_safetensors(folder)
    (folder / "more.safetensors").write_bytes(content)
    with pytest.raises(UsageError, match="is not a whole safetensors file"):
        reads_of_model(folder, 0)


def test_a_cut_model_is_not_read(tmp_path: Path) -> None:
    write_gguf(tmp_path / "whole.gguf")
    content = (tmp_path / "whole.gguf").read_bytes()
    for part in (0.2, 0.5, 0.9):
        (tmp_path / "cut.gguf").write_bytes(content[: int(part * len(content))])
        with pytest.raises(UsageError, match="is not a whole GGUF file"):
            reads_of_model(tmp_path / "cut.gguf", 0)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("none.gguf", "cannot be read .No such"),
        (".", "has no"),
        ("x.safetensors", "name its folder"),
    ],
)
def test_a_path_to_no_model_is_refused(tmp_path: Path, path: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        reads_of_model(tmp_path / path, 0)


@pytest.mark.parametrize("content", ["", "[]", "{", "{}"])
def test_a_config_that_says_nothing_is_refused_where_it_is_needed(
    tmp_path: Path, content: str
) -> None:
    write_safetensors(tmp_path / "model")
    (tmp_path / "model" / "config.json").write_text(content, "utf-8")
    with pytest.raises(UsageError):
        reads_of_model(tmp_path / "model", 0)
