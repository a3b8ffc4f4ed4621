"""A command run, and what it returns shown: ``--format``, ``-o``, pictures, and words on stderr."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streamgage.api.answers import Answer
from streamgage.api.declaration import Declaration, Flag, PythonOnly, Shown
from streamgage.cli.parameters import FORMAT, JSON, OUTPUT, value_of
from streamgage.errors import UsageError
from streamgage.show.detail import Detail
from streamgage.show.output import Output, open_output

if TYPE_CHECKING:
    from streamgage.api.runs import BaseRun, Ending


def run(declared: Declaration, values: dict[str, Any]) -> int:
    """Call the function, and show what it returns; the exit status."""
    shown = declared.shown
    if shown is None:
        returned = declared.call(_given(declared, values))
        return returned if isinstance(returned, int) else 0
    asked = _Asked.of(shown, values)
    given = _given(declared, values)
    if shown.check is not None:
        given |= shown.check(asked.form, asked.output, given)
    drawn = _picture(shown, asked)
    with (
        _open_drawing(drawn, shown.data) as drawing,
        open_output(None if drawn else asked.output) as out,
    ):
        if shown.measures:
            return _show_measured(lambda: declared.call(given), asked, out, drawing)
        answer: Answer = declared.call(given)
        _show(answer, asked, out)
        _say(answer.said_after)
        return answer.exit_status


@dataclass(frozen=True)
class _Asked:
    """How the answer is to be shown."""

    form: str
    output: Path | None
    detail: Detail

    @classmethod
    def of(cls, shown: Shown, values: dict[str, Any]) -> _Asked:
        """Takes them out of the values. Raises ``UsageError`` for a format that is not known."""
        known = [str(each) for each in shown.formats]
        form = str(values.pop(FORMAT, known[0]))
        if values.pop(JSON, False) and shown.json is not None:
            form = JSON
        if form not in known:
            raise UsageError(f"--format {form!r} is not known: use {', '.join(known)}.")
        detail = Detail(**{name: values.pop(name) for name in shown.details})
        return cls(form, values.pop(OUTPUT), detail)


def _given(declared: Declaration, values: Mapping[str, Any]) -> dict[str, Any]:
    """What the function is called with.

    Raises ``UsageError`` where an option and the flag that means none of it are both given.
    """
    given: dict[str, Any] = {}
    for name, each in declared.options.items():
        only = each.found(PythonOnly)
        flag = each.found(Flag)
        value = only.value if only is not None else values.get(name)
        if flag is not None and values[value_of(flag.name)]:
            if value not in (None, str(each.default)):
                option = name.replace("_", "-")
                raise UsageError(f"--{option} and {flag.name} exclude each other: leave one out.")
            given[name] = None
        elif value is not None:
            given[name] = value
        elif each.default is Parameter.empty:
            given[name] = () if each.kind is Parameter.VAR_POSITIONAL else None
    return given


def _show_measured(
    measuring: Callable[[], Answer], asked: _Asked, out: Output, drawing: _Drawing | None
) -> int:
    """Show what was measured, however that ended, and say where it is."""
    from streamgage.api.ending import Interrupted, NothingMeasuredError
    from streamgage.api.runs import BaseRun, Ending

    answer: Answer | None
    try:
        answer = measuring()
        ending = answer.ending if isinstance(answer, BaseRun) else Ending(answer.exit_status)
    except Interrupted as stopped:
        answer, ending = stopped.run, stopped.ending
    except NothingMeasuredError as failed:
        answer, ending = None, failed.ending
    try:
        if answer is not None:
            _show(answer, asked, out)
            if drawing is not None and isinstance(answer, BaseRun):
                drawing.draw(answer)
    finally:  # where the result is counts most when it cannot be shown
        if ending.failure is not None:
            # Why each kernel failed was said when it did.
            _say([getattr(ending.failure, "brief", str(ending.failure))])
            for line in getattr(ending.failure, "last_lines", ()):
                print(f"  {line}", file=sys.stderr)
        _say(_where(ending))
    return ending.exit_status


def _show(answer: Answer, asked: _Asked, out: Output) -> None:
    _say(answer.said_before)
    text = answer.printed(asked.form, None if out.path is None else asked.output, asked.detail)
    if text:
        out.write(text)


def _say(sentences: Iterable[str]) -> None:
    for sentence in sentences:
        print(f"streamgage: {sentence}", file=sys.stderr)


def _where(ending: Ending) -> Iterator[str]:
    """How the result is seen again."""
    stored, destination = ending.stored, ending.destination
    if stored.number is not None:
        where = "" if destination.of_user else f" --store {shlex.quote(str(destination.store))}"
        yield f"To see this again: streamgage show {stored.number}{where}"
    elif stored.path is not None and stored.path.is_dir():
        yield f"The records of the runs are in {stored.path}"
    elif stored.path is not None:
        yield f"To see this again: streamgage show {stored.path}"


def _picture(shown: Shown, asked: _Asked) -> Path | None:
    """The picture that ``-o`` names; null where it names none, or a file for a format of text.

    Raises ``UsageError`` for a name that is neither.
    """
    if shown.data is None or asked.output is None:
        return None
    from streamgage.api.drawing import picture_file
    from streamgage.show.picture import is_picture

    if asked.form != "table" and not is_picture(asked.output):
        return None
    return picture_file(asked.output)


@dataclass(frozen=True)
class _Drawing:
    """A picture that is to be written, and a file next to it that takes its data."""

    path: Path
    form: str
    """Of the data."""
    picture: Output
    data: Output

    def draw(self, run: BaseRun[Any]) -> None:
        """Write both, or say why there is nothing to draw."""
        if run.nothing_to_draw is not None:
            _say([run.nothing_to_draw])
            return
        self.picture.write_bytes(run.picture(self.path))
        self.data.write(run.printed(self.form))


@contextmanager
def _open_drawing(path: Path | None, form: str | None) -> Iterator[_Drawing | None]:
    """Both files, which are known to be writable before anything runs; null without ``path``.

    Raises ``UsageError`` where one of them cannot be written.
    """
    if path is None or form is None:
        yield None
        return
    with open_output(path) as picture, open_output(path.with_suffix(f".{form}")) as data:
        yield _Drawing(path, form, picture, data)
