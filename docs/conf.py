# SPDX-License-Identifier: MIT
"""The site: ``pip install '.[docs]' && sphinx-build -W docs site``.

The pages are Markdown. Three things are made while the site is built, so that they can't be out of date: the
reference of public names (from ``exactdp/__init__.pyi``), the list of commands, and the verifier in the
browser (``verifier/build.py``).
"""

from __future__ import annotations

import os
import re
import runpy
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent

project = "exactdp"
author = "The exactdp developers"
copyright = author
extensions = ["myst_nb", "numpydoc", "sphinx.ext.autodoc", "sphinx_click", "sphinx_design"]
exclude_patterns = ["verifier"]
html_theme = "furo"
html_title = "exactdp"
html_favicon = "favicon.svg"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
smartquotes = False  # of --alpha it would make a dash
add_module_names = False
autodoc_typehints = "none"  # the docstrings say the types
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "off"

PUBLIC = re.compile(r"^from \.([\w.]+) import (\w+) as \2$", re.MULTILINE)
MARK = re.compile(r"^<!-- names: ([\w. ]+) -->$", re.MULTILINE)
OUTSIDE = re.compile(r"\]\(\.\./([^)#:]+\.md)")
MOVED = {
    "exactdp/certificate/SPEC.md": "reference/format.md",
    "exactdp/certificate/ARGUMENTS.md": "reference/arguments.md",
    "CONTRIBUTING.md": "reference/contributing.md",
}


def public_names(packages: str = "") -> list[str]:
    """The public names that live in some packages (in all if none are named), in alphabetical order.

    >>> public_names("certificate.loading")
    ['load']
    """
    stub = (ROOT / "exactdp" / "__init__.pyi").read_text(encoding="utf-8")
    within = tuple(f"{package}." for package in packages.split())
    return sorted((name for module, name in PUBLIC.findall(stub) if not within or f"{module}.".startswith(within)), key=str.lower)


NAMES = frozenset(public_names())


def entry(name: str) -> str:
    """How Sphinx is asked for the documentation of a public name."""
    import exactdp

    found = getattr(exactdp, name)
    if isinstance(found, type):
        # the fields of a table with names are told in its docstring
        members = ":members:" if not issubclass(found, tuple) else ""
        kind = "exception" if issubclass(found, BaseException) else "class"
        return f".. auto{kind}:: exactdp.{name}\n   {members}\n"
    return f".. auto{'function' if callable(found) else 'data'}:: exactdp.{name}\n"


def read_source(app: Any, docname: str, source: list[str]) -> None:
    """Put the names where a page asks for them, and lead links to the pages that the site has of a file."""
    text = MARK.sub(lambda mark: "```{eval-rst}\n" + "\n".join(map(entry, public_names(mark[1]))) + "```\n", source[0])
    if "/" not in docname:
        # pages outside of the site are given to the reader as they are
        text = OUTSIDE.sub(lambda link: f"]({MOVED.get(link[1], 'path:../' + link[1])}", text)
    source[0] = text


def find_public(app: Any, env: Any, node: Any, content: Any) -> Any:
    """What a docstring names by the module where it lives is documented under its public name."""
    if node.get("refdomain") != "py":
        return None
    parts, domain = node["reftarget"].split("."), env.get_domain("py")
    for start in range(len(parts)):
        if parts[start] in NAMES:
            target = ".".join(["exactdp", *parts[start:]])
            return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", target, node, content)
    return None


def escape_bars(app: Any, what: str, name: str, found: Any, options: Any, lines: list[str]) -> None:
    """Keep the bars of absolute values in docstrings: for Sphinx, text between two bars is a substitution."""
    example = False
    for k, line in enumerate(lines):
        example = bool(line.strip()) and (example or line.lstrip().startswith(">>>"))
        if not example and "``" not in line:
            lines[k] = line.replace("|", r"\|")


def add_examples(app: Any, context: Any, lines: list[str]) -> None:
    """End what is said of a command with its examples, as its help text does."""
    if examples := getattr(context.command, "examples", ()):
        lines += [".. rubric:: Examples", "", ".. code-block:: sh", "", *(f"   {example}" for example in examples), ""]


def add_verifier(app: Any, error: Exception | None) -> None:
    """Put the page that verifies certificates beside the others."""
    if error is None and app.builder.format == "html":
        made = runpy.run_path(str(DOCS / "verifier" / "build.py"))
        made["build"](Path(app.outdir) / "verifier", made["tarball"](), within_site=True)


def setup(app: Any) -> None:
    """Connect what is made while the site is built."""
    os.environ["COLUMNS"] = "100"
    app.connect("source-read", read_source)
    app.connect("missing-reference", find_public)
    app.connect("autodoc-process-docstring", escape_bars)
    app.connect("build-finished", add_verifier)
    app.connect("sphinx-click-process-epilog", add_examples)
