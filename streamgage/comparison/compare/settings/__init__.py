"""The settings of a measurement that can be compared, most important first."""

from __future__ import annotations

from streamgage.comparison.compare.settings import arrays, machines, placement, surroundings
from streamgage.comparison.compare.settings.machines import host_of, tool_of
from streamgage.comparison.compare.settings.setting import Setting, SettingValue, machine_of

__all__ = ["SETTINGS", "Setting", "SettingValue", "host_of", "machine_of", "tool_of"]

SETTINGS = (
    *machines.SETTINGS,
    *placement.SETTINGS,
    *arrays.SETTINGS,
    *surroundings.SETTINGS,
)
