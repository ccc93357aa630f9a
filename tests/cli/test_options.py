# SPDX-License-Identifier: MIT
"""An option changes what is printed, or is refused: for each command, each of its modes and each option.

What an option asks for may turn out to be so already (a table that needs no repair): then a note says so, and
that is a change. Exempt are limits that are not reached, and how numbers are shown where there is nothing to
show otherwise.
"""

from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path

import pytest
from cli_runner import geometric_rows, run, write_rows

from exactdp.cli.program import COMMANDS, main

MODES = {
    "privacy": [
        "privacy geometric:n=2,alpha=1/2",
        "privacy t.csv --graph path",
        "privacy t.csv --graph path --alpha 1/2",
        "privacy wrong.csv --graph path",
        "privacy rounded.csv --graph path",
        "privacy decimals.csv --graph path --digits 2 --alpha 1/2",
        "privacy formulas.csv --graph path --alpha symbolic",
    ],
    "derive": [
        "derive geometric:n=2,alpha=1/2 --source geometric:n=2,alpha=1/3",
        "derive t.csv --source t.csv",
        "derive geometric:n=2 --source t.csv --alpha 1/2",
    ],
    "refine": ["refine geometric:n=2,alpha=1/2 t.csv", "refine t.csv t.csv t.csv"],
    "remap": [
        "remap t.csv --loss abs",
        "remap t.csv --loss abs --remap r.csv",
        "remap rounded.csv --loss abs",
        "remap geometric:n=2 --alpha 1/2 --loss distance",
        "remap geometric:n=2 --alpha symbolic --loss zero-one",
    ],
    "release": ["release --n 2 --alpha 1/4,1/2"],
    "compose": [
        "compose t.csv t.csv --graph path",
        "compose --parallel geometric:n=2,alpha=1/2 t.csv --graph path",
        "compose --collection t.csv t.csv",
        "compose rounded.csv t.csv --graph path",
    ],
    "delta": [
        "delta t.csv --graph path --epsilon 1",
        "delta t.csv --graph path --delta 1/10",
        "delta rounded.csv --graph path --alpha 1/2",
        "delta decimals.csv --graph path --digits 2 --alpha 1/2",
    ],
    "optimal": [
        "optimal --graph path:3 --alpha 1/2 --loss zero-one",
        "optimal t.csv --graph path --alpha 1/4 --loss abs",
        "optimal t.csv --graph path --alpha 1/4 --loss abs --after-remap",
        "optimal --graph path:3 --alpha symbolic --loss zero-one",
        "optimal rounded.csv --graph path --alpha 1/3 --loss abs",
        "optimal decimals.csv --graph path --digits 2 --alpha 1/3 --loss abs",
        "optimal wrong.csv --graph path --alpha 1/3 --loss abs",
        "optimal --graph path:3 --alpha 1/2 --loss zero-one --dual dual.csv",
        "optimal t.csv --graph path --alpha 1/4 --loss abs --dual dual.csv",
        "optimal --graph path:3 --alpha 1/2 --loss zero-one --claimed-value 1/2",
        "optimal t.csv --graph path --alpha 1/4 --loss abs --claimed-value 1/2",
        "optimal --graph path:3 --alpha symbolic --loss zero-one --claimed-value a",
        "optimal --graph path:3 --loss zero-one --dual-template",
        "optimal --graph path:3 --alpha a --letters '0 < a < 1' --loss zero-one",
        "optimal --mechanism t.csv --graph path --alpha 1/4 --loss abs",
    ],
    "determinant": ["determinant --matrix geometric:n=2", "determinant --matrix formulas.csv --formula 1"],
    "generalise": ["generalise det geometric-prime", "generalise capacity discrete --json"],
    "tight": [
        "tight path:3 --alpha 1/2",
        "tight path:3 --alpha symbolic",
        "tight path:3 --threshold 3",
        "tight path:3 --alpha 1/4 --mechanism t.csv",
        "tight path:3 --alpha 1/2 --prior uniform",
    ],
    "regular": [
        "regular path:3 --prior uniform --alpha 1/2",
        "regular path:3 --prior prior.csv --alpha 1/2",
        "regular path:3 --prior uniform --alpha symbolic",
    ],
    "audit": [
        "audit t.csv --graph path",
        "audit t.csv --graph path --claims-epsilon 1",
        "audit t.csv --graph path --claims-alpha 1/2 --for abs",
        "audit wrong.csv --graph path --claims-epsilon 1",
        "audit negative.csv --graph path",
        "audit rounded.csv --graph path",
        "audit decimals.csv --graph path --digits 2 --claims-epsilon 1",
        "audit geometric:n=2,alpha=1/4",
    ],
    "register": ["register verify register.jsonl"],
    "type": [
        "type path:3 --alpha 1/2 --vertices",
        "type path:3 --alpha 1/2 --kernels",
        "type path:3 --alpha 1/2 --kernels --mechanism t.csv",
        "type path:3 --alpha 1/2 --capacity additive",
        "type path:3 --alpha 1/2 --mixture --mechanism uniform:n=2",
        "type cycle:4 --alpha 1/2 --universal zero-one",
        "type path:3 --alpha symbolic --kernels",
    ],
    "show": ["show t.csv", "show t.csv --latex", "show c.json", "show geometric:n=2 --alpha 1/2"],
    "convert": ["convert t.csv --to json", "convert geometric:n=2 --alpha 1/2 --to csv", "convert c.json --to vipr"],
    "mechanisms": ["mechanisms"],
    "verify": ["verify c.json", "verify certificates"],
    "sweep": [],
    "index": [],
    "demo": [],
}
"""Each command in its ways to be asked; the demonstration has ``-o`` only;
many questions are asked in ``tests/sweeps``.
"""

