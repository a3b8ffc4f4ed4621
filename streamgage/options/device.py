"""The option ``--device``: a device in place of the processor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Final, Literal, TypedDict, get_args

from streamgage.errors import UsageError
from streamgage.options.declaration import declaration_of
from streamgage.options.values import DEVICE
from streamgage.process.this_machine import devices_of
from streamgage.records import Device
from streamgage.units import count

GPUS: Final = "gpu"
ALL: Final = "all"
Several = Literal["gpu", "all"]
SEVERAL = get_args(Several)
"""Names that stand for several devices."""


class DeviceOptions(TypedDict, total=False):
    """What is measured.

    Args:
        device: A device to measure in place of the processor, e.g. opencl:0 (docs/devices.md).
    """

    device: Annotated[str | None, DEVICE]


def refuse_for_processors(
    command: Callable[..., Any], given: Mapping[str, Any], names: Iterable[str]
) -> None:
    """Raise ``UsageError`` if one of these options of a command is given: a device has none."""
    declared = declaration_of(command).options
    for name in names:
        if given[name] != declared[name].default and given[name] not in (None, False):
            raise UsageError(
                f"--{name.replace('_', '-')} is for processors, and --device names a device: leave"
                " one of them out."
            )


def one_device(name: str) -> Device:
    """The device of that name. Raises ``UsageError`` if there is none, or if there are several."""
    found = devices_of(name).devices
    if len(found) != 1:
        names = ", ".join(each.title for each in found)
        several = f"{count(len(found), 'device')}{': ' if found else ''}{names}"
        raise UsageError(
            f"--device {name} stands for {several},"
            " and one at a time is measured here: name it, such as opencl:0."
        )
    return found[0]
