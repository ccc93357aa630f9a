"""Closed forms for every n: replayed by arguments, never proved, refused when the guess is changed."""

from __future__ import annotations

import json
import pickle
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from places import ROOT

import exactdp as xdp
from exactdp.analysis.verdict import Decision
from exactdp.arguments import argument
from exactdp.arguments.generalisation import guess
from exactdp.arguments.generalisation.drafts import FOLDER, draft
from exactdp.arguments.generalisation.questions import QUESTIONS, question_of
from exactdp.certificate.verification import Checker
from exactdp.errors import CertificateError, InputError, ParameterRangeError, UndecidedSignError
from exactdp.report.html import verdict_html
from exactdp.report.latex import verdict_latex
from exactdp.report.registry import verdict_json
from exactdp.report.text import verdict_text

WORDS = [question.word for question in QUESTIONS]
THIRD = xdp.Rational("1/3")


@cache
def answered(word):
    return xdp.generalise(word)


def status(text):
    return argument.check_bytes(text.encode()).status


@pytest.mark.mostly_slow(3)
@pytest.mark.parametrize("word", WORDS)
def test_every_question_is_replayed_for_every_n(word):
    verdict = answered(word)
    assert verdict.decision is Decision.REPLAYED
    evidence, question = verdict.evidence, question_of(word)
    assert [x.name for x in evidence.arguments] == list(question.arguments)
    assert all(x.replayed and "by this program alone" in x.sentence for x in evidence.arguments)
    assert str(verdict.scope).startswith(f"every integer {question.letter} ≥ {question.least}, every level a in (0, 1)")
    assert all(evidence.found.at(n) == x for n, x in evidence.answers) if evidence.form else True


def at_third(word, n):
    """The answer at n and level 1/3, by another way than the fitted answers took: at one rational level."""
    zero_one = xdp.MinimaxConsumer("zero-one")
    return {
        "det geometric": xdp.geometric(n, THIRD).matrix.det,
        "det geometric-prime": lambda: xdp.geometric_prime(n, THIRD).det(),
        "minimax zero-one path": lambda: xdp.optimum(f"path:{n + 1}", THIRD, zero_one).evidence.value,
        "capacity line": lambda: xdp.type_capacity(f"path:{n}", THIRD).evidence.value,
        "additive capacity line": lambda: xdp.type_capacity(f"path:{n}", THIRD, "additive").evidence.value,
        "capacity discrete": lambda: xdp.type_capacity(f"complete:{n}", THIRD).evidence.value,
        "additive capacity discrete": lambda: xdp.type_capacity(f"complete:{n}", THIRD, "additive").evidence.value,
        "capacity cube": lambda: xdp.type_capacity(f"hypercube:{n}", THIRD).evidence.value,
        "additive capacity cube": lambda: xdp.type_capacity(f"hypercube:{n}", THIRD, "additive").evidence.value,
    }[word]()


@pytest.mark.parametrize("word", [word for word in WORDS if not word.startswith("inverse")])
def test_the_form_is_right_where_it_was_not_fitted(word):
    question, form = question_of(word), answered(word).evidence.form
    least = question.least
    for n in (least, least + 1, *((7,) if question.letter == "d" else (11, 12, 15, 16))):
        assert form.at(n).evaluate(THIRD) == at_third(word, n), n


def test_the_inverse_is_the_inverse_at_larger_n():
    table = answered("inverse geometric").evidence.tables[0]
    for n in (1, 2, 13):
        inverse = xdp.ExactMatrix([[table.at(n, i, j).evaluate(THIRD) for j in range(n + 1)] for i in range(n + 1)])
        assert inverse @ xdp.geometric(n, THIRD).matrix == xdp.ExactMatrix.identity(n + 1)


def test_weights_and_remap_are_an_optimum_at_larger_n():
    """The guessed witness, judged by the engine at n that were not fitted: `verify_optimal` recomputes it."""
    tables = answered("minimax zero-one path").evidence.tables
    for n in (1, 11, 14):
        weight, remap = (next(t for t in tables if t.name == name and t.parity == n % 2) for name in ("weight", "remap"))
        rows = xdp.ExactMatrix([[remap.at(n, j, r).evaluate(THIRD) for r in range(n + 1)] for j in range(n + 1)])
        mechanism = xdp.Mechanism(xdp.geometric(n, THIRD).matrix @ rows)
        dual = xdp.Dual([weight.at(n, i).evaluate(THIRD) for i in range(n + 1)])
        assert xdp.verify_optimal(mechanism, f"path:{n + 1}", THIRD, xdp.MinimaxConsumer("zero-one"), dual).proved


