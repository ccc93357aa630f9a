# SPDX-License-Identifier: MIT
"""What is too large is refused before it is built: by the budget, in one sentence, with exit code 4."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys

import numpy as np
import pytest

import exactdp as xdp
from exactdp.errors import ExactDPError, InputError, ResourceLimitError
from exactdp.mechanisms.words import FAMILIES, INTEGERS, mechanism_from_spec
from exactdp.model.neighbours import FORMS, neighbours
from exactdp.runtime.budget import Budget, budget, current_budget, require_budget

MEMORY = 3 * 2**30
"""Bytes of address space of a child process that is asked for something large."""


def exactdp(*words: str, **settings: object) -> subprocess.CompletedProcess[str]:
    """The program in a process of its own, which can't take more than :data:`MEMORY`."""
    return subprocess.run(
        [sys.executable, "-m", "exactdp", *words],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
        **settings,  # type: ignore[call-overload]
    )


# --- The budget ---


def test_a_refusal_names_the_size_the_limit_and_the_remedy():
    with pytest.raises(ResourceLimitError) as caught:
        require_budget("the table 't'", numbers=12_000_000)
    assert str(caught.value) == (
        "the table 't' has 12,000,000 numbers; the limit is 5,000,000 (to allow it: --budget 3, or with exactdp.budget(3))"
    )
    assert (caught.value.limit, caught.value.got, caught.value.unit) == (5_000_000, 12_000_000, "numbers")


def test_no_remedy_is_named_for_what_no_machine_holds():
    with pytest.raises(ResourceLimitError, match=r"has 10\^400 or more numbers; the limit is 5,000,000$"):
        require_budget("the table", numbers=10**401)


def test_the_remedy_is_enough():
    usual = Budget()
    for unit in ("numbers", "digits", "degree", "memory", "steps"):
        with pytest.raises(ResourceLimitError) as caught:
            require_budget("it", **{unit: 7 * getattr(usual, unit) + 1})
        factor = int(re.search(r"--budget (\d+)", str(caught.value))[1])  # type: ignore[index]
        assert factor == 8
        with budget(factor):
            require_budget("it", **{unit: 7 * getattr(usual, unit) + 1})


def test_budgets_end_with_their_block_and_do_not_multiply():
    with budget(2), budget(3):
        assert current_budget().numbers == 3 * Budget().numbers
    assert current_budget() == Budget()


@pytest.mark.parametrize("factor", [0, -1, 1.5, True, "8", None])
def test_a_factor_is_a_positive_whole_number(factor):
    with pytest.raises(InputError, match="how many times"), budget(factor):
        pass


@pytest.mark.parametrize("size", [2235, 2236])
def test_equal_sizes_are_refused_or_answered_alike(size):
    words = (f"geometric:n={size},epsilon=1", f"opendp-geometric:scale=1,lower=0,upper={size}")
    fits = (size + 1) ** 2 <= Budget().numbers
    for word in words:
        answered = xdp.tightest_level(word, "path")
        assert answered.evidence.tightest == xdp.PrivacyLevel(epsilon="1")
        assert ("by its law" in answered.claim) != fits
        if not fits:
            with pytest.raises(ResourceLimitError, match="has 5,004,169 numbers; the limit is 5,000,000"):
                xdp.mechanism_from_spec(word)


# --- The commands of the issue ---

ISSUE = [
    ("determinant --matrix geometric-prime:n=9999999999999", "has 10^25 or more numbers; the limit is 5,000,000"),
    ("privacy exponential:epsilon=1,n=999999999", "the table 'exponential:epsilon=1,n=999999999' has 10^17 or more numbers"),
    ("privacy staircase:epsilon=1,n=5,sensitivity=999999999,step=1", "has 12,000,000,024 numbers; the limit is 5,000,000"),
    ("privacy diffprivlib-geometric-folded:epsilon=1,n=99999999", "has 10^15 or more numbers; the limit is 5,000,000"),
    ("type hamming:v=1,u=300000000 --vertices --alpha 1/2", "has 300,000,000 numbers; the limit is 5,000,000"),
    ("privacy empty.npy --graph path", "the array has 800,000,000 numbers; the limit is 5,000,000 (to allow it: --budget 160,"),
    ("remap rows.csv --loss abs", "the table of the loss abs on 20000 inputs has 400,000,000 numbers; the limit is 5,000,000"),
    ("optimal --graph path:20000 --alpha 1/2 --loss abs", "has 400,000,000 numbers; the limit is 5,000,000 (to allow it: --budget 80,"),
    ("determinant --matrix geometric:n=2 --formula 2**(10**9)", "has a number of 602,060,001 digits; the limit is 4,000,000"),
]


