# SPDX-License-Identifier: MIT
"""What page one says of a requirement: what becomes of it, which number it is on, and that number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from exactdp.analysis.epsilon_shown import MOST_FIGURES, epsilon_text, number_of_decimal, rounded
from exactdp.analysis.requirement import DELTA, LEVELS, Required
from exactdp.certificate.page_one import NONE, Line, required_about, required_heads
from exactdp.model.epsilon import Epsilon
from exactdp.report.page_decimals import ROUNDED


def heads_of_requirements(listed: Sequence[Required]) -> Iterator[Line]:
    """What the verdict says of the requirements: which of them fail, or are not decided."""
    yield from required_heads([(one.text, one.status) for one in listed])


def about_privacy(one: Required, listed: Sequence[Required], claimed: Epsilon | None) -> str:
    """Which number a requirement on ε, α or δ is about: beside the required δ, or at the ε that is meant."""
    requirement, others = one.requirement, [other.requirement for other in listed]
    if requirement.quantity in LEVELS:
        return required_about(requirement.quantity, next((other.said for other in others if other.quantity == DELTA), "0"))
    epsilon = next((other.level for other in others if other.level is not None), claimed)
    assert epsilon is not None  # or else the requirement was refused
    return required_about(DELTA, epsilon_text(epsilon))


def required_figure(one: Required) -> str:
    """The decimal of what was compared, rounded up, and on the side of the bound where the number is."""
    if one.exact is None:
        return NONE
    if isinstance(one.exact, Epsilon):
        return epsilon_text(one.exact, one.compared)
    unit, percent = (100, " %") if one.requirement.relative else (1, "")
    number, bound, figures = one.exact * unit, one.compared * unit, ROUNDED
    while figures < MOST_FIGURES and number < bound <= number_of_decimal(rounded(number, figures, up=True)):
        figures += 1
    return f"{rounded(number, figures, up=True)}{percent}"
