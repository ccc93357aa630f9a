# SPDX-License-Identifier: MIT
"""Put the page of the verifier together: ``python docs/verifier/build.py FOLDER [TARBALL]``.

The folder gets the page, its two samples, the checker's own files as they stand, and Pyodide (Python for
browsers) out of the package of the npm registry, whose version and hash pyodide.json pins. ``npm pack``
brings the package, unless a tarball is named, here or by the variable ``EXACTDP_PYODIDE``. Whatever serves
files can serve the folder (``python -m http.server -d FOLDER``); the page asks nobody else for anything.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[1] / "exactdp"
PAGE = [HERE / name for name in ("index.html", "verifier.css", "page.js", "worker.js", "judge.py", "tables.py")]
PAGE += [PACKAGE / "errors.py"]
PINNED: dict[str, Any] = json.loads((HERE / "pyodide.json").read_text(encoding="utf-8"))
VARIABLE = "EXACTDP_PYODIDE"


class PyodideError(Exception):
    """The package is not there, or is another one than the one that is pinned."""


def tarball(file: Path | None = None) -> bytes:
    """The package as the registry has it, from a file or else from npm; another hash is refused."""
    if file is None and VARIABLE in os.environ:
        file = Path(os.environ[VARIABLE])
    name = f"{PINNED['package']}@{PINNED['version']}"
    with tempfile.TemporaryDirectory() as folder:
        if file is None:
            npm = shutil.which("npm")
            if npm is None:
                raise PyodideError(f"npm is needed for {name}, or its tarball, named by {VARIABLE}")
            command = [npm, "pack", name, "--silent", "--prefer-offline", "--pack-destination", folder]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            found = list(Path(folder).glob("*.tgz"))
            if done.returncode or len(found) != 1:
                raise PyodideError(f"npm pack {name} failed: {done.stderr.strip()[-500:]}")
            [file] = found
        try:
            content = file.read_bytes()
        except OSError as error:
            raise PyodideError(f"{file}: {error}") from error
    integrity = "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode("ascii")
    if integrity != PINNED["integrity"]:
        raise PyodideError(f"{file.name} has the hash {integrity}; pyodide.json pins {PINNED['integrity']}")
    return content


def build(folder: Path, package: bytes, *, within_site: bool = False) -> None:
    """Write the page, the files that decide and Pyodide into a folder; alone, it links to no other page."""
    (folder / "pyodide").mkdir(parents=True, exist_ok=True)
    for file in PAGE:
        shutil.copyfile(file, folder / file.name)
    if not within_site:
        page = (HERE / "index.html").read_text(encoding="utf-8")
        (folder / "index.html").write_text(re.sub(r'<a href="\.\./[^"]*">(.*?)</a>', r"\1", page), encoding="utf-8")
    shutil.copytree(HERE / "samples", folder / "samples", dirs_exist_ok=True)
    deciding: dict[str, list[str]] = {}
    for place in ("checker", "arguments"):  # what is trusted, and what replays arguments
        files = sorted(file for file in (PACKAGE / place).glob("*.py") if file.name != "__init__.py")
        (folder / place).mkdir(exist_ok=True)
        for file in files:
            shutil.copyfile(file, folder / place / file.name)
        deciding[place] = [file.name for file in files]
    (folder / "certificate").mkdir(exist_ok=True)  # what checks bundles, with the checker beside it
    deciding["certificate"] = ["check_bundle.py", "bundle_files.py", "bundle_reading.py", "bundle_tables.py", "bundle_words.py"]
    deciding["certificate"] += [
        "page_one.py",
        "page_one_formats.py",
        "compare_claim.py",
        "page_one_sources.py",
        "compare_numbers.py",
        "compare_described.py",
        "compare_lines.py",
        "compare_consumers.py",
        "compare_remaps.py",
        "compare_printed.py",
        "compare_reading.py",
        "compare_neighbours.py",
        "compare_parts.py",
        "compare_requirements.py",
        "compare_command.py",
        "compare_privacy.py",
        "compare_page_one.py",
        "compare_law.py",
    ]
    for name in deciding["certificate"]:
        shutil.copyfile(PACKAGE / "certificate" / name, folder / "certificate" / name)
    with tarfile.open(fileobj=io.BytesIO(package), mode="r:gz") as archive:
        for name in PINNED["files"]:
            member = archive.extractfile(f"package/{name}")
            assert member is not None, name
            (folder / "pyodide" / name).write_bytes(member.read())
    built = {"pyodide": f"{PINNED['version']}, {PINNED['integrity']}", **deciding}
    (folder / "built.json").write_text(json.dumps(built, indent=1) + "\n", encoding="utf-8")


def main(words: list[str]) -> None:
    """Build the page into the folder that is named."""
    if not 1 <= len(words) <= 2 or words[0].startswith("-"):
        sys.exit("usage: python docs/verifier/build.py FOLDER [TARBALL]")
    try:
        build(Path(words[0]), tarball(*map(Path, words[1:])))
    except PyodideError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(sys.argv[1:])
