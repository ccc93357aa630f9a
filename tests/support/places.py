# SPDX-License-Identifier: MIT
"""Where things are in the source tree, and folders of a test's own."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
TESTS = ROOT / "tests"
CORPUS = TESTS / "corpus"
SCHEMA = ROOT / "exactdp" / "certificate" / "schema.json"


def in_folder(files: Mapping[str, str], *, autouse: bool = False) -> Callable[..., Path]:
    """A fixture: a folder with these files, by their names, in which the test runs."""

    @pytest.fixture(autouse=autouse)
    def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        return tmp_path

    return folder
