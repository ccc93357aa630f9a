# SPDX-License-Identifier: MIT
"""Optima on forests, for any loss: untrusted column generation over the rays of the privacy cone."""
