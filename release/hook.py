# SPDX-License-Identifier: MIT
"""While an sdist or a wheel is built: README's links become absolute, as a package index needs them; and a
wheel's bill of materials goes into ``.dist-info/sboms/`` (PEP 770).
"""

from __future__ import annotations

import runpy
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

CONTENTS = Path(__file__).with_name("contents.py")


class AbsoluteReadme(MetadataHookInterface):
    """Sets the one field that pyproject.toml leaves open."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Give the README its links into the repository, at the tag of this version."""
        text = runpy.run_path(str(CONTENTS))["readme"](Path(self.root))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


class BillOfMaterials(BuildHookInterface):  # type: ignore[type-arg]
    """Writes the file for the time of the build: it says the digests of the very files that are packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the file and name it to hatchling."""
        contents = runpy.run_path(str(CONTENTS))
        self._folder = tempfile.TemporaryDirectory()
        file = Path(self._folder.name) / f"{self.metadata.core.raw_name}.cdx.json"
        file.write_text(contents["bill_of_materials"](Path(self.root)), encoding="utf-8", newline="\n")
        build_data["sbom_files"].append(str(file))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Take the file away; the wheel has it."""
        self._folder.cleanup()