@pytest.mark.parametrize("word", WORDS)
def test_the_arguments_speak_of_every_n_from_the_least_on(word):
    """The least n of the claim is one that the theorems' conditions allow, and by parity both are there."""
    question = question_of(word)
    allowed = []
    for parity, name in enumerate(question.arguments):
        theorems = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["theorems"]
        given = [t["given"] for t in theorems if {"size", "bits"} & t["given"].keys()]
        found = {re.sub(r"^[ndh] >= ", "", g["bits"] if "bits" in g else g["size"]) for g in given}
        assert len(found) == 1, found
        smallest = int(found.pop())
        allowed.append(smallest if len(question.arguments) == 1 else 2 * smallest + parity)
    assert min(allowed) <= question.least
    assert max(allowed) <= question.least + (len(question.arguments) - 1)


def definitions(text):
    return json.loads(text)["definitions"]


GUESSED = {"top", "bottom", "weight", "remap", "inverse", "scale", "share"}


def changed(word):
    """The arguments of a question with one guessed definition changed in one case."""
    for written in answered(word).evidence.arguments:
        known = definitions(written.text)
        for name in GUESSED & known.keys():
            for place, case in enumerate(known[name]["is"]):
                condition, colon, body = case.rpartition(": ")
                if word.startswith("det") and name == "scale":
                    continue  # of the geometric mechanism: given, not guessed
                for other in (f"2*({body})" if body != "0" else "1", f"({body})+a", "7"):
                    cases = [*known[name]["is"][:place], f"{condition}{colon}{other}", *known[name]["is"][place + 1 :]]
                    yield written, name, place, draft(written.name, {**known, name: {**known[name], "is": cases}})


@pytest.mark.slow
@pytest.mark.parametrize(
    "word", ["det geometric-prime", "inverse geometric", "capacity discrete", "capacity line", "additive capacity cube"]
)
def test_a_changed_guess_is_refused(word):
    number = 0
    for written, name, place, text in changed(word):
        assert status(text) in {"rejected", "malformed"}, (written.name, name, place)
        number += 1
    assert number >= 6


@pytest.mark.slow
def test_a_changed_dual_or_remap_of_the_optimum_is_refused():
    for count, (written, name, place, text) in enumerate(changed("minimax zero-one path")):
        if count % 3 == 0:
            assert status(text) in {"rejected", "malformed"}, (written.name, name, place)


def test_a_bound_and_its_negation_are_not_both_accepted():
    """A smaller capacity for the line, and a larger one, with the same witness."""
    (written,) = answered("capacity line").evidence.arguments
    known = definitions(written.text)
    assert known["bottom"]["is"] == ["1+a"]
    for top in (f"{known['top']['is'][0]}-1", f"{known['top']['is'][0]}+1"):
        assert status(draft(written.name, {**known, "top": {**known["top"], "is": [top]}})) == "rejected"


def test_what_the_arguments_call_g_is_the_geometric_mechanism():
    """The files' definitions, evaluated by the checker at an example, beside the constructor's entries."""
    lemmas = json.loads((FOLDER / "lemmas.json").read_text(encoding="utf-8"))["definitions"]
    known = {name: lemmas[name] for name in ("P", "scale", "G")}
    for n in (1, 2, 4):
        for i in range(n + 1):
            for j in range(n + 1):
                theorem = {
                    "name": "entry",
                    "for": "positive a; real x",
                    "given": {"level": "a = 1/3", "x": f"x = {xdp.geometric(n, THIRD).matrix[i, j]}"},
                    "then": f"x = G(a, {n}, {i}, {j})",
                    "example": {"a": "1/3", "x": str(xdp.geometric(n, THIRD).matrix[i, j])},
                    "proof": [],
                }
                file = {"format": "exactdp-argument", "version": "0.2", "definitions": known, "theorems": [theorem]}
                answer = argument.check_bytes(json.dumps(file).encode())
                assert "the conclusion does not" not in answer.sentence  # the example is evaluated before the proof


def test_the_theorems_that_are_named_are_there():
    coq = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "proofs" / "coq").glob("*.v"))
    for question in QUESTIONS:
        for name in re.findall(r"\btheorem[0-9]+\b", question.theorem):
            assert re.search(rf"Theorem {name}\b", coq)


# What is not proved


@pytest.mark.parametrize(
    "question",
    [
        lambda n: (1 - xdp.RationalFunctionField().gen) ** n,
        lambda n: xdp.determinant(xdp.geometric(n, xdp.RationalFunctionField().gen).matrix),
        lambda n: xdp.geometric(n, xdp.RationalFunctionField().gen),
        lambda n, level: xdp.optimum(f"complete:{n}", level, xdp.MinimaxConsumer("zero-one")),
        lambda n: n,
    ],
)
def test_the_form_of_a_function_fits_and_is_not_proved(question):
    verdict = xdp.generalise(question)
    assert verdict.decision is Decision.UNDECIDED
    assert verdict.evidence.found is not None
    assert not verdict.evidence.arguments
    assert "nothing is proved" in verdict.claim
    everywhere = "n = 2, …, 8, every a in (0, 1)"
    assert str(verdict.scope) == ("n = 2, …, 8, the rational levels asked" if verdict.evidence.interpolated else everywhere)


