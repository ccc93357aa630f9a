# SPDX-License-Identifier: MIT
"""The command line: words and files in, a verdict and an exit code out. Each command lives in the module of
its name.
"""

from __future__ import annotations

from exactdp.cli.program import main

__all__ = ["main"]
