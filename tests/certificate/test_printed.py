# SPDX-License-Identifier: MIT
"""Certificates about printed tables: the checker against enumeration, for every edit of every field."""

from __future__ import annotations

import json
from fractions import Fraction as F

import pytest
from certificate_pool import text_of, vec
from jsonschema import Draft202012Validator
from places import SCHEMA
from printed_pool import decide, entries, pool, truth
from random_edits import places, with_value

from exactdp.checker import check_bytes, kernel

POOL = pool()
RATIONAL = [name for name, c in POOL.items() if not {"exponential", "parameter", "region"} & {d["type"] for d in c["definitions"].values()}]
ENUMERATED = [name for name in RATIONAL if not name.endswith("root")]


def answer(certificate):
    return check_bytes(text_of(certificate).encode())


def test_every_kind_is_in_the_pool():
    assert {c["claim"]["kind"] for c in POOL.values()} == set(kernel.beside("printed").CLAIMS)


@pytest.mark.parametrize("name", POOL)
def test_the_pool_is_accepted(name):
    assert answer(POOL[name]).status == "accepted", answer(POOL[name])


@pytest.mark.parametrize("name", ENUMERATED)
def test_the_pool_is_true(name):
    assert decide(POOL[name])
    assert truth(POOL[name]) in (True, None)


@pytest.mark.parametrize("name", POOL)
def test_the_schema_lets_them_through(name):
    Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8"))).validate(POOL[name])


def changed(x):
    return {-x, x + 1, 2 * x, x / 2, x + F(1, 1000), x - F(1, 1000), F(0), F(1)} - {x}


def edits(certificate):
    """Every place with something else in it; entries of vectors one by one."""
    kinds = list(kernel.beside("printed").CLAIMS)
    for top in ("claim", "definitions", "witness"):
        for path, value in places(certificate[top], (top,)):
            if len(path) > 1:
                yield path, with_value(certificate, path, ...)
            if path[-1] == "kind":
                yield from ((path, with_value(certificate, path, kind)) for kind in kinds if kind != value)
            elif isinstance(value, int):
                yield from ((path, with_value(certificate, path, new)) for new in {value + 1, max(0, value - 1), 0} - {value})
            elif isinstance(value, str) and path[-1] not in ("printed", "neighbours"):
                try:
                    x = F(value)
                except ValueError:
                    continue
                yield from ((path, with_value(certificate, path, str(new))) for new in sorted(changed(x)))
            elif isinstance(value, list) and len(value) > 1:
                yield path, with_value(certificate, path, value[::-1])
                yield path, with_value(certificate, path, value[:-1])
                yield path, with_value(certificate, path, [*value, value[0]])
            elif isinstance(value, dict) and "den" in value and all(isinstance(x, str) for x in value["num"]):
                [row] = entries([value], max(value.get("at", range(len(value["num"]))), default=1) + 1)
                for i, x in enumerate(row):
                    for new in sorted(changed(x)):
                        yield (*path, i), with_value(certificate, path, vec([*row[:i], new, *row[i + 1 :]]))


@pytest.mark.mostly_slow(6)
@pytest.mark.parametrize("name", ENUMERATED)
def test_every_edit_is_decided_alike(name):
    """What is accepted is true, and shown by the witness; what is rejected is not shown."""
    wrong = 0
    for path, edited in edits(POOL[name]):
        found = answer(edited)
        assert found.status in {"accepted", "rejected", "malformed", "limit"}, (path, found)
        if found.status == "accepted":
            assert decide(edited), path
            assert truth(edited) in (True, None), path
        else:
            wrong += 1
        if found.status == "rejected":
            assert not decide(edited), (path, found.sentence)
    assert wrong > 5


@pytest.mark.mostly_slow(2)
@pytest.mark.parametrize("name", sorted(set(POOL) - set(ENUMERATED)))
def test_edits_over_other_numbers_end_with_an_answer(name):
    for path, edited in edits(POOL[name]):
        assert answer(edited).status in {"accepted", "rejected", "malformed", "limit"}, path
