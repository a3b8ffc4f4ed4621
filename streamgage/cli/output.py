"""Runs a command and shows what it returns: ``--format``, ``-o``, pictures, notes on stderr."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import Parameter
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from streamgage.advice import advice
from streamgage.api.answers import Answer
from streamgage.cli.parameters import DETAILS, FORMAT, JSON, OUTPUT, WIDTH, value_of
from streamgage.errors import FAILED, UsageError
from streamgage.options.declaration import Declaration, Display, Flag, Mode, PythonOnly
from streamgage.options.given import require_value
from streamgage.options.values import as_path
from streamgage.records.command_files import command_files
from streamgage.records.plain_text import plain
from streamgage.show.formats import suffixes_of
from streamgage.show.output import Output, open_output
from streamgage.show.picture_data import PictureOutput, open_picture
from streamgage.show.picture_file import SUFFIXES, Width, is_picture, picture_file, width_of
from streamgage.show.wrap import say

_OVERSUBSCRIBE = "allow_oversubscribe"
_PERMISSION = re.compile(r",? or (?:add|allow it with) --allow-oversubscribe\b")
"""The advice to use that option, as the engine's and launchers' sentences write it."""


def run(declared: Declaration, values: dict[str, Any]) -> int:
    """Call the function, show what it returns, and return the exit status."""
    with command_files(streams=True):
        return _run(declared, values)


def _run(declared: Declaration, values: dict[str, Any]) -> int:
    arguments = _arguments_of(declared, values)
    shown = declared.display(arguments)
    if shown is None:
        returned = declared.call(arguments)
        return returned if isinstance(returned, int) else 0
    view = _View.of(declared, arguments, shown, values)
    if shown.check is not None:
        arguments |= shown.check(view.form, view.output, arguments)
    drawn = _picture(shown, view)
    with (
        _open_drawing(drawn, shown.data, view.width) as drawing,
        open_output(None if drawn else view.output) as out,
    ):
        if shown.measures:
            strict = bool(arguments.get("strict"))
            return _show_measured(declared, arguments, view, out, drawing, strict=strict)
        answer: Answer = declared.call(arguments)
        if drawing is not None and isinstance(answer, Drawable):
            drawing.draw(answer)  # first: not every kind has a picture
        _show(answer, view, out)
        _say(answer.notes_after)
        return answer.exit_status


def followable(declared: Declaration, sentence: str) -> str:
    """The sentence without advice to use an option that the command does not have."""
    if _OVERSUBSCRIBE in declared.options:
        return sentence
    return _PERMISSION.sub("", sentence)


@dataclass(frozen=True)
class _View:
    """How to show the answer: its format, its file, and whether with details."""

    form: str
    output: Path | None
    details: bool
    width: Width | None = None
    """Width of the picture."""

    @classmethod
    def of(
        cls,
        declared: Declaration,
        arguments: Mapping[str, Any],
        shown: Display,
        values: dict[str, Any],
    ) -> _View:
        """Take these options out of ``values``.

        Raises ``UsageError`` for a format that is not known, or a width that no picture can have.
        """
        for name in (FORMAT, OUTPUT, WIDTH):
            require_value("-o" if name == OUTPUT else f"--{name}", values.get(name))
        known = [str(each) for each in shown.formats]
        form = str(values.pop(FORMAT, known[0]))
        if values.pop(JSON, False) and shown.json is not None:
            form = JSON
        if form not in known:
            raise _unknown(declared, declared.mode_of(arguments), form, known)
        details = bool(values.pop(DETAILS, False))
        output = as_path("-o", values.pop(OUTPUT))
        if shown.data is not None and not shown.measures and form == known[0]:
            form = _form_of(output, known)
        return cls(form, output, details, width_of(values.pop(WIDTH, None), output))


def _unknown(
    declared: Declaration, mode: Mode | None, form: str, known: Sequence[str]
) -> UsageError:
    """The error for a format that what was asked for does not have."""
    use = f"use {', '.join(known)}"
    others = [each for each in declared.modes if form in each.shown.formats]
    if mode is None and others:
        return declared.needs(f"--format {form}", others)
    if mode is None or declared.shown is None or form not in declared.shown.all_formats:
        return UsageError(f"--format {form!r} is not known: {use}.")
    return UsageError(f"--format {form} cannot be combined with {declared.asked(mode)}: {use}.")


def _form_of(output: Path | None, formats: Sequence[str]) -> str:
    """The format in which the file's suffix asks for an earlier result.

    Raises ``UsageError`` for a suffix without a format.
    """
    suffix = "" if output is None else output.suffix.lower()
    if output is None or not suffix or is_picture(output):
        return formats[0]
    written = suffixes_of(formats)
    if suffix not in written:
        pictures = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        raise UsageError(
            f"{output}: a result is not written as {suffix}; end the name in {', '.join(written)},"
            f" or for a picture in {pictures}."
        )
    return written[suffix]


@runtime_checkable
class Drawable(Protocol):
    """Any answer that may have a picture."""

    @property
    def nothing_to_draw(self) -> str | None: ...
    def picture(self, file: Path, width: Width | None = None) -> bytes: ...
    def printed(self, form: str) -> str: ...


def _arguments_of(declared: Declaration, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments for the function.

    Raises ``UsageError`` if an option and the flag that means none of it are both given.
    """
    arguments: dict[str, Any] = {}
    for name, each in declared.options.items():
        only = each.found(PythonOnly)
        flag = each.found(Flag)
        value = only.value if only is not None else values.get(name)
        if flag is not None and values[value_of(flag.name)]:
            if value not in (None, str(each.default)):
                option = name.replace("_", "-")
                raise UsageError(f"--{option} and {flag.name} exclude each other: leave one out.")
            arguments[name] = None
        elif value is not None:
            arguments[name] = value
        elif each.default is Parameter.empty:
            arguments[name] = () if each.kind is Parameter.VAR_POSITIONAL else None
    return arguments


