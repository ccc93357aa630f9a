# SPDX-License-Identifier: MIT
"""Fernandes and others, Sections 2, 3 and 8: kernel mechanisms, hypers, and the data of the Coq files."""

import random
import re
from fractions import Fraction
from itertools import combinations, permutations, product

from places import ROOT

from exactdp.model import Prior
from proofs.fernandes_metric_privacy import information, kernels
from proofs.fernandes_metric_privacy.common import random_channel, random_remap
from proofs.record import Status, load_paper

PAPER = "fernandes_metric_privacy"
COQ = ROOT / "proofs" / "coq"


def rank(vectors: list[list[int]]) -> int:
    """By elimination with fractions."""
    rows, found = [[Fraction(x) for x in v] for v in vectors], 0
    for k in range(len(rows[0])):
        pivot = next((r for r in range(found, len(rows)) if rows[r][k]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for r in range(found + 1, len(rows)):
            factor = rows[r][k] / rows[found][k]
            rows[r] = [x - factor * y for x, y in zip(rows[r], rows[found], strict=True)]
        found += 1
    return found


def test_minimal_balanced_families_are_as_many_as_the_literature_counts():
    """One for two players, 5 and 41 for three and four (without the family of the whole set alone)."""
    assert [sum(1 for _ in kernels.minimal_balanced(n)) for n in (2, 3, 4)] == [1, 5, 41]


def test_minimal_balanced_families_contain_no_other():
    found = [frozenset(family) for family in kernels.minimal_balanced(4)]
    assert len(set(found)) == len(found)
    assert not any(a < b for a, b in permutations(found, 2))
    assert frozenset({0b0011, 0b0101, 0b1001, 0b1110}) in found  # weights 1/3, 1/3, 1/3, 2/3
    assert frozenset({0b0001, 0b0010, 0b0100}) not in found  # nothing contains the last


def cube_data() -> tuple[list[list[int]], list[list[tuple[int, int]]]]:
    """The vertices and the weighted supports that CubeSupports.v lists."""
    vertices, supports = (COQ / "CubeSupports.v").read_text(encoding="utf-8").split("Definition cube_supports")
    rows = [[int(x) for x in row.split(";")] for row in re.findall(r"\[:: (\d[\d; ]*)\]", vertices)]
    pairs = [[(int(w), int(k)) for w, k in re.findall(r"\((\d+), (\d+)\)", row)] for row in re.findall(r"\[:: (\([^\]]*)\]", supports)]
    return rows, pairs


def test_the_supports_of_the_cube_are_kernel_mechanisms_and_their_images_more_than_29000():
    """What Coq computes, without Coq and without this library."""
    vertices, supports = cube_data()
    assert (len(vertices), len(supports)) == (38, 922)
    for v in vertices:
        assert all(v[j] <= 2 * v[i] for i in range(8) for j in range(8) if bin(i ^ j).count("1") == 1)
        tight = [(i, j) for i in range(8) for j in range(8) if bin(i ^ j).count("1") == 1 and v[j] == 2 * v[i]]
        reached = {0}
        for _ in range(8):
            reached |= {j for i, j in tight if i in reached} | {i for i, j in tight if j in reached}
        assert reached == set(range(8))
    for support in supports:
        assert len({sum(w * vertices[k][i] for w, k in support) for i in range(8)}) == 1
        assert all(w > 0 for w, _ in support)
        assert rank([vertices[k] for _, k in support]) == len(support)
    places = {tuple(v): k for k, v in enumerate(vertices)}
    images = set()
    for order, change in product(permutations(range(3)), range(8)):
        g = [sum(((i ^ change) >> bit & 1) << place for place, bit in enumerate(order)) for i in range(8)]
        moved = [places[tuple(v[g[i]] for i in range(8))] for v in vertices]
        images |= {frozenset(moved[k] for _, k in support) for support in supports}
    assert len(images) == 29213


def test_a_move_with_a_wrong_remap_is_seen():
    rnd = random.Random(3)
    A = random_channel(rnd, 3, 3)
    right, wrong = random_remap(rnd, A, 3), random_remap(rnd, A, 3)
    B = A.post_process(right)
    prior = Prior.uniform(range(3))
    assert information._moved(A, B, right, prior)
    assert not information._moved(A, B, wrong, prior)


def test_what_is_recorded_of_sections_2_3_and_8():
    claims = {claim.id.split("/")[1]: claim for claim in load_paper(PAPER).claims}
    proved = ["EM", "EQ6", "2.2o", "2.2c", "2.2s", "2.3b", "3.1c", "3.2v", "3.2f", "F8", "F10", "CUBE"]
    assert {name: claims[name].status for name in proved} == dict.fromkeys(proved, Status.PROVED)
    assert claims["5.5u"].status is Status.IMPRECISE
    assert {claims[name].status for name in ("F7", "F9")} == {Status.CERTIFIED}
    assert claims["FIG"].status is Status.OPEN


def test_three_families_of_the_discrete_metric_on_three_inputs():
    """By hand: the singletons, the pairs, and a singleton with the opposite pair (three times)."""
    by_hand = {frozenset({1, 2, 4}), frozenset({3, 5, 6}), *(frozenset({s, 7 - s}) for s in (1, 2, 4))}
    assert {frozenset(family) for family in kernels.minimal_balanced(3)} == by_hand
    assert all(len(family) <= 3 for family in by_hand)
    assert not any(a | b == 7 and a & b for family in by_hand if len(family) == 2 for a, b in combinations(family, 2))
