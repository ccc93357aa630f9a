# SPDX-License-Identifier: MIT
"""Every kind of claim is in ``kinds.toml``, and what is made from it is up to date.

The checker has a list of its own; what it says is compared with the table, key by key.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location

import pytest
from certificate_pool import pool
from places import CORPUS, ROOT

from exactdp.certificate.kinds import FILE, groups, kinds, questions
from exactdp.checker import check_bytes, kernel
from exactdp.sweeps.question import Source

spec = spec_from_file_location("kinds_maker", ROOT / "docs" / "kinds.py")
maker = module_from_spec(spec)
spec.loader.exec_module(maker)

KINDS = kinds()
SCHEMA = json.loads(maker.SCHEMA.read_text(encoding="utf-8"))
COQ = ("words", "meaning", "none")


@pytest.mark.parametrize(("file", "made"), [(maker.SCHEMA, maker.schema_text), (maker.SPEC, maker.spec_text)], ids=["schema", "SPEC"])
def test_what_is_made_from_the_table_is_up_to_date(file, made):
    text = file.read_text(encoding="utf-8")
    assert text == made(text), "run python docs/kinds.py"


def test_a_kind_more_is_in_both(monkeypatch):
    """The rest stays as it is, and what was made by hand in a table does not last."""
    longer = {**KINDS, "toy": KINDS["leakage"].__class__(**{**fields_of("leakage"), "name": "toy"})}
    monkeypatch.setattr(maker, "kinds", lambda: longer)
    schema, spec = maker.SCHEMA.read_text(encoding="utf-8"), maker.SPEC.read_text(encoding="utf-8")
    new = json.loads(maker.schema_text(schema))
    assert new["oneOf"][-1]["title"] == "toy"
    assert new["oneOf"][:-1] == SCHEMA["oneOf"]
    assert new["$defs"] == SCHEMA["$defs"]
    more = set(maker.spec_text(spec).splitlines()) - set(spec.splitlines())
    assert [line for line in more if line.startswith("| `toy` |")] == list(more)
    assert maker.spec_text(spec.replace("| 4.6 | `coalition_tight` |", "| 4.7 | |")) == maker.spec_text(spec)


def fields_of(name):
    return {field: getattr(KINDS[name], field) for field in KINDS[name].__dataclass_fields__}


@cache
def checker_lists():
    """For each kind the trusted file that has it, and the keys of claim and witness."""
    listed = [kernel.CLAIMS, *(getattr(kernel.beside(name), "CLAIMS", {}) for name in kernel.BESIDE)]
    found = [(kind, rule.__module__.rpartition(".")[2], keys) for claims in listed for kind, (rule, *keys) in claims.items()]
    assert len({kind for kind, _, _ in found}) == len(found)
    return {kind: (file, *keys) for kind, file, keys in found}


def test_the_checker_knows_these_kinds_and_no_others():
    assert checker_lists().keys() == KINDS.keys()


@pytest.mark.parametrize("name", KINDS)
def test_the_checker_has_these_keys(name):
    kind = KINDS[name]
    file, claim, witness = checker_lists()[name]
    assert kind.checker == file
    assert set(kind.claim) == set(claim.split())
    assert set(kind.witness) == set(witness.split())


def test_the_checker_rejects_another_kind():
    value = {**next(iter(pool().values()))}
    value = json.loads(json.dumps(value))
    value["claim"]["kind"] = "toy"
    value["digest"] = kernel.digest_of(value)
    answer = check_bytes(json.dumps(value).encode())
    assert answer.status == "malformed"
    assert "kind" in answer.sentence


@pytest.mark.parametrize("name", KINDS)
def test_every_field_means_something(name):
    kind = KINDS[name]
    assert {*kind.claim.values(), *kind.witness.values()} <= SCHEMA["$defs"].keys()
    assert kind.coq in COQ
    assert kind.coq != "none" or not kind.coq_letters
    assert (ROOT / "exactdp" / "checker" / f"{kind.checker}.py").is_file()
    assert (ROOT / "exactdp" / "certificate" / f"{kind.encoder}.py").is_file()
    assert kind.statement


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if kind.opposite])
def test_an_opposite_is_of_the_same_things(name):
    """And goes both ways. A refutation may say by how much."""
    kind, other = KINDS[name], KINDS[KINDS[name].opposite]
    assert other.opposite == name
    differ = {key.removesuffix("?") for key in kind.claim} ^ {key.removesuffix("?") for key in other.claim}
    assert differ <= {"loss", "gap", "mechanism", "remap", "point", "determinant", "value"}


def test_every_section_is_one_of_the_specification():
    headings = set(re.findall(r"(?m)^#+ ([\d.]*\d)", maker.SPEC.read_text(encoding="utf-8")))
    assert {section for kind in KINDS.values() for section in (*kind.sections, kind.group.table)} <= headings


def test_a_misspelt_key_is_an_error():
    """No field of a kind, a group or a question is optional by accident."""
    known = {"kind": {*fields_of("tight"), "types"} - {"name"}, "question": {*questions()["tight"].__dataclass_fields__}}
    import tomllib

    table = tomllib.loads(FILE.read_text(encoding="utf-8"))
    known["group"] = {*next(iter(groups().values())).__dataclass_fields__, *known["kind"]}
    assert set(table) == {"types", "group", "kind", "sources", "question"}
    for part, allowed in known.items():
        assert {key for own in table[part].values() for key in own} <= allowed


def test_questions_are_answered_by_kinds_that_have_these_keys():
    for asked in questions().values():
        for answers in (asked.proved, asked.refuted, *(asked.named or ())):
            for name, sources in answers.items():
                optional = {key.removesuffix("?") for key in KINDS[name].claim if key.endswith("?")}
                assert {*sources} <= {key.removesuffix("?") for key in KINDS[name].claim}
                assert {*sources} >= {key for key in KINDS[name].claim if not key.endswith("?")}
                assert {*sources} - optional <= {*KINDS[name].claim}
                assert set(sources.values()) <= {source.value for source in Source}


@cache
def examples():
    """The corpus' accepted certificates, by kind."""
    by_kind = {}
    for path in CORPUS.glob("accept/*.edp.json"):
        value = json.loads(path.read_bytes())
        by_kind.setdefault(value["claim"]["kind"], []).append(value)
    return by_kind


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_has_a_file_in_the_corpus_and_a_mutant_that_is_rejected(name):
    """With the keys of the table. One number changed in some part is enough."""
    listed = sorted(examples()[name], key=lambda one: len(json.dumps(one)))
    for value in listed[:3]:
        assert check_bytes(json.dumps(value).encode()).status == "accepted"
        assert {*value["claim"]} - {"kind"} <= {key.removesuffix("?") for key in KINDS[name].claim}
        assert {*value["witness"]} - {"signs"} <= {key.removesuffix("?") for key in KINDS[name].witness}
    more = {**listed[0], "claim": {**listed[0]["claim"], "toy": "1"}}
    assert check_bytes(sealed(more)).status == "malformed"
    assert any(check_bytes(mutant).status == "rejected" for value in listed for mutant in mutants(value))


def mutants(value):
    """The certificate with one number changed: a rational one into some others, an index into the next."""
    for part in ("claim", "definitions", "witness"):
        for path, leaf in leaves(value[part]):
            if isinstance(leaf, int):
                others = (leaf + 1, leaf - 1)
            else:
                others = ("7/11", "1/1000", "999/1000", "2", "0") if re.fullmatch(r"\d+(/\d+)?", leaf) else ()
            for other in others:
                copy = json.loads(json.dumps(value))
                target = copy[part]
                for key in path[:-1]:
                    target = target[key]
                target[path[-1]] = other
                yield sealed(copy)


def leaves(value, path=()):
    """The numbers and texts in a value, with their places."""
    if isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, (*path, key))
    else:
        yield path, value


def sealed(value):
    return json.dumps({**value, "digest": kernel.digest_of(value)}).encode()
