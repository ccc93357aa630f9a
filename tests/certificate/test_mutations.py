# SPDX-License-Identifier: MIT
"""Single-field edits of accepted certificates, with the digest recomputed: the kernel and a naive checker
always agree.
"""

from __future__ import annotations

import copy
import json
import random
from fractions import Fraction as F

import pytest
from certificate_pool import pool, seal, text_of, vec
from field_pool import field_pool
from naive_checker import decide, vector
from naive_numbers import Undecided
from random_edits import places, with_value

from exactdp.checker import check_bytes

POOL = pool()
FIELD_POOL = field_pool()
ONE_ANSWER = {"a comparison has one answer on the whole interval"}


def answer(certificate):
    return check_bytes(text_of(certificate).encode())


def number_edits(x):
    return {-x, x + 1, x - 1, 2 * x, x + F(1, 1000)} - {x}


def edits(certificate):
    """(what was done, the edited certificate)."""
    for top in ("claim", "definitions", "witness"):
        for path, value in places(certificate[top], (top,)):
            where = ".".join(map(str, path))
            if len(path) > 1:
                yield f"drop {where}", with_value(certificate, path, ...)
            if isinstance(value, int):
                for new in {value + 1, value - 1, 0} - {value}:
                    yield f"{where} = {new}", with_value(certificate, path, new)
            elif isinstance(value, str):
                try:
                    new_values = [str(x) for x in number_edits(F(value))]
                except ValueError:
                    new_values = [value + "x"]
                for new in new_values:
                    yield f"{where} = {new}", with_value(certificate, path, new)
            elif isinstance(value, list) and len(value) > 1:
                for i in range(len(value) - 1):
                    yield f"swap {where} {i}", with_value(certificate, path, [*value[:i], value[i + 1], value[i], *value[i + 2 :]])
            elif isinstance(value, dict) and "den" in value:
                length = max(value["at"], default=0) + 1 if "at" in value else len(value["num"])
                entries = vector(value, length)
                for i in range(length):
                    for new in sorted(number_edits(entries[i])):
                        edited = [*entries[:i], new, *entries[i + 1 :]]
                        yield f"{where}[{i}] = {new}", with_value(certificate, path, vec(edited, "at" in value))
                yield f"reverse {where}", with_value(certificate, path, vec(entries[::-1], "at" in value))


def test_the_pool_is_large_enough_and_has_every_kind():
    assert len(POOL) >= 40
    assert len({c["claim"]["kind"] for c in POOL.values()}) == 17
    assert len(FIELD_POOL) >= 30


@pytest.mark.parametrize("certificate", [*POOL.values(), *FIELD_POOL.values()], ids=[*POOL, *(f"field {name}" for name in FIELD_POOL)])
def test_accepted_by_both(certificate):
    assert answer(certificate).status == "accepted", answer(certificate).sentence
    assert decide(certificate)


@pytest.mark.slow
@pytest.mark.parametrize("name", POOL)
def test_every_edit_is_decided_alike(name):
    seen = {text_of(POOL[name])}
    for what, edited in edits(POOL[name]):
        if text_of(edited) in seen:
            continue
        seen.add(text_of(edited))
        found = answer(edited)
        assert found.status in ("accepted", "rejected", "malformed"), (what, found.sentence)
        if found.status != "malformed":
            assert decide(edited) == (found.status == "accepted"), (what, found.sentence)


