# SPDX-License-Identifier: MIT
"""What a release is made of: the SHA-256 of every trusted file, the bill of materials of the wheel, and the
README as a package index shows it.

``python release/contents.py`` prints the digests as ``sha256sum -c`` reads them; with ``--sbom``, the bill of
materials; with ``--readme``, the README. All are read from the source tree by the standard library alone,
and depend on nothing else.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tomllib
import uuid
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TRUSTED = (
    "exactdp/checker/*.py",
    "exactdp/certificate/SPEC.md",
    "exactdp/certificate/check_bundle.py",
    "exactdp/certificate/bundle_files.py",
    "exactdp/certificate/bundle_reading.py",
    "exactdp/certificate/bundle_tables.py",
    "exactdp/certificate/bundle_words.py",
    "exactdp/certificate/page_one.py",
    "exactdp/certificate/page_one_formats.py",
    "exactdp/certificate/page_one_sources.py",
    "exactdp/certificate/compare_requirements.py",
    "exactdp/certificate/compare_command.py",
    "exactdp/certificate/compare_lines.py",
    "exactdp/certificate/compare_numbers.py",
    "exactdp/certificate/compare_reading.py",
    "exactdp/certificate/compare_neighbours.py",
    "exactdp/certificate/compare_privacy.py",
    "exactdp/certificate/compare_described.py",
    "exactdp/certificate/compare_consumers.py",
    "exactdp/certificate/compare_remaps.py",
    "exactdp/certificate/compare_parts.py",
    "exactdp/certificate/compare_printed.py",
    "exactdp/certificate/compare_page_one.py",
    "exactdp/certificate/compare_claim.py",
    "exactdp/certificate/compare_law.py",
)
"""The checker, the page that states its rules, and the files that check a bundle."""
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"""(\]\(|\b(?:href|src|srcset)=")(?![a-z]+:|#)([^)"#\s]+)""")
"""A link of a Markdown page to a file; its fragment, if any, follows."""


def digests(root: Path = ROOT) -> dict[str, str]:
    """The SHA-256 of each trusted file, by its path from the root."""
    files = sorted(file for pattern in TRUSTED for file in root.glob(pattern))
    return {file.relative_to(root).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def bill_of_materials(root: Path = ROOT) -> str:
    """CycloneDX 1.7: the project, its trusted files, and what it requires; nothing is bundled."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    identity = f"pkg:pypi/{project['name']}@{project['version']}"
    files = [
        {"type": "file", "bom-ref": path, "name": path, "hashes": [{"alg": "SHA-256", "content": digest}]}
        for path, digest in digests(root).items()
    ]
    needed = [_external(requirement) for requirement in sorted(project["dependencies"], key=str.lower)]
    bill: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.7",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": identity,
                "name": project["name"],
                "version": project["version"],
                "description": project["description"],
                "licenses": [{"license": {"id": project["license"]}}],
                "purl": identity,
                "components": files,
            },
        },
        "components": needed,
        "dependencies": [
            {"ref": identity, "dependsOn": [component["bom-ref"] for component in needed]},
            *({"ref": component["bom-ref"]} for component in needed),
        ],
        "compositions": [
            {"aggregate": "complete", "dependencies": [identity]},
            {"aggregate": "unknown", "dependencies": [component["bom-ref"] for component in needed]},
        ],
    }
    # the same content has the same number, another has another
    bill["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_URL, identity + json.dumps(bill, sort_keys=True)).urn
    return json.dumps(bill, indent=2, sort_keys=True) + "\n"


def readme(root: Path = ROOT) -> str:
    """The README with absolute links, since an index has no files: they lead into the repository, at this
    version's tag.

    Code stays as it is. A link to a file that is not there is an error.
    """
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    repository, tag = project["urls"]["Source"], f"v{project['version']}"

    def address(link: re.Match[str]) -> str:
        opening, path = link.groups()
        if not (root / path).exists():
            raise FileNotFoundError(f"README.md links to {path}, which is not there")
        if Path(path).suffix in {".png", ".svg"}:  # the file itself, not the page about it
            return f"{opening}{repository.replace('//github.com', '//raw.githubusercontent.com')}/{tag}/{path}"
        return f"{opening}{repository}/{'tree' if (root / path).is_dir() else 'blob'}/{tag}/{path}"

    text, parts, end = (root / "README.md").read_text(encoding="utf-8"), [], 0
    for code in CODE.finditer(text):
        parts += [LINK.sub(address, text[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, LINK.sub(address, text[end:])])


def _external(requirement: str) -> dict[str, Any]:
    """A dependency as the environment provides it: any version from a lowest one on."""
    parts = re.fullmatch(r"([A-Za-z0-9._-]+)>=([0-9.]+)", requirement)
    if parts is None:
        raise ValueError(f"{requirement!r} is not of the form name>=version, which is all that the bill of materials can say")
    purl = "pkg:pypi/" + re.sub(r"[-_.]+", "-", parts[1]).lower()
    return {
        "type": "library",
        "bom-ref": purl,
        "name": parts[1],
        "versionRange": f"vers:pypi/>={parts[2]}",
        "isExternal": True,
        "scope": "required",
        "purl": purl,
    }


if __name__ == "__main__":
    if sys.argv[1:] == ["--sbom"]:
        print(bill_of_materials(), end="")
    elif sys.argv[1:] == ["--readme"]:
        print(readme(), end="")
    elif sys.argv[1:]:
        sys.exit("usage: python release/contents.py [--sbom | --readme]")
    else:
        print("".join(f"{digest}  {path}\n" for path, digest in digests().items()), end="")
