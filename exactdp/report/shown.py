# SPDX-License-Identifier: MIT
"""A value with how a notebook is to show it: decimals, in full, without its picture."""

from __future__ import annotations

from dataclasses import dataclass

from exactdp.display import Displayed
from exactdp.exact.decimals import require_rounding
from exactdp.report.html import Display, html_of

MOST_DIGITS = 1000
"""More digits of a number are not asked for."""


@dataclass(frozen=True, slots=True, repr=False)
class Shown:
    """A value with how it is to be shown in a notebook, from :meth:`exactdp.display.Displayed.display`."""

    thing: Displayed
    how: Display

    def __repr__(self) -> str:
        return repr(self.thing)

    def _repr_html_(self) -> str:
        return html_of(self.thing, self.how)


def shown(thing: Displayed, *, decimals: int | None, digits: int | None, full: bool, picture: bool) -> Shown:
    """The value as it is to be shown.

    * raises InputError: both ``decimals`` and ``digits`` are given, or one is out of range.
    """
    require_rounding(decimals, digits, MOST_DIGITS)
    return Shown(thing, Display(decimals, digits, full=full, picture=picture))