def field_edits(certificate):
    """(what was done, the edited certificate): the edits above, but coefficients one by one."""
    for top in ("claim", "definitions", "witness"):
        for path, value in places(certificate[top], (top,)):
            where = ".".join(map(str, path))
            if len(path) > 1 and isinstance(value, int | list | dict):
                yield f"drop {where}", with_value(certificate, path, ...)
            if isinstance(value, int):
                for new in {value + 1, value - 1, 0} - {value}:
                    yield f"{where} = {new}", with_value(certificate, path, new)
            elif isinstance(value, str) and value.lstrip("-").replace("/", "").isdigit():
                for new in number_edits(F(value)) | ({10**40 * F(value) + 1} if path[-1] != "rate" else set()):
                    yield f"{where} = {new}", with_value(certificate, path, str(new))
            elif isinstance(value, list) and len(value) > 1:
                for i in range(len(value) - 1):
                    yield f"swap {where} {i}", with_value(certificate, path, [*value[:i], value[i + 1], value[i], *value[i + 2 :]])
            elif isinstance(value, dict) and ("below" in value or "above" in value):
                turned = {"above": "at_least", "at_least": "above", "below": "at_most", "at_most": "below"}
                for key in value.keys() & turned.keys():
                    new = {turned[k] if k == key else k: end for k, end in value.items()}
                    yield f"{where}: {turned[key]}", with_value(certificate, path, new)


@pytest.mark.slow
@pytest.mark.parametrize("name", FIELD_POOL)
def test_every_field_edit_is_decided_alike(name):
    """A sample of them. The kernel may ask for a comparison with one answer everywhere where the naive
    checker needs none.
    """
    listed = list(field_edits(FIELD_POOL[name]))
    for what, edited in random.Random(name).sample(listed, min(20, len(listed))):
        found = answer(edited)
        assert found.status in ("accepted", "rejected", "malformed", "limit"), (what, found.sentence)
        if found.status in ("malformed", "limit"):
            continue
        try:
            expected = decide(edited)
        except Undecided:
            continue
        assert expected == (found.status == "accepted") or (expected and found.rule in ONE_ANSWER), (what, found.sentence)


@pytest.mark.parametrize("name", POOL)
def test_edits_without_a_new_digest_are_refused(name):
    original = POOL[name]
    for path, value in places(original["claim"], ("claim",)):
        if isinstance(value, str | int) and len(path) > 1:
            edited = with_value(original, path, value + 1 if isinstance(value, int) else value + "1")
            assert answer({**edited, "digest": original["digest"]}).status in ("rejected", "malformed")


@pytest.mark.parametrize("name", POOL)
def test_harmless_edits_stay_accepted(name):
    original = POOL[name]
    edited = {**original, "provenance": {"tool": "another", "note": "é\u2028\n"}}
    assert answer(edited).status == "accepted"
    backwards = json.loads(text_of(original), object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    assert answer(backwards) == answer(original)
    assert check_bytes(json.dumps(original, indent=3).encode()) == answer(original)
    escaped = "".join(f"\\u{ord(x):04x}" if x.isalpha() else x for x in '"exactdp-certificate"')
    assert check_bytes(text_of(original).replace('"exactdp-certificate"', escaped).encode()) == answer(original)


@pytest.mark.parametrize("name", POOL)
def test_consistent_relabelling_stays_accepted(name):
    """Other names for definitions; other labels, if no definition numbers its own."""
    numbers_itself = {"geometric", "path", "abs-loss", "squared-loss", "zero-one-loss"}
    rename = {}
    for key, d in POOL[name]["definitions"].items():
        rename[key] = f"other_{key}"
        if not any(x["type"] in numbers_itself for x in POOL[name]["definitions"].values()):
            rename |= {label: f"«{label}»" for k in ("inputs", "outputs", "guesses", "vertices") for label in d.get(k, [])}

    edited = copy.deepcopy(POOL[name])
    edited["definitions"] = {rename[key]: d for key, d in edited["definitions"].items()}
    for d in edited["definitions"].values():
        for k in ("inputs", "outputs", "guesses", "vertices"):
            if isinstance(d.get(k), list):
                d[k] = [rename.get(label, label) for label in d[k]]
    for holder in (edited["claim"], edited["claim"].get("consumer", {})):
        for k in ("mechanism", "neighbours", "table", "source", "target", "remap", "loss"):
            if holder.get(k) in rename:
                holder[k] = rename[holder[k]]
    assert answer(seal(edited)).status == "accepted", answer(seal(edited)).sentence
    assert decide(seal(edited))
