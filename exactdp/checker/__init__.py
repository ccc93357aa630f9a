# SPDX-License-Identifier: MIT
"""The independent checker: `kernel.py` alone decides; this package only re-exports its entry points."""

from exactdp.checker.kernel import Answer, canonical_bytes, check_bytes, digest_of

__all__ = ["Answer", "canonical_bytes", "check_bytes", "digest_of"]