def test_a_function_known_at_some_levels_is_not_called_known_at_all():
    """It differs at a level that no interpolation asks."""
    odd = xdp.Rational("1/1000003")
    verdict = xdp.generalise(lambda n, level: 7 if level == odd else level**n)
    assert verdict.decision is Decision.UNDECIDED
    assert "rational levels asked" in verdict.claim
    assert "every" not in str(verdict.scope)


def test_a_function_that_changes_after_the_last_n_is_not_proved():
    a = xdp.RationalFunctionField().gen
    verdict = xdp.generalise(lambda n: a**n if n < 9 else a)
    assert verdict.decision is Decision.UNDECIDED


def test_without_a_closed_form_it_says_so():
    a = xdp.RationalFunctionField().gen
    verdict = xdp.generalise(lambda n: a ** (n * n))
    assert verdict.decision is Decision.UNDECIDED
    assert verdict.claim == "no closed form was found for the answer from n = 2, …, 8"


def test_a_wrong_answer_of_the_engine_is_not_proved(monkeypatch):
    """The form then fits other answers, and the checker refuses it."""
    question = question_of("capacity discrete")
    wrong = replace(question, value=lambda verdict: question.value(verdict) + 1)
    monkeypatch.setattr(guess, "question_of", lambda word: wrong)
    verdict = xdp.generalise("capacity discrete")
    assert verdict.decision is Decision.UNDECIDED
    assert verdict.evidence.form is not None
    assert [x.status for x in verdict.evidence.arguments] == ["rejected"]
    assert "rejected" in verdict_text(verdict)


def test_too_few_answers_by_parity_leave_it_undecided():
    verdict = xdp.generalise("minimax zero-one path", range(2, 7))
    assert verdict.decision is Decision.UNDECIDED


# The rest


def test_the_files_are_replayed_alone(tmp_path):
    evidence = answered("minimax zero-one path").evidence
    files = evidence.write(tmp_path)
    assert [file.name for file in files] == ["minimax-path-even.json", "minimax-path-odd.json"]
    assert all(xdp.verify(file).replayed for file in files)
    with Checker() as checker:
        assert checker.check("x", files[0].read_bytes(), Path("/nowhere")).replayed


def test_every_answer_has_a_certificate_and_the_whole_has_none():
    verdict = answered("det geometric")
    assert [n for n, _ in verdict.evidence.verdicts] == list(verdict.evidence.sizes)
    assert all(xdp.certify(one).kind == "determinant" for _, one in verdict.evidence.verdicts)
    with pytest.raises(CertificateError, match="argument, not a certificate"):
        xdp.certify(verdict)


@pytest.mark.parametrize("word", WORDS)
def test_it_is_told_in_every_form(word):
    verdict = answered(word)
    said = verdict_json(verdict)
    assert said["verdict"] == "replayed"
    assert said["closed_form"] == str(verdict.evidence.found)
    json.dumps(said)
    assert verdict_text(verdict).startswith("REPLAYED  for every ")
    assert verdict_html(verdict)
    assert verdict_latex(verdict)
    assert pickle.loads(pickle.dumps(verdict)).claim == verdict.claim


def test_sympy_has_the_form_by_parity():
    sympy = pytest.importorskip("sympy")
    form = answered("additive capacity line").evidence.form
    found, n, a = form.to_sympy(), sympy.Symbol("n"), sympy.Symbol("a")
    for size in (6, 7):
        assert sympy.simplify(found.subs(n, size) - sympy.sympify(form.at(size)).subs(sympy.Symbol("a"), a)) == 0


def test_sympy_has_the_inverse_by_cases():
    sympy = pytest.importorskip("sympy")
    found, table = answered("inverse geometric").as_sympy(), answered("inverse geometric").evidence.tables[0]
    for n, i, j in ((3, 0, 0), (3, 0, 1), (3, 2, 2), (3, 3, 2), (3, 3, 0), (4, 2, 1)):
        there = found.subs({"n": n, "i": i, "j": j, "a": sympy.Rational(1, 3)})
        assert there == sympy.sympify(table.at(n, i, j).evaluate(THIRD))


def test_a_guess_has_no_answer_in_sympy():
    with pytest.raises(UndecidedSignError):
        xdp.generalise(lambda n: n).as_sympy()


@pytest.mark.parametrize(
    ("question", "sizes", "error"),
    [
        ("nonsense", None, InputError),
        (None, None, InputError),
        ("det geometric", [2, 3], InputError),
        ("det geometric", [0, 1, 2], ParameterRangeError),
        ("det geometric", [2, 3, 201], ParameterRangeError),
        ("det geometric", "234", InputError),
        (lambda n: 0.5, None, InputError),
        (lambda n: "x", None, InputError),
        (lambda n: xdp.geometric(n, "1/2") if n % 2 else n, None, InputError),
        (xdp.geometric_prime, None, InputError),
    ],
)
def test_what_is_no_question_is_refused(question, sizes, error):
    with pytest.raises(error):
        xdp.generalise(question, sizes)
