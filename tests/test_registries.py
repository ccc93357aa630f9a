"""One registry a floor: every class of evidence is told and certified, and a new question is one line in
each.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
from functools import cache
from types import ModuleType
from unittest.mock import ANY

import pytest
from places import ROOT

from exactdp import (
    BayesianConsumer,
    Loss,
    Prior,
    certify,
    gap_between,
    geometric,
    is_singular,
    least_delta,
    level_for_delta,
    likelihood_gap,
    neighbours,
    parallel_level,
    randomized_response,
    sequential_level,
    tight_mechanism,
    uniform,
)
from exactdp.analysis.privacy import tightest_level
from exactdp.analysis.verdict import Decision, Registry, Verdict
from exactdp.certificate.certificate import TOPICS as CERTIFIED
from exactdp.certificate.encode import Definitions, scalar_json
from exactdp.errors import CertificateError
from exactdp.report.headline import headline
from exactdp.report.html import verdict_html
from exactdp.report.items import Fact, Told
from exactdp.report.latex import verdict_latex
from exactdp.report.registry import TOPICS as TOLD
from exactdp.report.registry import verdict_json
from exactdp.report.text import verdict_text

ANALYSIS = ROOT / "exactdp" / "analysis"
PATH = neighbours("path:2")

NO_CERTIFICATE: dict[str, str] = {
    "CapacityParts": "never decided: the parts of the region need not cover it",
    "DeterminantOnRegion": "the format has determinants in one letter",
    "GeneralisationEvidence": "it rests on an argument, which is replayed",
    "LawLossEvidence": "a law has a loss at every size, and no claim is about the loss of a law",
    "LossEvidence": "a claim about optima states a loss; none is about a loss alone",
}
"""Evidence without a certificate, and why."""


@cache
def evidence_classes() -> frozenset[type]:
    """The classes of evidence: what the annotation of some function of the analysis has in ``Verdict[…]``."""
    found = set()
    for path in ANALYSIS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Verdict":
                names = [name.id for name in ast.walk(node.slice) if isinstance(name, ast.Name)]
                module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
                found |= {(module, name) for name in names}
    modules = ((importlib.import_module(module), name) for module, name in found)
    kinds = [getattr(module, name, None) for module, name in modules]
    return frozenset(kind for kind in kinds if isinstance(kind, type) and kind.__module__.startswith("exactdp."))


@pytest.mark.parametrize(
    "kind", sorted(evidence_classes(), key=lambda kind: (kind.__name__, kind.__module__)), ids=lambda kind: kind.__name__
)
def test_every_class_of_evidence_is_told_and_certified(kind):
    assert TOLD.entry(kind)
    assert (kind.__name__ in NO_CERTIFICATE) != (kind in CERTIFIED.entries())


WITHOUT_NEIGHBOURS = {
    "CapacityEvidence": "of a mechanism, under every prior",
    "DerivabilityEvidence": "of two mechanisms",
    "DerivableLevels": "of two mechanisms",
    "DerivableOnRegion": "of two tables with letters",
    "StochasticOnRegion": "of a table with letters",
    "DeterminantEvidence": "of a matrix",
    "DeterminantOnRegion": "of a matrix with letters",
    "GeneralisationEvidence": "of a family, for every n",
    "GivenRemapEvidence": "of a mechanism and a consumer",
    "LawOptimum": "of a graph that is not built, whose word its claim has",
    "LawAudit": "of a law, whose claim says between which inputs",
    "LawEvidence": "of a law: between any two inputs, which its claim says",
    "LeakageEvidence": "of a mechanism and a prior",
    "LikelihoodEvidence": "of a mechanism and frequencies",
    "LossEvidence": "of a mechanism and a consumer",
    "PrintedLossEvidence": "of a printed table and a consumer",
    "ParallelEvidence": "each part has its own, which the claim names",
    "RemapByLevel": "of a mechanism and a consumer",
    "RefinementOrder": "of mechanisms",
    "RemapEvidence": "of a mechanism and a consumer",
    "RemapUniqueness": "of a mechanism and a consumer",
    "StochasticEvidence": "of a table",
    "StochasticLevels": "of a table",
}
"""The evidence of answers that do not depend on neighbours, and why."""


@pytest.mark.parametrize("kind", sorted(evidence_classes(), key=lambda kind: kind.__name__), ids=lambda kind: kind.__name__)
def test_the_evidence_of_an_answer_that_depends_on_neighbours_has_them(kind):
    """:class:`Verdict` puts them into the claim, and every report into its first line."""
    said = any("neighbours" in inspect.get_annotations(base) or "neighbours" in base.__dict__ for base in kind.__mro__)
    assert said != (kind.__name__ in WITHOUT_NEIGHBOURS)


def test_a_claim_names_the_neighbours_of_its_evidence():
    longer = neighbours("path:20")
    for claim in ("The level is 1/2", "The level of path:20", "On path:20 the level is 1/2"):
        evidence = tightest_level(geometric(1, "1/2"), PATH).evidence
        assert "path:2:" in Verdict(Decision.PROVED, claim, evidence).claim
    own = tightest_level(geometric(19, "1/2"), longer)
    assert own.claim.count("path:20") == 1
    assert own.neighbours is longer
    assert Verdict(Decision.PROVED, "1 + 1 = 2", None).claim == "1 + 1 = 2"


@pytest.mark.parametrize("registry", [TOLD, CERTIFIED], ids=["report", "certificate"])
def test_a_registry_has_each_topic_where_its_evidence_is(registry):
    assert len(registry.entries()) >= 35
    for kind, entry in registry.entries().items():
        assert registry.entry(kind) is entry


def test_floors_have_the_same_topics():
    told = [name for name in TOLD.topics if not name.startswith("exactdp.arguments.")]  # an argument is no certificate
    assert [name.rpartition(".")[2] for name in told] == [name.rpartition(".")[2] for name in CERTIFIED.topics]
    assert len(TOLD.topics) == len(told) + 1
    assert {kind for kind in TOLD.entries() if kind.__name__ not in NO_CERTIFICATE} == set(CERTIFIED.entries())


COIN = randomized_response(range(2), "3/4")
CONSUMER = BayesianConsumer(Loss.absolute(PATH.vertices), Prior(["1/2", "1/2"], PATH.vertices))

ANSWERS = {
    "delta": (lambda: least_delta(COIN, PATH, "1/2"), {"delta": "1/4"}, "least δ"),
    "level for delta": (
        lambda: level_for_delta(COIN, PATH, "1/4"),
        {"level": {"alpha": "1/2", "epsilon": ANY}},
        "largest level  ε = ln(2)",
    ),
    "gap": (lambda: gap_between(uniform(range(2)), PATH, "1/3", CONSUMER), {"gap": "1/4", "loss": "1/2"}, "gap at least"),
    "sequential": (lambda: sequential_level([COIN, COIN], PATH), {"level": {"alpha": "1/9", "epsilon": ANY}}, "largest level  ε = ln(9)"),
    "parallel": (
        lambda: parallel_level([(COIN, PATH), (geometric(1, "1/2"), PATH)]),
        {"level": {"alpha": "1/3", "epsilon": ANY}},
        "part 1",
    ),
    "likelihood": (lambda: likelihood_gap(COIN, ["5/8", "3/8"], ["3/4", "1/4"]), {"gap": "0", "estimate": ["3/4", "1/4"]}, "estimate"),
    "singular": (lambda: is_singular(PATH, "1/2"), {"value": "3/4"}, "inverse of Φ"),
    "tight": (lambda: tight_mechanism(PATH, "1/2"), {"value": "2/3"}, "utility for the uniform prior"),
}


@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_the_answer_is_in_the_text_and_the_json(name):
    """These were dropped without a word, always or until a module of the report happened to be imported."""
    ask, values, words = ANSWERS[name]
    verdict = ask()
    told = verdict_json(verdict)
    assert {key: told[key] for key in values} == values
    assert words in verdict_text(verdict)


def test_the_answer_does_not_wait_for_an_import():
    """In a program of its own, which has loaded the question's module and nothing of its topic's report."""
    program = """
