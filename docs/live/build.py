# SPDX-License-Identifier: MIT
"""Put together the page on which examples run in the browser: part of the site, beside the verifier.

It gets exactdp and the small package that it can't do without, as they are installed here, python-flint
for Pyodide out of the package index (wheel.json pins it by its hash), and the sessions of the pages. ``pip
download`` brings the wheel, unless the variable ``EXACTDP_FLINT`` names its file, as ``python
docs/live/build.py FILE`` writes it. Pyodide is the verifier's.
"""

from __future__ import annotations

import ast
import doctest
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import files
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent
PAGE = ("index.html", "live.css", "page.js", "worker.js", "run.py")
PINNED: dict[str, Any] = json.loads((HERE / "wheel.json").read_text(encoding="utf-8"))
VARIABLE = "EXACTDP_FLINT"
PACKAGES = ("lazy_loader",)
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
ELSEWHERE = {
    "checking-a-derivation": "the checker of arguments is a process of its own",
    "every-n": "the checker of arguments is a process of its own",
    "explanation/trust": "verify starts a process",
    "exploring": "matplotlib",
    "how-to/bundle": "a bundle has files that are not loaded there",
    "how-to/certificate": "verify starts a process",
    "how-to/export": "NumPy and SymPy",
    "how-to/since": "it writes bundles, which have files that are not loaded there",
    "matrices": "SymPy",
    "reference/model": "NumPy",
    "sympy": "SymPy",
}
"""Pages with sessions that don't run in a browser, and why."""


class WheelError(Exception):
    """The wheel is not there, or is another one than the one that is pinned."""


def wheel() -> bytes:
    """python-flint as the package index has it for Pyodide, from a file or else by pip."""
    name = f"{PINNED['package']}=={PINNED['version']}"
    with tempfile.TemporaryDirectory() as folder:
        if VARIABLE in os.environ:
            content = Path(os.environ[VARIABLE]).read_bytes()
        else:
            only = ["--no-deps", "--only-binary", ":all:", "--platform", PINNED["platform"], "--python-version", PINNED["python"]]
            command = [sys.executable, "-m", "pip", "download", "-q", name, *only, "-d", folder]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            found = list(Path(folder).glob("*.whl"))
            if done.returncode or len(found) != 1:
                raise WheelError(f"pip download {name} failed: {done.stderr.strip()[-500:]}")
            content = found[0].read_bytes()
    if (digest := hashlib.sha256(content).hexdigest()) != PINNED["sha256"]:
        raise WheelError(f"{name} has the SHA-256 {digest}; wheel.json pins {PINNED['sha256']}")
    return content


def sessions(text: str) -> list[str]:
    r"""The code of each session of a page, without prompts and output.

    >>> sessions("```python\n>>> for x in [1]:\n...     x\n1\n>>> 2\n2\n```\n\n```python\n>>> 3\n3\n```\n")
    ['for x in [1]:\n    x\n2', '3']
    """
    parser = doctest.DocTestParser()
    found = [parser.get_examples(block) for block in BLOCK.findall(text)]
    return ["".join(example.source for example in examples).rstrip("\n") for examples in found if examples]


def examples() -> dict[str, list[str]]:
    """The sessions of the pages that run in a browser, by the names of the pages."""
    pages = {path.relative_to(DOCS).with_suffix("").as_posix(): path for path in sorted(DOCS.rglob("*.md"))}
    found = {name: sessions(path.read_text(encoding="utf-8")) for name, path in pages.items() if name not in ELSEWHERE}
    return {name: blocks for name, blocks in found.items() if blocks}


def packages() -> bytes:
    """The package and what it can't do without, in one archive that is the same each time."""
    root = DOCS.parent
    sources = {path.relative_to(root).as_posix(): path for path in (root / "exactdp").rglob("*.py*") if path.suffix in {".py", ".pyi"}}
    for name in PACKAGES:
        for file in files(name) or ():
            if file.suffix in {".py", ".pyi"} or ".dist-info" in file.parts[0]:
                sources[file.as_posix()] = Path(str(file.locate()))
    made = io.BytesIO()
    with ZipFile(made, "w") as archive:
        for name, path in sorted(sources.items()):
            archive.writestr(ZipInfo(name), path.read_bytes(), ZIP_DEFLATED)
    return made.getvalue()


def build(folder: Path, flint: bytes) -> None:
    """Write the page and what it loads into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in PAGE:
        shutil.copyfile(HERE / name, folder / name)
    for blocks in (found := examples()).values():
        for block in blocks:
            ast.parse(block)
    (folder / "examples.json").write_text(json.dumps(found, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    (folder / "packages.zip").write_bytes(packages())
    (folder / "flint.whl").write_bytes(flint)


def main(words: list[str]) -> None:
    """Write the wheel into the file that is named."""
    if len(words) != 1 or words[0].startswith("-"):
        sys.exit("usage: python docs/live/build.py FILE")
    try:
        Path(words[0]).write_bytes(wheel())
    except (WheelError, OSError) as error:
        sys.exit(f"Error: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
