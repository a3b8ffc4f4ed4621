"""Settings of repeated runs that only differ in their placement."""

from __future__ import annotations

from streamgage.results.repeat.document import ComparedSetting, setting_of


def settings_of(*placements: str) -> list[ComparedSetting]:
    return [setting_of(each) for each in placements]
