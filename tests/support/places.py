# SPDX-License-Identifier: MIT
"""Where things are in the source tree."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TESTS = ROOT / "tests"
CORPUS = TESTS / "corpus"
