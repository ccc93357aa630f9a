# SPDX-License-Identifier: MIT
"""The demonstration: plain sentences, certificates in the given directory, accepted by the kernel, from any
working directory.
"""

from __future__ import annotations

import tomllib
from fractions import Fraction

import pytest
from cli_runner import run
from places import ROOT

from exactdp.checker import check_bytes
from exactdp.cli import demo_cases
from exactdp.cli.demo_cases import play


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    directory = tmp_path_factory.mktemp("demo") / "new" / "folder"
    lines: list[str] = []
    steps: list[object] = []
    code = play(directory, lines.append, progress=steps.append)
    return directory, "\n".join(lines), code, steps


def test_it_ends_well(shown):
    _, text, code, steps = shown
    assert code == 0
    assert [(step.done, step.total) for step in steps] == [(done, 6) for done in range(7)]
    assert text.endswith("Every certificate was accepted.")


def test_it_says_what_is_printed_and_what_is_true(shown):
    _, text, *_ = shown
    for fact in (
        "9/11  2/11",
        "168/415",
        "(68/83, 15/83, 0, 0)",
        "63/73040",
        "126323/124950",
        "5/3",
        "13/18",
        "-1/12",
        "refuted as printed",
        "certified",
    ):
        assert fact in text


def test_it_begins_with_the_verdict_and_its_numbers(shown):
    _, text, *_ = shown
    assert text.splitlines()[0] == "REFUTED  Table 1(c) as printed: loss 357/880 ≈ 0.405682, least 168/415 ≈ 0.404819"


def test_its_certificates_are_there(shown):
    directory, text, *_ = shown
    files = sorted(directory.iterdir())
    assert len(files) == 10
    assert all(check_bytes(file.read_bytes()).status == "accepted" for file in files)
    assert all(f"{file.name}: accepted" in text for file in files)


def test_a_rejected_certificate_is_reported(tmp_path, monkeypatch):
    write = demo_cases.certify

    def spoiled(verdict):
        certificate = write(verdict)
        certificate.claim["kind"] = "nonsense"
        return certificate

    monkeypatch.setattr(demo_cases, "certify", spoiled)
    lines: list[str] = []
    assert play(tmp_path, lines.append) == 3
    assert "did not accept every certificate (exit code 3)" in lines[-1]


def test_it_writes_where_it_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(demo_cases, "play", lambda folder, out: (out(f"wrote {folder}"), 0)[1])
    monkeypatch.chdir(tmp_path)
    assert run("demo").out == "wrote exactdp-demo\n"
    assert run("demo -o elsewhere").out == "wrote elsewhere\n"
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert run("demo -o file").code == 2


def test_what_it_prints_and_writes_is_what_the_record_has(shown):
    """The matrices, the paper's line, the certificates byte for byte."""
    directory, text, *_ = shown
    folder = ROOT / "proofs" / "gupte_sundararajan"
    head = tomllib.loads((folder / "claims.toml").read_text(encoding="utf-8"))
    assert text.splitlines()[1] == f"of {head['authors']}: {head['title']}"
    for name in demo_cases.PRINTED:
        rows = [line.split(",") for line in (folder / "tables" / f"{name}.csv").read_text(encoding="utf-8").split()]
        assert [list(row) for row in demo_cases.printed(name).rows()] == [[Fraction(cell) for cell in row] for row in rows]
    for file in directory.iterdir():
        assert file.read_bytes() == (folder / "certificates" / file.name).read_bytes()
