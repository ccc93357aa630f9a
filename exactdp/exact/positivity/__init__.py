# SPDX-License-Identifier: MIT
"""Whether a polynomial is positive on a region: a proof that is checked by multiplication, or a point.

A *fact* is a polynomial that is ≥ 0 on the region, such as a constraint. A *leaf* writes the polynomial as a
sum of terms c·s²·f_1^e_1·…·f_k^e_k with numbers c > 0, facts f and polynomials s. A *split* at H proves the
polynomial where H ≥ 0, which is a fact there, and where −H ≥ 0. The witness of a certificate has such proofs
(SPEC §2.2), and the checker multiplies them out.
"""

from __future__ import annotations

from exactdp.exact.positivity.decision import sign_on
from exactdp.exact.positivity.proof import Fact, Lemma, Sign, Split, Step, Term, terms_of

__all__ = ["Fact", "Lemma", "Sign", "Split", "Step", "Term", "sign_on", "terms_of"]
