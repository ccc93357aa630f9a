# SPDX-License-Identifier: MIT
"""What page one says of a requirement: which number it is on, and that number, exactly where it is short."""

from __future__ import annotations

import re
from collections.abc import Sequence

from exactdp.analysis.epsilon_shown import epsilon_text, rounded
from exactdp.analysis.requirement import DELTA, LEVELS, Required
from exactdp.certificate.page_one import IN_APPENDIX, NONE, required_about
from exactdp.exact import Rational
from exactdp.model.epsilon import Epsilon
from exactdp.report.page_decimals import ROUNDED

SHORT = 24
"""Characters of an exact number on page one."""


def about_privacy(one: Required, listed: Sequence[Required], claimed: Epsilon | None) -> str:
    """Which number a requirement on ε, α or δ is about: beside the required δ, or at the ε that is meant."""
    requirement, others = one.requirement, [other.requirement for other in listed]
    if requirement.quantity in LEVELS:
        return required_about(requirement.quantity, next((other.said for other in others if other.quantity == DELTA), "0"))
    epsilon = next((other.level for other in others if other.level is not None), claimed)
    assert epsilon is not None  # or else the requirement was refused
    return required_about(DELTA, epsilon_text(epsilon))


def required_figures(one: Required) -> tuple[str, str]:
    """The decimal of what was compared, and the exact number where it is short."""
    percent = " %" if one.requirement.relative else ""
    if one.exact is None:
        return NONE, NONE if one.bounds is None else IN_APPENDIX
    if isinstance(one.exact, Epsilon):
        text = str(one.exact) if one.exact.is_enclosed else "infinity"
        is_short = len(text) <= SHORT and re.fullmatch(r"infinity|ln\([0-9]+(/[0-9]+)?\)|[0-9]+(/[0-9]+)?", text) is not None
        return epsilon_text(one.exact), text if is_short else IN_APPENDIX
    number = one.exact * 100 if percent else one.exact
    known = number if isinstance(number, Rational) else getattr(number, "rational", None)
    is_short = known is not None and len(str(known)) <= SHORT
    return f"{rounded(number, ROUNDED, up=True)}{percent}", f"{known}{percent}" if is_short else IN_APPENDIX
