# SPDX-License-Identifier: MIT
"""The claims files: read strictly, complete, and consistent with the files beside them."""

from __future__ import annotations

import re
import shutil

import pytest

from exactdp.errors import InputError
from proofs.index import pages, proof_index
from proofs.record import PROOFS, Status, coq_theorems_in_words, load_paper, papers
from proofs.replay import argument_files, theorems

PAPER = "gupte_sundararajan"
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
    with pytest.raises(InputError, match=r"there is no paper 'nobody'; the papers are .*gupte_sundararajan"):
        load_paper("nobody")


@pytest.mark.parametrize("status", sorted(set(Status) - {Status.PROVED, Status.REPLAYED, Status.HOLDS}))
def test_every_status_asks_for_its_keys(tmp_path, status):
    claim = toy(tmp_path, GOOD.replace('"certified"', f'"{status}"')).claims[0]
    needs = {
        Status.REFUTED: "repair",
        Status.RECONSTRUCTED: "repair",
        Status.IMPRECISE: "repair",
        Status.OUTSIDE: "reason",
    }
    assert (claim.gap() is None) == (status not in needs)
    assert needs.get(status, "") in (claim.gap() or "")


def standing(tmp_path, status, *keys):
    """A claim with this status and these lines, beside an argument file and a Coq theorem t."""
    (tmp_path / "toy" / "arguments").mkdir(parents=True, exist_ok=True)
    (tmp_path / "toy" / "arguments" / "a.json").write_text("{}", encoding="utf-8")
    coq(tmp_path / "coq", "Theorem t : True.\n", '[A]\nt = "True holds."\n')
    text = GOOD.replace('"certified"', f'"{status}"')
    return toy(tmp_path, "\n".join([text.rstrip(), *keys, ""])).claims[0]


def coq(folder, source, words):
    folder.mkdir(exist_ok=True)
    (folder / "A.v").write_text(source, encoding="utf-8")
    (folder / "theorems.toml").write_text(words, encoding="utf-8")
    return folder


COQ, ARGUMENT, MISSING = 'coq = ["t"]', 'argument = ["a.u"]', 'missing = "the last step"'


@pytest.mark.parametrize("keys", [(COQ,), (COQ, ARGUMENT)])
def test_a_coq_theorem_makes_a_claim_proved_in_general(tmp_path, keys):
    claim = standing(tmp_path, Status.PROVED, *keys)
    assert (claim.status, claim.coq, claim.gap()) == (Status.PROVED, ("t",), None)


@pytest.mark.parametrize("keys", [(ARGUMENT, MISSING), (ARGUMENT, COQ, MISSING)])
def test_an_argument_makes_a_claim_replayed(tmp_path, keys):
    claim = standing(tmp_path, Status.REPLAYED, *keys)
    assert (claim.status, claim.missing, claim.gap()) == (Status.REPLAYED, "the last step", None)


@pytest.mark.parametrize(
    ("status", "keys", "message"),
    [
        (Status.PROVED, (), "needs a Coq theorem"),
        (Status.PROVED, (ARGUMENT,), "needs a Coq theorem"),
        (Status.PROVED, (COQ, MISSING), "may not have the key 'missing'"),
        (Status.PROVED, ('coq = ["u"]',), "has no theorem 'u'"),
        (Status.REPLAYED, (MISSING,), "needs an argument"),
        (Status.REPLAYED, (COQ, MISSING), "needs an argument"),
        (Status.REPLAYED, (ARGUMENT,), "needs the key 'missing'"),
        (Status.REPLAYED, (ARGUMENT, COQ), "needs the key 'missing'"),
        (Status.HOLDS, (), "no status word"),
    ],
)
def test_what_lacks_its_standing_is_refused(tmp_path, status, keys, message):
    with pytest.raises(InputError, match=message):
        standing(tmp_path, status, *keys)


@pytest.mark.parametrize(
    ("source", "words", "message"),
    [
        ("Theorem u : True.\n", '[A]\nt = "w"\n', "A.v states no theorem 't'"),
        ("(* Theorem t : True. *)\n", '[A]\nt = "w"\n', "states no theorem"),
        ("(* a (* nested *)\nTheorem t : True. *)\n", '[A]\nt = "w"\n', "states no theorem"),
        ("Definition t := 1.\n", '[A]\nt = "w"\n', "states no theorem"),
        ("Theorem t : True.\n", '[A]\nt = " "\n', "needs a text"),
        ("Theorem t : True.\n", "[A]\nt = 1\n", "needs a text"),
        ("Theorem t : True.\n", '[B]\nt = "w"\n', "not a table for a Coq file"),
        ("Theorem t : True.\n", 't = "w"\n', "not a table for a Coq file"),
        ("Theorem t : True.\n", "[A", "cannot be read"),
    ],
)
def test_words_for_what_coq_does_not_state_are_refused(tmp_path, source, words, message):
    with pytest.raises(InputError, match=message):
        coq_theorems_in_words(coq(tmp_path / "coq", source, words))


