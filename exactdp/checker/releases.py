# SPDX-License-Identifier: MIT
"""Trusted: the rule for releases of one result at several levels (SPEC §4.6)."""
from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from exactdp.checker.kernel import Case, Geometric, check_product, demand, equals, show

def release(c: Case) -> str:
    """G(n, α_i)·T_(i+1) = G(n, α_(i+1)) for row-stochastic T. What a coalition sees is r_m, m its first member, and results
    computed from r_m without the input: its tightest level is that of G(n, α_m), which is α_m (SPEC §4.6)."""
    n, levels = c.claim["n"].index(), [node.level() for node in c.claim["levels"].items()]
    k = len(levels)
    demand(n > 0, "$.claim.n", "must be 1 or more")
    demand(all(a < b for a, b in pairwise(levels)), "$.claim.levels", "levels must increase strictly")
    coalitions, stages = c.claim["coalitions"].items(), c.witness["stages"].items(k - 1)
    demand(len(coalitions) + 1 == 2**k, "$.claim.coalitions", "every non-empty subset of the levels has its entry")
    for node, (a, b) in zip(stages, pairwise(levels), strict=True):
        check_product(Geometric(n, a), node, Geometric(n, b))
    for mask, node in enumerate(coalitions, start=1):
        f, members = node.fields("members level"), [i for i in range(k) if mask >> i & 1]
        demand(f["members"].value == members, f["members"].path, f"coalition {mask} is {members} (ordered by Σ 2^i)")
        equals(levels[members[0]], f["level"], f"the tightest level of what the coalition {members} sees")
    return (f"The geometric mechanisms G({n}, α), α = {show(levels)}, have a joint law in which each result is computed "
            f"from the one before, and what each of the {2**k - 1} coalitions sees has on path({n + 1}) the level of its first member.")

CLAIMS: dict[str, tuple[Callable[[Case], str], str, str]] = {"release": (release, "n levels coalitions", "stages")}
