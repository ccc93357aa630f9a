# SPDX-License-Identifier: MIT
"""The JSON Schema describes what the kernel accepts: it lets every accepted certificate through and stops
shapes it can see.
"""

from __future__ import annotations

import json

import pytest
from certificate_pool import pool
from field_pool import field_pool
from jsonschema import Draft202012Validator
from places import CORPUS
from places import SCHEMA as SCHEMA_FILE

SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
BEYOND_A_SCHEMA = {  # what SPEC.md asks for and a schema cannot say
    "bitwise-level-too-many",
    "complete-in-0-1",
    "response-level-of-one-label",
    "definition-name-newline",  # `$` in a pattern also stands before a final line feed
    "integer-line-feed",
    "den-common",
    "den-of-zero",
    "rational-not-lowest",
    "rational-zero-over",
    "byte-order-mark",
    "utf-16",
    "delta-level-above-1",
    "ratio-above-1",
    "ratio-above-1-identical",
    "ratio-negative",
    "distance-root-of-square",
    "ratio-1-distance",
    "ratio-0-distance",
    "ratio-1-witness",
    "level-witness",
    "level-half-witness",
    "edge-order",
    "edge-loop",
    "edges-unsorted",
    "edge-out-of-range",
    "distance-twice",
    "rows-missing",
    "row-too-short",
    "row-too-long",
    "sparse-unsorted",
    "sparse-length",
    "sparse-out-of-range",
    "output-out-of-range",
    "side-information-unsorted",
    "side-information-range",
    "weights-missing",
    "weights-for-a-prior",
    "orbits-guess-twice",
    "orbits-identity-only",
    "orbits-no-generator",
    "orbits-no-permutation",
    "orbits-unknown-source",
    "component-height",
    "component-twice",
    "component-with-more-heights",
    "components-with-a-field",
    "fold-into-nothing",
    "fold-of-a-pair-with-a-multiplier",
    "fold-of-no-pair",
    "fold-twice",
    "folds-of-a-guess-missing",
    "folds-with-a-field",
    "primal-missing",
    "primal-besides-mechanism",
    "remap-missing",
    "remap-besides",
    "release-levels-order",
    "release-20-levels",
    "release-coalition-missing",
    "release-coalition-order",
    "release-stages",
    "undefined-name",
    "name-undefined",
    "unused-definition",
    "definition-named-as-kind",
    "many-definitions",
    "wrong-kind-of-definition",
    "printed-as-mechanism",
    "printed-bounds-half",
    "printed-bounds-missing",
    "printed-bounds-not-rational",
    "printed-bounds-too-many",
    "printed-delta-above-1",
    "printed-delta-all-no-table",
    "printed-delta-all-zero-table",
    "printed-delta-negative",
    "printed-delta-some-no-multipliers",
    "printed-delta-some-zero-multipliers",
    "printed-level-all-half-witness",
    "printed-level-all-no-witness",
    "printed-level-all-one-witness",
    "printed-level-some-no-last",
    "printed-level-some-no-table",
    "printed-level-some-one-multipliers",
    "printed-level-some-zero-table",
    "printed-other-type",
    "printed-ratio-0-distance",
    "printed-ratio-1-distance",
    "printed-ratio-above-1",
    "printed-split-beyond",
    "printed-undefined",
    "printed-weight-above-1",
    "printed-weight-negative",
    "table-as-mechanism",
    "duplicate-key",
    "duplicate-key-escaped",  # json.loads keeps the last
    "float",
    "exponent",  # 4.0 is an integer to JSON Schema
    "letters-at-signs",
    "letters-fact-beyond",
    "letters-facts-twice",
    "letters-half-a-split",
    "letters-inside-length",
    "letters-lemma-of-later",
    "letters-two-proofs",
    "field-common-divisor",
    "field-den-negative-polynomial",
    "field-end-negative-lead",
    "field-end-zero-lead",
    "field-level-above-1",
    "field-level-negative",
    "field-missing-in-vector",
    "field-missing",
    "field-named-as-table",
    "field-nested-three-deep",
    "field-nested-too-deep",
    "field-roots-large-square",
    "field-roots-not-squarefree",
    "field-roots-square",
    "field-roots-unsorted",
    "field-trailing-zero-list",
    "field-trailing-zero",
    "field-two",
    "pieces-claim-key",
    "pieces-lengths",
    "pieces-of-exponential",
    "pieces-unused-definition",
    "pieces-without-field",
    "pieces-witness-key",
}


def test_it_is_a_schema():
    Draft202012Validator.check_schema(SCHEMA)


POOL = pool() | field_pool()


@pytest.mark.parametrize("name", POOL)
def test_the_pool_validates(name):
    VALIDATOR.validate(POOL[name])


@pytest.mark.mostly_slow(80)
@pytest.mark.parametrize("path", sorted(CORPUS.glob("accept/*.json")) + sorted(CORPUS.glob("reject/*.json")), ids=lambda p: p.name)
def test_well_formed_files_validate(path):
    VALIDATOR.validate(json.loads(path.read_bytes()))


@pytest.mark.mostly_slow(80)
@pytest.mark.parametrize("path", sorted(CORPUS.glob("malformed/*.json")), ids=lambda p: p.name.removesuffix(".edp.json"))
def test_malformed_files_do_not(path):
    try:
        value = json.loads(path.read_bytes())
    except ValueError:
        return
    assert VALIDATOR.is_valid(value) == (path.name.removesuffix(".edp.json") in BEYOND_A_SCHEMA)
