# SPDX-License-Identifier: MIT
"""The slides on the Laplace and exponential mechanisms, recomputed: ``statements`` has the functions."""
