# SPDX-License-Identifier: MIT
"""The claims files: read strictly, complete, and consistent with the files beside them."""

from __future__ import annotations

import shutil

import pytest

from exactdp.claims import Status, load_paper, paper_map, papers, proofs_root
from exactdp.claims.arguments import argument_files, coq_theorems, theorems
from exactdp.errors import InputError

PAPER = "gupte-sundararajan"
GOOD = """
paper = "toy"
title = "T"
authors = "A"
conventions = "C"

[[claim]]
id = "toy/1"
locator = "Lemma 1"
printed = "p"
statement = "s"
scope = "n = 1"
status = "certified"
replay = "module.function"
"""


def toy(tmp_path, text):
    (tmp_path / "toy").mkdir(exist_ok=True)
    (tmp_path / "toy" / "claims.toml").write_text(text, encoding="utf-8")
    return load_paper("toy", tmp_path)


def test_a_good_file_is_read(tmp_path):
    paper = toy(tmp_path, GOOD)
    assert papers(tmp_path) == ["toy"]
    assert paper.claims[0].status is Status.CERTIFIED
    assert paper.claims[0].gap() is None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('status = "certified"', 'status = "verified"', "no status word"),
        ('status = "certified"', "status = 1", "no status word"),
        ('status = "certified"', 'statsu = "certified"', "'status' is missing"),
        ('scope = "n = 1"', "", "'scope' is missing"),
        ('scope = "n = 1"', 'scope = " "', "not empty"),
        ('scope = "n = 1"', "scope = 1", "must be a text"),
        ('scope = "n = 1"', 'scope = "n = 1"\nextra = "x"', "'extra' is unknown"),
        ('id = "toy/1"', 'id = "other/1"', "must begin with toy/"),
        ('paper = "toy"', 'paper = "tyo"', "is about 'tyo'"),
        ('replay = "module.function"', 'replay = "os.path.join"', "not module.function"),
        ('replay = "module.function"', 'replay = "module.function"\ncertificates = ["a"]', "missing"),
        ('replay = "module.function"', 'replay = "module.function"\ncertificates = ["../a"]', "certificates must be"),
        ('replay = "module.function"', 'replay = "module.function"\ncertificates = "a"', "certificates must be"),
        ('replay = "module.function"', 'replay = "module.function"\nprose = "a.md"', "missing"),
        ("[[claim]]", "[claim]", "list of tables"),
        ("[[claim]]", "[[claim", "not TOML"),
    ],
)
def test_a_bad_file_is_refused(tmp_path, old, new, message):
    assert old in GOOD
    with pytest.raises(InputError, match=message.replace("[", r"\[")):
        toy(tmp_path, GOOD.replace(old, new))


def test_a_claim_recorded_twice_is_refused(tmp_path):
    with pytest.raises(InputError, match="recorded twice"):
        toy(tmp_path, GOOD + GOOD[GOOD.index("[[claim]]") :])


def test_an_unknown_paper_is_refused():
    with pytest.raises(InputError, match=r"there is no paper 'nobody'; the papers are .*gupte-sundararajan"):
        load_paper("nobody")


@pytest.mark.parametrize("status", list(Status))
def test_every_status_asks_for_its_keys(tmp_path, status):
    claim = toy(tmp_path, GOOD.replace('"certified"', f'"{status}"')).claims[0]
    needs = {
        Status.REFUTED: "repair",
        Status.IMPRECISE: "repair",
        Status.ARGUED: "unchecked",
        Status.OUTSIDE: "reason",
        Status.PROVED: "an argument or a Coq theorem",
    }
    assert (claim.gap() is None) == (status not in needs)
    assert needs.get(status, "") in (claim.gap() or "")


def test_the_record_is_complete():
    paper = load_paper(PAPER)
    assert [claim.gap() for claim in paper.claims] == [None] * len(paper.claims)
    assert len(paper.claims) == 41
    proved = [claim for claim in paper.claims if claim.status is Status.PROVED]
    assert len(proved) >= 12
    # what is proved in general is replayed here, whatever Coq says; Lemma 6 counts neighbours in D^n, which the arguments cannot
    assert [claim.id for claim in proved if not claim.argument] == [f"{PAPER}/L6"]
    assert {name for claim in proved if not claim.argument for name in claim.coq} == {"lemma6", "lemma6_optimal"}


