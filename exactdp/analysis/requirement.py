# SPDX-License-Identifier: MIT
"""What somebody requires of a deployed table: a bound on ε, on α, on δ or on a gap, as text that is exact.

A requirement is a quantity, a sign and an exact number, such as ``epsilon <= 1`` or ``gap < 5%``. What was
found of each is told by :class:`Required`; :mod:`exactdp.analysis.required` decides it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from typing import Any, Self

from exactdp.analysis.privacy_claim import PrivacyClaim, as_delta
from exactdp.analysis.verdict import Verdict
from exactdp.analysis.wording import decimal_above, short_number
from exactdp.errors import ExactDPError, InputError, wrong_kind
from exactdp.exact import Rational
from exactdp.exact.decimals import decimal_text
from exactdp.model import Epsilon, PrivacyLevel, TightestLevel
from exactdp.runtime.values import dataclass

EPSILON, ALPHA, DELTA, GAP, GAP_AFTER_REMAP = "epsilon", "alpha", "delta", "gap", "gap after remap"
"""What can be required."""

LEVELS = (EPSILON, ALPHA)
"""The two names of one quantity: α = e^(−ε)."""

GAPS = (GAP, GAP_AFTER_REMAP)
"""The quantities that need a consumer."""

HOLDS, FAILS, UNDECIDED = "holds", "fails", "undecided"
"""What becomes of a requirement."""

_NAMES = {
    **dict.fromkeys(("epsilon", "eps", "ε"), EPSILON),
    **dict.fromkeys(("alpha", "α"), ALPHA),
    **dict.fromkeys(("delta", "δ"), DELTA),
    "gap": GAP,
    "gap after remap": GAP_AFTER_REMAP,
}
_SIGNS = {"<=": False, "≤": False, "<": True, ">=": False, "≥": False, ">": True}
_FORM = re.compile(r"\s*([^\W\d_]+(?:\s+[a-z]+)*)\s*(<=|>=|<|>|≤|≥)\s*([^<>=≤≥]+?)\s*")
_HOW = (
    "write epsilon, delta, gap or 'gap after remap' with <= or <, or alpha with >= or >, and an exact number: 'epsilon <= 1', 'gap <= 5%'"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """A bound that is required.

    Attributes
    ----------
    quantity : str
        *epsilon*, *alpha*, *delta*, *gap* or *gap after remap*.
    strict : bool
        Whether the bound itself is too much.
    bound : Epsilon, PrivacyLevel or exact number
        An ε, an α, or a number. Of a gap in percent a hundredth of what stands before the sign.
    relative : bool
        Whether the gap is a share of the least loss, in percent.
    said : str
        The number as it was written.

    Examples
    --------
    >>> print(Requirement.parse("gap<5 %"), Requirement.parse("ε ≤ 0.10"), sep=", ")
    gap < 5 %, epsilon <= 0.10
    >>> Requirement.parse("epsilon >= 1")
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: the requirement 'epsilon >= 1' bounds epsilon from the wrong side; write ...
    """

    quantity: str
    strict: bool
    bound: Any
    relative: bool = False
    said: str = field(compare=False)

    @classmethod
    def parse(cls, text: object) -> Self:
        """The requirement of a text.

        Raises
        ------
        InputError
            The text is none, or its number is out of range; the message says what to write.
        """
        if not isinstance(text, str):
            raise wrong_kind("requirement", text, "a text such as 'epsilon <= 1'")
        found = _FORM.fullmatch(text)
        name = None if found is None else " ".join(found[1].lower().split())
        if found is None or name not in _NAMES:
            raise InputError(f"the requirement {text!r} is not understood; {_HOW}", text=text)
        quantity, sign, number = _NAMES[name], found[2], found[3]
        if (sign in (">=", ">", "≥")) != (quantity == ALPHA):
            raise InputError(f"the requirement {text!r} bounds {quantity} from the wrong side; {_HOW}", text=text)
        relative = number.endswith("%")
        if relative and quantity not in GAPS:
            raise InputError(f"the requirement {text!r}: only a gap is in percent; {_HOW}", text=text)
        try:
            bound = _bound(quantity, number.removesuffix("%").strip(), relative)
        except ExactDPError as error:
            raise type(error)(f"the requirement {text!r}: {error.message}", **error.facts) from None
        return cls(quantity=quantity, strict=_SIGNS[sign], bound=bound, relative=relative, said=number)

    @property
    def sign(self) -> str:
        """The sign between the quantity and the bound."""
        return (">" if self.quantity == ALPHA else "<") + ("" if self.strict else "=")

    @property
    def level(self) -> Epsilon | None:
        """The ε of a bound on ε or α; None for another quantity."""
        if self.quantity == EPSILON:
            found: Epsilon = self.bound
            return found
        return self.bound.epsilon if self.quantity == ALPHA else None

    def is_kept_by(self, number: Any) -> bool:
        """Whether a number keeps the bound: an ε that on ε or α, else a δ or a gap.

        >>> one = Requirement.parse("epsilon < ln 3")
        >>> one.is_kept_by(Epsilon(1)), one.is_kept_by(Epsilon("ln 3"))
        (True, False)
        """
        if self.level is None:
            return bool(number < self.bound if self.strict else number <= self.bound)
        order = number.compare(self.level)
        return order < 0 or (order == 0 and not self.strict)

    def found(self, about: str, status: str, exact: Any, *, reason: str = "", part: str = "") -> Required:
        """What becomes of it: ``exact`` is the number that was compared, None where it is not known."""
        compared = self.bound if self.level is None else self.level
        return Required(
            text=str(self), about=about, status=status, exact=exact, compared=compared, requirement=self, reason=reason, part=part
        )

    def __str__(self) -> str:
        return f"{self.quantity} {self.sign} {self.said}"


def _bound(quantity: str, text: str, relative: bool) -> Any:
    """The number of a requirement."""
    if quantity == EPSILON:
        return Epsilon(text)
    if quantity == ALPHA:
        return PrivacyLevel(f"alpha={text}")
    if quantity == DELTA:
        return as_delta(text)
    number = Rational(text) / 100 if relative else Rational(text)
    if number < 0:
        raise InputError("a gap is never below 0, so that nothing could keep it", value=number)
    return number


def requirements_of(given: object) -> tuple[Requirement, ...]:
    """The requirements of texts, each quantity at most once.

    Raises
    ------
    InputError
        A text is none, or two of them bound one quantity.

    Examples
    --------
    >>> [str(one) for one in requirements_of(["epsilon <= 1", "delta < 1e-6"])]
    ['epsilon <= 1', 'delta < 1e-6']
    >>> requirements_of(["epsilon <= 1", "alpha >= 1/4"])
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: 'epsilon <= 1' and 'alpha >= 1/4' bound one quantity; leave one of them out
    """
    if isinstance(given, (str, Requirement)) or not isinstance(given, Iterable):
        raise wrong_kind("require", given, "a list of requirements, such as ['epsilon <= 1']")
    found = [one if isinstance(one, Requirement) else Requirement.parse(one) for one in given]
    seen: dict[str, Requirement] = {}
    for one in found:
        key = EPSILON if one.quantity in LEVELS else one.quantity
        if key in seen:
            raise InputError(f"'{seen[key]}' and '{one}' bound one quantity; leave one of them out", first=seen[key], second=one)
        seen[key] = one
    return tuple(found)


def require_askable(requirements: Iterable[Requirement], claim: PrivacyClaim | None, *, consumers: bool) -> None:
    """Refuse a δ without a level, and a gap without a consumer: nothing would be asked.

    >>> require_askable(requirements_of(["gap <= 5%"]), None, consumers=False)
    Traceback (most recent call last):
    ...
    exactdp.errors.InputError: 'gap <= 5%' is about no consumer; name one: consumers= ...
    """
    listed = list(requirements)
    for one in listed:
        if one.quantity in GAPS and not consumers:
            raise InputError(f"'{one}' is about no consumer; name one: consumers= (--for, or [[consumers]] of a policy)", requirement=one)
        if one.quantity == DELTA and claim is None and all(other.quantity not in LEVELS for other in listed):
            raise InputError(f"'{one}' says at no ε; require an ε, too, such as 'epsilon <= 1', or claim one", requirement=one)


@dataclass(frozen=True, slots=True, kw_only=True)
class Required:
    """What was found of one requirement.

    Attributes
    ----------
    text : str
        The requirement.
    about : str
        Which number is meant: beside which δ, at which ε, for which consumer among which mechanisms.
    status : str
        *holds*, *fails* or *undecided*.
    exact : Epsilon, exact number or None
        The number that was compared; None where it is not known. Of a gap in percent the share of the least
        loss; of ``alpha`` the ε.
    compared : Epsilon or exact number
        With what: an ε, a δ or a gap.
    bounds : (lower, upper) or None
        Where the number lies if it is not known.
    reason : str
        Why it is undecided, or fails without a number.
    shown_by : Verdict or None
        The answer that has the number, of which a certificate can be written.
    part : str
        The part of the audit whose certificate has the number; empty where none has.
    requirement : Requirement
    """

    text: str
    about: str
    status: str
    exact: Any
    compared: Any
    requirement: Requirement
    bounds: tuple[Any, Any] | None = None
    reason: str = ""
    shown_by: Verdict[Any] | None = None
    part: str = ""


def delta_beside(requirements: Iterable[Requirement]) -> Any:
    """The δ beside which ε is: the required one, else 0."""
    return next((one.bound for one in requirements if one.quantity == DELTA), Rational(0))


def level_of_delta(requirements: Iterable[Requirement], claim: PrivacyClaim | None) -> PrivacyLevel | TightestLevel:
    """The level at which δ is: the required one, else the claimed one; it is 1 for ε = 0."""
    epsilon = next((one.level for one in requirements if one.level is not None), None)
    if epsilon is not None:
        return PrivacyClaim(epsilon=epsilon).level
    assert claim is not None  # or else the requirement was refused
    return claim.level


def with_certificates(found: Iterable[Required]) -> tuple[Required, ...]:
    """Requirements; those that an answer of their own shows have the part ``required-`` and their number."""
    listed = enumerate(found, 1)
    return tuple(one if one.shown_by is None else replace(one, part=f"required-{k}") for k, one in listed)


def failing(found: Iterable[Required]) -> bool | None:
    """Whether one of them fails; None if none does, and one is undecided."""
    statuses = {one.status for one in found}
    if FAILS in statuses:
        return True
    return None if UNDECIDED in statuses else False


def required_text(requirements: Sequence[Required]) -> str:
    """What became of the requirements, after the sentence; nothing without any."""
    if not requirements:
        return ""
    missed = [one for one in requirements if one.status != HOLDS]
    if not missed:
        return f"; required, and kept: {', '.join(dict.fromkeys(one.text for one in requirements))}"
    said = (f"{one.text} {'fails' if one.status == FAILS else 'is not decided'} ({why_text(one)})" for one in missed)
    return f"; required: {'; '.join(said)}"


def why_text(one: Required) -> str:
    """The number that was compared, or why there is none.

    >>> from exactdp import audit, geometric
    >>> why_text(audit(geometric(1, "1/3"), "path", require=["epsilon < 1"]).evidence.requirements[0])
    'the smallest ε beside δ = 0 is ln(3) ≈ 1.098612'
    """
    if one.exact is not None:
        what = f"the gap {one.about}," if one.requirement.quantity in GAPS else one.about
        return f"{what} is {_compared_text(one)}"
    lower, upper = one.bounds or (None, None)
    ends = [f"at least {_end(lower)}"] * (lower is not None) + [f"at most {_end(upper)}"] * (upper is not None)
    known = f"it is {' and '.join(ends)}" if ends else ""
    return "; ".join(filter(None, [one.about, known, one.reason]))


def _compared_text(one: Required) -> str:
    """The number that was compared, with a decimal that is another one than the bound's."""
    if isinstance(one.exact, Epsilon):
        bound = one.compared.rational
        return one.exact.told(*([] if bound is None else [bound]))
    if not isinstance(one.exact, Rational):
        return f"{short_number(one.exact)} (at most {decimal_above(one.exact)})"
    percent = "%" if one.requirement.relative else ""
    number = one.exact * 100 if percent else one.exact
    text, (near, exact) = short_number(number), decimal_text(number, 6)
    return f"{text}{percent}" if exact or text == near else f"{text}{percent} ≈ {near}{percent}"


def _end(x: Any) -> str:
    """A bound, as text."""
    return x.told() if isinstance(x, Epsilon) else short_number(x)