from exactdp import neighbours, tight_mechanism
from exactdp.report.registry import verdict_json
print(verdict_json(tight_mechanism(neighbours("path:2"), "1/2"))["value"])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "2/3\n"


class Unknown:
    """Evidence of no topic."""


@pytest.mark.parametrize("render", [verdict_text, verdict_json, verdict_html, verdict_latex])
def test_unknown_evidence_is_an_error_and_none_is_not(render):
    with pytest.raises(TypeError, match=r"Unknown is not in exactdp\.report\.registry\.TOPICS"):
        render(Verdict(Decision.PROVED, "1 + 1 = 2", Unknown()))
    assert render(Verdict(Decision.PROVED, "1 + 1 = 2", None))


def test_unknown_evidence_has_no_certificate():
    with pytest.raises(CertificateError, match=r"no certificate is defined for answers of this kind \(unknown\)"):
        certify(Verdict(Decision.PROVED, "1 + 1 = 2", Unknown()))


# A new question: a file on each floor (here modules made in memory), and a line in each registry.


class Doubled:
    """Twice the tightest level of a mechanism: evidence of a question that exactdp does not ask."""

    def __init__(self, mechanism, near):
        self.found = tightest_level(mechanism, near).evidence
        self.value = 2 * self.found.tightest.ratio


