# SPDX-License-Identifier: MIT
"""The pages about the Coq development name and quote what the files really state, and nothing is assumed. The
site's index has every theorem that a record names.

Compiling needs Coq; it is done only when `coqc` is installed and EXACTDP_COQ is set (continuous integration
sets it).
"""

import os
import re
import runpy
import shutil
import subprocess
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from places import ROOT

COQ = ROOT / "proofs" / "coq"
README = (COQ / "README.md").read_text(encoding="utf-8")
theory = runpy.run_path(str(ROOT / "docs" / "theory.py"))
SOURCES = theory["sources"]()
THEORY = {file: source for file, source in SOURCES.items() if not file.startswith("Reals/")}
REALS = {file: source for file, source in SOURCES.items() if file.startswith("Reals/")}
WORDS = tomllib.loads((COQ / "theorems.toml").read_text(encoding="utf-8"))
REAL_AXIOMS = (COQ / "Reals" / "axioms.txt").read_text(encoding="utf-8").split()
STATED = r"^(?:Theorem|Corollary|Lemma|Definition|Fixpoint) (\w+)"
FORBIDDEN = r"\b(Admitted|admit|Axioms?|Parameters?|Conjectures?|Abort|give_up|bypass_check|Checking)\b|type-in-type"
CONTEXT = re.compile(r"(Variables?|Hypothes[ie]s|Implicit Types|Local Notation) ")


def stated(text: str) -> set[str]:
    """Names that a file defines or proves."""
    return set(re.findall(STATED, text, re.MULTILINE))


def missing(readme: str) -> list[str]:
    """Names of the form `File.name` in the text that no file states, but for the axioms of Coq's reals."""
    names = re.findall(r"`([A-Z]\w+)\.(\w+)`", readme)
    known = {file: stated(SOURCES.get(file, "") + SOURCES.get(f"Reals/{file}", "")) for file, _ in names}
    return [f"{file}.{name}" for file, name in names if name not in known[file] and f"{file}.{name}" not in REAL_AXIOMS]


def quoted(readme: str) -> list[str]:
    """Every context line and every statement quoted in the text's Coq blocks."""
    found: list[str] = []
    for block in re.findall(r"^```coq\n(.*?)^```", readme, re.MULTILINE | re.DOTALL):
        for chunk in block.strip("\n").split("\n\n"):
            found += chunk.split("\n") if CONTEXT.match(chunk) else [chunk]
    return found


def unquoted(readme: str) -> list[str]:
    """Quotations that are not, word for word, a whole statement of some file."""
    return [text for text in quoted(readme) if not any(f"\n{text}\n" in source for source in SOURCES.values())]


def code(source: str) -> str:
    """The file without its comments (they are not nested)."""
    return re.sub(r"\(\*.*?\*\)", "", source, flags=re.DOTALL)


def forbidden(source: str) -> list[str]:
    """Words that would leave something unproved, comments included."""
    return [match.group() for match in re.finditer(FORBIDDEN, source)]


def test_every_name_exists() -> None:
    assert len(re.findall(r"`[A-Z]\w+\.\w+`", README)) > 40
    assert missing(README) == []
    assert missing(README + "`Levels.lemma33`") == ["Levels.lemma33"]
    assert missing(README + "`Absent.lemma3`") == ["Absent.lemma3"]


def test_every_quotation_is_in_the_files() -> None:
    assert len(quoted(README)) > 12
    assert unquoted(README) == []
    changed = README.replace("adjacent i j -> a * X j r <= X i r.", "adjacent i j -> a * X j r < X i r.")
    assert [text.split()[1] for text in unquoted(changed)] == ["private_on"]


def test_every_coq_statement_quoted_on_a_page_is_in_the_files() -> None:
    """Whatever is quoted beside a record stands in the development, word for word."""
    pages = [*COQ.parent.glob("*/*.md"), *(ROOT / "docs").glob("*.md")]
    assert len(pages) > 20
    assert {page.name: wrong for page in pages if (wrong := unquoted(page.read_text(encoding="utf-8")))} == {}


