"""Reads what the sources of the front declare, without running them.

A declaring module has classes of fields (``msgspec.Struct``), aliases of types (``Literal``,
``Annotated`` with ``Meta``) and constants. Only Python's standard library is needed, so that a
build of the engine needs no more. What is written in a way that this cannot read is an error that
names the file and the line.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any


class DeclarationError(Exception):
    """A declaration that cannot be read, in one sentence."""


@dataclass(frozen=True)
class Boolean:
    """``bool``."""


@dataclass(frozen=True)
class Integer:
    """``int`` with its limits, which both belong to the range; ``None`` is no limit."""

    least: int | None = None
    most: int | None = None
    noun: str = ""
    """What the number is, such as ``CPU number``: the title of its ``Meta``."""


@dataclass(frozen=True)
class Number:
    """``float`` with its limits."""

    least: float | None = None
    most: float | None = None
    is_above: bool = False
    """``True`` if ``least`` itself does not belong to the range."""


@dataclass(frozen=True)
class EitherNumber:
    """``int | float``: a number that stays whole if it is."""


@dataclass(frozen=True)
class Text:
    """``str``."""

    unread: tuple[str, ...] = ()
    """Limits that the engine's readers do not know."""


@dataclass(frozen=True)
class Words:
    """``Literal``: one of some texts."""

    words: tuple[str, ...]
    alias: str = ""
    """The name of the type; empty if a field gives the words itself."""
    doc: str = ""


@dataclass(frozen=True)
class ListOf:
    """``list`` with the type of its items."""

    item: Type
    least: int = 0
    """The fewest items that it may have."""
    unread: tuple[str, ...] = ()
    """Limits that the engine's readers do not know."""


@dataclass(frozen=True)
class MapOf:
    """``dict`` whose keys are texts."""

    value: Type


@dataclass(frozen=True)
class Reference:
    """A class of fields, by its name and the module that has it."""

    module: str
    name: str


Type = Boolean | Integer | Number | EitherNumber | Text | Words | ListOf | MapOf | Reference

REQUIRED = object()
"""The default of a field that has none."""


@dataclass(frozen=True)
class Made:
    """The default of a field that is a class of fields, with all its own defaults."""

    reference: Reference


@dataclass(frozen=True)
class Field:
    """A field of a class."""

    name: str
    type: Type
    is_nullable: bool
    can_be_left_out: bool
    """``True`` if the field may be ``msgspec.UNSET``, which is not written."""
    is_left_out: bool
    """``True`` if the field is not written where it has its default: it is ``LEFT_OUT``."""
    default: Any
    doc: str


@dataclass(frozen=True)
class Struct:
    """A class of fields."""

    reference: Reference
    doc: str
    fields: tuple[Field, ...]
    """With those of the classes that it is derived from, which come first."""
    tag_field: str | None = None
    tag: str | None = None
    """What ``tag_field`` holds in the JSON of this class."""


_OPERATORS: dict[type[ast.operator], Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
}
_PLAIN: dict[str, Type] = {
    "bool": Boolean(),
    "int": Integer(),
    "float": Number(),
    "str": Text(),
}


