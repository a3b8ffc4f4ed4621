"""What the engine's C++ is made from is what the front's types say."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import declarations
import generate
import msgspec
import pytest
from cpp import Unit, Writer
from declarations import DeclarationError, Reference, Sources
from msgspec import inspect
from programs import REPOSITORY

ROOTS = [root for unit in generate.UNITS for root in unit.roots]


def described(kind: inspect.Type) -> tuple[object, bool]:
    """The type without its names, and whether it may be null."""
    kinds = list(kind.types) if isinstance(kind, inspect.UnionType) else [kind]
    plain = [each for each in kinds if not isinstance(each, inspect.NoneType)]
    is_null = len(plain) < len(kinds)
    if len(plain) > 1:
        assert all(isinstance(bare(each), tuple) for each in plain), kind
        return "number", is_null
    return bare(plain[0]), is_null


def bare(kind: inspect.Type) -> object:  # noqa: PLR0911 - one for each kind
    match kind:
        case inspect.Metadata(type=inside):
            return bare(inside)
        case inspect.BoolType():
            return "bool"
        case inspect.StrType():
            return "str"
        case inspect.IntType():
            return (
                "int",
                kind.gt + 1 if kind.gt is not None else kind.ge,
                kind.lt - 1 if kind.lt is not None else kind.le,
            )
        case inspect.FloatType():
            return (
                "float",
                kind.gt if kind.gt is not None else kind.ge,
                kind.le,
                kind.gt is not None,
            )
        case inspect.LiteralType():
            return set(kind.values)
        case inspect.ListType():
            return ("list", bare(kind.item_type), kind.min_length or 0)
        case inspect.DictType():
            return ("dict", bare(kind.value_type))
        case inspect.StructType():
            return kind.cls.__name__
    raise AssertionError(kind)


def read(kind: declarations.Type) -> object:  # noqa: PLR0911 - one for each kind
    match kind:
        case declarations.Boolean():
            return "bool"
        case declarations.Text():
            return "str"
        case declarations.EitherNumber():
            return "number"
        case declarations.Integer():
            return ("int", kind.least, kind.most)
        case declarations.Number():
            return ("float", kind.least, kind.most, kind.is_above)
        case declarations.Words():
            return set(kind.words)
        case declarations.ListOf():
            return ("list", read(kind.item), kind.least)
        case declarations.MapOf():
            return ("dict", read(kind.value))
        case declarations.Reference():
            return kind.name
    raise AssertionError(kind)


def default_of(field: inspect.Field) -> object:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    if field.default is msgspec.NODEFAULT:
        return declarations.REQUIRED
    return field.default


def structs() -> Iterator[tuple[Reference, type[msgspec.Struct]]]:
    """Every class that the engine reads or writes."""
    sources = Sources(REPOSITORY)
    waiting, found = list(ROOTS), set()
    while waiting:
        reference = waiting.pop()
        if reference in found:
            continue
        found.add(reference)
        yield reference, getattr(import_module(reference.module), reference.name)
        for field in sources.struct(reference).fields:
            kind: Any = field.type
            while isinstance(kind, declarations.ListOf | declarations.MapOf):
                kind = kind.item if isinstance(kind, declarations.ListOf) else kind.value
            if isinstance(kind, Reference):
                waiting.append(kind)


@pytest.mark.parametrize(
    ("reference", "cls"),
    list(structs()),
    ids=lambda each: each.name if isinstance(each, Reference) else "",
)
def test_a_declaration_is_read_as_python_itself_reads_it(
    reference: Reference, cls: type[msgspec.Struct]
) -> None:
    struct = Sources(REPOSITORY).struct(reference)
    kind = inspect.type_info(cls)
    assert isinstance(kind, inspect.StructType)
    assert (struct.tag, struct.tag_field) == (kind.tag, kind.tag_field)
    assert [each.name for each in struct.fields] == [each.name for each in kind.fields]
    for mine, field in zip(struct.fields, kind.fields, strict=True):
        assert (read(mine.type), mine.is_nullable) == described(field.type)
        default = default_of(field)
        if mine.can_be_left_out:
            assert not field.required
        elif isinstance(mine.default, declarations.Made):
            assert type(default).__name__ == mine.default.reference.name
            assert default == type(default)()
        else:
            assert mine.default == default, mine.name


def written(tmp_path: Path, text: str, reads: bool = True) -> dict[str, str]:
    """The files for the class ``Sent`` of a package with one module."""
    (tmp_path / "front").mkdir(exist_ok=True)
    (tmp_path / "front" / "__init__.py").write_text("", "utf-8")
    (tmp_path / "front" / "sent.py").write_text(text, "utf-8")
    root = Reference("front.sent", "Sent")
    writer = Writer(Sources(tmp_path), {}, {})
    return dict(writer.files(Unit("sent", (root,), reads)))


HEAD = "import msgspec\nfrom typing import Annotated, Literal\n"


def test_a_new_field_is_one_line(tmp_path: Path) -> None:
    before = f"{HEAD}class Sent(msgspec.Struct):\n    first: int = 3\n"
    line = '    second: Annotated[float, msgspec.Meta(gt=0)] | None = None\n    """Text."""\n'
    old, new = (written(tmp_path, text) for text in (before, before + line))
    more = set(new["sent.hpp"].splitlines()) - set(old["sent.hpp"].splitlines())
    assert more == {"  // Text.", "  std::optional<double> second = std::nullopt;"}
    more = set(new["sent.cpp"].splitlines()) - set(old["sent.cpp"].splitlines())
    assert more == {
        '  reader.allow_only({"first", "second"});',
        '  reader.member("second", Decimal{.least = 0, .is_above = true}, value.second);',
    }


def test_a_record_has_every_field_that_is_not_of_other_runs(tmp_path: Path) -> None:
    text = f"""{HEAD}LEFT_OUT = msgspec.Meta(extra={{}})
