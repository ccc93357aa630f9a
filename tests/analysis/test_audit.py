# SPDX-License-Identifier: MIT
"""Deliberately broken mechanisms, after real reports (docs/ecosystem): each is caught, with the exact
event.
"""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from exactdp import Loss, Mechanism, MinimaxConsumer, Table, certify, geometric, identity, neighbours
from exactdp.analysis.audit import PrivacyClaim, audit
from exactdp.analysis.audit_evidence import law_difference
from exactdp.checker import check_bytes
from exactdp.exact import ExactMatrix, ExponentialField, Rational
from exactdp.mechanisms.exponential import Scores, exponential_mechanism, noisy_max
from exactdp.mechanisms.laplace import GranularGeometricNoise, RoundedLaplaceNoise
from exactdp.mechanisms.noise import GeometricNoise, censored, lumped
from exactdp.model import Graph


def caught(table, graph, claim):
    """The audit refutes, the kernel accepts the certificate of that, and the event's numbers are those of the
    table.
    """
    verdict = audit(table, graph, claim=claim)
    assert verdict.refuted
    assert check_bytes(certify(verdict).to_json().encode()).status == "accepted"
    event, found = verdict.evidence.worst, verdict.evidence
    if event is not None:
        rows = found.tightest.evidence.subject.matrix
        assert sum((rows[event.high, r] for r in event.outputs), Rational(0)) == event.likely
        assert sum((rows[event.low, r] for r in event.outputs), Rational(0)) == event.unlikely
    return found


def named(found, event):
    table = found.table
    return table.inputs[event.high], table.inputs[event.low], {table.outputs[r] for r in event.outputs}


def test_1_the_threshold_s_own_mass_left_out_of_delta():
    """A partition is shown when its noisy count is ≥ T; the δ reported is P(1 + Z > T) instead of P(1 + Z ≥
    T).
    """
    a, T = Rational("1/3"), 5
    noise = GeometricNoise(a)
    table = Mechanism([[1, 0], [1 - noise.upper_tail(T - 1), noise.upper_tail(T - 1)]], ["absent", "present"], ["hidden", "shown"])
    said = noise.upper_tail(T)
    found = caught(table, Graph(["absent", "present"], [(0, 1)]), PrivacyClaim(alpha=a, delta=said))
    e = found.delta.evidence
    assert named(found, e.event) == ("present", "absent", {"shown"})
    assert e.delta - said == noise.mass(T - 1)  # exactly the mass at the threshold is missing
    assert audit(table, found.neighbours, claim=PrivacyClaim(alpha=a, delta=e.delta)).proved


def test_2_rounded_laplace_sold_as_geometric():
    """It is as private, so the privacy claim is true; but it is another law, and not optimal where the
    geometric one is.
    """
    t, n = Rational("1/2"), 4
    deployed, sold = censored(RoundedLaplaceNoise(t), range(n + 1), 0, n), geometric(n, t * t)
    path = neighbours("path:5")
    consumer = MinimaxConsumer(Loss.absolute(path.vertices))
    verdict = audit(deployed, path, claim=PrivacyClaim(alpha=t * t), consumers=[consumer])
    assert verdict.proved
    assert verdict.evidence.consumers[0].remapped.refuted
    assert audit(sold, path, consumers=[consumer]).evidence.consumers[0].remapped.proved
    d = law_difference(deployed, sold)
    assert (d.input, d.output) in {(1, 1), (2, 2), (3, 3), (0, 1), (4, 3)}
    assert abs(d.first - d.second) >= (1 - t * t) / (1 + t * t) - (1 - t)


def test_3_a_row_that_sums_to_less_by_two_to_the_minus_53():
    short = Rational(1, 2) - Rational(1, 2**53)
    table = Table([["1/2", short], ["1/2", "1/2"]])
    verdict = audit(table, neighbours("path:2"), claim=PrivacyClaim(epsilon=1))
    (fault,) = verdict.evidence.faults.rows
    assert (fault.label, fault.excess) == ("0", -Rational(1, 2**53))
    assert (verdict.proved, verdict.evidence.quality) == (True, "rounded")
    found = audit(table, neighbours("path:2"), claim=PrivacyClaim(epsilon=1), rounding=0)
    assert (found.refuted, found.evidence.quality, certify(found).kind) == (True, "wrong", "not-stochastic")
    assert found.evidence.repairs[0].mechanism is not None


def test_4_truth_with_probability_p_plus_1_minus_p_times_p():
    p = Rational("3/4")
    q = p + (1 - p) * p
    found = caught(
        Mechanism([[q, 1 - q], [1 - q, q]], ["no", "yes"], ["no", "yes"]),
        Graph(["no", "yes"], [(0, 1)]),
        PrivacyClaim(alpha=(1 - p) / p),
    )
    assert found.ratio == Rational("1/15") < Rational("1/3")
    assert named(found, found.worst) in [("no", "yes", {"no"}), ("yes", "no", {"yes"})]
    assert (found.worst.likely, found.worst.unlikely) == (Rational("15/16"), Rational("1/16"))


def test_5_a_scale_rounded_down():
    """Scale 1 in a fixed-point format that rounds down to 255/256: ε is 256/255, decided exactly over
    ℚ(e^(−1/255)).
    """
    wrong = ExponentialField(Rational("256/255")).gen
    found = caught(geometric(3, wrong), neighbours("path:4"), PrivacyClaim(epsilon=1))
    low, high = (x for x in found.ratio.enclosure(12))
    assert F("0.366") < F(int(low.numerator), int(low.denominator)) < F(int(high.numerator), int(high.denominator)) < F("0.3679")
    assert len(found.privacy.evidence.violated) == 12
    assert audit(geometric(3, ExponentialField(Rational("254/255")).gen), neighbours("path:4"), claim=PrivacyClaim(epsilon=1)).proved


