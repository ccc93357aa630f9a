# SPDX-License-Identifier: MIT
"""The site: ``pip install '.[docs]' && sphinx-build -W docs site``.

The pages are Markdown. Nine things are made while the site is built, so that they can't be out of date: the
reference of public names and the list of topics (from ``exactdp/__init__.pyi`` and the stubs of the topics),
the list of commands, the papers' page (``papers/build.py``), the index of the theorems in Coq
(``theory.py``), the list of modules (``rooms.py``), the verifier in the browser (``verifier/build.py``), the
page on which the sessions of the others run (``live/build.py``), and the bundles of mechanisms in use
(``proofs/deployments.py``). The notebooks are those of the folder ``notebooks``, copied beside the pages.
Formulas become MathML, so that no page loads anything from elsewhere. Types in docstrings link to the
documentation of their projects, whose pages are listed in ``inventories``: for them no network is needed.
"""

from __future__ import annotations

import ast
import html
import os
import re
import runpy
import shutil
import sys
from collections.abc import Iterable
from operator import attrgetter
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

from exactdp.stubs import names_of, shown_in, topics_of

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
sys.path.append(str(ROOT))  # for proofs/, which is not installed

project = "exactdp"
author = "The exactdp developers"
copyright = author
extensions = ["myst_nb", "numpydoc", "sphinx.ext.autodoc", "sphinx.ext.intersphinx", "sphinx_click", "sphinx_copybutton", "sphinx_design"]
copybutton_exclude = ".linenos, .go"  # what commands and statements print
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_copy_empty_lines = False  # where output was
copybutton_line_continuation_character = "\\"
copybutton_selector = "div:not(.output) > div.highlight pre"  # no button for what a notebook prints
exclude_patterns = ["inventories", "live", "papers", "verifier"]
html_theme = "furo"
html_title = "exactdp"
html_favicon = "favicon.svg"
html_search_scorer = str(DOCS / "search.js")
html_static_path = ["pictures/style"]
html_css_files = ["pictures.css", "columns.css"]
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
html_math_renderer = "mathml"

ADDRESSES = {
    "networkx": "https://networkx.org/documentation/stable",
    "numpy": "https://numpy.org/doc/stable",
    "pandas": "https://pandas.pydata.org/docs",
    "python": "https://docs.python.org/3",
    "sympy": "https://docs.sympy.org/latest",
}
"""Where the documentation of other projects is. What of it is linked to is in ``inventories``."""

intersphinx_mapping = {project: (address, f"inventories/{project}.inv") for project, address in ADDRESSES.items()}

INVENTORIES = [(DOCS / "inventories" / f"{project}.inv").read_text(encoding="utf-8") for project in ADDRESSES]
OUTSIDE_NAMES = frozenset(line.split()[0] for text in INVENTORIES for line in text.splitlines()[3:])

ROOT_FILE = str(ROOT / "exactdp" / "__init__.py")
MARK = re.compile(r"^<!-- names: ([\w. ]+) -->$", re.MULTILINE)
OUTSIDE = re.compile(r"\]\(\.\./([^)#:]+\.md)")
NOTEBOOK = re.compile(r"\]\(\.\./(notebooks/\w+)\.(?:ipynb|py)\)")
MOVED = {
    "exactdp/certificate/SPEC.md": "reference/format.md",
    "CONTRIBUTING.md": "reference/contributing.md",
}


def public_names(packages: str = "") -> list[str]:
    """The public names that live in some packages (in all if none are named), in alphabetical order.

    >>> public_names("certificate.loading")
    ['load']
    """
    within = tuple(f"{package}." for package in packages.split())
    homes = names_of(ROOT_FILE) | {"analysis.leakage.leakage": ["leakage.leakage"]}  # the topic has the function's name
    names = [name for module, found in homes.items() for name in found if not within or f"{module}.".startswith(within)]
    return sorted(names, key=str.lower)


