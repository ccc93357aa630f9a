# SPDX-License-Identifier: MIT
"""Certificates: SPEC.md is normative, schema.json helps editors, :func:`certify` writes them."""

from __future__ import annotations

from exactdp.certificate.certificate import Certificate, certify

__all__ = ["Certificate", "certify"]