VALUES = {
    "--alpha": "2/5",
    "--epsilon": "3/2",
    "--rounding": "1e-9",
    "--graph": "cycle:3",
    "--metric": "metric.csv",
    "--source": "uniform:n=2",
    "--remap": "r.csv",
    "--loss": "squared",
    "--gain": "zero-one",
    "--prior": "1/2,1/4,1/4",
    "--side-information": "0..1",
    "--delta": "1/5",
    "--matrix": "geometric:n=3",
    "--formula": "a",
    "--column": "0",
    "--sizes": "3..9",
    "--arguments": "folder",
    "--threshold": "4",
    "--digits": "auto",
    "--claims-epsilon": "2",
    "--claims-alpha": "1/3",
    "--claims-delta": "1/7",
    "--for": "squared",
    "--compare": "uniform:n=2",
    "--html": "page.html",
    "--certificates": "folder",
    "--bundle": "bundle",
    "--page": "page.md",
    "--unit": "one person",
    "--state": "sampler=tested",
    "--statements": "statements.toml",
    "--capacity": "multiplicative",
    "--universal": "distance",
    "--mechanism": "uniform:n=2",
    "--n": "3",
    "--dual": "dual.csv",
    "--claimed-value": "1/3",
    "--to": "sympy",
    "--workers": "1",
    "--scheduler": "tcp://127.0.0.1:1",
    "--each-seconds": "10",
    "--each-memory": "1 GiB",
    "--again": "limit",
    "--where": "inputs > 3",
    "--select": "ask",
    "--group": "ask",
    "--order": "ask",
    "--limit": "1",
    "--letters": "0 < p < 1/2, 0 < q < 1/2, m = 2",
    "--require": "epsilon <= 1",
    "--policy": "policy.toml",
    "--junit": "junit.xml",
    "--sarif": "audit.sarif",
    "--register": "register.jsonl",
    "--since": "old",
    "--head": f"sha256:{64 * '1'}",
    "-o": "out.file",
    "--repaired": "repaired.csv",
}
"""What is given to an option that takes a value."""

SHOWN = {"--full", "--decimals", "--no-decimals"}
"""How numbers are shown: without effect where all are shown in full anyway."""

EXEMPT = {"--budget", "--debug", "--time-limit", "--tries", "--theorems", *SHOWN}
"""Limits and aids that change an answer only when they are reached."""


def given(option: str) -> list[str]:
    return [option, VALUES[option]] if option in VALUES else [option]


