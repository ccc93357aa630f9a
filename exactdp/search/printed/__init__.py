# SPDX-License-Identifier: MIT
"""The best and the worst tables that print so: untrusted searches."""