@pytest.fixture
def large(tmp_path):
    header = b"{'descr': '<U0', 'fortran_order': False, 'shape': (800000000, 1)}\n"
    (tmp_path / "empty.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
    (tmp_path / "rows.csv").write_text("1/3,2/3\n" * 20_000)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(("words", "message"), ISSUE, ids=[words[:40] for words, _ in ISSUE])
def test_a_small_machine_is_enough_to_refuse(large, words, message):
    done = exactdp(*words.split(), cwd=large)
    assert done.returncode == 4, done
    assert done.stdout == ""
    assert message in done.stderr
    told = json.loads(exactdp(*words.split(), "--json", cwd=large).stdout)
    assert (told["exit_code"], told["error_type"], told["verdict"]) == (4, "ResourceLimitError", "undecided")


@pytest.mark.slow
def test_the_flag_allows_more():
    word = "uniform:n=2300"  # 2301² = 5,294,601 numbers
    refused = exactdp("convert", word, "--to", "csv")
    assert (refused.returncode, refused.stdout) == (4, "")
    assert "has 5,294,601 numbers; the limit is 5,000,000 (to allow it: --budget 2," in refused.stderr
    allowed = exactdp("convert", word, "--to", "csv", "--budget", "2")
    assert allowed.returncode == 0, allowed.stderr
    assert allowed.stdout.count("\n") == 2301
    for factor in ("0", "-1", "x", "1.5"):
        assert exactdp("convert", word, "--budget", factor).returncode == 2


# --- Every word with every parameter ---

HUGE = ("1000000", "1000000000", "10000000000000", "1" + "0" * 400, "-1" + "0" * 400)


def _words():
    for family in FAMILIES.values():
        given = dict(part.split("=") for part in family.example.partition(":")[2].split(",") if part)
        for parameter in family.parameters:
            if parameter.name in INTEGERS:
                for value in HUGE:
                    changed = {**given, parameter.name: value}
                    yield f"{family.name}:{','.join(f'{name}={x}' for name, x in changed.items())}"


def _graphs():
    for form in FORMS:
        family, _, rest = form.partition(":")
        for number in re.finditer("[0-9]+", rest):
            for value in HUGE[:-1]:
                yield f"{family}:{rest[: number.start()]}{value}{rest[number.end() :]}"


def _numbers():
    long = "7" * 1_000
    for family in FAMILIES.values():
        given = dict(part.split("=") for part in family.example.partition(":")[2].split(",") if part)
        choices = {parameter.name for parameter in family.parameters if parameter.choice}
        for parameter in family.parameters:
            if parameter.name not in {*INTEGERS, "ties"}:
                others = {name: x for name, x in given.items() if not (parameter.choice and name in choices)}
                for value in (long, f"1/{long}", f"0.{long}", "1e999", "1e-999", f"-{long}", "1e-999999999"):
                    changed = {**others, parameter.name: value}
                    yield f"{family.name}:{','.join(f'{name}={x}' for name, x in changed.items())}"


def _every_door() -> None:
    """Ask for all of them; what is not refused by an error of ours is built. Runs in a child process."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    count = 0
    for make, specs in ((mechanism_from_spec, _words()), (mechanism_from_spec, _numbers()), (neighbours, _graphs())):
        for spec in specs:
            try:
                make(spec)
            except ExactDPError as error:
                assert len(str(error)) <= 300, spec  # noqa: PT017
            count += 1
    print(count)


@pytest.mark.slow
def test_every_parameter_of_every_word_may_be_huge():
    here = os.path.dirname(__file__)
    done = subprocess.run(
        [sys.executable, "-c", "import test_budget; test_budget._every_door()"],
        capture_output=True,
        text=True,
        cwd=here,
        timeout=1200,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 500


CONSTRUCTORS = [
    lambda n: xdp.geometric(n, "1/2"),
    lambda n: xdp.geometric(n, epsilon=1),
    lambda n: xdp.geometric_prime(n, "1/2"),
    lambda n: xdp.lumped_geometric(n, "1/2"),
    lambda n: xdp.randomized_response(n, alpha="1/2"),
    xdp.identity,
    xdp.uniform,
    lambda n: xdp.truncate(xdp.GeometricNoise("1/2"), n),
    lambda n: xdp.exponential_mechanism(xdp.Scores([[n, 1, 0]]), "1/2"),
    lambda n: xdp.noisy_max(xdp.Scores([[n, 0]]), "1/2"),
    xdp.Graph.complete,
    xdp.Graph.hypercube,
    lambda n: xdp.Graph.grid(n, n),
    lambda n: xdp.Loss.absolute(range(n)).matrix,
    lambda n: xdp.Prior.uniform(range(n)),
    xdp.ExactMatrix.identity,
    lambda n: xdp.ExactMatrix([["1/2"]]) ** n,
    lambda n: xdp.Rational("1/2") ** n,
    lambda n: xdp.RationalFunctionField().gen ** n,
    lambda n: xdp.PrivacyLevel("1/2").power(n),
]


@pytest.mark.parametrize("n", [10**9, 10**13, 10**18, 10**400], ids=["9", "13", "18", "400"])
@pytest.mark.parametrize("make", CONSTRUCTORS, ids=range(len(CONSTRUCTORS)))
def test_constructors_refuse_before_they_build(make, n):
    with pytest.raises(ResourceLimitError, match="the limit is"):
        make(n)


def test_an_exponent_alone_is_not_large():
    assert xdp.ExactMatrix.identity(2) ** 10**400 == xdp.ExactMatrix.identity(2)
    assert xdp.Rational(1) ** 10**400 == 1


def test_what_was_possible_still_is():
    assert len(xdp.neighbours("path:20000").edges) == 19_999
    assert np.prod(xdp.uniform(999).matrix.shape) == 10**6