class Sent(msgspec.Struct, tag_field="record", tag="sent"):
    always: int
    null: str | None = None
    rare: Annotated[float, LEFT_OUT] | None = None
    absent: bool | msgspec.UnsetType = msgspec.UNSET
"""
    files = written(tmp_path, text, reads=False)
    # The compiler complains where a field without a default is not given.
    assert "  WholeNumber always;\n" in files["sent.hpp"]
    body = files["sent.cpp"].partition("Json json = Json::object();\n")[2].partition("  return")[0]
    assert (
        body
        == """  json["record"] = "sent";
  json["always"] = number_of(value.always);
  json["null"] = or_null(value.null);
  if (value.rare) {
    json["rare"] = *value.rare;
  }
  if (value.absent) {
    json["absent"] = *value.absent;
  }
"""
    )


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("x: Annotated[int, msgspec.Meta(ge=0, le=9)]", "int"),
        ("x: Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)]", "int"),
        ("x: Annotated[int, msgspec.Meta(ge=0, le=1 << 31)]", "std::uint64_t"),
        ("x: Annotated[int, msgspec.Meta(ge=-1, le=1 << 31)]", "std::int64_t"),
        ("x: int", "std::int64_t"),
        ("x: list[list[str]]", "std::vector<std::vector<std::string>>"),
        ('x: Literal["a-b", "c"]', "SentX"),
    ],
)
def test_types_hold_every_value_that_is_allowed(tmp_path: Path, line: str, kind: str) -> None:
    text = f"{HEAD}class Sent(msgspec.Struct):\n    {line}\n"
    assert f"  {kind} x = " in written(tmp_path, text)["sent.hpp"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("class Sent(msgspec.Struct):\n    x: complex\n", "declares no type complex"),
        ("class Sent(msgspec.Struct):\n    x: int | str\n", "sent.py:4: a field has one type"),
        ("class Sent(msgspec.Struct):\n    x: int = len('ab') + 1\n", "declares no|not a constant"),
        ("class Other(msgspec.Struct):\n    x: int\n", "declares no class Sent"),
        ("class Sent(msgspec.Struct):\n    x: tuple[int, int]\n", "sent.py:4: this type"),
        ("class Sent(msgspec.Struct):\n    x: dict[str, int]\n", "x of Sent cannot be read"),
        *(
            (f"class Sent(msgspec.Struct):\n    x: Annotated[{kind}, msgspec.Meta({limit})]\n", why)
            for kind, limit in (("str", "min_length=1"), ("list[str]", "max_length=2"))
            for why in ("x of Sent cannot be read",)
        ),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DeclarationError, match=problem):
        written(tmp_path, HEAD + text)


WORDS = """from typing import Literal
Colour = Literal["red", "dark-blue"]
STATUS_OF: dict[Colour, int] = {"red": 1, "dark-blue": 2}
LONGEST = 200
LARGEST = 1 << 50
SHARE = 1e-9
SENTENCE = "{} is \\"red\\""
"""


def constants(tmp_path: Path, text: str) -> str:
    """The header for the constants of a module."""
    (tmp_path / "front").mkdir()
    (tmp_path / "front" / "said.py").write_text(text, "utf-8")
    writer = Writer(Sources(tmp_path), {}, {})
    ((name, header),) = writer.files(Unit("said", module="front.said"))
    assert name == "said.hpp"
    return header


def test_all_constants_of_a_module_have_a_type_by_their_value(tmp_path: Path) -> None:
    header = constants(tmp_path, WORDS)
    for line in (
        "inline constexpr int kLongest = 200;",
        "inline constexpr std::uint64_t kLargest = 1125899906842624;",
        "inline constexpr double kShare = 1e-09;",
        'inline constexpr std::string_view kSentence = "{} is \\"red\\"";',
    ):
        assert f"{line}\n" in header
    assert "    case Colour::kDarkBlue:\n      return 2;\n" in header
    assert "int\nstatus_of(Colour value) {" in header


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("X = {'a': 1}\n", "does not say which words are the keys of X"),
        (WORDS.replace(', "dark-blue": 2', ""), "STATUS_OF needs a value for each Colour"),
        ("X: dict[str, int] = {'a': 1}\n", "str is not a choice of words"),
        ("X = (1, 2)\n", "X of front.said has no form in C"),
    ],
)
def test_a_constant_without_a_form_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DeclarationError, match=problem):
        constants(tmp_path, text)


def test_a_file_that_is_no_longer_made_goes(tmp_path: Path) -> None:
    old = tmp_path / "contract" / "renamed.cpp"
    old.parent.mkdir()
    old.write_text("", "utf-8")
    generate.write(tmp_path)
    assert not old.exists() and [*old.parent.glob("*.cpp")]


def test_files_that_do_not_change_are_left_alone(tmp_path: Path) -> None:
    generate.write(tmp_path)
    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.?pp")}
    assert files
    generate.write(tmp_path)
    assert {path: path.stat().st_mtime_ns for path in files} == files
