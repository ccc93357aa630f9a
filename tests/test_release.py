# SPDX-License-Identifier: MIT
"""A build that can be repeated: the pinned requirements are those of pyproject.toml; what is published of the
trusted files is true; the bill of materials is well-formed and says what is there; the README that an index
shows leads somewhere.

``release/build`` builds twice and compares, ``release/try`` installs what it made; CI runs both.
"""

from __future__ import annotations

import hashlib
import json
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
import zlib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from places import ROOT

from exactdp.certificate.check_bundle import PROGRAMS
from exactdp.checker import kernel

CONTENTS = ROOT / "release" / "contents.py"
contents = runpy.run_path(str(CONTENTS))
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]
EXTRAS = [Requirement(line) for lines in PROJECT["optional-dependencies"].values() for line in lines]
DIRECT = [*map(Requirement, PROJECT["dependencies"]), *EXTRAS]
GROUPS = SETTINGS["dependency-groups"]
CI = [Requirement(line) for name in ("ci", "lint", "oracles") for line in GROUPS[name] if isinstance(line, str)]
BACKEND = [Requirement(line) for line in SETTINGS["build-system"]["requires"]]
RENEW = "renew them: requirements/renew"


def pinned(file: str) -> dict[str, list[tuple[Version, list[str]]]]:
    """The versions and hashes that a file of requirements has, by canonical name."""
    text = (ROOT / "requirements" / file).read_text(encoding="utf-8").replace("\\\n", " ")
    found: dict[str, list[tuple[Version, list[str]]]] = {}
    for line in filter(None, (line.partition("#")[0].strip() for line in text.splitlines())):
        matched = re.fullmatch(r"([a-z0-9._-]+)(?:\[[a-z-]+\])?==(\S+)(?: +; [^\\]*?)?((?: +--hash=sha256:[0-9a-f]{64})+)", line)
        assert matched, f"requirements/{file}: {line[:80]}"
        found.setdefault(matched[1], []).append((Version(matched[2]), matched[3].split()))
    return found


# --- Requirements ---


@pytest.mark.parametrize(("file", "wanted"), [("ci.txt", [*DIRECT, *CI]), ("lowest.txt", DIRECT), ("build.txt", BACKEND)])
def test_every_requirement_is_pinned_with_hashes_to_what_pyproject_allows(file, wanted):
    """A line of another form, such as one that names an index or has no hash, is an error of its own."""
    versions = pinned(file)
    for requirement in wanted:
        there = versions.get(canonicalize_name(requirement.name), [])
        assert there, f"{requirement}: {RENEW}"
        assert all(requirement.specifier.contains(version) for version, _ in there), f"{requirement}: {RENEW}"


def test_the_oldest_versions_are_the_ones_that_pyproject_promises():
    """A bound that starts below the first version there is, promises what nobody tested."""
    versions = pinned("lowest.txt")
    for requirement in DIRECT:
        [bound] = [Version(part.version) for part in requirement.specifier if part.operator == ">="]
        [(tested, _)] = versions[canonicalize_name(requirement.name)]
        assert bound == tested, f"{requirement} promises {bound}, {tested} is tested"


def test_a_requirement_without_a_hash_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "requirements").mkdir()
    for line in ("attrs==24.1.0", "--index-url https://example.org/simple", f"attrs>=24 --hash=sha256:{64 * '0'}"):
        (tmp_path / "requirements" / "some.txt").write_text(line + "\n", encoding="utf-8")
        with pytest.raises(AssertionError, match=r"some\.txt"):
            pinned("some.txt")


def test_the_backend_is_one_version():
    assert [[part.operator for part in requirement.specifier] for requirement in BACKEND] == [["=="]]


def test_the_group_of_ci_is_its_two_groups_and_pip():
    assert [line for line in GROUPS["ci"] if isinstance(line, dict)] == [{"include-group": "lint"}, {"include-group": "oracles"}]