def topics() -> str:
    r"""The list of what ``dir`` shows: the names at the top, and each topic with its own.

    >>> "\n* `leakage`: How much an output tells about the input" in topics()
    True
    """
    within = topics_of(ROOT_FILE)
    lines = [f"At the top: {_linked(name for name in shown_in(ROOT_FILE) if name not in within)}.", ""]
    for topic in within:
        file = ROOT / "exactdp" / topic
        source = file / "__init__.py" if file.is_dir() else file.with_suffix(".py")
        told = (ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or "").split("\n\n")[0].rstrip(".")
        names = shown_in(str(source)) if source.with_suffix(".pyi").exists() else []
        lines.append(f"* `{topic}`: {told}." + (f" {_linked(names)}." if names else ""))
    return "\n".join(lines)


def _linked(names: Iterable[str]) -> str:
    """Names that lead to where they are documented."""
    return ", ".join(f"{{py:obj}}`{name} <exactdp.{name if name != 'leakage' else 'leakage.leakage'}>`" for name in names)


NAMES = frozenset(public_names())
WORDS = {
    "array": "numpy.ndarray",
    "frame": "pandas.DataFrame",
    "function": "types.FunctionType",
    "scalar": "scalar",  # a number of the package: numpydoc would lead to those of NumPy
}
"""Words for types in docstrings that are not the last part of a name."""


def types() -> dict[str, str]:
    """What types in docstrings link to: public names, and those of other projects that ``inventories`` lists.

    >>> found = types()
    >>> found["Fraction"], found["sequence"]
    (':obj:`Fraction <fractions.Fraction>`', ':obj:`sequence <collections.abc.Sequence>`')
    >>> found["Graph"], found["networkx.Graph"]
    (':obj:`Graph <exactdp.Graph>`', ':obj:`networkx.Graph <networkx.Graph>`')
    """
    targets = {name.rsplit(".", 1)[-1]: name for name in OUTSIDE_NAMES}
    targets |= {word.lower(): name for word, name in targets.items() if name.startswith("collections.abc.")}
    targets |= {name: name for name in OUTSIDE_NAMES} | WORDS | {name: f"exactdp.{name}" for name in NAMES}
    return {word: f":obj:`{word} <{name}>`" if name != "scalar" else word for word, name in targets.items()}


numpydoc_xref_param_type = True
numpydoc_xref_ignore = "all"
numpydoc_xref_aliases = types()
PAPERS = runpy.run_path(str(DOCS / "papers" / "build.py"))
LIVE = runpy.run_path(str(DOCS / "live" / "build.py"))
ROOMS = runpy.run_path(str(DOCS / "rooms.py"))
THEORY = runpy.run_path(str(DOCS / "theory.py"))

MADE = {
    "papers": (PAPERS["MARK"], lambda: PAPERS["statements"](PAPERS["records"]())),
    "theorems": (THEORY["MARK"], THEORY["index"]),
    "reference/names": ("<!-- topics -->", topics),
    "reference/rooms": (ROOMS["MARK"], lambda: ROOMS["listed"](ROOMS["survey"]())),
}
"""Pages of which a part is made: the mark that the part replaces, and what makes it."""


def entry(name: str) -> str:
    """How Sphinx is asked for the documentation of a public name."""
    import exactdp

    found = attrgetter(name)(exactdp)
    if isinstance(found, type):
        # the fields of a table with names are told in its docstring
        members = ":members:" if not issubclass(found, tuple) else ""
        kind = "exception" if issubclass(found, BaseException) else "class"
        return f".. auto{kind}:: exactdp.{name}\n   {members}\n"
    return f".. auto{'function' if callable(found) else 'data'}:: exactdp.{name}\n"


PICTURE = re.compile(r"(?<=!\[)[^\]]+(?=\]\()")
"""What a page says in place of a picture."""


