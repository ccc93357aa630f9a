# SPDX-License-Identifier: MIT
"""The lecture on the foundations of privacy, recomputed: ``statements`` has the functions."""
