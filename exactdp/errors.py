# SPDX-License-Identifier: MIT
"""The exceptions, each with the object, the rule, the exact values and the remedy as facts.

A mathematical *no* is a value (a refuted :class:`~exactdp.analysis.verdict.Verdict`), never an exception. An
exception means misuse (:class:`InputError`), a mixture of number fields (:class:`DomainError`), a limit of
the search (:class:`SearchError`), a bad file (:class:`CertificateError`) or one that could not be written
(:class:`WriteError`). Every message names the object, the rule, the exact values and what to do; the same
facts are attributes, so that programs need not read text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from unicodedata import category

LONGEST_MESSAGE = 300
"""Most characters of a message."""


def bounded(message: str) -> str:
    """A message on one line that can be read at a glance: what is long in it is cut in the middle.

    Whole numbers, names and lists stay in the facts of an exception. The remedy, which a message ends with,
    is kept.

    >>> bounded("the number " + "7" * 400 + " is too large")
    'the number 777777777777…777777777777[400 digits] is too large'
    """
    text = printable(message)
    if len(text) > 40:
        text = re.sub(r"[0-9]{41,}", lambda run: f"{run[0][:12]}…{run[0][-12:]}[{len(run[0])} digits]", text)
    if len(text) > LONGEST_MESSAGE:
        text = re.sub(r"[^\s'\"]{40,}[^\s'\":;,.]", lambda run: f"{run[0][:12]}…{run[0][-12:]}[{len(run[0])} characters]", text)
    if len(text) > LONGEST_MESSAGE:
        said = f" … [{len(text)} characters] … "
        head = (LONGEST_MESSAGE - len(said)) // 2
        text = text[: LONGEST_MESSAGE - len(said) - head].rstrip() + said + text[-head:].lstrip()
    return text


MOST_MARKS = 4
"""Most marks on one letter (accents, vowel signs) that are shown; a flood of them covers other lines."""

_INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))
)
"""Letters, marks and symbols that show nothing."""


def printable(text: str) -> str:
    r"""The text in one line that a terminal or a page shows as it is: all other characters are escaped.

    For everything that came from a file, names of files too: a label may hold what clears the screen, ends
    the line, turns the direction of reading or is not seen, and would then say something else than it is.
    Letters of every script are shown, with at most four marks on each. What is escaped stays as it is.

    >>> print(printable("ten\x1b[2J" + chr(0x202E)), printable("Zoë, a\nb, \ud800"))
    ten\x1b[2J\u202e Zoë, a\nb, \ud800
    """
    if text.isascii() and text.isprintable():
        return text
    shown, marks = [], MOST_MARKS  # none before the first letter
    for x in text:
        kind = category(x)
        seen = x.isprintable() and x not in _INVISIBLE
        if kind in {"Mn", "Me"}:
            seen, marks = seen and marks < MOST_MARKS, marks + 1
        else:
            marks = 0 if seen and kind[0] in "LMNS" else MOST_MARKS
        shown.append(x if seen else ascii(x)[1:-1])
    return "".join(shown)


class ExactDPError(Exception):
    """The root of all exceptions that exactdp raises on purpose.

    Parameters
    ----------
    message : str
        The sentence for the reader; what is long in it is cut (:func:`bounded`).
    **facts
        The offending objects, kept as attributes.
    """

    def __init__(self, message: str, **facts: object) -> None:
        self.message = bounded(message)
        super().__init__(self.message)
        self.facts = facts
        for name, value in facts.items():
            setattr(self, name, value)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.message, self.facts))


def _rebuild(kind: type[ExactDPError], message: str, facts: dict[str, object]) -> ExactDPError:
    return kind(message, **facts)


class InputError(ExactDPError, ValueError):
    """The caller's object breaks a rule of the model. Mend the input."""


class InexactInputError(InputError, TypeError):
    """A float (or another inexact number) was given where exact numbers are read; carries ``value``."""


class RationalSyntaxError(InputError):
    """A text is not a number of the whitelist grammar; carries ``text``, ``position`` and ``reason``."""


class ExpressionSyntaxError(InputError):
    """A text is not a formula of the whitelist grammar; carries ``text``, ``position`` and ``reason``."""


class ShapeError(InputError):
    """Sizes do not fit; carries ``expected`` and ``got``."""


class LabelError(InputError):
    """A label is unknown, repeated or in the wrong place; carries ``label`` or both lists of labels."""


class NotStochasticError(InputError):
    """Rows do not sum to 1; carries ``rows``: (label, exact sum, excess) of each offending row."""


class NegativeEntryError(InputError):
    """An entry that must be non-negative is not; carries ``position`` and ``value``."""


class NotAMetricError(InputError):
    """A table of distances breaks a rule of metrics; carries the violating points and both sides."""


class ParameterRangeError(InputError):
    """A parameter lies outside its interval; carries ``name``, ``value`` and ``allowed``."""


class DomainError(ExactDPError):
    """The number fields do not fit the question."""


class MixedDomainError(DomainError):
    """Two numbers with different parameters met (ℚ embeds in every field, nothing else does)."""


class UndecidedSignError(DomainError):
    """A truth value was asked of something undecided; carries what is known."""


class SearchError(ExactDPError):
    """The machine could not finish."""


class ResourceLimitError(SearchError):
    """Pivots, digits or time ran out; carries the state reached."""


class DefectiveAnswerError(SearchError):
    """One of our own answers failed our own exact check: a defect of exactdp, please report it."""


class WriteError(ExactDPError, OSError):
    """A file that was asked for could not be written; carries ``path`` and ``errno``. The answer stands."""


class CertificateError(ExactDPError):
    """The certificate file is at fault."""


class MalformedCertificateError(CertificateError):
    """The file does not follow the format; carries ``path`` and ``rule``."""


class RejectedCertificateError(CertificateError):
    """The file is well-formed and wrong; carries ``rule``, ``path`` and both sides."""


def repr_of(value: object) -> str:
    """What somebody gave, as Python writes it; its type, where Python can't, or writes what is inside.

    >>> nested = []
    >>> for _ in range(100_000):
    ...     nested = [nested]
    >>> repr_of("1/2"), repr_of(nested), repr_of(list), repr_of(object())
    ("'1/2'", '<list>', 'the class list', 'an object')
    """
    if isinstance(value, type):
        return brief_value(value)
    try:
        text = repr(_plain(value))
        return brief_value(value) if text.startswith("<") or "\n" in text else text
    except Exception:  # an object of somebody else's, or lists too deep for Python's stack
        return f"<{type(value).__name__}>"


def _plain(value: Any) -> object:
    """The number that a scalar of NumPy is, whose own text has the name of the library."""
    return value.item() if hasattr(value, "item") and getattr(value, "shape", None) == () else value


def brief_value(value: object) -> str:
    """What somebody gave, for an error: its text if that is short, and its type.

    >>> brief_value(3), brief_value(None), brief_value([0] * 99)
    ('3 (an int)', 'None', 'a list')
    """
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    kind = type(value).__name__
    article = "an" if kind[:1].lower() in "aeiou" else "a"
    try:
        text = repr(_plain(value))
    except Exception:  # an object of somebody else's
        text = ""
    shown = 0 < len(text) <= 40 and "\n" not in text and not text.startswith("<")
    return f"{text} ({article} {kind})" if shown else f"{article} {kind}"


def meant(word: object, known: Iterable[str]) -> str:
    """What an error adds about a word that nobody knows: the one that is most like it, if any is.

    >>> meant("abss", ["abs", "squared"]), meant("x", ["abs"])
    ('did you mean abs? ', '')
    """
    from difflib import get_close_matches  # only for this message

    near = get_close_matches(str(word)[:80].lower(), list(known), 1)
    return f"did you mean {near[0]}? " if near else ""


def wrong_kind(argument: str, given: object, expected: str) -> InputError:
    """The error for an argument of a wrong type: what it is, and what to give.

    >>> print(wrong_kind("prior", 3, "a Prior or a list of weights"))
    the prior is 3 (an int); give a Prior or a list of weights
    """
    return InputError(f"the {argument} is {brief_value(given)}; give {expected}", argument=argument, value=given)
