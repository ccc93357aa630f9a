# SPDX-License-Identifier: MIT
"""Questions over letters: statements about every point of a region, and the exact conditions for them."""