def test_the_constraints_are_the_versions_of_ci_without_hashes():
    hashed = (ROOT / "requirements" / "ci.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [" ".join(line.partition("--hash")[0].split()) for line in hashed.splitlines() if not line.startswith("#")]
    text = (ROOT / "requirements" / "constraints.txt").read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if not line.startswith("#")] == lines, RENEW


def test_the_hooks_before_a_commit_are_the_linter_of_ci():
    [(version, _)] = pinned("ci.txt")["ruff"]
    text = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert re.findall(r"ruff-pre-commit\n    rev: v(\S+)", text) == [str(version)]


def test_every_action_is_named_by_the_hash_of_its_commit():
    for file in (ROOT / ".github" / "workflows").glob("*.yml"):
        for used in re.findall(r"uses: *(.*)", file.read_text(encoding="utf-8")):
            assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v[0-9.]+", used), f"{file.name}: {used}"


# --- The README of an index ---


def test_the_links_of_the_readme_are_absolute_and_lead_to_files():
    before, after = (ROOT / "README.md").read_text(encoding="utf-8"), contents["readme"]()
    tag = f"v{PROJECT['version']}/"
    page = re.compile(rf"https://(?:github\.com|raw\.githubusercontent\.com)/exactdp/exactdp/(?:(?:blob|tree)/)?{re.escape(tag)}")
    assert page.sub("", after) == before
    links = re.findall(r"\]\(([^)]*)\)", after)
    assert links
    assert all(link.startswith(("https://", "#")) for link in links)


def test_links_of_every_form_become_absolute_and_code_stays(tmp_path):
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "docs").mkdir()
    for name in ("docs/a.md", "docs/a.svg", "docs/dark.svg"):
        (tmp_path / name).touch()
    at, raw = "https://github.com/exactdp/exactdp", "https://raw.githubusercontent.com/exactdp/exactdp"
    tag = f"v{PROJECT['version']}"
    cases = {
        "[x](docs/a.md)": f"[x]({at}/blob/{tag}/docs/a.md)",
        "[`x`](docs/a.md#part)": f"[`x`]({at}/blob/{tag}/docs/a.md#part)",
        "[x](docs)": f"[x]({at}/tree/{tag}/docs)",
        "![x](docs/a.svg)": f"![x]({raw}/{tag}/docs/a.svg)",
        '<img alt="x" src="docs/a.svg">': f'<img alt="x" src="{raw}/{tag}/docs/a.svg">',
        '<source srcset="docs/dark.svg">': f'<source srcset="{raw}/{tag}/docs/dark.svg">',
        "[x](#part)": "[x](#part)",
        "[x](https://example.org/y)": "[x](https://example.org/y)",
        "`f[x](y)`": "`f[x](y)`",
        "```python\nf[x](y)\n```": "```python\nf[x](y)\n```",
    }
    for written in (*cases, "\n\n".join(cases)):
        (tmp_path / "README.md").write_text(written, encoding="utf-8")
        assert contents["readme"](tmp_path) == cases.get(written, "\n\n".join(cases.values()))
    (tmp_path / "README.md").write_text("[x](docs/b.md)", encoding="utf-8")
    with pytest.raises(FileNotFoundError, match=r"docs/b\.md"):
        contents["readme"](tmp_path)


# --- The wheel ---