def test_no_file_is_left_over_and_none_is_missing():
    paper = load_paper(PAPER)
    recorded = {f"{name}.edp.json" for claim in paper.claims for name in claim.certificates}
    assert recorded == {file.name for file in (paper.folder / "certificates").iterdir()}
    files = {theorem.split(".")[0] for claim in paper.claims for theorem in claim.argument}
    needed = {"sums"}  # used by the others only
    assert files | needed == {file.stem for file in argument_files(paper.folder)}
    prose = {claim.prose for claim in paper.claims if claim.prose}
    assert prose | {"errata.md"} == {file.name for file in paper.folder.glob("*.md")}


def test_the_errata_list_every_failing_claim_with_its_certificates():
    paper = load_paper(PAPER)
    errata = (paper.folder / "errata.md").read_text(encoding="utf-8")
    refuted, imprecise = errata.index("## Refuted as printed"), errata.index("## Imprecise as printed")
    end = errata.index("## Smaller slips")
    for claim in paper.claims:
        short = claim.id.split("/")[1]
        parts = {Status.REFUTED: errata[refuted:imprecise], Status.IMPRECISE: errata[imprecise:end]}
        if claim.status in parts:
            heads = [line.split("**")[1] for line in parts[claim.status].splitlines() if line.startswith("**")]
            assert any(
                short in head.replace(",", " ").replace(":", " ").replace(".**", " ").split() or head == f"{short}." for head in heads
            ), short
            assert all(f"`{name}`" in parts[claim.status] for name in claim.certificates), short
        else:
            assert f"**{short}," not in errata


def test_prose_says_what_is_not_checked():
    paper = load_paper(PAPER)
    for claim in paper.claims:
        if claim.status is Status.ARGUED:
            assert claim.prose is not None
            text = " ".join((paper.folder / claim.prose).read_text(encoding="utf-8").lower().split())
            assert "checked by machine" in text
            assert "not checked" in text


def test_the_paper_map_is_current():
    assert (proofs_root() / "PAPER_MAP.md").read_text(encoding="utf-8") == paper_map()


def test_every_argument_file_is_accepted_and_has_every_theorem():
    paper = load_paper(PAPER)
    proved = {f"{file.stem}.{name}" for file in argument_files(paper.folder) for name in theorems(file)}
    assert {name for claim in paper.claims for name in claim.argument} <= proved


def test_the_arguments_of_a_claim_are_read_strictly(tmp_path):
    (tmp_path / "toy" / "arguments").mkdir(parents=True)
    (tmp_path / "toy" / "arguments" / "a.json").write_text("{}", encoding="utf-8")
    line = 'replay = "module.function"'
    for bad in ('argument = ["a"]', 'argument = ["../a.t"]', 'argument = ["b.t"]', 'argument = "a.t"', 'coq = ["1"]', "coq = [1]"):
        with pytest.raises(InputError):
            toy(tmp_path, GOOD.replace(line, f"{line}\n{bad}"))
    claim = toy(tmp_path, GOOD.replace(line, f'{line}\nargument = ["a.t"]\ncoq = ["t\'"]')).claims[0]
    assert (claim.argument, claim.coq) == (("a.t",), ("t'",))


def test_coq_theorems_are_found_by_name(tmp_path):
    (tmp_path / "A.v").write_text(
        "Theorem one (n : nat) : n = n.\n  Lemma two' : True.\nDefinition three := 1.\n(* text *)\n", encoding="utf-8"
    )
    assert coq_theorems(tmp_path) == {"one", "two'"}


def test_the_map_of_another_root(tmp_path):
    for name in papers():
        shutil.copytree(proofs_root() / name, tmp_path / name)
    assert paper_map(tmp_path) == paper_map()
