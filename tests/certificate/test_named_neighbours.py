# SPDX-License-Identifier: MIT
"""The names of neighbours are compared with pairs and distances by a program that imports nothing of ours."""

from __future__ import annotations

import pytest

from exactdp.certificate.bundle_tables import Differs
from exactdp.certificate.compare_claim import FAMILIES, require_neighbours
from exactdp.certificate.encode import Definitions
from exactdp.model.neighbours import neighbours

NAMES = (
    *("path:4", "complete:4", "cycle:4", "star:4", "hypercube:2", "grid:2x2", "euclid:2x2", "grid:2x3x2"),
    *("sum:u=3,v=2", "average:u=3,v=2", "counts:u=2,k=2", "histogram:u=2,k=3", "hamming:v=2,u=3"),
)


def certificate_of(near):
    definitions = Definitions()
    return {"claim": {"neighbours": definitions.neighbours("N", near)}, "definitions": definitions.objects}


@pytest.mark.parametrize("name", NAMES)
def test_a_family_is_recognised_and_taken_for_no_other(name):
    near = neighbours(name)
    made, labels = certificate_of(near), list(near.vertices)
    require_neighbours(name, made, labels, {})
    for other in NAMES:
        theirs = neighbours(other)
        same = {(labels[i], labels[j], str(d)) for i, j, d in near.pairs()} if len(labels) == len(theirs.vertices) else None
        if same == {(theirs.vertices[i], theirs.vertices[j], str(d)) for i, j, d in theirs.pairs()}:
            continue
        by_place = same is not None and list(near.pairs()) == list(theirs.pairs())
        if not by_place:
            with pytest.raises(Differs):
                require_neighbours(other, made, labels, {})


def test_every_family_that_page_one_explains_is_compared():
    assert {name.partition(":")[0] for name in NAMES} == set(FAMILIES)


def test_distances_of_two_are_no_complete_graph():
    pairs = [[0, 1, "2"], [0, 2, "2"], [1, 2, "2"]]
    made = {"claim": {"neighbours": "N"}, "definitions": {"N": {"type": "distances", "vertices": ["0", "1", "2"], "pairs": pairs}}}
    with pytest.raises(Differs):
        require_neighbours("complete:3", made, ["0", "1", "2"], {})


def test_a_path_is_in_the_order_of_the_rows():
    near = neighbours("path", ["a", "c", "b"])
    made = certificate_of(near)
    require_neighbours(str(near), made, ["a", "c", "b"], {})
    for name, rows in (("path:3", "abc"), ("path:3 in the order of the inputs (a, b, c)", "acb")):
        with pytest.raises(Differs):
            require_neighbours(name, made, list(rows), {})
