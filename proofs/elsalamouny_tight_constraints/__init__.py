# SPDX-License-Identifier: MIT
"""Replays of the claims of ElSalamouny, Chatzikokolakis and Palamidessi (2013), one function each.

See ``proofs/elsalamouny_tight_constraints/claims.toml``.
"""