def read_source(app: Any, docname: str, source: list[str]) -> None:
    """Put the names where a page asks for them, and lead links to the pages that the site has of a file."""
    source[0] = PICTURE.sub(lambda text: " ".join(text[0].split()), source[0])  # a new line there would be no blank
    text = MARK.sub(lambda mark: "```{eval-rst}\n" + "\n".join(map(entry, public_names(mark[1]))) + "```\n", source[0])
    if "/" not in docname:
        # pages outside of the site are given to the reader as they are
        text = NOTEBOOK.sub(r"](\1.ipynb)", text)
        text = OUTSIDE.sub(lambda link: f"]({MOVED.get(link[1], 'path:../' + link[1])}", text)
    if docname == "deployments":
        from proofs.deployments import with_bundles

        text = with_bundles(text)
    if docname in MADE:
        mark, make = MADE[docname]
        app.env.note_reread()  # it is made anew in every build
        text = text.replace(mark, make())
    source[0] = text


def find_public(app: Any, env: Any, node: Any, content: Any) -> Any:
    """What a docstring names by the module where it lives is documented under its public name."""
    if node.get("refdomain") != "py" or node["reftarget"] in OUTSIDE_NAMES:
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
    """End what is said of a command with the files that it reads and its examples, as its help text does."""
    if files := getattr(context.command, "files", ""):
        lines += [".. rubric:: Files of tables", "", files, ""]
    if examples := getattr(context.command, "examples", ()):
        lines += [".. rubric:: Examples", "", ".. code-block:: sh", "", *(f"   {example}" for example in examples), ""]


def add_formula(writer: Any, node: Any) -> None:
    """Write a formula as MathML, which browsers show without a script."""
    block = isinstance(node, nodes.math_block)
    try:
        made = tex2mathml(node.astext(), as_block=block).replace("<mo>'</mo>", "<mo>′</mo>")  # a prime is no apostrophe
    except MathError as error:
        logging.getLogger(__name__).warning("a formula that has no MathML here: %s", error, location=node)
        made = writer.encode(node.astext())
    writer.body.append(f'<div class="math-wrapper">{made}</div>' if block else made)
    raise nodes.SkipNode


def keep_marks(app: Any, doctree: Any) -> None:
    """Keep the mark that follows a formula on its line: browsers may break the line after any formula."""
    for formula in list(doctree.findall(nodes.math)):
        parent, place = formula.parent, formula.parent.index(formula)
        after = parent[place + 1] if place + 1 < len(parent) else None
        marks = re.match(r"[.,;:?!)’”]+", after) if isinstance(after, nodes.Text) else None
        if marks:
            rest = nodes.Text(after[marks.end() :])
            parent[place : place + 2] = [nodes.inline("", "", formula, nodes.Text(marks.group()), classes=["unbroken"]), rest]


def keep_code(app: Any, doctree: Any) -> None:
    """Keep an option or a short name on its line, and end code where its last line ends."""
    for word in doctree.findall(nodes.literal):
        if len(word.astext()) <= 24 and " " not in word.astext():
            word["classes"].append("unbroken")
    for block in doctree.findall(nodes.literal_block):
        if block.astext().endswith("\n"):
            block.rawsource = block.astext().rstrip("\n")  # where it differs from the text, nothing is coloured
            block[:] = [nodes.Text(block.rawsource)]


PRINTED = re.compile(r'<span class="go">(.*?)</span>')
VERDICT = re.compile("(PROVED|REFUTED|UNDECIDED|REPLAYED|NO CLAIM)  ")
WIDTH = 100
"""Characters of a line that the column of a wide window has room for."""


def is_sentence(line: str) -> bool:
    """Whether a printed line is broken where it is too long: a verdict, or words, but no row of a table.

    >>> is_sentence("REFUTED  smallest ε = ln(4) ≈ 1.386294"), is_sentence("optimum         168/415")
    (True, False)
    >>> is_sentence("accepted: " + "words " * 20), is_sentence("1/2     1/4" * 12)
    (True, False)
    """
    columns = len(re.split(" {3,}", line.strip()))
    return VERDICT.match(line) is not None or (len(line) > WIDTH and columns <= 2)


