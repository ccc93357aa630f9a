# SPDX-License-Identifier: MIT
"""The command line: words and files in, a verdict and an exit code out; a module for each command."""

from __future__ import annotations

from exactdp.cli.program import main

__all__ = ["main"]