@pytest.fixture
def here(tmp_path, monkeypatch):
    write_rows(tmp_path / "t.csv", geometric_rows(2, Fraction(1, 3)))
    files = {
        "wrong.csv": "0.5,0.25,0.25\n0.3,0.4,0.3\n0.2,0.3,0.6\n",
        "negative.csv": "0.75,0.5,-0.25\n0.3,0.4,0.3\n0.2,0.3,0.5\n",
        "rounded.csv": "0.5,0.25,0.25000000000000001\n0.3,0.4,0.3\n0.2,0.3,0.5\n",
        "decimals.csv": "0.50,0.25,0.25\n0.30,0.40,0.30\n0.20,0.30,0.50\n",
        "formulas.csv": "1/(1+a),a/(1+a)\na/(1+a),1/(1+a)\n",
        "r.csv": "1,0,0\n0,1,0\n0,0,1\n",
        "prior.csv": "1/2,1/4,1/4\n",
        "dual.csv": "weight,0,,,1/3\nweight,1,,,1/3\nweight,2,,,1/3\n",
        "policy.toml": 'version = 1\nrequire = ["epsilon < 2"]\n',
        "metric.csv": "0,1,2\n1,0,1\n2,1,0\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run("optimal geometric:n=2 --alpha 1/4 --loss abs --after-remap -o c.json").code == 0
    assert run("audit t.csv --graph path --register register.jsonl --bundle old").code == 0
    (tmp_path / "certificates").mkdir()
    shutil.copy("c.json", "certificates/c.edp.json")
    return tmp_path


def test_every_command_and_every_option_is_here():
    assert set(MODES) == set(COMMANDS)
    for name in COMMANDS:
        for param in main.get_command(None, name).params:
            if param.opts[0].startswith("-") and not getattr(param, "is_flag", False) and param.opts[0] not in EXEMPT:
                assert param.opts[0] in VALUES


@pytest.mark.mostly_slow(12)
@pytest.mark.parametrize("command", [mode for modes in MODES.values() for mode in modes])
def test_an_option_changes_the_answer_or_is_refused(here, command):
    params = main.get_command(None, command.split()[0]).params
    options = [param.opts[0] for param in params if param.opts[0].startswith("-") and param.opts[0] not in EXEMPT]
    before = run(command)
    for option in options:
        if option in command.split():
            continue
        done = run([*command.split(), *given(option)])
        refused = done.code in {2, 3} and done.err
        changed = done != before or any(map(_made, ("out.file", "page.html", "folder")))
        assert refused or changed, (option, done)


def _made(name: str) -> bool:
    """Whether the option wrote this file, which is taken away."""
    path = Path(name)
    if path.is_dir():
        shutil.rmtree(path)
        return True
    if path.exists():
        path.unlink()
        return True
    return False


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("privacy t.csv --graph path --json --full", "--full"),
        ("audit t.csv --graph path --json --decimals", "--decimals"),
        ("show t.csv --latex --full", "--full"),
        ("show t.csv --html --decimals", "--decimals"),
        ("refine t.csv t.csv t.csv --order", "--order"),
        ("compose --collection t.csv t.csv --local", "--local"),
        ("type path:3 --alpha 1/2 --vertices --tries 5", "--tries"),
        ("type path:3 --alpha 1/2 --vertices --no-theorems", "--theorems"),
        ("audit t.csv --graph path --claims-delta 1/5", "--claims-delta"),
        ("optimal --graph path:3 --alpha 1/2 --loss abs --rounding 1e-9", "--rounding"),
        ("optimal --graph path:3 --alpha symbolic --loss abs --unique", "--unique"),
    ],
)
def test_options_without_an_effect_are_named(here, command, option):
    done = run(command)
    assert done.code == 2
    assert option in done.err + done.out


def test_show_writes_one_form(here):
    done = run("show t.csv --latex --html")
    assert done.code == 2
    assert "--latex or --html, not both" in done.err
    assert done.out == ""


@pytest.mark.parametrize("matrix", ["geometric:n=2,alpha=1/2", "t.csv"])
def test_a_level_that_no_entry_depends_on_is_refused(here, matrix):
    """Else the determinant of a level would be told as that of another."""
    done = run(f"determinant --matrix {matrix} --alpha 1/4")
    assert done.code == 2
    assert "--alpha has no effect" in done.err
    assert run("determinant --matrix t.csv --alpha 1/4 --formula a").code == 1


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("audit geometric:n=3,alpha=1/4 --claims-epsilon 1 --claims-epsilon 2", "--claims-epsilon has one value, and is given '1' and '2'"),
        ("privacy geometric:n=2 --alpha 1/2 --alpha=1/3", "--alpha has one value, and is given '1/2' and '1/3'"),
        ("privacy geometric:n=2 --alpha 1/2 -oa --output b", "-o has one value, and is given 'a' and 'b'"),
        ("optimal --graph path:3 --graph path:4 --alpha 1/2 --loss abs", "--graph has one value"),
        ("remap t.csv --loss abs --loss zero-one", "--loss has one value"),
        ("type path:3 --alpha 1/2 --capacity additive --capacity multiplicative", "--capacity has one value"),
        ("regular path:3 --alpha 1/2 --prior uniform --prior uniform", "--prior has one value"),
        ("privacy geometric:n=2,alpha=1/2 --time-limit 9 --time-limit 8", "--time-limit has one value"),
    ],
)
def test_a_second_value_is_refused_and_does_not_replace_the_first(here, command, named):
    done = run(command)
    assert (done.code, done.out) == (2, "")
    assert named in done.err
    assert not (here / "b").exists()
    assert named in run(f"{command} --json").json["error"]


def test_what_may_be_given_several_times_stays_so(here):
    done = run("type path:3 --alpha 1/2 --universal abs --universal zero-one --mechanism geometric:n=2 --json --json")
    assert (done.code, len(done.json["losses"])) == (0, 2)