class Module:
    """The names that one source declares or imports."""

    def __init__(self, sources: Sources, name: str, path: Path) -> None:
        """Read the source; nothing is resolved yet."""
        self.name = name
        self.path = path
        self._sources = sources
        self._values: dict[str, ast.expr] = {}
        self._annotations: dict[str, ast.expr] = {}
        self._docs: dict[str, str] = {}
        self._classes: dict[str, ast.ClassDef] = {}
        self._imports: dict[str, tuple[str, str]] = {}
        body = ast.parse(path.read_text("utf-8"), str(path)).body
        for statement, doc in _with_docs(body):
            if isinstance(statement, ast.ClassDef):
                self._classes[statement.name] = statement
            elif isinstance(statement, ast.ImportFrom) and statement.module:
                for each in statement.names:
                    self._imports[each.asname or each.name] = (statement.module, each.name)
            elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                self._values[statement.targets[0].id] = statement.value
                self._docs[statement.targets[0].id] = doc
            elif (
                isinstance(statement, ast.AnnAssign)
                and isinstance(statement.target, ast.Name)
                and statement.value is not None
            ):
                self._values[statement.target.id] = statement.value
                self._annotations[statement.target.id] = statement.annotation
                self._docs[statement.target.id] = doc

    def words(self) -> Iterator[str]:
        """The names of all its choices of words, in their order."""
        return (name for name, value in self._values.items() if _is_literal(value))

    def constants(self) -> Iterator[str]:
        """The names of all its constants, in their order."""
        return (name for name, value in self._values.items() if not _is_literal(value))

    def constant(self, name: str) -> Any:  # noqa: ANN401 - a constant of any type
        """The value of a constant."""
        if name in self._imports:
            module, original = self._imports[name]
            return self._sources.module(module).constant(original)
        if name not in self._values:
            raise DeclarationError(f"{self.path} declares no constant {name}")
        return self._value(self._values[name])

    def doc(self, name: str) -> str:
        """The string below a constant or an alias."""
        return self._docs.get(name, "")

    def words_of(self, name: str) -> Words:
        """The choice of words of this name."""
        words = self.type_of(name)
        if not isinstance(words, Words):
            raise DeclarationError(f"{self.path}: {name} is not a choice of words")
        return words

    def keys(self, name: str) -> Words:
        """The words that are the keys of a constant: its type is ``dict[WORDS, ...]``."""
        annotation = self._annotations.get(name)
        if isinstance(annotation, ast.Subscript) and isinstance(annotation.slice, ast.Tuple):
            return self.words_of(_name(annotation.slice.elts[0]))
        raise DeclarationError(f"{self.path} does not say which words are the keys of {name}")

    def struct(self, name: str) -> Struct:
        """A class of fields."""
        if name in self._imports:
            module, original = self._imports[name]
            return self._sources.module(module).struct(original)
        if name not in self._classes:
            raise DeclarationError(f"{self.path} declares no class {name}")
        node = self._classes[name]
        bases = [self._base(base) for base in node.bases if not _is_msgspec_struct(base)]
        options = {each.arg: each.value for each in node.keywords if each.arg}
        tag_fields = [base.tag_field for base in bases if base.tag_field]
        own_tag_field = self._value(options["tag_field"]) if "tag_field" in options else None
        fields = {each.name: each for base in bases for each in base.fields}
        for statement, doc in _with_docs(node.body):
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                field = self._field(statement, doc)
                if field is not None:
                    fields[field.name] = field
        return Struct(
            Reference(self.name, name),
            ast.get_docstring(node) or "",
            tuple(fields.values()),
            own_tag_field or (tag_fields[-1] if tag_fields else None),
            self._value(options["tag"]) if "tag" in options else None,
        )

    def type_of(self, name: str) -> Type:
        """The type that a name stands for."""
        if name in self._imports:
            module, original = self._imports[name]
            return self._sources.module(module).type_of(original)
        if name in self._classes:
            return Reference(self.name, name)
        if name not in {*self._values, *_PLAIN}:
            raise DeclarationError(f"{self.path} declares no type {name}")
        found = _PLAIN[name] if name in _PLAIN else self._type(self._values[name])
        if isinstance(found, Words):
            return replace(found, alias=found.alias or name, doc=found.doc or self._docs[name])
        return found

    def _base(self, base: ast.expr) -> Struct:
        if not isinstance(base, ast.Name):
            raise self._error(base, "a class of fields is derived from others by their names")
        return self.struct(base.id)

    def _field(self, statement: ast.AnnAssign, doc: str) -> Field | None:
        assert isinstance(statement.target, ast.Name)
        kinds = list(_choices(statement.annotation))
        plain = [each for each in kinds if not _is_none(each) and not _is_unset(each)]
        if isinstance(plain[0], ast.Subscript) and _name(plain[0].value) == "ClassVar":
            return None
        types = [self._type(each) for each in plain]
        if len(types) > 1 and all(isinstance(each, Integer | Number) for each in types):
            types = [EitherNumber()]
        if len(types) != 1:
            raise self._error(statement, "a field has one type, or that type and None")
        return Field(
            statement.target.id,
            types[0],
            any(map(_is_none, kinds)),
            any(map(_is_unset, kinds)),
            any(_name(each) == "LEFT_OUT" for each in ast.walk(statement.annotation)),
            self._default(statement.value),
            doc,
        )

    def _default(self, value: ast.expr | None) -> Any:  # noqa: ANN401 - a default of any type
        if value is None:
            return REQUIRED
        if _is_unset(value):
            return None
        if isinstance(value, ast.Call) and _name(value.func) in ("field", "msgspec.field"):
            options = {each.arg: each.value for each in value.keywords}
            if "default_factory" in options:
                return {"list": [], "dict": {}}[_name(options["default_factory"])]
            return self._default(options.get("default"))
        if isinstance(value, ast.Call) and not value.args and not value.keywords:
            made = self.type_of(_name(value.func))
            if isinstance(made, Reference):
                return Made(made)
        return self._value(value)

    def _type(self, node: ast.expr) -> Type:
        if isinstance(node, ast.Name):
            return self.type_of(node.id)
        if isinstance(node, ast.Subscript):
            inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            found = self._made_of(_name(node.value), inner)
            if found is not None:
                return found
        raise self._error(node, "this type is not known here")

    def _made_of(self, outer: str, parts: list[ast.expr]) -> Type | None:
        """The type ``outer[parts]``."""
        if outer == "Literal":
            return Words(tuple(str(self._value(each)) for each in parts))
        if outer == "list":
            return ListOf(self._type(parts[0]))
        if outer == "dict":
            return MapOf(self._type(parts[1]))
        if outer != "Annotated":
            return None
        found = self._type(parts[0])
        for meta in parts[1:]:
            found = self._limited(found, meta)
        return found

    def _limited(self, kind: Type, meta: ast.expr) -> Type:
        """The type with the limits of one ``Meta``, or of a constant that holds one."""
        if isinstance(meta, ast.Name):
            if meta.id in self._imports:
                module, original = self._imports[meta.id]
                return self._sources.module(module)._limited_by(kind, original)
            return self._limited_by(kind, meta.id)
        if not isinstance(meta, ast.Call) or _name(meta.func) not in ("Meta", "msgspec.Meta"):
            return kind  # a condition that the front alone checks
        limits = {
            each.arg: self._value(each.value)
            for each in meta.keywords
            if each.arg and each.arg != "extra"
        }
        if isinstance(kind, Integer):
            least = limits.get("ge", limits["gt"] + 1 if "gt" in limits else kind.least)
            most = limits.get("le", limits["lt"] - 1 if "lt" in limits else kind.most)
            kind = replace(kind, least=least, most=most, noun=limits.get("title", kind.noun))
        elif isinstance(kind, Number):
            if "lt" in limits:
                raise self._error(meta, "a number has le for a limit, not lt")
            kind = Number(
                limits.get("gt", limits.get("ge", kind.least)),
                limits.get("le", kind.most),
                "gt" in limits or ("ge" not in limits and kind.is_above),
            )
        elif isinstance(kind, ListOf):
            least = limits.pop("min_length", kind.least)
            kind = replace(kind, least=least, unread=(*kind.unread, *limits))
        elif isinstance(kind, Text):
            kind = replace(kind, unread=(*kind.unread, *limits))
        return kind

    def _limited_by(self, kind: Type, name: str) -> Type:
        if name not in self._values:
            raise DeclarationError(f"{self.path} declares no condition {name}")
        return self._limited(kind, self._values[name])

    def _value(self, node: ast.expr) -> Any:  # noqa: ANN401 - a constant of any type
        if isinstance(node, ast.Name):
            return self.constant(node.id)
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](self._value(node.left), self._value(node.right))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self._value(node.operand)
        if isinstance(node, ast.Dict) and None not in node.keys:
            pairs = zip(node.keys, node.values, strict=True)
            return {self._value(key): self._value(value) for key, value in pairs if key}
        try:
            return ast.literal_eval(node)
        except ValueError:
            raise self._error(node, "this value is not a constant") from None

    def _error(self, node: ast.AST, what: str) -> DeclarationError:
        line = getattr(node, "lineno", 0)
        return DeclarationError(f"{self.path}:{line}: {what}")


