"""What other programs rely on, as lines of text: options, documents, the C interface.

Explanations are left out, because they may change; ``docs/stability.md`` says what may not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from streamgage.manual.page import Page


def of_page(page: Page) -> str:
    """A program or command: its arguments, options, exit statuses and variables."""
    lines = [page.name]
    for each in (*page.arguments, *page.options):
        value = "" if each.value is None else f" {each.value}"
        default = "" if each.default is None else f" = {each.default}"
        lines.append(f"  {', '.join(each.names)}{value}{default}")
    lines.append(f"  exit status: {', '.join(page.statuses)}")
    lines += [f"  variable: {name}" for name in page.variables]
    return "\n".join(lines) + "\n"


def of_schemas(schemas: Mapping[str, Mapping[str, Any]]) -> str:
    """The fields of every document, record and plan, with their types."""
    return "\n".join(line for name, each in schemas.items() for line in _of_schema(name, each))


def _of_schema(name: str, schema: Mapping[str, Any]) -> Iterator[str]:
    yield from _of_type(name, schema)
    for part, each in schema.get("$defs", {}).items():
        yield from _of_type(f"{name} {part.rpartition('.')[2]}", each)


def _of_type(name: str, schema: Mapping[str, Any]) -> Iterator[str]:
    if "properties" in schema:
        yield name
        required = schema.get("required", ())
        for field, each in schema["properties"].items():
            default = each.get("default")
            ending = f" = {default!r}" if isinstance(default, (str, int, float)) else ""
            yield f"  {field}{'' if field in required else '?'}: {_kind(each)}{ending}"
    else:
        kind = _kind(schema)
        if kind:
            yield f"{name}: {kind}"


def _kind(schema: Mapping[str, Any]) -> str:
    """A type in one line."""
    kind = schema.get("type", "")
    match schema:
        case {"$ref": str(target)}:
            kind = re.split(r"[/.]", target)[-1]
        case {"const": value}:
            kind = repr(value)
        case {"enum": values}:
            kind = [repr(value) for value in values]
        case {"anyOf": kinds}:
            kind = [_kind(each) for each in kinds]
        case {"type": "array", "prefixItems": items}:
            kind = f"[{', '.join(map(_kind, items))}]"
        case {"type": "array"}:
            kind = f"[{_kind(schema.get('items', {}))}]"
        case {"type": "object", "additionalProperties": dict(values)}:
            kind = f"{{name: {_kind(values)}}}"
    return " | ".join(kind) if isinstance(kind, list) else str(kind)


def of_header(text: str) -> str:
    """The declarations and values of a header of C, without comments and by one blank."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*|\\\n", " ", text, flags=re.DOTALL)
    lines = code.splitlines()
    values = [line for line in lines if re.match(r"#define \S+ +\S", line)]
    rest = " ".join(" ".join(line for line in lines if not line.startswith("#")).split())
    statements = re.sub(r"([;{}])(?! *\w+;)", r"\1\n", rest)
    found = (" ".join(line.split()) for line in [*values, *statements.splitlines()])
    return "\n".join(line for line in found if line) + "\n"
