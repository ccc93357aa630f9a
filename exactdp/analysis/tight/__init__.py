# SPDX-License-Identifier: MIT
"""Tight-constraints mechanisms and regular priors."""
