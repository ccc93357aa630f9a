# SPDX-License-Identifier: MIT
"""Which closed form in n and α fits the answers for small n? A guess: equal wherever it was asked."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from exactdp.analysis.verdict import Decision, Scope, Verdict
from exactdp.arguments.generalisation.answer import Argument, GeneralisationEvidence
from exactdp.arguments.generalisation.closed_form import ClosedForm, EntryForm
from exactdp.arguments.generalisation.drafts import Definition, draft, entry_definition, read_value, says_entries, value_definitions
from exactdp.arguments.generalisation.fitting import HELD_OUT, fit_entries, fit_sequence
from exactdp.arguments.generalisation.interpolation import interpolated
from exactdp.arguments.generalisation.questions import Part, Question, question_of
from exactdp.errors import InputError, ParameterRangeError, wrong_kind
from exactdp.exact import ExactMatrix, Interval, RationalFunction, RationalFunctionField, SymbolicFunction, as_count, members_of
from exactdp.model import Mechanism, Remap, Table
from exactdp.runtime.progress import Listener, counted_off

QuestionLike = str | Callable[..., Any]
"""A word, a function of n, or a function of n and a rational level."""

FEWEST, LARGEST = 2 + HELD_OUT, 200
"""How many n must be asked at least, and the largest n."""

USUAL = tuple(range(2, 9))
"""The n at which a function of n is asked, unless others are given."""

TABLES: tuple[tuple[str, ...], ...] = (
    ("",),
    ("i = j", ""),
    ("j <= i", ""),
    ("i = j", "j < i", ""),
    ("i = j", "i = j+1", "i = j-1", ""),
    ("j = 0", "j = last", "j <= i", ""),
    ("i = 0", "i = last", "j <= i", ""),
    ("i = j = 0", "i = j = last", "i = j", "i = j+1", "i = j-1", ""),
    ("i = j = 0", "i = j-1 = 0", "i = j = last", "i = j+1 = last", "i = j", "i = j+1", "i = j-1", ""),
    ("i = j = 0", "i = j = last", "i = 0", "i = last", "j = 0", "j = last", "i = j", "j < i", ""),
)
"""What may tell apart the entries of a matrix given as a function of n; ``last`` is the last index."""


def closed_form(
    question: QuestionLike, sizes: Iterable[int] | None = None, *, progress: Listener | None = None
) -> Verdict[GeneralisationEvidence]:
    """Which closed form fits the answers for these n? Never more than a guess, with a draft of an argument.

    * ``question``: as for :func:`~exactdp.generalise`.
    * ``sizes``: the n to ask at.

    Returns: Undecided. The arguments in its evidence have not been replayed.

    >>> a = RationalFunctionField().gen
    >>> print(closed_form(lambda n: (1 - a**n) / (1 + a)))
    UNDECIDED  not proved; fits n = 2, 3, 4, 5 …: (1 - a^n)/(1 + a)
    for        the answer · n: n is what the function was given · n = 2, …, 8, every a in (0, 1)
    claim      (1 - a^n)/(1 + a) is the answer at n = 2, …, 8; for other n nothing is proved
    """
    if isinstance(question, str):
        evidence = _of_word(question_of(question), sizes, progress)
    elif callable(question):
        evidence = _of_function(question, sizes, progress)
    else:
        raise wrong_kind("question", question, "a word such as 'det geometric', or a function of n")
    return Verdict(Decision.UNDECIDED, claim_of(evidence), evidence, scope_of_sizes(evidence))


def claim_of(e: GeneralisationEvidence) -> str:
    """What is said of a guess."""
    asked = _range(e)
    if e.found is None:
        return f"no closed form was found for {e.title} from {asked}"
    if e.interpolated:
        return (
            f"{e.found} fits {e.title} at {asked} and at the rational levels asked; at others, and for other {e.letter}, nothing is proved"
        )
    if e.form is None:
        return f"{e.title} has the entries {e.found} at {asked}; for other {e.letter} nothing is proved"
    return f"{e.found} is {e.title} at {asked}; for other {e.letter} nothing is proved"


def scope_of_sizes(e: GeneralisationEvidence) -> Scope:
    """The n that were asked, and every level, or those that were asked."""
    if e.interpolated:
        return Scope(f"{_range(e)}, the rational levels asked")
    return Scope(f"{_range(e)}, every", letter="a", interval=Interval(0, 1))


def _range(e: GeneralisationEvidence) -> str:
    sizes, letter = e.sizes, e.letter
    together = len(sizes) > 2 and sizes == tuple(range(sizes[0], sizes[-1] + 1))
    return f"{letter} = {sizes[0]}, …, {sizes[-1]}" if together else f"{letter} = {', '.join(map(str, sizes))}"


def _sizes(sizes: Iterable[int] | None, usual: Sequence[int], least: int) -> list[int]:
    """The n to ask at, in order."""
    if sizes is None:
        return list(usual)
    found = sorted({as_count(n, "n", least=-1) for n in members_of(sizes, "sizes")})
    if len(found) < FEWEST:
        raise InputError(f"{len(found)} different n are too few for a closed form; give {FEWEST} at least, better seven", sizes=found)
    if found[0] < least or found[-1] > LARGEST:
        allowed = f"{least}..{LARGEST}"
        value = found[0] if found[0] < least else found[-1]
        raise ParameterRangeError(f"n = {value} is not asked; n is one of {allowed}", name="sizes", value=value, allowed=allowed)
    return found


# --- Words ---


def _of_word(question: Question, sizes: Iterable[int] | None, progress: Listener | None) -> GeneralisationEvidence:
    chosen = _sizes(sizes, question.sizes, question.least)
    answers = {n: question.answer(n) for n in counted_off(chosen, progress, f"answers to {question.word}", question.letter)}
    verdicts = {n: x for n, x in answers.items() if isinstance(x, Verdict)}
    values = answers if question.value is None else {n: question.value(x) for n, x in answers.items()}
    form = None if question.value is None else fit_sequence(values, question.letter)
    drafts = [_drafted(question, parity, answers, values, form) for parity in range(len(question.arguments))]
    arguments = tuple(argument for _, argument in drafts if argument is not None)
    return GeneralisationEvidence(
        title=question.title,
        meaning=question.meaning,
        letter=question.letter,
        least=question.least,
        answers=tuple(values.items()),
        verdicts=tuple(verdicts.items()),
        form=form,
        tables=tuple(table for tables, _ in drafts for table in tables),
        arguments=arguments if len(arguments) == len(drafts) else (),
        theorem=question.theorem,
    )


def _drafted(
    question: Question, parity: int, answers: Mapping[int, Any], values: Mapping[int, Any], form: ClosedForm | None
) -> tuple[list[EntryForm], Argument | None]:
    """The tables that were fitted, and the argument with what was guessed: for all n, or those of one parity.

    There is none if something was not found, or if the text of a definition does not say what the answers do.
    """
    alone = len(question.arguments) == 1
    letter, own = question.letter if alone else "h", {n: x for n, x in answers.items() if alone or n % 2 == parity}
    guesses = [_part(part, own, letter, None if alone else parity) for part in question.parts]
    tables = [table for table in guesses if table is not None]
    found = question.value is None or (form is not None and len(form.formulas) == len(question.arguments))
    if not found or len(tables) < len(guesses):
        return tables, None
    definitions = {} if form is None else value_definitions(form.formulas[parity], question.letters, letter)
    agrees = form is None or all(_says(definitions, letter, n if alone else n // 2, values[n]) for n in own)
    for part, table in zip(question.parts, tables, strict=True):
        definitions |= entry_definition(table, question.letters)
        agrees &= all(says_entries(definitions[part.name], table, n, part.entries(n, own[n])) for n in list(own)[:2])
    name = question.arguments[parity]
    return tables, Argument(name, draft(name, definitions)) if agrees else None


def _says(definitions: Mapping[str, Definition], letter: str, n: int, value: Any) -> bool:
    """Whether the definitions, read as an argument reads them, have this value."""
    said = read_value(definitions, letter, n)
    return bool(said == said.field(value))


def _part(part: Part, answers: Mapping[int, Any], letter: str, parity: int | None) -> EntryForm | None:
    """The closed form of a table that belongs to the answers."""
    tables = {n: part.entries(n, x) for n, x in answers.items()}
    conditions = part.conditions[parity or 0]
    return fit_entries(part.name, tables, part.letter or letter, part.indices, conditions, parity=parity, shift=part.shift)


# --- Functions ---


def _of_function(question: Callable[..., Any], sizes: Iterable[int] | None, progress: Listener | None) -> GeneralisationEvidence:
    chosen, by_level = _sizes(sizes, USUAL, 0), _takes_level(question)
    values, verdicts = dict[int, Any](), dict[int, Any]()
    for n in counted_off(chosen, progress, "answers", "n"):
        found = interpolated(lambda level, n=n: _rational(question(n, level), n)) if by_level else question(n)  # type: ignore[misc]
        if found is None and by_level:
            raise InputError(f"at n = {n} the values at rational levels are those of no rational function of a small degree", n=n)
        if isinstance(found, Verdict):
            verdicts[n] = found
        values[n] = _thing(found, n)
    matrices = [x for x in values.values() if isinstance(x, ExactMatrix)]
    if matrices and len(matrices) < len(values):
        raise InputError("the function of n gives a matrix for some n, and a number for others", values=values)
    tables = _matrices(values) if matrices else None
    return GeneralisationEvidence(
        title="the answer",
        meaning="n is what the function was given",
        letter="n",
        least=chosen[0],
        answers=tuple(values.items()),
        verdicts=tuple(verdicts.items()),
        form=None if matrices else fit_sequence(values),
        interpolated=by_level,
        tables=() if tables is None else (tables,),
    )


def _takes_level(question: Callable[..., Any]) -> bool:
    """Whether a function takes n and a level, not n alone."""
    try:
        parameters = inspect.signature(question).parameters.values()
    except (TypeError, ValueError):
        return False
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    level = getattr(question, "needs_level", None)  # ε may be given instead
    needed = [p for p in parameters if p.default is inspect.Parameter.empty or p.name == level]
    return sum(p.kind in plain for p in needed) == 2


def _thing(found: Any, n: int) -> Any:
    """A matrix, or a number as a function of the level."""
    if isinstance(found, Verdict):
        evidence = found.evidence
        found = getattr(evidence, "value", None)
        found = getattr(evidence, "determinant", None) if found is None else found
    if isinstance(found, (Mechanism, Table, Remap)):
        found = found.matrix
    return found.over(RationalFunctionField()) if isinstance(found, ExactMatrix) else _number(found, n)


def _rational(found: Any, n: int) -> Any:
    """A rational number: the answer at a rational level."""
    value = _thing(found, n)
    number = None if isinstance(value, ExactMatrix) else value.rational
    if number is None:
        raise wrong_kind(f"answer at n = {n} and a rational level", found, "a rational number, or a verdict whose value is one")
    return number


def _number(found: Any, n: int) -> Any:
    """A number as a function of the level."""
    field = RationalFunctionField()
    if isinstance(found, SymbolicFunction) and found.field.names == ("a",):
        above, below = (
            sum((int(c) * field.gen ** int(k) for (k,), c in part), field.zero) for part in (found.numerator, found.denominator)
        )
        return above / below
    if isinstance(found, RationalFunction) and found.field.name_of_level != "a":
        raise InputError(f"at n = {n} the answer is a function of {found.field.name_of_level}; call the level a", value=found)
    if found is None or isinstance(found, (str, bool)):
        raise wrong_kind(f"answer at n = {n}", found, "a number, a function of the level a, a matrix of them, or a verdict with a value")
    return field(found)


def _matrices(values: Mapping[int, ExactMatrix]) -> EntryForm | None:
    """The closed form of the entries of matrices, told apart as simply as possible."""
    shifts = {x.shape[0] - 1 - n for n, x in values.items()}
    last = f"n{min(shifts):+d}".removesuffix("+0") if len(shifts) == 1 else None
    tables: dict[int, dict[tuple[int, ...], Any]] = {
        n: {(i, j): entry for i, row in enumerate(x.rows()) for j, entry in enumerate(row)} for n, x in values.items()
    }
    for conditions in TABLES:
        if last is None and any("last" in condition for condition in conditions):
            continue
        found = fit_entries("entry", tables, "n", "i j", [condition.replace("last", str(last)) for condition in conditions])
        if found is not None:
            return found
    return None
