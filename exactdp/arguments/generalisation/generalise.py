# SPDX-License-Identifier: MIT
"""Closed forms for every n: guessed from certified answers, replayed if their argument is followed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from exactdp.analysis.verdict import Decision, Scope, Verdict
from exactdp.arguments.generalisation.answer import GeneralisationEvidence
from exactdp.arguments.generalisation.guess import QuestionLike, closed_form
from exactdp.certificate.certificate import certify
from exactdp.certificate.verification import Checker
from exactdp.errors import ResourceLimitError
from exactdp.exact import Interval
from exactdp.runtime.progress import Listener, counted_off


def generalise(
    question: QuestionLike, sizes: Iterable[int] | None = None, *, progress: Listener | None = None
) -> Verdict[GeneralisationEvidence]:
    r"""Does a closed form in n and α that fits the answers for small n hold for every n?

    The answers are exact functions of the level, each certified (within the checker's limits). A form is
    fitted to them by exact linear algebra. For a question with a word, what was guessed (the value, and the
    dual, the remap or the inverse that show it) is put into an argument, which exactdp's own program for
    arguments replays or refuses.

    Parameters
    ----------
    question : str or callable
        A word: ``"det geometric"``, ``"det geometric-prime"``, ``"inverse geometric"``, ``"minimax zero-one
        path"``, ``"capacity line"``, ``"capacity discrete"``, ``"capacity cube"``, and the last three with
        ``"additive"`` before them. Or a function of n that gives a number, a function of the level a, a
        matrix of them or a verdict; or a function of n and a rational level that gives rational numbers.
    sizes : iterable of int, optional
        The n to ask at, three at least; those of the question unless given (for a function 2, …, 8).
    progress : callable, optional
        Told how far it is.

    Returns
    -------
    Verdict[GeneralisationEvidence]
        Replayed for every n, if the arguments in ``evidence.arguments`` are; the scope says on what the
        answer rests. Undecided with a formula that equals every answer, or without one. Never proved: an
        argument is no certificate. The answer for a function of n is always undecided.

    Raises
    ------
    InputError
        The word is none of these; there are too few n; the function gives something else.
    ParameterRangeError
        An n is too small or too large.

    Examples
    --------
    >>> verdict = generalise("det geometric")
    >>> print(verdict)
    REPLAYED  for every n ≥ 1: det G(n, a) = (1 - a)^(2*n-1)/(1 + a)
    for       n: G(n, a), the geometric mechanism, has the inputs and outputs 0..n ·
              every integer n ≥ 1, every level a in (0, 1), as the argument checker replays it
    >>> verdict.evidence.form.to_latex(), verdict.evidence.arguments[0].status
    ('\\frac{(1 - \\alpha)^{2 n-1}}{1 + \\alpha}', 'replayed')
    >>> print(generalise(lambda n, level: (1 - level) ** n / n))
    UNDECIDED  not proved; fits n = 2, 3, 4, 5 …: (1 - a)^n/n
    for        the answer · n: n is what the function was given · n = 2, …, 8, the rational levels asked
    claim      (1 - a)^n/n fits the answer at n = 2, …, 8 and at the rational levels asked; at others,
               and for other n, nothing is proved
    """
    guess = closed_form(question, sizes, progress=progress)
    evidence = guess.evidence
    for _, verdict in counted_off(evidence.verdicts, progress, "certificates", "answers"):
        if verdict.decision is not Decision.UNDECIDED:
            _certified(verdict)
    with Checker() as checker:
        judged = []
        for argument in counted_off(evidence.arguments, progress, "replaying the argument", "arguments"):
            answer = checker.check(argument.name, argument.text.encode(), Path())
            judged.append(argument.judged(answer.status, answer.sentence))
    evidence = replace(evidence, arguments=tuple(judged))
    if not evidence.replayed or evidence.found is None:
        return replace(guess, evidence=evidence)
    letter, least = evidence.letter, evidence.least
    equals = "=" if evidence.title.startswith("det ") else "is"
    verb = "has the entries" if evidence.form is None else equals
    claim = f"For every {letter} ≥ {least}: {evidence.title} {verb} {evidence.found}"
    note = ", as the argument checker replays it" + (f", given {evidence.theorem}" if evidence.theorem else "")
    scope = Scope(f"every integer {letter} ≥ {least}, every level", letter="a", interval=Interval(0, 1), note=note)
    return Verdict(Decision.REPLAYED, claim, evidence, scope)


def _certified(verdict: Verdict[Any]) -> None:
    """Let the checker see the certificate of an answer; one beyond its limits is left as it is."""
    try:
        certify(verdict)
    except ResourceLimitError as error:
        if "certificate" not in error.facts:
            raise