class Sources:
    """The sources of the front."""

    def __init__(self, root: Path) -> None:
        """``root``: the folder that holds its package."""
        self.root = root
        self.read: set[Path] = set()
        """The files that were read."""
        self.module = cache(self._module)

    def _module(self, name: str) -> Module:
        """Return the module with this name, such as ``streamgage.plan``."""
        path = self.root.joinpath(*name.split("."))
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if not file.is_file():
            raise DeclarationError(f"there is no module {name} in {self.root}")
        self.read.add(file)
        return Module(self, name, file)

    def struct(self, reference: Reference) -> Struct:
        """The class of fields of this name."""
        return self.module(reference.module).struct(reference.name)


def _with_docs(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, str]]:
    """Each statement with the string below it, in one line."""
    following = [*body[1:], None]
    for statement, after in zip(body, following, strict=True):
        text = ""
        if (
            isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
            and isinstance(after.value.value, str)
        ):
            text = " ".join(after.value.value.split())
        yield statement, text


def _name(node: ast.AST) -> str:
    """``a`` or ``a.b``; empty if it is neither."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_name(node.value)}.{node.attr}"
    return ""


def _choices(node: ast.expr) -> Iterator[ast.expr]:
    """The types that ``|`` joins."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        yield from _choices(node.left)
        yield from _choices(node.right)
    else:
        yield node


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_unset(node: ast.expr) -> bool:
    return _name(node).rpartition(".")[2] in ("UNSET", "UnsetType")


def _is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.Subscript) and _name(node.value) == "Literal"


def _is_msgspec_struct(node: ast.expr) -> bool:
    return _name(node) in ("msgspec.Struct", "Struct")
