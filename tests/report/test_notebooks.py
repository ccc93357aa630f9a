# SPDX-License-Identifier: MIT
"""What a notebook shows of every class of evidence: formulas are typeset; HTML has no source of them."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
import re
from math import prod

import pytest
from balanced import Balanced
from hypothesis import given
from hypothesis import strategies as st

import exactdp as xdp
import exactdp.analysis
from exactdp.analysis.printed.delta_ends import delta_as_printed
from exactdp.analysis.printed.printed_audit import ends
from exactdp.analysis.verdict import Verdict
from exactdp.arguments.generalisation.generalise import generalise
from exactdp.model.printed import printed_table
from exactdp.report.mathml import formula_mathml
from exactdp.report.registry import TOPICS

SOURCE = re.compile(r"\\[a-zA-Z]+|\$|\\\(|\\\[|object at 0x|Rational\(|Evidence\b")
"""What only a reader of LaTeX or of Python would understand."""

MATH = re.compile(r"\$\$.*?\$\$|\\\[.*?\\\]|(?<!\\)\$.*?(?<!\\)\$", re.DOTALL)
BARE = re.compile(r"(?<!\\)[\^_#%&~]")
"""Characters that LaTeX reads as commands outside of formulas."""

FIELD = xdp.RegionField("0 < p < 1/2, 0 < q < 1/2")
P, Q = FIELD.gens
FLIP = xdp.Mechanism([[1 - P, P], [P, 1 - P]])
RESPONSE = xdp.Table([[1 - P, P], [Q, 1 - Q]])
STAR = xdp.neighbours("star:4")
LEVELS = xdp.RegionField("0 < a < 1, c > 0")
WEIGHTED = ("path:2", xdp.PrivacyLevel(LEVELS("a")), xdp.MinimaxConsumer(xdp.Loss(xdp.ExactMatrix([[0, 1], [LEVELS("c"), 0]]))))
PRINTED = [["0.33", "0.67"], ["0.67", "0.33"]]

ASKED = [
    lambda: generalise("det geometric"),
    lambda: generalise("inverse geometric"),
    lambda: generalise("minimax zero-one path", range(2, 10)),
    lambda: generalise("capacity cube"),
    lambda: xdp.is_derivable(RESPONSE, source=FLIP),
    lambda: xdp.tightest_level(RESPONSE, "path:2"),
    lambda: xdp.is_singular("path:3", P),
    lambda: xdp.tight_mechanism(STAR, 2 * P),
    lambda: xdp.is_regular("path:3", P, xdp.Prior([P, Q, 1 - P - Q])),
    lambda: xdp.type_capacity(STAR, prod(xdp.RegionField("0 < p < 1, 0 < q < 1").gens)),
    lambda: xdp.verify_optimal(FLIP, "path:2", "1/3", xdp.MinimaxConsumer("zero-one"), xdp.Dual(["1/2", "1/2"])),
    lambda: xdp.is_optimum_value(*WEIGHTED, "a*c/(a + c)"),
    lambda: list(ends(delta_as_printed(printed_table(PRINTED, digits=2), "path:2", xdp.PrivacyLevel("3/4")).evidence).values()),
]


@pytest.fixture(scope="module")
def verdicts():
    """Answers of each class of evidence: of the examples in docstrings, and those asked here."""
    found: dict[type, list[Verdict]] = {}
    made = Verdict.__init__

    def recorded(self, *args, **kwargs):
        made(self, *args, **kwargs)
        found.setdefault(type(self.evidence), []).append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Verdict, "__init__", recorded)
        for module in pkgutil.walk_packages(exactdp.analysis.__path__, "exactdp.analysis."):
            for test in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(module.name), module.name):
                if test.examples:
                    doctest.DocTestRunner(verbose=False).run(test, out=lambda _: None)
        for ask in ASKED:
            ask()
    return found


@pytest.mark.slow
def test_every_class_of_evidence_is_typeset(verdicts):
    missing = {kind if isinstance(kind, str) else kind.__qualname__ for kind in TOPICS.entries()}
    for kind, some in verdicts.items():
        if kind is type(None):
            continue
        missing.discard(kind.__qualname__)
        for verdict in some[:8]:
            html = re.sub(r"<style>.*?</style>|<svg.*?</svg>", "", verdict._repr_html_(), flags=re.DOTALL)
            Balanced(html)
            assert not SOURCE.search(html), (kind, SOURCE.search(html))
            latex = verdict._repr_latex_()
            words = re.sub(r"\\(begin|end)\{itemize\}", "", MATH.sub("", latex))
            assert not BARE.search(words), (kind, words)
            assert latex.isascii(), (kind, latex)
    assert missing <= set(), missing


terms = st.recursive(
    st.sampled_from(["a", "n", "h", "1", "2", "7"]),
    lambda inner: st.builds("({} {} {})".format, inner, st.sampled_from("+-*/^"), inner) | st.builds("(-{})".format, inner),
    max_leaves=6,
)


PRIME = 2**61 - 1
LETTERS = {"a": 1234567, "n": 7654321, "h": 424242}


def value(node):
    """The value of an expression modulo a prime, with some function that is no power for ``^``."""
    match node:
        case ast.Constant(value=number):
            return number
        case ast.Name(id=name):
            return LETTERS[name]
        case ast.UnaryOp(operand=operand):
            return -value(operand) % PRIME
        case ast.BinOp(left=left, op=op, right=right):
            x, y = value(left), value(right)
            over = x * pow(y, PRIME - 2, PRIME)
            found = {ast.Add: x + y, ast.Sub: x - y, ast.Mult: x * y, ast.Div: over, ast.Pow: x * x + 3 * y + 7 * x * y * y}
            return found[type(op)] % PRIME
    raise AssertionError(ast.dump(node))


def read(text):
    return value(ast.parse(text.replace("^", "**"), mode="eval").body)


@given(terms)
def test_a_typeset_formula_is_the_one_that_is_written(text):
    """The text between the tags of MathML is the same expression, with α for the letter a."""
    shown = formula_mathml(text)
    Balanced(shown)
    line = re.sub("<[^>]*>", "", shown).replace("−", "-").replace("α", "a")
    assert read(line) == read(text)
