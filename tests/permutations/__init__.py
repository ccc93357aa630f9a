# SPDX-License-Identifier: MIT
"""Permutation tests: the order in which rows, columns and labels are written down never changes an answer.

``python tests/permutations --cases 10000 --seed 1`` draws small random instances, computes every answer by
brute force (`oracle`, which uses nothing of exactdp), writes the same instance down in many orders and
formats (`presentation`), asks every command and Python function (`commands`, `functions`), and compares.
"""
