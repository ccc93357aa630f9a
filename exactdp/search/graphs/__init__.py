# SPDX-License-Identifier: MIT
"""Optima on connected graphs with cycles: untrusted finders that begin at an interior point."""
