# SPDX-License-Identifier: MIT
"""Exact linear programming: a float solver may propose a basis, exact arithmetic decides."""
