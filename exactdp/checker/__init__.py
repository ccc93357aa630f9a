# SPDX-License-Identifier: MIT
"""The independent checker: kernel.py decides about certificates, argument.py about replayed arguments."""

from exactdp.checker.kernel import Answer, canonical_bytes, check_bytes, digest_of

__all__ = ["Answer", "canonical_bytes", "check_bytes", "digest_of"]
