# SPDX-License-Identifier: MIT
r"""Verdicts, mechanisms and tables as LaTeX that needs amsmath only; large tables are cut with dots.

>>> from exactdp.exact import ExactMatrix
>>> from exactdp.report.items import grid_of
>>> print(grid_latex(grid_of("", ExactMatrix([["1/2", "1/2"], [0, 1]]))))
\begin{array}{c|cc}
 & 0 & 1 \\ \hline
0 & \frac{1}{2} & \frac{1}{2} \\
1 & 0 & 1
\end{array}
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from exactdp.analysis.optimality.by_level import ByLevel, OptimalityByLevel
from exactdp.analysis.verdict import Registry, Verdict
from exactdp.analysis.wording import digits_of
from exactdp.errors import printable
from exactdp.exact import AlgebraicNumber, ExponentialNumber, Interval, Rational, Scalar
from exactdp.report.display import items_of
from exactdp.report.items import Fact, Formula, Grid, Item, Listing, Section, Told, visible
from exactdp.report.registry import TOPICS, facts, headline_of
from exactdp.report.values import approximation, elide, rounded_text

LONG_NUMBER = 60
"""A number with more characters is shown as a decimal."""

_MATH = (
    r"<< >> || −- ·\cdot ⋅\cdot ×\times ÷\div ±\pm ≤\le ≥\ge ≠\ne ≈\approx ≡\equiv ∈\in ∪\cup ∧\wedge →\to ↑\uparrow ⟹\implies "
    r"⊑\sqsubseteq √\surd ∞\infty ‖\| ′' ″'' ⁻^- ₀_0 ₁_1 ₂_2 ₃_3 ℕ\mathbf{N} ℚ\mathbf{Q} †\dagger ‡\ddagger "
    r"⁰^0 ¹^1 ²^2 ³^3 ⁴^4 ⁵^5 ⁶^6 ⁷^7 ⁸^8 ⁹^9 ᵃ^a ᵇ^b ᶜ^c "
    r"α\alpha β\beta γ\gamma δ\delta ε\varepsilon ζ\zeta η\eta θ\theta κ\kappa λ\lambda μ\mu ν\nu ξ\xi π\pi ρ\rho σ\sigma τ\tau "
    r"φ\varphi χ\chi ψ\psi ω\omega Γ\Gamma Δ\Delta Θ\Theta Λ\Lambda Ξ\Xi Π\Pi Σ\sum Φ\Phi Ψ\Psi Ω\Omega"
)
"""Characters, each followed by what it is in math mode."""

_ESCAPES = {
    **{char: rf"\{char}" for char in "{}$&#%_"},
    **{pair[0]: f"${pair[1:]}$" for pair in _MATH.split()},
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "—": "---", "…": r"\ldots{}"},
    **{"§": r"\S{}", "¶": r"\P{}", "\u0303": r"\textasciitilde{}", "“": "``", "”": "''", "„": ",,", "‟": "``"},
}


def text_latex(text: str) -> str:
    r"""Words with LaTeX's own characters escaped.

    >>> text_latex("50% of α·x_1")
    '50\\% of $\\alpha$$\\cdot$x\\_1'
    >>> text_latex("t = e^(−1/2)")
    't = $e^{-1/2}$'
    >>> text_latex("loss (2*t^10 + 1)/(t - 1)")
    'loss $(2 t^{10} + 1)/(t - 1)$'
    """
    whole, place, parts = elide(printable(text)), 0, []
    for found in _MATHEMATICS.finditer(whole):
        start, end = _balanced(whole, *found.span())
        formula = whole[start:end]
        exponent = found[1] or found[2]
        if exponent is None and not _POWER_OR_PRODUCT.search(formula):
            continue
        parts += [_plain(whole[place:start]), f"${_typeset(formula) if exponent is None else _power_of_e(exponent)}$"]
        place = end
    return "".join([*parts, _plain(whole[place:])])


_TERM = r"(?:(?:[0-9]+(?:/[0-9]+)?\*)?[a-z][0-9]?(?:\^[0-9]+)?(?:\*[a-z][0-9]?(?:\^[0-9]+)?)*|[0-9]+(?:/[0-9]+)?)"
_MATHEMATICS = re.compile(
    rf"e\^\(−([0-9./·√]+)\)|e\^\(-\(([0-9/]+)\)\)|(?<![\w^*/])\(*-?{_TERM}\)*(?:(?: [+-] |[-+*/])\(*-?{_TERM}\)*)*(?![\w^])"
)
"""A power of e, as we and the checker write it, or what may be a formula of sums, products and quotients."""

_POWER_OR_PRODUCT = re.compile(r"\^[0-9]|[0-9a-z]\*[a-z]")


def _balanced(text: str, start: int, end: int) -> tuple[int, int]:
    """The ends of a formula, without brackets that begin before it or end after it."""
    more = text.count("(", start, end) - text.count(")", start, end)
    while more > 0 and text[start] == "(":
        start, more = start + 1, more - 1
    while more < 0 and text[end - 1] == ")":
        end, more = end - 1, more + 1
    return start, end


def _plain(text: str) -> str:
    return "".join(_ESCAPES.get(char, char) for char in text)


def _typeset(formula: str) -> str:
    return re.sub(r"\^([0-9]+)", r"^{\1}", formula).replace("*", " ")


def _power_of_e(exponent: str) -> str:
    shown = exponent.replace("·", "").replace("√", r"\surd ")
    return f"e^{{-{shown}}}"


def number_latex(x: Any) -> str:
    r"""A scalar in math mode: a fraction, or a decimal with ≈ when that would be too long.

    >>> number_latex(Rational("-3/4")), number_latex(Rational(2))
    ('-\\frac{3}{4}', '2')
    """
    text = str(x)
    if isinstance(x, Scalar) and not isinstance(x, Rational):
        known = getattr(x, "rational", None)
        if known is not None:
            return number_latex(known)
        if isinstance(x, ExponentialNumber) and len(text) > LONG_NUMBER:
            return rf"\approx {rounded_text(x)}"
        return x.latex()
    if not isinstance(x, Rational):
        return rf"\text{{{text_latex(text)}}}"
    if len(text) > LONG_NUMBER:
        return approximation(x).replace("≈ ", r"\approx ").replace("= ", "")
    return re.sub(r"([0-9]+)/([0-9]+)", r"\\frac{\1}{\2}", text)


def grid_latex(grid: Grid) -> str:
    """A labelled table as an ``array`` for math mode; above 12×12 with dots."""
    rows, columns = (visible(size) for size in grid.matrix.shape)
    head = " & ".join(["", *(r"\cdots" if j is None else _label(grid.columns[j]) for j in columns)])
    lines = []
    for i in rows:
        if i is None:
            lines.append(" & ".join([r"\vdots", *(r"\ddots" if j is None else r"\vdots" for j in columns)]))
        else:
            cells = (r"\cdots" if j is None else number_latex(grid.matrix[i, j]) for j in columns)
            lines.append(" & ".join([_label(grid.rows[i]), *cells]))
    body = " \\\\\n".join(lines)
    return f"\\begin{{array}}{{c|{'c' * len(columns)}}}\n{head} \\\\ \\hline\n{body}\n\\end{{array}}"


def _label(label: str) -> str:
    return label if re.fullmatch(r"-?[0-9]*", label) else rf"\text{{{text_latex(label)}}}"


def items_latex(items: Sequence[Item]) -> str:
    """Facts as a sentence each, lists as ``itemize``, tables as displays."""
    blocks = []
    for item in items:
        if isinstance(item, Section):
            blocks.append(rf"\paragraph{{{text_latex(item.title)}}}" + f"\n{items_latex(item.items)}")
        elif isinstance(item, Grid):
            blocks.append(f"\\noindent {text_latex(item.title)}:\n\\[\n{grid_latex(item)}\n\\]")
        elif isinstance(item, Fact):
            value = _cell_latex(item.value).removesuffix(".")
            blocks.append(f"\\noindent {text_latex(item.name)}: {value}.\\par")
        else:
            blocks.append(_listing_latex(item))
    return "\n".join(blocks)


def _cell_latex(x: Any) -> str:
    """Words, or a number or a formula between dollars."""
    if isinstance(x, Formula):
        return f"${x.latex}$"
    return f"${number_latex(x)}$" if isinstance(x, Scalar) else text_latex(str(x))


def _listing_latex(item: Listing) -> str:
    typeset = any(not isinstance(cell, str) for row in item.cells for cell in row)
    texts = [r" \quad ".join(map(_cell_latex, row)) for row in item.cells] if typeset else list(map(text_latex, item.lines))
    lines = [f"\\item {text}" for text in texts]
    if item.total > len(item.lines):
        lines.append(rf"\item \ldots{{}} and {item.total - len(item.lines)} more")
    return "\n".join([rf"\noindent {text_latex(item.title)} ({item.total}):", r"\begin{itemize}", *lines, r"\end{itemize}"])


def pieces_latex(pieces: ByLevel) -> str:
    r"""The optimum as a function of the level, as one display for math mode: a case for each piece.

    >>> from exactdp import Loss, MinimaxConsumer, neighbours, optimum_by_level
    >>> path = neighbours("path:2")
    >>> print(pieces_latex(optimum_by_level(path, MinimaxConsumer(Loss.absolute(path.vertices))).evidence))
    v(\alpha) = \frac{\alpha}{1 + \alpha} \qquad 0 < \alpha < 1
    """
    letter = r"\alpha" if pieces.letter == "a" else pieces.letter
    digits = digits_of(interval for interval, _ in pieces.values)
    cases = [("?" if value is None else number_latex(value), _between(letter, interval, digits)) for interval, value in pieces.values]
    if len(cases) == 1:
        return rf"v({letter}) = {cases[0][0]} \qquad {cases[0][1]}"
    body = " \\\\\n".join(f"{value} & {where}" for value, where in cases)
    return f"v({letter}) = \\begin{{cases}}\n{body}\n\\end{{cases}}"


def _between(letter: str, interval: Interval, digits: int) -> str:
    if interval.is_point:
        return f"{letter} = {_end(interval.lower, digits)}"
    signs = [r"\le" if closed else "<" for closed in (interval.lower_closed, interval.upper_closed)]
    return f"{_end(interval.lower, digits)} {signs[0]} {letter} {signs[1]} {_end(interval.upper, digits)}"


def _end(point: Any, digits: int) -> str:
    """A rational end, or the decimal of an algebraic one with the polynomial that it is a root of."""
    rational = point.rational if isinstance(point, AlgebraicNumber) else point
    if rational is not None:
        return number_latex(rational)
    terms = [f"{c}x^{{{e}}}" if e else str(c) for e, c in reversed(list(enumerate(point.coefficients))) if c]
    return rf"\underset{{{' + '.join(terms).replace('+ -', '- ')} = 0}}{{{point.text(digits).rpartition(' ')[2]}\ldots}}"


def verdict_latex(verdict: Verdict[Any], *, topics: Registry[Told] = TOPICS) -> str:
    """The whole report of a verdict as a LaTeX fragment (text mode)."""
    claim = rf"\noindent {text_latex(verdict.claim)}. Scope: {text_latex(str(verdict.scope))}.\par"
    head = f"{_first_lines(verdict, topics)}\n{claim}"
    body = items_latex(facts(verdict, topics))
    return f"{head}\n{body}" if body else head


def _first_lines(verdict: Verdict[Any], topics: Registry[Told] = TOPICS) -> str:
    """The answer, and below it what is assumed, and the notes."""
    word, first = verdict.head.capitalize(), headline_of(verdict, topics)
    about = f"\n\\noindent {text_latex('; '.join(first.assumed))}.\\par" if first.assumed else ""
    notes = "".join(f"\n\\noindent Note: {text_latex(note)}.\\par" for note in verdict.notes)
    return rf"\noindent\textbf{{{word}:}} {text_latex(first.text)}.\par{about}{notes}"


def latex_of(thing: Any) -> str:
    r"""What a notebook exports where HTML is not understood: one display, or a report in text mode.

    >>> from exactdp import Prior
    >>> print(latex_of(Prior(["1/3", "2/3"])))
    $$\begin{array}{c|cc}
     & 0 & 1 \\ \hline
     & \frac{1}{3} & \frac{2}{3}
    \end{array}$$
    """
    found = thing.evidence if isinstance(thing, Verdict) else thing
    if isinstance(found, OptimalityByLevel) and isinstance(thing, Verdict):  # whose formula is the optimum, not the answer
        return f"{_first_lines(thing)}\n$${pieces_latex(found)}$$"
    if isinstance(found, ByLevel):
        return f"$${pieces_latex(found)}$$"
    if isinstance(thing, Verdict):
        return verdict_latex(thing)
    items = items_of(thing)
    if len(items) != 1 or not isinstance(items[0], Grid):
        return items_latex(items)
    grid = items[0]
    return f"$${grid_latex(grid)}{grid.matrix.field.latex_meanings}$$"
