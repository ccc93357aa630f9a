# SPDX-License-Identifier: MIT
"""Which module writes the certificates of each topic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exactdp.analysis.registry import Registry
from exactdp.certificate.encode import Parts

ANALYSIS = "exactdp.analysis"
CERTIFICATE = "exactdp.certificate"

TOPICS: Registry[Callable[[Any, bool], Parts]] = Registry(
    f"{CERTIFICATE}.registry.TOPICS",
    {
        f"{CERTIFICATE}.privacy": (f"{ANALYSIS}.privacy",),
        f"{CERTIFICATE}.refinement": (f"{ANALYSIS}.refinement",),
        f"{CERTIFICATE}.optimality": (f"{ANALYSIS}.optimality",),
        f"{CERTIFICATE}.levels": (f"{ANALYSIS}.levels", f"{ANALYSIS}.optimality.by_level"),
        f"{CERTIFICATE}.deployed": (f"{ANALYSIS}.approximate", f"{ANALYSIS}.composition", f"{ANALYSIS}.inference", f"{ANALYSIS}.audit"),
        f"{CERTIFICATE}.determinant": (f"{ANALYSIS}.determinant",),
        f"{CERTIFICATE}.tight": (f"{ANALYSIS}.tight", f"{ANALYSIS}.leakage"),
        f"{CERTIFICATE}.types": (f"{ANALYSIS}.types", f"{ANALYSIS}.leakage"),
    },
)
"""The functions from evidence, and whether it proves its statement, to the parts of a certificate."""