def _doubled(e, proved):
    if not proved:
        raise CertificateError("only what is proved is written", evidence=e)
    d = Definitions()
    claim = {"kind": "level", "mechanism": d.mechanism("M", e.found.mechanism), "neighbours": d.neighbours("N", e.found.neighbours)}
    at = e.found.attained
    return {**claim, "ratio": scalar_json(e.value / 2), "distance": "1"}, d, {"pair": [at.low, at.high], "output": at.output}


@pytest.fixture
def floors(monkeypatch):
    """The two registries with one topic more."""
    for name, table in {
        "toy_report": {
            Doubled: Told(
                lambda e: [Fact("doubled", e.value)],
                lambda e: {"doubled": str(e.value)},
                lambda verdict: headline("doubled", verdict.evidence.value),
            )
        },
        "toy_certificate": {Doubled: _doubled},
    }.items():
        module = ModuleType(name)
        module.EVIDENCE = table
        monkeypatch.setitem(sys.modules, name, module)
    return tuple(
        Registry(floor.name, {**floor.topics, topic: (__name__,)}, floor.layer)
        for floor, topic in ((TOLD, "toy_report"), (CERTIFIED, "toy_certificate"))
    )


def test_a_new_question_is_one_file_and_one_line_on_each_floor(floors):
    told, certified = floors
    verdict = Verdict(Decision.PROVED, "twice the level is 2/3", Doubled(COIN, PATH))
    assert "doubled  2/3" in verdict_text(verdict, topics=told)
    assert verdict_json(verdict, topics=told)["doubled"] == "2/3"
    assert "doubled: 2/3" in " ".join(re.sub(r"<[^>]*>", "", verdict_html(verdict, topics=told)).split())
    assert r"doubled: $\frac{2}{3}$" in verdict_latex(verdict, topics=told)
    assert certify(verdict, topics=certified).claim["ratio"] == "1/3"
    with pytest.raises(CertificateError, match="only what is proved"):
        certify(Verdict(Decision.REFUTED, "", verdict.evidence), topics=certified)
    with pytest.raises(TypeError, match="Doubled"):
        verdict_text(verdict)  # the registries themselves are as they were
    assert verdict_text(Verdict(Decision.PROVED, "level", verdict.evidence.found), topics=told)
