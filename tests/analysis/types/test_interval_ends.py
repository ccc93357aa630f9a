# SPDX-License-Identifier: MIT
"""A statement about a privacy type that fails at the closed end of an interval only is not accepted there."""

from __future__ import annotations

import pytest
from certificate_pool import seal, text_of

from exactdp.checker import check_bytes


@pytest.mark.parametrize(
    ("interval", "status"), [({"above": "1/3", "below": "1/2"}, "accepted"), ({"above": "1/3", "at_most": "1/2"}, "rejected")]
)
def test_a_kernel_mechanism_at_the_end_only(interval, status):
    """Rows (2/3, 1/3) and (1/3, 2/3): posteriors (2/3, 1/3) are vertices at level 1/2, and inside the
    polytope below it.
    """
    level = {"num": ["0", "1"], "den": "1"}
    rows = [{"den": "3", "num": ["2", "1"]}, {"den": "3", "num": ["1", "2"]}]
    certificate = seal(
        {
            "format": "exactdp-certificate",
            "version": "0.2",
            "claim": {"kind": "not-kernel-mechanism", "neighbours": "N", "level": level, "mechanism": "M"},
            "definitions": {
                "a": {"type": "parameter", "interval": interval},
                "N": {"type": "path", "vertices": 2},
                "M": {"type": "mechanism", "inputs": ["0", "1"], "outputs": ["0", "1"], "rows": rows},
            },
            "witness": {},
        }
    )
    answer = check_bytes(text_of(certificate).encode())
    assert answer.status == status, answer.sentence
