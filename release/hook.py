# SPDX-License-Identifier: MIT
"""While a wheel is built: its bill of materials goes into ``.dist-info/sboms/`` (PEP 770)."""

from __future__ import annotations

import runpy
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BillOfMaterials(BuildHookInterface):  # type: ignore[type-arg]
    """Writes the file for the time of the build: it says the digests of the very files that are packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the file and name it to hatchling."""
        contents = runpy.run_path(str(Path(__file__).with_name("contents.py")))
        self._folder = tempfile.TemporaryDirectory()
        file = Path(self._folder.name) / f"{self.metadata.core.raw_name}.cdx.json"
        file.write_text(contents["bill_of_materials"](Path(self.root)), encoding="utf-8", newline="\n")
        build_data["sbom_files"].append(str(file))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Take the file away; the wheel has it."""
        self._folder.cleanup()