def test_the_wheel_is_the_package_alone_and_small():
    """The record of papers is for readers of the repository; the sdist has it."""
    targets = SETTINGS["tool"]["hatch"]["build"]["targets"]
    assert targets["wheel"]["only-include"] == ["exactdp"]
    assert "sources" not in targets["wheel"]
    assert {"exactdp", "proofs", "tests"} <= set(targets["sdist"]["only-include"])
    files = [path for path in (ROOT / "exactdp").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert not [path for path in files if path.name.endswith((".edp.json", ".v", ".orig", ".rej")) or path.name == "claims.toml"]
    assert sum(len(zlib.compress(path.read_bytes())) for path in files) < 1_800_000


# --- Trusted files ---


def test_the_digests_are_of_every_trusted_file():
    files = {*(ROOT / "exactdp" / "checker").glob("*.py"), *(ROOT / "exactdp" / "certificate").glob("*.md")}
    files |= {ROOT / "exactdp" / "certificate" / name for name in PROGRAMS}
    assert contents["digests"]() == {
        file.relative_to(ROOT).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(files)
    }


def test_the_digests_are_those_that_verify_tells():
    proofs = ROOT / "proofs" / "gupte_sundararajan" / "certificates"
    command = [sys.executable, "-m", "exactdp", "verify", "--trust", "--json", str(next(proofs.glob("*.edp.json")))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    told = dict(
        re.fullmatch(r"(.*), sha256:(\w+)", line).groups() for line in json.loads(done.stdout)["trust"].values() if ", sha256:" in line
    )
    assert kernel.__file__ in told
    published = {str(ROOT / path): digest for path, digest in contents["digests"]().items()}
    assert told.items() <= published.items()
    assert not [path for path in published if "arguments" in path.lower()]  # they are replayed, and not trusted


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="no sha256sum")
def test_sha256sum_reads_the_list_and_notices_a_changed_byte(tmp_path):
    lines = subprocess.run([sys.executable, CONTENTS], capture_output=True, check=True).stdout
    check = ["sha256sum", "--check", "--strict", "--quiet"]
    assert subprocess.run([*check], input=lines, cwd=ROOT, capture_output=True, check=False).returncode == 0
    shutil.copytree(ROOT / "exactdp" / "checker", tmp_path / "exactdp" / "checker")
    shutil.copytree(ROOT / "exactdp" / "certificate", tmp_path / "exactdp" / "certificate")
    with (tmp_path / "exactdp" / "checker" / "fields.py").open("ab") as file:
        file.write(b"\n")
    done = subprocess.run([*check], input=lines, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 1
    assert done.stdout == b"exactdp/checker/fields.py: FAILED\n"


# --- The bill of materials ---


def test_the_bill_names_the_trusted_files_and_what_is_required():
    bill = json.loads(contents["bill_of_materials"]())
    itself = bill["metadata"]["component"]
    assert (itself["name"], itself["version"], itself["licenses"]) == ("exactdp", PROJECT["version"], [{"license": {"id": "MIT"}}])
    assert {file["name"]: file["hashes"] for file in itself["components"]} == {
        path: [{"alg": "SHA-256", "content": digest}] for path, digest in contents["digests"]().items()
    }
    assert all(component["isExternal"] for component in bill["components"])  # nothing is bundled
    ranges = {component["name"] + component["versionRange"].removeprefix("vers:pypi/") for component in bill["components"]}
    assert ranges == set(PROJECT["dependencies"])


def test_the_bill_is_the_same_each_time_and_another_for_other_files(tmp_path):
    made = [subprocess.run([sys.executable, CONTENTS, "--sbom"], capture_output=True, check=True).stdout for _ in range(2)]
    assert made[0] == made[1]
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    assert json.loads(contents["bill_of_materials"](tmp_path))["serialNumber"] != json.loads(made[0])["serialNumber"]


def test_the_bill_keeps_the_schema_of_cyclonedx():
    pytest.importorskip("cyclonedx", reason="oracle missing: cyclonedx")
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    validator = JsonStrictValidator(SchemaVersion.V1_7)
    assert validator.validate_str(contents["bill_of_materials"]()) is None
    assert validator.validate_str(contents["bill_of_materials"]().replace('"library"', '"book"')) is not None


def test_a_requirement_that_the_bill_cannot_say_is_an_error(tmp_path):
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(text.replace('"click>=', '"click~='), encoding="utf-8")
    with pytest.raises(ValueError, match="click"):
        contents["bill_of_materials"](tmp_path)