def test_the_table_for_referees_names_theorems() -> None:
    """What docs/referee.md says about each rule of SPEC.md is a statement of some file."""
    page = (ROOT / "docs" / "referee.md").read_text(encoding="utf-8").split("## Which rule is a theorem")[1]
    rows = [line.split("|")[2] for line in page.splitlines() if line.startswith("| §")]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    known = set().union(*(stated(path.read_text(encoding="utf-8")) for path in COQ.glob("**/*.v")))
    assert len(named) > 8
    assert named - known == set()


def test_the_mathematics_names_theorems() -> None:
    """Each theorem of docs/mathematics.md says what of it is in Coq, and where; the files have them."""
    page = (ROOT / "docs" / "mathematics.md").read_text(encoding="utf-8")
    numbers = re.findall(r"^\*\*Theorem (\d+\.\d+)(?: \([a-z ]+\))?\.\*\*", page, re.MULTILINE)
    assert len(numbers) > 12
    assert numbers == sorted(set(numbers), key=lambda number: [int(part) for part in number.split(".")])
    parts = re.split(r"^\*\*Theorem ", page, flags=re.MULTILINE)[1:]
    assert [part[:5] for part in parts if not re.search(r"^\*(In Coq:|Not in Coq\.)\*", part, re.MULTILINE)] == []
    named = re.findall(r"`((?:Checker/)?[A-Z]\w+)\.(\w+)`", page)
    assert len(named) > 20
    known = {file: stated((COQ / f"{file}.v").read_text(encoding="utf-8")) for file, _ in named}
    assert [f"{file}.{name}" for file, name in named if name not in known[file]] == []


def test_theorems_in_words_are_stated_once() -> None:
    """Each is a statement of its file, and no two have one name, one text in words or one statement."""
    named = [(file, name) for file, names in WORDS.items() for name in names]
    assert len(named) > 400
    said = {file: dict(theory["statements"](SOURCES[file], names)) for file, names in WORDS.items()}
    assert [f"{file}.{name}" for file, name in named if name not in said[file]] == []
    texts = [" ".join(text.split()) for names in WORDS.values() for text in names.values()]
    stated_as = [" ".join(said[file][name].split()).partition(name)[2] for file, name in named]
    for found in ([name for _, name in named], texts, stated_as):
        assert [text for text, count in Counter(found).items() if count > 1] == []


def test_the_index_has_every_theorem_and_every_use() -> None:
    page = theory["index"]()
    for file, source in SOURCES.items():
        section = page.partition(f"\n[{file}.v](path:../proofs/coq/{file}.v)\n")[2].partition("\n### ")[0]
        assert set(re.findall(rf'<dt id="{file}\.(\w+)">', section)) == set(WORDS.get(file, {})), file
        shown = section.partition("<pre>")[2]
        proved = stated(code(source)) - set(re.findall(r"^Lemma (\w+)", code(source), re.MULTILINE))
        assert [name for name in proved | WORDS.get(file, {}).keys() if not re.search(rf"\b{name}\b", shown)] == [], file
        assert theory["about"](source), file
    used = theory["used_by"]()
    assert sorted(name for names in WORDS.values() for name in names) == sorted(used)
    assert used["theorem2"][0] == "gupte_sundararajan/TH2"
    assert '<dt id="Derivability.theorem2"><code>theorem2</code> for <a href="papers.html#gupte_sundararajan-TH2">' in page


def test_the_index_says_what_stands_on_what() -> None:
    graph, groups = theory["uses"](SOURCES), theory["topics"]()
    assert graph["Derivability"] >= {"Inverse"}
    home = {name: k for k, names in enumerate(groups.values()) for name in names}
    assert [(a, b) for a, others in graph.items() for b in others if home[a] < home[b]] == [], "a topic stands on later ones"
    assert theory["reduced"](graph)["Derivability"] == {"Inverse"}


