# SPDX-License-Identifier: MIT
"""Certificates about privacy types: every kind is accepted, false claims and spoilt witnesses are not."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from fractions import Fraction as F

import pytest
from certificate_pool import seal
from jsonschema import Draft202012Validator
from places import ROOT
from places import SCHEMA as SCHEMA_FILE
from random_edits import places, with_value
from types_pool import POOL

from exactdp import certify, neighbours, uniform
from exactdp.analysis.types.kernels import kernel_count, vertex_count
from exactdp.analysis.types.universal import is_universally_optimal, universally_optimal_mechanism
from exactdp.checker import check_bytes
from exactdp.exact import ExponentialField, RationalFunctionField
from exactdp.model import Loss, Mechanism

SCHEMA = Draft202012Validator(json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))


def as_json(certificate):
    return json.loads(certificate.to_json())


def answer(value):
    return check_bytes(json.dumps(value).encode())


@pytest.mark.parametrize(("kind", "certificate"), POOL, ids=[f"{i}-{kind}" for i, (kind, _) in enumerate(POOL)])
def test_each_kind_is_accepted_and_fits_the_schema(kind, certificate):
    assert certificate.kind == kind
    found = check_bytes(certificate.to_json().encode())
    assert found.status == "accepted", found
    assert "Scope: one instance." in found.sentence
    assert not list(SCHEMA.iter_errors(as_json(certificate)))


def test_false_claims_are_rejected():
    """Other counts, values, levels of the claim are false, whatever the witness."""
    tried = 0
    for _, certificate in POOL:
        value = as_json(certificate)
        for key in ("count", "value"):
            if key in value["claim"]:
                old = value["claim"][key]
                for new in [old + 1, old - 1, 0] if isinstance(old, int) else [str(F(old) + F(1, 7)), str(F(old) / 2)]:
                    assert answer(with_value(value, ("claim", key), new)).status == "rejected", (certificate.kind, key, new)
                    tried += 1
        if certificate.kind == "refinement-order":
            for pairs in ([], [*value["claim"]["pairs"][1:]]):
                assert answer(with_value(value, ("claim", "pairs"), pairs)).status != "accepted"
                tried += 1
        if certificate.kind in {"kernel-mechanism", "not-kernel-mechanism"}:
            other = {"kernel-mechanism": "not-kernel-mechanism", "not-kernel-mechanism": "kernel-mechanism"}[certificate.kind]
            assert answer(with_value(value, ("claim", "kind"), other)).status == "rejected"
            tried += 1
    assert tried > 15


def numbers(value):
    try:
        return F(value) if isinstance(value, str) else None
    except ValueError:
        return None


MUST_FAIL = {"refines-mixture", "type-capacity", "no-universally-optimal", "not-universally-optimal"}


@pytest.mark.slow
def test_spoilt_numbers_never_make_a_defect_and_rarely_pass():
    """Each number of claim, definitions and witness changed by one: only slack bounds may survive, and never
    a stated value.
    """
    accepted, tried = 0, 0
    for kind, certificate in POOL:
        value = as_json(certificate)
        for top in ("claim", "definitions", "witness"):
            for path, leaf in places(value[top], (top,)):
                old = numbers(leaf)
                if old is None or len(path) < 2:
                    continue
                found = answer(with_value(value, path, str(old + 1)))
                tried += 1
                assert found.status != "defect", (kind, path, found.sentence)
                accepted += found.status == "accepted"
    assert tried > 250
    assert accepted < tried / 10


def test_a_kink_that_is_left_out_is_noticed():
    """The loss that needs the kinks argument: a listed prior is dropped."""
    value = next(as_json(c) for _, c in POOL if as_json(c)["witness"].get("by", {}).get("rule") == "kinks")
    by = value["witness"]["by"]
    assert len(by["priors"]) > 2
    failed = 0
    for k in range(len(by["priors"])):
        less = {**by, "priors": by["priors"][:k] + by["priors"][k + 1 :], "potentials": by["potentials"][:k] + by["potentials"][k + 1 :]}
        found = answer(with_value(value, ("witness", "by"), less))
        assert found.status == "rejected"
        assert "kink" in found.rule
        failed += 1
    assert failed == len(by["priors"])


def test_arguments_are_not_taken_where_they_do_not_hold():
    star = neighbours("star:4")
    good = as_json(certify(universally_optimal_mechanism(star, "1/2", Loss.zero_one(star.vertices))))
    assert answer(with_value(good, ("claim", "level"), "3/5")).status == "rejected"  # (3 − 1)·3/5 > 1
    spoilt = copy.deepcopy(good)
    spoilt["definitions"]["N"]["edges"].append([1, 2])
    # no tree
    assert answer(seal({k: v for k, v in spoilt.items() if k != "provenance"})).status == "rejected"
    path = neighbours("path:4")
    geo = as_json(certify(universally_optimal_mechanism(path, "1/2", Loss.zero_one(path.vertices))))
    crossed = with_value(geo, ("witness", "by", "guesses"), [1, 0, 2, 3])
    assert answer(crossed).status == "rejected"
    assert "crosses once" in answer(crossed).rule
    assert answer(with_value(geo, ("witness", "by", "inputs"), [0, 2, 1, 3])).status == "rejected"
    # the loss varies elsewhere
    assert answer(with_value(geo, ("witness", "by", "inputs"), [0, 1])).status == "rejected"


def test_a_losing_mechanism_does_not_refute():
    path = neighbours("path:3")
    value = as_json(certify(is_universally_optimal(uniform(path.vertices), path, "1/2", Loss.zero_one(path.vertices))))
    worse = [{"den": "3", "num": ["1", "1", "1"]}] * 3
    assert answer(with_value(value, ("witness", "better"), worse)).status == "rejected"


def test_the_same_mixture_twice_is_no_second_way():
    value = next(as_json(c) for kind, c in POOL if kind == "kernel-mixtures")
    mixtures = value["claim"]["mixtures"]
    assert len(mixtures) == 2
    twice = with_value(value, ("claim", "mixtures"), [mixtures[0], mixtures[0]])
    unused = {p["kernel"] for p in mixtures[1]} - {p["kernel"] for p in mixtures[0]}
    for name in unused:
        del twice["definitions"][name]
    assert answer(seal(twice)).status == "rejected"


def test_the_same_mixture_under_other_names_is_no_second_way():
    value = next(as_json(c) for kind, c in POOL if kind == "kernel-mixtures")
    first = value["claim"]["mixtures"][0]
    renamed = copy.deepcopy(value)
    for part in first:
        renamed["definitions"][f"{part['kernel']}again"] = copy.deepcopy(value["definitions"][part["kernel"]])
    other = [{**part, "kernel": f"{part['kernel']}again"} for part in first]
    found = answer(with_value(renamed, ("claim", "mixtures"), [first, other]))
    for name in {p["kernel"] for p in value["claim"]["mixtures"][1]} - {p["kernel"] for p in first}:
        del renamed["definitions"][name]
    found = answer(with_value(renamed, ("claim", "mixtures"), [first, other]))
    assert found.status == "rejected"
    assert "differ" in found.rule


@pytest.mark.slow
def test_large_enumerations_reach_a_limit():
    from exactdp.errors import ResourceLimitError

    verdict = kernel_count(neighbours("hypercube:3"), "1/2")
    with pytest.raises(ResourceLimitError, match="limit"):
        certify(verdict)


def test_levels_of_other_fields():
    """e^(−ε), and every level of an interval."""
    t = ExponentialField("1/2").gen
    square = neighbours("cycle:4")
    assert "e^(-(1/2))" in check_bytes(certify(vertex_count(square, t)).to_json().encode()).sentence
    assert check_bytes(certify(kernel_count(neighbours("path:3"), t)).to_json().encode()).status == "accepted"
    a = RationalFunctionField().gen
    found = check_bytes(certify(kernel_count(neighbours("complete:3"), a)).to_json().encode())
    assert found.status == "accepted"
    assert "0 < a < 1" in found.sentence
    G = Mechanism([[1 / (1 + a), a / (1 + a)], [a / (1 + a), 1 / (1 + a)]])
    assert certify(is_universally_optimal(G, neighbours("path:2"), a, Loss.zero_one(G.inputs))).kind == "universally-optimal"


@pytest.mark.parametrize("isolated", [True, False])
def test_the_checker_as_a_script_finds_these_rules(isolated):
    """A file of the checker named like a module of the standard library would break the second way."""
    root = ROOT
    file = root / "proofs" / "fernandes_metric_privacy" / "certificates" / "geometric-kernel.edp.json"
    words = [sys.executable, *(["-I"] if isolated else []), "kernel.py", str(file)]
    done = subprocess.run(words, cwd=root / "exactdp" / "checker", capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert "kernel mechanism" in done.stdout
    assert not {path.stem for path in (root / "exactdp" / "checker").glob("*.py")} & (sys.stdlib_module_names - {"__init__"})
