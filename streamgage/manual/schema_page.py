"""Writes Markdown pages about the documents and records, from their JSON Schemas.

The string below a field describes it. Python keeps the docstring of a class but not those of its
fields, so they are read from the sources.
"""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

Schema = Mapping[str, Any]
_NAMES = {"null": "null", "boolean": "true or false", "number": "number", "integer": "integer"}
Fields = Mapping[str, str]
"""The description of each field by its name; it may be empty."""


def render(name: str, schema: Schema, texts: FieldTexts) -> str:
    """The page of ``NAME.schema.json``."""
    return "\n".join(_lines(name, schema, texts)) + "\n"


def texts_of(package: Path) -> FieldTexts:
    """Read the descriptions of all fields from the sources of ``package``."""
    return FieldTexts(package)


def _lines(name: str, schema: Schema, texts: FieldTexts) -> Iterator[str]:
    yield f"# {name}"
    yield ""
    yield f"{schema['title']} (`{name}.schema.json`)."
    kinds = [each for each in schema.get("anyOf", ()) if "$ref" in each]
    if kinds:
        yield ""
        yield "One of: " + ", ".join(map(_type, kinds)) + "."
    for title, definition in schema["$defs"].items():
        yield from ("", f"## {title}", "")
        yield " ".join(str(definition.get("description", "")).split())
        properties = definition.get("properties")
        if properties:
            yield from _table(title, properties, set(definition.get("required", ())), texts)


def _table(
    title: str, properties: Mapping[str, Schema], required: set[str], texts: FieldTexts
) -> Iterator[str]:
    remarks: Fields = {
        **texts.of("Words", properties),
        **texts.of(title.rpartition(".")[2], properties),
    }
    yield from ("", "| field | type | |", "|---|---|---|")
    for name, kind in properties.items():
        remark = remarks.get(name, "").replace("``", "`").replace("|", "\\|")
        if name not in required and "default" in kind:
            default = json.dumps(kind["default"], ensure_ascii=False)
            remark = f"{remark} Default: `{default}`.".strip()
        yield f"| `{name}` | {_type(kind)} | {remark} |"


def _type(kind: Schema) -> str:
    if "$ref" in kind:
        file, _, title = str(kind["$ref"]).partition("#/$defs/")
        return f"[{title}]({file.replace('.schema.json', '.md')}#{_anchor(title)})"
    if "anyOf" in kind:
        return " or ".join(map(_type, kind["anyOf"]))
    if "enum" in kind:
        return " or ".join(f"`{json.dumps(each, ensure_ascii=False)}`" for each in kind["enum"])
    if kind.get("type") == "array":
        return _list(kind)
    if kind.get("type") == "object":
        inner = kind.get("additionalProperties")
        return f"object of {_type(inner)}" if isinstance(inner, dict) else "object"
    bounds = [
        f"{word} {kind[key]}"
        for key, word in (("minimum", "from"), ("maximum", "to"))
        if key in kind
    ]
    return " ".join([_NAMES.get(str(kind.get("type")), "string"), *bounds])


def _anchor(title: str) -> str:
    """The anchor that the site gives a heading; types of equal names have dots in theirs."""
    return re.sub(r"[^\w-]", "", title.lower())


def _list(kind: Schema) -> str:
    items = kind.get("items")
    inner = _type(items) if isinstance(items, dict) else "anything"
    number = kind.get("minItems")
    exactly = f"{number} x " if number is not None and number == kind.get("maxItems") else ""
    return f"list of {exactly}{inner}"


class FieldTexts:
    """The descriptions of the fields of every class of a package."""

    def __init__(self, package: Path) -> None:
        """Read all sources of the package."""
        self._classes: dict[str, list[tuple[list[str], Fields]]] = defaultdict(list)
        for path in sorted(package.rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef):
                    bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
                    self._classes[node.name].append((bases, dict(_fields(node))))

    def of(self, name: str, fields: Collection[str]) -> Fields:
        """The fields of the class of this name; of several, the one that has most of ``fields``."""
        found = [self._with_bases(each) for each in self._classes.get(name, [])]
        return max(found, key=lambda each: len(set(fields) & set(each)), default={})

    def _with_bases(self, one: tuple[list[str], Fields]) -> Fields:
        bases, own = one
        inherited: dict[str, str] = {}
        for base in bases:
            for each in self._classes.get(base, [])[:1]:
                inherited |= self._with_bases(each)
        return inherited | dict(own)


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    following = [*node.body[1:], None]
    for statement, after in zip(node.body, following, strict=True):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target.id, _string(after)


def _string(statement: ast.stmt | None) -> str:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return " ".join(str(statement.value.value).split())
    return ""