@pytest.mark.parametrize("file", sorted(SOURCES))
def test_nothing_is_left_unproved(file: str) -> None:
    source = SOURCES[file]
    assert forbidden(source) == []
    assert source.startswith("(* SPDX-License-Identifier: MIT *)\n")
    text = code(source)
    statements = len(re.findall(r"^(?:Theorem|Corollary|Lemma) ", text, re.MULTILINE))
    assert len(re.findall(r"\bProof\.", text)) == len(re.findall(r"\bQed\.", text)) == statements


def test_forbidden_words_are_seen() -> None:
    assert forbidden("Proof. Admitted.") == ["Admitted"]
    assert forbidden("Axiom choice : True.") == ["Axiom"]
    assert forbidden("by admit.") == ["admit"]
    assert forbidden("the admitted students") == []


def test_all_files_are_compiled_and_listed() -> None:
    for project, files in (("_CoqProject", THEORY), ("_CoqProject.reals", REALS)):
        listed = re.findall(r"^([\w/]+)\.v$", (COQ / project).read_text(encoding="utf-8"), re.MULTILINE)
        assert sorted(listed) == sorted(files)
    assert sorted(file for files in theory["topics"]().values() for file in files) == sorted(SOURCES)
    topics = re.findall(r"^### (.*)$", README.partition("\n## The main theorems\n")[2], re.MULTILINE)
    assert topics == list(theory["topics"]())


def test_the_readme_names_the_axioms_of_the_reals() -> None:
    """Only the files about real numbers assume anything; the table there is the list that `make reals`
    compares with what Coq answers.
    """
    section = README.split("### The lectures: real numbers")[1].split("\n## ")[0]
    assert re.findall(r"^\| `([\w.]+)` \|", section, re.MULTILINE) == REAL_AXIOMS == sorted(REAL_AXIOMS)
    assert len(REAL_AXIOMS) == 4
    uses_reals = [file for file, source in SOURCES.items() if re.search(r"\b(Reals|Coquelicot|Classical\w*)\b", code(source))]
    assert sorted(uses_reals) == sorted(REALS)


@pytest.mark.skipif(not (os.environ.get("EXACTDP_COQ") and shutil.which("coqc")), reason="needs coqc and EXACTDP_COQ")
@pytest.mark.timeout(1200)
def test_make(tmp_path: Path) -> None:
    for name in [*(f"{file}.v" for file in THEORY), "_CoqProject", "Makefile"]:
        shutil.copy(COQ / name, tmp_path / name)
    done = subprocess.run(["make"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    theorems = sum(len(re.findall(r"^(?:Theorem|Corollary) ", source, re.MULTILINE)) for source in THEORY.values())
    assert f"{theorems} theorems and " in done.stdout
    assert done.stdout.rstrip().endswith("all closed under the global context")


@pytest.mark.skipif(not (os.environ.get("EXACTDP_COQ") and shutil.which("coqc")), reason="needs coqc and EXACTDP_COQ")
@pytest.mark.timeout(1200)
def test_make_reals(tmp_path: Path) -> None:
    """The files about real numbers compile and assume the named axioms; with one name fewer it fails."""
    (tmp_path / "Reals").mkdir()
    for name in [*(f"{file}.v" for file in REALS), "Reals/axioms.txt", "_CoqProject.reals", "Makefile"]:
        shutil.copy(COQ / name, tmp_path / name)
    make = ["make", "reals-check", "PROJECT=_CoqProject.reals", "COQMAKEFILE=RealsMakefile"]
    done = subprocess.run(make, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    theorems = sum(len(re.findall(r"^(?:Theorem|Corollary) ", source, re.MULTILINE)) for source in REALS.values())
    assert f"{theorems} theorems and " in done.stdout
    assert done.stdout.rstrip().endswith("about real numbers, on 4 axioms")
    (tmp_path / "Reals" / "axioms.txt").write_text("\n".join(REAL_AXIOMS[1:]) + "\n", encoding="utf-8")
    refused = subprocess.run(make, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    assert REAL_AXIOMS[0] in refused.stdout