def _show_measured(
    declared: Declaration,
    arguments: Mapping[str, Any],
    view: _View,
    out: Output,
    drawing: _Drawing | None,
    *,
    strict: bool,
) -> int:
    """Show the result, even if the measurement ended early, and say where it is stored.

    With ``strict`` a result that is not quotable counts as failed.
    """
    from streamgage.api.runs import BaseRun, Ending
    from streamgage.measurement.ending import MeasurementInterrupt, NothingMeasuredError

    answer: Answer | None
    try:
        answer = declared.call(arguments)
        ending = answer.ending if isinstance(answer, BaseRun) else Ending(answer.exit_status)
    except MeasurementInterrupt as stopped:
        answer, ending = stopped.run, stopped.ending
    except NothingMeasuredError as failed:
        answer, ending = None, failed.ending
    try:
        if answer is not None:
            _show(answer, view, out)
            if drawing is not None and isinstance(answer, BaseRun):
                drawing.draw(answer)
    finally:  # where the result is counts most when it cannot be shown
        if ending.failure is not None:
            # Why each kernel failed was said when it did.
            sentence = getattr(ending.failure, "brief", str(ending.failure))
            _say([followable(declared, sentence)])
            for line in getattr(ending.failure, "last_lines", ()):
                print(f"  {plain(line)}", file=sys.stderr)
        if (following := ending.next_run()) is not None:
            _say([f"{following}."])
        _say(ending.seen_again())
    runs = answer if isinstance(answer, Sequence) else [answer]
    fit = all(
        not isinstance(each, BaseRun) or each.trust.verdict != "not-quotable" for each in runs
    )
    if fit or not strict or ending.exit_status:
        return ending.exit_status
    _say([f"With --strict, a result that is not quotable ends with exit status {FAILED}."])
    return FAILED


def _show(answer: Answer, view: _View, out: Output) -> None:
    _say(answer.notes_before)
    text = answer.printed(view.form, None if out.path is None else view.output, view.details)
    if text:
        out.write(text)


def _say(sentences: Iterable[str]) -> None:
    for sentence in sentences:
        say(sentence)


def _picture(shown: Display, view: _View) -> Path | None:
    """The picture that ``-o`` names; ``None`` without ``-o`` or for a file of text.

    Raises ``UsageError`` for another suffix, and for a picture of a result that has none.
    """
    if view.output is None:
        return None
    pictured = is_picture(view.output)
    if shown.data is None:
        if pictured and view.form == "table":
            raise UsageError(
                f"{view.output}: this result has no picture; {advice('report')} draws it in a page."
                if shown.measures
                else f"{view.output}: there is no picture of this answer: end the name in .txt."
            )
        return None
    if not shown.measures:  # an earlier result, which may be text as well
        return picture_file(view.output) if pictured else None
    if view.form != "table" and not pictured:
        return None
    return picture_file(view.output)


@dataclass(frozen=True)
class _Drawing:
    """A picture to be written, with its data."""

    output: PictureOutput
    form: str
    """The format of the data."""
    width: Width | None

    def draw(self, run: Drawable) -> None:
        """Write the picture and its data, or say why there is nothing to draw."""
        if run.nothing_to_draw is not None:
            _say([run.nothing_to_draw])
            return
        self.output.write(run.picture(self.output.path, self.width), run.printed(self.form))


@contextmanager
def _open_drawing(
    path: Path | None, form: str | None, width: Width | None
) -> Iterator[_Drawing | None]:
    """Open both files, so that a file that cannot be written fails before anything runs.

    ``None`` without ``path``.

    Raises ``UsageError`` if one of them cannot be written.
    """
    if path is None or form is None:
        yield None
        return
    with open_picture(path, form) as output:
        yield _Drawing(output, form, width)