def test_a_theorem_name_belongs_to_one_file(tmp_path):
    folder = coq(tmp_path / "coq", "Theorem t : True.\n", '[A]\nt = "w"\n[B]\nt = "v"\n')
    (folder / "B.v").write_text("(* b *) \nLemma t : True.\n", encoding="utf-8")
    with pytest.raises(InputError, match="a theorem of both A and B"):
        coq_theorems_in_words(folder)


def test_every_theorem_in_words_is_named_by_a_record():
    named = {name for paper in papers() for claim in load_paper(paper).claims for name in claim.coq}
    assert set(coq_theorems_in_words(PROOFS / "coq")) == named


def test_nothing_rests_on_prose_or_on_our_own_checker():
    """What is said for all n is a theorem of Coq's. Open is only a figure whose numbers our text has lost."""
    claims = {claim.id: claim for paper in papers() for claim in load_paper(paper).claims}
    assert [name for name, claim in claims.items() if claim.status is Status.REPLAYED] == []
    assert [name for name, claim in claims.items() if claim.status is Status.OPEN] == ["fernandes_metric_privacy/FIG"]


def test_the_index_has_every_statement_in_one_line_with_what_shows_it():
    lines = proof_index().splitlines()
    for paper in papers():
        record = load_paper(paper)
        for claim in record.claims:
            short = claim.id.split("/")[1]
            (row,) = (line for line in lines if f"(`{short}`)" in line and f"| {claim.status} |" in line and _cell(claim.statement) in line)
            assert all(f"coq/{record.coq[name].file}.v)" in row and f"[{name}]" in row for name in claim.coq)
            assert all(f"{paper}/certificates/{name}.edp.json)" in row for name in claim.certificates)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def test_each_theorem_stands_in_words_beside_its_statement():
    made = pages()
    for paper in papers():
        record = load_paper(paper)
        text = made[PROOFS / paper / "theorems.md"]
        for claim in record.claims:
            part = text.partition(f"**{claim.id.split('/')[1]}**, ")[2].partition("\n**")[0]
            assert all(record.coq[name].says in part for name in claim.coq)
            assert claim.missing is None or " ".join(claim.missing.split()) in part


@pytest.mark.parametrize("name", papers())
def test_the_record_is_complete(name):
    paper = load_paper(name)
    assert [claim.gap() for claim in paper.claims] == [None] * len(paper.claims)


def test_no_file_is_left_over_and_none_is_missing():
    paper = load_paper(PAPER)
    recorded = {f"{name}.edp.json" for claim in paper.claims for name in claim.certificates}
    assert recorded == {file.name for file in (paper.folder / "certificates").iterdir()}
    files = {theorem.split(".")[0] for claim in paper.claims for theorem in claim.argument}
    needed = {"sums"}  # used by the others only
    assert files | needed == {file.stem for file in argument_files(paper.folder)}
    prose = {claim.prose for claim in paper.claims if claim.prose}
    assert prose | {"errata.md", "theorems.md"} == {file.name for file in paper.folder.glob("*.md")}


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


def test_the_pages_made_from_the_records_are_current():
    for file, text in pages().items():
        assert file.read_text(encoding="utf-8") == text, f"{file.name}: run python -P -m proofs.index"


@pytest.mark.parametrize("file", sorted(pages()), ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_every_link_of_a_page_leads_somewhere(file):
    targets = re.findall(r"\]\(([^)#:]+)\)", file.read_text(encoding="utf-8"))
    assert targets
    assert [target for target in targets if not (file.parent / target).exists()] == []


@pytest.mark.slow
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
    claim = toy(tmp_path, GOOD.replace(line, f'{line}\nargument = ["a.t"]\ncoq = ["lemma3"]')).claims[0]
    assert (claim.argument, claim.coq) == (("a.t",), ("lemma3",))


def test_coq_theorems_are_found_by_name(tmp_path):
    source = "Theorem one (n : nat) : n = n.\n  Lemma two' : True.\nDefinition three := 1.\n(* text *)\n"
    found = coq_theorems_in_words(coq(tmp_path / "coq", source, '[A]\none = "w"\n"two\'" = "v"\n'))
    assert set(found) == {"one", "two'"}


def test_the_index_of_another_root(tmp_path):
    for name in papers():
        shutil.copytree(PROOFS / name, tmp_path / name)
    assert proof_index(tmp_path) == proof_index()
