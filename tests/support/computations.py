# SPDX-License-Identifier: MIT
"""Exact computations of every kind, as text: asked from many threads, in other processes, and before and
after which the state of the program is compared.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import exactdp as xdp

CORPUS = Path(__file__).parents[1] / "corpus"


def level() -> str:
    return str(xdp.tightest_level(xdp.geometric(3, "1/4"), xdp.neighbours("path:4")))


def level_as_epsilon() -> str:
    table = xdp.geometric(3, xdp.PrivacyLevel.from_epsilon("1/3"))
    return f"{table[0, 0]} {xdp.is_private(table, 'path', xdp.PrivacyLevel.from_epsilon('1/3'))}"


def optimum_as_epsilon() -> str:
    verdict = xdp.optimum(xdp.neighbours("path:4"), xdp.PrivacyLevel.from_epsilon("1/10"), xdp.MinimaxConsumer("abs"))
    return f"{verdict} {verdict.evidence.value}"


def optimum_by_a_solver() -> str:
    verdict = xdp.optimum(xdp.neighbours("grid:3x3"), "1/2", xdp.MinimaxConsumer("zero-one"))
    return str(verdict.evidence.value)


def optimum_for_all_levels() -> str:
    return str(xdp.optimum_by_level(xdp.neighbours("path:3"), xdp.MinimaxConsumer("abs")))


def certificate() -> str:
    return xdp.certify(xdp.tightest_level(xdp.geometric(4, "1/3"), xdp.neighbours("path:5"))).digest


def certificate_of_a_type() -> str:
    return xdp.certify(xdp.kernel_count(xdp.neighbours("path:3"), "1/2")).digest


def determinant() -> str:
    return str(xdp.determinant(xdp.geometric_prime(4, xdp.PrivacyLevel.symbolic())))


def delta() -> str:
    return str(xdp.least_delta(xdp.geometric(5, "1/2"), xdp.neighbours("path:6"), "2/3"))


def tight() -> str:
    return str(xdp.tight_levels(xdp.neighbours("cycle:4")))


def algebraic() -> str:
    return f"{xdp.tight_levels(xdp.neighbours('star:4'))} {xdp.tight_threshold(xdp.neighbours('star:4'))}"


def logarithm() -> str:
    return str(xdp.PrivacyLevel("2/7").epsilon)


def loaded() -> str:
    return xdp.load(CORPUS / "accept" / "optimal-path-1-4.edp.json").digest


def words() -> str:
    return str(xdp.mechanism_from_spec("exponential:n=3,epsilon=1/2")[0, 0])


ALL: dict[str, Callable[[], str]] = {
    function.__name__: function
    for function in (
        level,
        level_as_epsilon,
        optimum_as_epsilon,
        optimum_by_a_solver,
        optimum_for_all_levels,
        certificate,
        certificate_of_a_type,
        determinant,
        delta,
        tight,
        algebraic,
        logarithm,
        loaded,
        words,
    )
}


def ask(name: str) -> list[object]:
    """The answer of one of them, and FLINT's precision afterwards."""
    import flint

    return [ALL[name](), flint.ctx.prec]