def break_sentences(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Mark what commands print in whole sentences: such lines are broken at their blanks, not scrolled."""
    if "body" in context:
        context["body"] = PRINTED.sub(_marked, context["body"])


def _marked(span: re.Match[str]) -> str:
    line = html.unescape(re.sub("<[^>]*>", "", span[1]))
    return f'<span class="go sentence">{span[1]}</span>' if is_sentence(line) else span[0]


def described(code: str) -> str:
    r"""What is said in place of a picture: its title and labels, or the call that draws it.

    >>> described('ax.set(xlabel="level", title="least loss")\nplt.show()')
    'Picture: level; least loss'
    >>> described("values = 1\nanswer.plot()"), described("plt.show()")
    ('Picture: answer.plot()', 'Picture drawn by the code above')
    """
    *_, last = code.strip().splitlines()
    words = re.findall(r'(?:title|label)[=(]"([^"{]+)"', code) or [last.strip()]
    return f"Picture: {'; '.join(words)}" if words != ["plt.show()"] else "Picture drawn by the code above"


def describe_pictures(app: Any, doctree: Any) -> None:
    """Give each picture of a notebook an alternative text."""
    for cell in doctree.findall(lambda node: isinstance(node, nodes.container) and "cell" in node["classes"]):
        for picture in cell.findall(nodes.image):
            picture["alt"] = described(next(cell.findall(nodes.literal_block)).astext())


def offer_sessions(app: Any, doctree: Any) -> None:
    """Lead from each session of a page to where it runs in the browser, with those before it."""
    name = app.env.docname
    blocks = LIVE["examples"]().get(name, []) if app.builder.format == "html" else []
    found = [block for block in doctree.findall(nodes.literal_block) if ">>> " in block.astext()]
    for count, block in enumerate(found if len(found) == len(blocks) else (), 1):
        address = f"{'../' * name.count('/')}live/index.html?page={name}&amp;sessions={count}"
        link = f'<p class="live"><a href="{address}" title="Run this and what is above it in your browser">Try it</a></p>'
        block.parent.insert(block.parent.index(block) + 1, nodes.raw("", link, format="html"))


def bring_notebooks(app: Any) -> None:
    """Put copies of the notebooks beside the pages, as Sphinx reads one folder; the same ones stay."""
    place = DOCS / "notebooks"
    place.mkdir(exist_ok=True)
    sources = {file.name: file for file in (ROOT / "notebooks").glob("*.ipynb")}
    for copy in place.glob("*.ipynb"):
        if copy.name not in sources:
            copy.unlink()
    for name, file in sources.items():
        if not (place / name).exists() or (place / name).read_bytes() != file.read_bytes():
            shutil.copyfile(file, place / name)


def add_pages(app: Any, error: Exception | None) -> None:
    """Put the pages on which Python runs beside the others, and the certificates that one may be sent to."""
    if error is None and app.builder.format == "html":
        from proofs.deployments import write_bundles

        PAPERS["copy"](Path(app.outdir))
        picture = Path(app.outdir) / "reference" / ROOMS["PICTURE"]
        picture.write_text(ROOMS["drawn"](ROOMS["survey"]()), encoding="utf-8")
        made = runpy.run_path(str(DOCS / "verifier" / "build.py"))
        made["build"](Path(app.outdir) / "verifier", made["tarball"](), within_site=True)
        LIVE["build"](Path(app.outdir) / "live", LIVE["wheel"]())
        bundles = Path(app.outdir) / "bundles"
        shutil.rmtree(bundles, ignore_errors=True)  # of the build before
        write_bundles(bundles)


def setup(app: Any) -> None:
    """Connect what is made while the site is built."""
    os.environ["COLUMNS"] = "100"
    app.add_html_math_renderer("mathml", (add_formula, None), (add_formula, None))
    app.connect("builder-inited", bring_notebooks)
    app.connect("source-read", read_source)
    app.connect("doctree-read", keep_marks)
    app.connect("doctree-read", keep_code)
    app.connect("doctree-read", describe_pictures)
    app.connect("doctree-read", offer_sessions)
    app.connect("html-page-context", break_sentences)
    app.connect("missing-reference", find_public)
    app.connect("autodoc-process-docstring", escape_bars)
    app.connect("build-finished", add_pages)
    app.connect("sphinx-click-process-epilog", add_examples)