def test_6_noise_for_sensitivity_one_on_a_query_of_sensitivity_two():
    m = geometric(4, "1/2")
    graph = Graph(m.inputs, [(i, j) for i in range(5) for j in (i + 1, i + 2) if j < 5])
    found = caught(m, graph, PrivacyClaim(alpha="1/2"))
    assert found.ratio == Rational("1/4")
    assert abs(int(m.inputs[found.worst.high]) - int(m.inputs[found.worst.low])) == 2


def test_7_the_exponential_mechanism_without_the_factor_two():
    """Weights e^(ε q) for scores that are not monotonic."""
    alpha = Rational("1/2")
    scores = Scores([[1, 0, 0], [0, 1, 1]])
    found = caught(exponential_mechanism(scores, alpha), neighbours("path:2"), PrivacyClaim(alpha=alpha))
    assert found.ratio == alpha * (1 + 2 * alpha) / (2 + alpha) == Rational("2/5")
    assert named(found, found.worst) == ("0", "1", {"0"})
    right = exponential_mechanism(scores, "7/10")  # (7/10)² < 1/2: the factor two is there, and more
    assert audit(right, neighbours("path:2"), claim=PrivacyClaim(alpha=Rational("49/100"))).proved


def test_8_noisy_max_with_half_of_the_noise():
    """Noise α instead of √α on two scores that move in opposite directions."""
    alpha = Rational("1/4")
    votes = Scores(ExactMatrix.build(5, 2, lambda i, r: 4 - i if r else i))
    found = caught(noisy_max(votes, alpha), neighbours("path:5"), PrivacyClaim(alpha=alpha))
    m = noisy_max(votes, alpha)
    assert found.ratio == min(min(m[i, r] / m[j, r], m[j, r] / m[i, r]) for i, j in ((0, 1), (1, 2), (2, 3), (3, 4)) for r in range(2))
    assert audit(noisy_max(votes, "1/2"), neighbours("path:5"), claim=PrivacyClaim(alpha=alpha)).proved


def test_9_results_out_of_range_drawn_again():
    """Conditioning on 0..n instead of clamping: rows near the ends are divided by less."""
    a, n = Rational("1/2"), 3
    noise = GeometricNoise(a)
    table = Table([[noise.mass(r - i) for r in range(n + 1)] for i in range(n + 1)]).renormalise()
    found = caught(table, neighbours("path:4"), PrivacyClaim(alpha=a))
    first, second = (sum((noise.mass(r - i) for r in range(n + 1)), Rational(0)) for i in (0, 1))
    assert found.ratio == a * first / second
    assert named(found, found.worst)[:2] in {("0", "1"), ("3", "2")}


def test_10_no_noise_where_the_count_is_zero():
    m = geometric(3, "1/2")
    found = caught(Mechanism([[1, 0, 0, 0], *list(m.rows())[1:]]), neighbours("path:4"), PrivacyClaim(alpha="1/2"))
    assert found.ratio == 0
    high, low, outputs = named(found, found.worst)
    assert (high, low) == ("1", "0")
    assert "0" not in outputs
    assert found.worst.unlikely == 0


def test_11_rounding_on_a_grid_that_is_too_coarse():
    """Two-sided geometric noise on halves, rounded with halves away from zero: 0 collects one fine value, 1
    two of them.
    """
    t, N = Rational("999/1000"), 2
    m = lumped(GranularGeometricNoise(t, N), range(4), -3, 6)
    found = caught(m, Graph(m.inputs, [(0, 1), (1, 2), (2, 3)]), PrivacyClaim(alpha=t ** (N + 1)))
    _, low, outputs = named(found, found.worst)
    assert outputs == {low}  # the truth of the neighbour is the surprisingly rare output
    assert found.ratio == 1 / (t * (1 + t))


def test_12_a_debiased_estimate_used_as_a_distribution():
    table = Table([["5/4", "-1/4"], ["1/2", "1/2"]])
    verdict = audit(table, neighbours("path:2"), claim=PrivacyClaim(epsilon=1))
    assert verdict.refuted
    assert verdict.evidence.claim_holds is False
    assert str(verdict.evidence.faults.negative[0].value) == "-1/4"
    assert certify(verdict).kind == "not-stochastic"


def test_13_local_reports_from_people_with_a_weaker_coin():
    from exactdp import randomized_response
    from exactdp.analysis.composition import collection_level

    good, weak = randomized_response(["0", "1"], "3/4"), randomized_response(["0", "1"], "9/10")
    e = collection_level([good, good, weak]).evidence
    assert (e.ratio, e.part) == (Rational("1/9"), 2)
    assert certify(collection_level([good, good, weak])).kind == "parallel-level"
    assert audit(weak, Graph.complete(weak.inputs), claim=PrivacyClaim(alpha="1/3")).refuted


@pytest.mark.parametrize("level", ["1/2", "1/3"])
def test_what_is_not_broken_passes(level):
    verdict = audit(geometric(4, level), neighbours("path:5"), claim=PrivacyClaim(alpha=level))
    assert verdict.proved
    assert verdict.evidence.repairs == ()


def test_a_refuted_claim_about_all_levels_has_a_function_for_its_delta():
    verdict = audit(identity(1), "path", claim=PrivacyClaim(alpha="symbolic"))
    assert verdict.refuted
    assert verdict.claim.endswith("the least δ is 1")
