# SPDX-License-Identifier: MIT
"""The demonstration: plain sentences, certificates in the given directory, accepted by the kernel, from any
working directory.
"""

from __future__ import annotations

import pytest

from exactdp.checker import check_bytes
from exactdp.papers import demo
from exactdp.papers import demo as demo_function


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    directory = tmp_path_factory.mktemp("demo") / "new" / "folder"
    lines: list[str] = []
    steps: list[object] = []
    code = demo(directory, lines.append, progress=steps.append)
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


def test_its_certificates_are_there(shown):
    directory, text, *_ = shown
    files = sorted(directory.iterdir())
    assert len(files) == 10
    assert all(check_bytes(file.read_bytes()).status == "accepted" for file in files)
    assert all(f"{file.name}: accepted" in text for file in files)


def test_a_rejected_certificate_is_reported(tmp_path, monkeypatch):
    module = __import__("importlib").import_module("exactdp.papers.demo")
    write = module.certify

    def spoiled(verdict):
        certificate = write(verdict)
        certificate.claim["kind"] = "nonsense"
        return certificate

    monkeypatch.setattr(module, "certify", spoiled)
    lines: list[str] = []
    assert demo_function(tmp_path, lines.append) == 3
    assert "did not accept every certificate (exit code 3)" in lines[-1]
