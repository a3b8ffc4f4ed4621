"""Reads the header of a GGUF file, by the format's own package."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from streamgage.errors import UsageError
from streamgage.process.installation import require
from streamgage.programs.model.reads import ModelFacts, Role, Tensor, elements_of_cache

_PART = re.compile(r"(?P<name>.*)-(?P<part>[0-9]{5})-of-(?P<all>[0-9]{5})\.gguf")
_MOST_PARTS = 10_000


def read_gguf(file: Path) -> tuple[list[Tensor], ModelFacts]:
    """Read the headers of a model, and of its other parts if the file is one of several.

    Raises ``UsageError``.
    """
    require("--model with a GGUF file", "gguf")
    tensors: list[Tensor] = []
    fields: dict[str, object] = {}
    for part in parts_of(file):
        of_part, found = _read(part)
        tensors += of_part
        fields = {**found, **fields}
    if not tensors:
        raise UsageError(f"{file} has no tensors: name the file with the model's weights.")
    return tensors, facts_of(fields)


def parts_of(file: Path) -> list[Path]:
    """All files of the model. Raises ``UsageError`` if one is missing."""
    match = _PART.fullmatch(file.name)
    if match is None:
        return [file]
    number = min(int(match["all"]), _MOST_PARTS)
    names = [f"{match['name']}-{part:05}-of-{match['all']}.gguf" for part in range(1, number + 1)]
    missing = next((name for name in names if not (file.parent / name).is_file()), None)
    if missing is not None:
        raise UsageError(f"{file} is a part of a model, and {missing} is not next to it.")
    return [file.parent / name for name in names]


def _read(file: Path) -> tuple[list[Tensor], dict[str, object]]:
    import gguf

    class Reader(gguf.GGUFReader):
        """Refuses to read past the end, where a list of any length would have empty members."""

        def _get(
            self,
            offset: int,
            dtype: Any,  # noqa: ANN401 - NumPy's
            count: int = 1,
            override_order: Any = None,  # noqa: ANN401 - a letter for NumPy
        ) -> Any:  # noqa: ANN401
            found = super()._get(offset, dtype, count, override_order)
            if len(found) < count:
                raise ValueError("it ends too early")
            return found

    try:
        reader = Reader(file)
        tensors = [
            Tensor(
                name=each.name,
                type=each.tensor_type.name,
                bytes=int(each.n_bytes),
                rows=int(each.n_elements) // max(1, int(each.shape[0])),
                role=role_of(each.name),
            )
            for each in reader.tensors
        ]
        # The lists of tokens are long, and say nothing here.
        fields = {
            name: field.contents()
            for name, field in reader.fields.items()
            if not name.startswith("tokenizer.")
        }
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror or error}.") from error
    except RecursionError as error:
        raise _damaged(file, "its lists go too deep") from error
    except (ArithmeticError, AttributeError, LookupError, MemoryError, TypeError, ValueError) as e:
        raise _damaged(file, e) from e
    return tensors, fields


def _damaged(file: Path, why: object) -> UsageError:
    return UsageError(f"{file} is not a whole GGUF file ({why}): fetch it again, or name another.")


def role_of(name: str) -> Role:
    """The role of a tensor, by the names of llama.cpp (gguf-py/gguf/constants.py)."""
    if name.startswith(("v.", "a.", "mm.", "enc.")) or ".nextn." in name:
        return "unused"  # of pictures and sounds, of an encoder, or of tokens to be guessed ahead
    if re.search(r"_exps\.", name):
        return "experts"
    if name == "per_layer_token_embd.weight":
        return "unused"  # a row, but of an embedding that is never the output
    if name == "token_embd.weight":
        return "embedding"
    return "output" if name == "output.weight" else "weight"


def facts_of(fields: Mapping[str, object]) -> ModelFacts:
    """Read the facts, by the keys of the format's specification."""
    arch = fields.get("general.architecture")

    def of(key: str) -> Any:  # noqa: ANN401 - any value of a header
        return fields.get(f"{arch}.{key}")

    layers = _whole(of("block_count"))
    ahead = _whole(of("nextn_predict_layers")) or 0
    heads, kv_heads = of("attention.head_count"), of("attention.head_count_kv")
    width = _whole(of("embedding_length"))
    of_head = width // heads if width and _whole(heads) else None
    compressed, rope = _whole(of("attention.kv_lora_rank")), _whole(of("rope.dimension_count"))
    layers = None if layers is None else max(0, layers - ahead)
    if compressed is not None:
        # All heads share one compressed vector, with what carries the position.
        elements = elements_of_cache(layers, 1, compressed, rope or 0)
    else:
        elements = elements_of_cache(
            layers,
            _heads(heads if kv_heads is None else kv_heads),
            _whole(of("attention.key_length")) or of_head,
            _whole(of("attention.value_length")) or of_head,
        )
    return ModelFacts(
        layers=layers,
        experts=_whole(of("expert_count")),
        experts_used=_whole(of("expert_used_count")),
        cache_elements=elements,
        window=_whole(of("attention.sliding_window")),
    )


def _whole(value: object) -> int | None:
    """A number above 0."""
    return value if isinstance(value, int) and value > 0 else None


def _heads(value: object) -> int | list[int] | None:
    """One number for all layers, or one for each."""
    if isinstance(value, Sequence) and all(isinstance(each, int) for each in value):
        return [max(0, int(each)) for each in value]
    return _whole(value)
