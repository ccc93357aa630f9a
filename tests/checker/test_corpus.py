# SPDX-License-Identifier: MIT
"""Every file under corpus/accept, reject, malformed and limit is a test: dropping a file in creates it.

Its `provenance`, which no checker reads, holds a note (why the file is here) and a part of the sentence that
the checker must say. Files that cannot hold one have theirs in corpus/notes.toml.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import resource
import shutil
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from certificate_pool import certificate, mat, seal
from naive_checker import decide
from places import CORPUS

from exactdp.checker import canonical_bytes, check_bytes, digest_of, fields, kernel

STATUS = {"accept": "accepted", "reject": "rejected", "malformed": "malformed", "limit": "limit"}
FILES = sorted(CORPUS.glob("*/*.edp.json"))
NOTES = tomllib.loads((CORPUS / "notes.toml").read_text(encoding="utf-8"))


def named(path):
    return f"{path.parent.name}/{path.name.removesuffix('.edp.json')}"


def note_of(path):
    """Why the file is in the corpus and a part of the checker's sentence: in its own provenance, or in
    notes.toml.
    """
    if named(path) in NOTES:
        return NOTES[named(path)]
    text = path.read_bytes().decode("utf-8", "replace").lstrip()
    start = text.index('"provenance":') + len('"provenance":')
    return json.JSONDecoder().raw_decode(text[start:].lstrip())[0]


@pytest.mark.parametrize("path", FILES, ids=named)
def test_answer(path):
    note = note_of(path)
    answer = check_bytes(path.read_bytes())
    assert answer.status == STATUS[path.parent.name], answer.sentence
    assert note["note"]
    assert note["says"] in answer.sentence


NAIVE = {*kernel.CLAIMS, *fields.CLAIMS, "release"}  # the kinds that the naive checker knows


def kind_of(path):
    return json.loads(path.read_bytes())["claim"]["kind"]


@pytest.mark.parametrize("path", [path for path in FILES if path.parent.name in ("accept", "reject") and kind_of(path) in NAIVE], ids=named)
def test_the_naive_checker_agrees(path):
    assert decide(json.loads(path.read_bytes())) == (path.parent.name == "accept")


def test_every_note_has_its_file():
    assert set(NOTES) <= {named(path) for path in FILES}


def run(*arguments, cwd, **options):
    return subprocess.run([sys.executable, "-I", *arguments], cwd=cwd, capture_output=True, check=False, timeout=200, **options)


def one_gigabyte():
    resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))


def alone(path):
    """Whether the kernel's one file is enough: rational numbers, distances 1 and the kinds of that file, but
    for ranks, for the difference of two solutions, and for witnesses that are expanded.
    """
    value = json.loads(path.read_bytes())
    kinds = {definition["type"] for definition in value["definitions"].values()}
    distances = {pair[2] for definition in value["definitions"].values() for pair in definition.get("pairs", [])}
    dual = value["witness"].get("dual", {})
    own = (
        value["claim"]["kind"] in kernel.CLAIMS
        and not value["claim"]["kind"].startswith(("unique", "not-unique"))
        and ("potentials" in dual) == ("edges" in dual)
        and "folds" not in dual
        and "components" not in value["witness"].get("primal", {})
    )
    return own and not kinds & {"exponential", "parameter", "region"} and distances <= {"1"}


def test_the_kernel_without_the_files_beside_it(tmp_path):
    """A copy of it with its core checks what needs no other file; what does ends as a limit, never as an
    acceptance or a defect.
    """
    for name in ("kernel", *kernel.CORE):
        shutil.copy(Path(kernel.__file__).with_name(f"{name}.py"), tmp_path)
    files = [path for path in FILES if path.parent.name in ("accept", "reject")]
    result = run("kernel.py", "--json", *files, cwd=tmp_path, preexec_fn=one_gigabyte)
    answers = [json.loads(line) for line in result.stdout.decode().splitlines()]
    for path, answer in zip(files, answers, strict=True):
        expected = {STATUS[path.parent.name]} | (set() if alone(path) else {"limit"})
        assert answer["status"] in expected, path
    assert sum(answer["status"] == "accepted" for answer in answers) > 38
    malformed = [path for path in FILES if path.parent.name == "malformed"]
    result = run("kernel.py", "--json", *malformed, cwd=tmp_path)
    assert {json.loads(line)["status"] for line in result.stdout.decode().splitlines()} == {"malformed", "limit"}
    fields_needed = next(p for p in FILES if p.name == "field-private-e.edp.json")
    for _ in range(2):  # the second time too
        assert b".py that is not beside this one" in run("kernel.py", fields_needed, fields_needed, cwd=tmp_path).stdout.splitlines()[-1]


@pytest.mark.slow
def test_the_kernel_runs_from_another_directory(tmp_path):
    """A copy of it with the files beside it, isolated, with one gigabyte of address space: a line for each
    file, the worst exit code.
    """
    shutil.copy(kernel.__file__, tmp_path / "kernel.py")
    for path in Path(kernel.__file__).parent.glob("*.py"):
        shutil.copy(path, tmp_path)
    for folder, code in (("accept", 0), ("reject", 1), ("limit", 4), ("malformed", 3)):
        files = [path for path in FILES if path.parent.name == folder]
        result = run("kernel.py", *files, cwd=tmp_path, preexec_fn=one_gigabyte)
        assert result.returncode == code
        assert len(result.stdout.decode().splitlines()) == len(files)
        assert not result.stderr
    accepted, rejected, malformed, limit = (
        next(p for p in FILES if p.parent.name == f) for f in ("accept", "reject", "malformed", "limit")
    )
    for files, code in (((accepted, rejected), 1), ((rejected, limit, accepted), 4), ((malformed, limit, rejected), 3)):
        assert run("kernel.py", *files, cwd=tmp_path).returncode == code


def test_standard_input_json_and_usage(tmp_path):
    accepted = CORPUS / "accept" / "optimal-path-1-4.edp.json"
    result = run(kernel.__file__, "--json", "-", cwd=tmp_path, input=accepted.read_bytes())
    answer = json.loads(result.stdout)
    assert (result.returncode, answer["status"], answer["file"]) == (0, "accepted", "-")
    assert answer["digest"] == json.loads(accepted.read_bytes())["digest"]
    assert run(kernel.__file__, cwd=tmp_path).returncode == 2
    assert run(kernel.__file__, "--version", cwd=tmp_path).returncode == 0
    missing = run(kernel.__file__, "no-such-file", accepted, cwd=tmp_path)
    assert missing.returncode == 2
    assert b"no-such-file: unreadable" in missing.stdout
    ascii_only = run(
        kernel.__file__, CORPUS / "accept" / "level-irrational.edp.json", cwd=tmp_path, env={**os.environ, "PYTHONIOENCODING": "ascii"}
    )
    assert ascii_only.returncode == 0


OPTIMAL = json.loads((CORPUS / "accept" / "optimal-path-1-4.edp.json").read_bytes())
PRIVATE = json.loads((CORPUS / "accept" / "private-response.edp.json").read_bytes())


def dense(m, entry):
    """An m × m table of equal numerators, as one string (parts of it repeated, not built)."""
    row = '{"den":"1","num":[' + ",".join([f'"{entry}"'] * m) + "]}"
    labels = json.dumps([str(i) for i in range(m)])
    return (
        '{"claim":{"kind":"private","mechanism":"M","neighbours":"N","level":"1/2"},"definitions":{"M":{"type":"mechanism","inputs":'
        + labels
        + ',"outputs":'
        + labels
        + ',"rows":['
        + ",".join([row] * m)
        + ']},"N":{"type":"path","vertices":'
        + str(m)
        + '}},"digest":"","format":"exactdp-certificate","version":"0.1","witness":{}}'
    )


def with_digest(text):
    return text.replace('"digest":""', f'"digest":"{digest_of(json.loads(text))}"')


def coprime_rows(count, size):
    """Rows over denominators without common factors, each of `size` digits: their common denominator is
    enormous.
    """
    dens = [10 ** (size - 1) + 1 + 30 * i for i in range(count)]
    rows = [{"den": str(d), "num": ["1", str(d - 1)]} for d in dens]
    labels = [str(i) for i in range(count)]
    mechanism = {"type": "mechanism", "inputs": labels, "outputs": ["a", "b"], "rows": rows}
    return certificate(
        {"kind": "private", "mechanism": "M", "neighbours": "N", "level": "1/2"},
        {"M": mechanism, "N": {"type": "path", "vertices": count}},
        {},
    )


def hostile():
    """(name, bytes, a part of the answer). Large files are made here and not kept."""
    valid = json.dumps(OPTIMAL)
    long_number = "9" * 3_000_000
    yield "spaces beyond the size limit", b" " * (kernel.LIMITS["bytes"] + 1), "bytes"
    yield "spaces within the size limit", valid.encode() + b" " * (kernel.LIMITS["bytes"] - len(valid) - 1), "168/415"
    yield "deep lists", b"[" * 10_000_000, "nesting"
    yield "deep objects", b'{"a":' * 10_000_000, "nesting"
    yield "many tokens", b"[" + b"0," * 5_000_000 + b"0]", "tokens"
    yield "many empty strings", b"[" + b'"",' * 5_000_000 + b'""]', "tokens"
    yield "many objects", b"[" + b"{}," * 300_000 + b"{}]", "an object is expected"
    yield "many keys", ("{" + ",".join(f'"{i:x}":0' for i in range(200_000)) + "}").encode(), "is missing"
    yield "one long string", b'"' + b"a" * 60_000_000 + b'"', "an object is expected"
    yield "escapes without an end", b'"' + b"\\\\" * 30_000_000, "begin with {"
    yield "quotes", b'"' * 1_999_999, "not JSON"
    yield "an integer of many digits", valid.replace('"vertices": 4', '"vertices": ' + long_number).encode(), "outside strings"
    yield "a number of many digits", valid.replace('"value": "168/415"', f'"value": "{long_number}"').encode(), "digest"
    sealed = seal({**OPTIMAL, "claim": {**OPTIMAL["claim"], "value": long_number}})
    yield "a sealed number of many digits", json.dumps(sealed).encode(), "digits"
    million = seal({**OPTIMAL, "claim": {**OPTIMAL["claim"], "value": "7" * 1_000_000}})
    yield "a million digits", json.dumps(million).encode(), "$.claim.value"
    halves = seal({**OPTIMAL, "claim": {**OPTIMAL["claim"], "value": "3" * 900_000 + "/" + "1" + "0" * 899_999}})
    yield "a greatest common divisor of 900000 digits", json.dumps(halves).encode(), ""
    yield "a large dense table", with_digest(dense(700, 1)).encode(), "the sum is 1"
    yield "a large dense table of long numbers", with_digest(dense(400, "3" * 300)).encode(), ""
    yield "a common denominator of many digits", json.dumps(coprime_rows(3000, 3000)).encode(), "limit"
    labels = [str(i) for i in range(300)]
    wide = {"type": "mechanism", "inputs": ["0", "1"], "outputs": labels, "rows": mat([[1] + [0] * 299] * 2, True)}
    remap = {
        "type": "mechanism",
        "inputs": labels,
        "outputs": labels,
        "rows": mat([[int(i == j) for j in range(300)] for i in range(300)], True),
    }
    loss = {"type": "loss", "inputs": ["0", "1"], "guesses": labels, "rows": mat([[0] * 300] * 2, True)}
    unique = certificate(
        {
            "kind": "unique-remap",
            "mechanism": "M",
            "remap": "T",
            "value": "0",
            "consumer": {"type": "minimax", "loss": "L", "side_information": [0, 1]},
        },
        {"M": wide, "T": remap, "L": loss},
        {"weights": {"den": "1", "at": [0], "num": ["1"]}},
    )
    yield "an elimination with 90000 unknowns", json.dumps(unique).encode(), "uniqueness"
    deep_path = seal(
        {
            **OPTIMAL,
            "definitions": {"N": {"type": "path", "vertices": 100_001}, "L": {"type": "abs-loss", "n": 100_000}},
            "claim": {**OPTIMAL["claim"], "consumer": {"type": "minimax", "loss": "L", "side_information": [0]}},
            "witness": {"primal": {"remap": []}, "dual": {"weights": {"den": "1", "at": [0], "num": ["1"]}}},
        }
    )
    yield "a path of 100001 vertices", json.dumps(deep_path).encode(), ""
    yield from hostile_fields()
    yield from hostile_regions()
    for name, (claim, definitions, witness), says in hostile_rules():
        yield name, json.dumps(certificate(claim, definitions, witness)).encode(), says


def hostile_rules():
    """(name, claim, definitions and witness, a part of the answer): much work for one rule, by a file of less
    than a megabyte.
    """

    def table(rows, kind="mechanism", second="outputs"):
        width = len(rows[0]["num"])
        return {"type": kind, "inputs": [str(i) for i in range(len(rows))], second: [str(r) for r in range(width)], "rows": rows}

    def even(height, width):
        return table([{"den": str(width), "num": ["1"] * width}] * height)

    def on_path(kind, n, **claim):
        return {"kind": kind, "neighbours": "N", "level": "1/2", **claim}, {"N": {"type": "path", "vertices": n}}

    def sure(n):
        return {"den": "1", "at": [0], "num": ["1"]} if n > 1 else {"den": "1", "num": ["1"]}

    claim, definitions = on_path("private", 1_999_999, mechanism="M")
    yield "a path of two million vertices and their pairs", (claim, {**definitions, "M": even(1, 1)}, {}), "memory"
    claim, definitions = on_path("tight", 400)
    yield "shortest paths between 400 vertices", (claim, definitions, {"diagonal": {"den": "3", "num": ["1"] * 400}}), "at i = 0"
    bayes = {"type": "bayesian", "loss": "L", "prior": {"den": "101", "num": ["1"] * 101}}
    loss = table([{"den": "1", "num": [str((i * i * r * r) % 7) for r in range(400)]} for i in range(101)], "loss", "guesses")
    far = {"type": "geometric", "n": 100, "level": f"{3 * 10**299}/{10**300 + 1}"}
    claim = {"kind": "optimal-remap", "mechanism": "G", "value": "0", "consumer": bayes}
    yield "sweeps with a level of 300 digits", (claim, {"G": far, "L": loss}, {"remap": [sure(400)] * 101}), "work"
    pairs = [[i, j, "sqrt(2)" if (i + j) % 2 else "3/2"] for i in range(40) for j in range(i + 1, 40)]
    rows = [{"den": "610", "num": [str(10 + (i + r) % 2) for r in range(58)] + ["1"]} for i in range(40)]
    claim = {"kind": "private", "mechanism": "M", "neighbours": "N", "level": "1/16"}
    near = {"type": "distances", "vertices": [str(i) for i in range(40)], "pairs": pairs}
    yield "90000 comparisons with powers", (claim, {"M": table(rows), "N": near}, {}), "is (α = 1/16)-private"
    once = {"den": str(1500 * 1501 // 2), "num": [str(r + 1) for r in range(1500)]}
    back = {**once, "num": once["num"][::-1]}
    claim, definitions = on_path("not-kernel-mechanism", 2, mechanism="M")
    two = {**definitions, "M": table([once, back])}
    yield "1500 columns", ({**claim, "level": "1/10000"}, two, {}), "no kernel mechanism"
    zeros = {"type": "rows", "rows": [{"den": ["1"], "num": [[]] * 300}] * 300}
    formula = {"num": [], "den": [{"x": [], "a": ["1"]}]}
    yield "a determinant of zeros", ({"kind": "determinant", "matrix": zeros, "formula": formula}, {}, {}), "is 0"
    graph = {"type": "graph", "vertices": [str(i) for i in range(150)], "edges": [[i, j] for i in range(150) for j in range(i + 1, 150)]}
    together = {"kind": "sequential-level", "mechanisms": ["M"] * 3, "neighbours": "N", "ratio": "1"}
    yield "quotients of a complete graph", (together, {"M": even(150, 9), "N": graph}, {}), "is α = 1."
    dense = ["1"] * 100
    claim = {
        "kind": "unique-remap",
        "mechanism": "M",
        "remap": "T",
        "value": {"num": dense, "den": "1"},
        "consumer": {"type": "minimax", "loss": "L", "side_information": [0, 1]},
    }
    definitions = {
        "e": {"type": "exponential", "rate": "1", "roots": [1]},
        "M": even(2, 40),
        "T": {"type": "mechanism", "inputs": [str(r) for r in range(40)], "outputs": ["0", "1", "2"], "rows": [sure(3)] * 40},
        "L": table([{"den": "1", "num": [dense] * 3}] * 2, "loss", "guesses"),
    }
    yield "ranks of polynomials", (claim, definitions, {"weights": {"den": "2", "num": ["1", "1"]}}), "full column rank"
    rising = [{"den": "1", "num": [[str(1 + (i * r * k) % 7) for k in range(30)] for r in range(5)]} for i in range(5)]
    fifth = {**bayes, "prior": {"den": "5", "num": ["1"] * 5}}
    claim = {"kind": "optimal-remap", "mechanism": "M", "value": {"num": ["1"] * 30, "den": "1"}, "consumer": fifth}
    definitions = {
        "a": {"type": "parameter", "interval": {"above": "1/3", "below": "4/9"}},
        "M": even(5, 200),
        "L": table(rising, "loss", "guesses"),
    }
    yield "the least of polynomials of degree 29", (claim, definitions, {"remap": [sure(5)] * 200}), "one attains it"
    names = ["é" * 40_000, "ü" * 40_000]
    one = {"den": "1", "num": ["1"]}
    minimax = {"type": "minimax", "loss": "L", "side_information": [0, 1]}
    each = {"kind": "optimal-remap", "mechanism": "M", "value": "0", "consumer": minimax}
    stops = ["0", *[f"{k}/41" for k in range(1, 41)], "1"]
    cut = [{"at_least" if k else "above": stops[k], "below": stops[k + 1]} for k in range(41)]
    definitions = {
        "a": {"type": "parameter", "interval": {"above": "0", "below": "1"}},
        "M": {**table([one, one]), "inputs": names},
        "L": {**table([{"den": "1", "num": ["0"]}] * 2, "loss", "guesses"), "inputs": names},
    }
    witness = {"weights": {"den": "1", "at": [0], "num": ["1"]}, "remap": [one]}
    claim = {"kind": "on-pieces", "pieces": [{"interval": interval, "claim": each} for interval in cut]}
    claim["pieces"][-1]["claim"] = {**each, "value": "1"}
    yield "long labels in 41 sentences", (claim, definitions, {"pieces": [witness] * 41}), "$.claim.pieces[40].claim.value"
    roots = [q for q in range(1, 3000) if all(q % d**2 for d in range(2, 60))]
    field = {"type": "exponential", "rate": "7" * 400_000, "roots": roots}
    claim = {"kind": "not-stochastic", "table": "T"}
    entry = table([{"den": "1", "num": ["1"]}], "table")
    yield "many symbols of a long rate", (claim, {"e": field, "T": entry}, {"row": 0, "column": 0}), "the entry < 0"


def hostile_fields():
    """The same for numbers beyond ℚ."""

    def entry(polynomial, field, den="1"):
        table = {"type": "table", "inputs": ["0"], "outputs": ["0"], "rows": [{"den": den, "num": [polynomial]}]}
        found = certificate({"kind": "not-stochastic", "table": "T"}, {"a": field, "T": table}, {"row": 0, "column": 0})
        return json.dumps(found).encode()

    open_ = {"type": "parameter", "interval": {"above": "0", "below": "1"}}
    tenth = {"type": "exponential", "rate": "1/10", "roots": [1]}
    zeros = ["0"] * 199_999
    yield "a polynomial of degree 200000, its sign on an interval", entry([*zeros, "-1"], open_), "work"
    yield "a polynomial of degree 1999, its sign at a number", entry([*zeros[:1999], "-1"], tenth), "has the entry"
    yield "a polynomial of degree 1999 as a denominator", entry("-1", tenth, [*zeros[:1999], "1"]), "has the entry"
    yield "a coefficient of 10^6 digits", entry(["0", "-" + "7" * 999_999], tenth), "limit"
    yield "a coefficient of 10^5 digits", entry(["0", "-" + "7" * 99_999], open_), "has the entry"
    yield "twenty coefficients of 10^5 digits", entry(["-" + "7" * 99_999] * 20, open_), "has the entry"
    yield "polynomials within polynomials", entry([[["0", "-1"]] * 20] * 20, {**tenth, "roots": [1, 2, 3]}), "has the entry"
    yield "a polynomial that is hard to tell from 0", entry(near_zero(300), tenth), "has the entry"
    yield "one that is too hard to tell", entry(near_zero(200_000), tenth), "limit"
    # the entries' sums are short numbers with long enclosures, as the gap is long
    total, ones = str(sum(range(2, 102))), {"den": "100", "num": ["1"] * 100}
    rows = [{"den": total, "num": [[str(y + 2), "1" if (y + k) % 2 else "-1"] for y in range(100)]} for k in (0, 1)]
    mechanism = {"type": "mechanism", "inputs": ["0", "1"], "outputs": [str(y) for y in range(100)], "rows": rows}
    claim = {
        "kind": "likelihood",
        "mechanism": "M",
        "frequencies": ones,
        "estimate": {"den": "2", "num": ["1", "1"]},
        "gap": "1" + "0" * 12_000,
    }
    products = certificate(claim, {"t": {**tenth, "rate": "1"}, "M": mechanism}, {})
    yield "products of 12000 digits", json.dumps(products).encode(), "work"
    chebyshev = [["1"], ["0", "1"]]
    for _ in range(300):
        pairs = zip(["0", *chebyshev[-1]], [*chebyshev[-2], "0", "0"], strict=True)
        chebyshev.append([str(2 * int(x) - int(y)) for x, y in pairs])
    yield "300 zeros in an interval", entry(chebyshev[-1], open_), "is not the same"
    # −(3 − 10a)^200 below
    narrow = [str((-1) ** k * math.comb(200, k) * 3 ** (200 - k) * 10**k) for k in range(201)]
    yield "a zero of order 200", entry(["-" + x.removeprefix("-") if x[0] != "-" else x[1:] for x in narrow], open_), ""
    far = {"poly": ["-2", *["0"] * 999, "1"], "in": ["1", "2"]}
    yield "an end of degree 1000", entry(["-1", "0", "-1"], {"type": "parameter", "interval": {"above": "0", "below": far}}), ""


def hostile_regions():
    """The same for regions of several letters."""
    one = {"den": "1", "num": ["1"]}
    claim = {"kind": "private", "mechanism": "M", "neighbours": "N", "level": "1/2"}
    others = {"M": {"type": "mechanism", "inputs": ["0", "1"], "outputs": ["a"], "rows": [one, one]}, "N": {"type": "path", "vertices": 2}}

    def asked(letters, positive, *lemmas):
        region = {"type": "region", "letters": letters, "positive": positive, "nonnegative": [], "inside": ["1"] * len(letters)}
        return json.dumps(certificate(claim, {"R": region, **others}, {"signs": list(lemmas)} if lemmas else {})).encode()

    def lemma(polynomial, *steps):
        return {"polynomial": polynomial, "sign": "positive", "proof": list(steps)}

    def last(e):
        """The power of the last of six letters: few bytes, and many bits in the checker."""
        polynomial = [*["0"] * e, "1"]
        for _ in range(5):
            polynomial = [polynomial]
        return polynomial

    six, x = list("abcdef"), ["0", "1"]
    yield "2000 constraints of six letters", asked(six, [last(7)] * 2000), "limit"
    yield "2000 splits within each other", asked(six, [x], lemma(["1", "1"], *[{"split": last(7)}] * 2000)), "memory"
    yield "45000 splits within each other", asked(["p"], [x], lemma(["1", "1"], *[{"split": x}] * 45_000)), "limit"
    for count, size in ((2, 480_000), (100, 9500), (2000, 450)):
        terms = [
            {
                "times": f"1/{10 ** (size - 1) + 1 + 30 * i}" if size < 4000 else f"1/1{'0' * (size - 9)}{10**7 + 1 + 30 * i}",
                "powers": [[0, 1]],
            }
            for i in range(count)
        ]
        yield f"{count} denominators of {size} digits", asked(["p"], [x], lemma(["1", "1"], terms)), "limit"
    yield (
        "an exponent of 65535",
        asked(["p", "q"], [["1", "1"]], lemma([["1", "1"], "1"], [{"times": "1", "powers": [[0, 65535]]}])),
        "limit",
    )
    dense = ["1", "1"]
    for _ in range(5):
        dense = [dense, "1"]
    yield "a square of six letters", asked(six, [x], lemma(dense, [{"times": "1", "powers": [], "square": dense}])), "add up"
    far = asked(["p"], [x]).replace(b'"inside": ["1"]', b'"inside": ["' + b"7" * 900_000 + b'"]')
    yield "a point of 900000 digits", with_digest(json.dumps({**json.loads(far), "digest": ""}).replace(": ", ":")).encode(), ""
    many = [["0"] * 3000 + ["1"], *[[str(k), "1"] for k in range(1, 400)]]
    yield (
        "400 facts to divide by",
        asked(["p"], many, lemma(["1", *["0"] * 2999, "1"], [{"times": "1", "powers": []}, {"times": "1", "powers": [[0, 1]]}])),
        "is (α = 1/2)-private",
    )


def near_zero(digits):
    """10^digits·t − c for the integer c above it, by the series of e^(−1/10)."""
    term = total = 10 ** (digits + 10)
    k = 0
    while term:
        k += 1
        term = -(term // (10 * k)) if term > 0 else -term // (10 * k)
        total += term
    c, power = total // 10**10 + 1, 10**digits
    return [f"-{written(c)}", written(power)]


def written(n):
    """Decimal digits, however many."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return str(n)
    finally:
        sys.set_int_max_str_digits(limit)


HOSTILE = [
    "spaces beyond the size limit",
    "spaces within the size limit",
    "deep lists",
    "deep objects",
    "many tokens",
    "many empty strings",
    "many objects",
    "many keys",
    "one long string",
    "escapes without an end",
    "quotes",
    "an integer of many digits",
    "a number of many digits",
    "a sealed number of many digits",
    "a million digits",
    "a greatest common divisor of 900000 digits",
    "a large dense table",
    "a large dense table of long numbers",
    "a common denominator of many digits",
    "an elimination with 90000 unknowns",
    "a path of 100001 vertices",
    "a polynomial of degree 200000, its sign on an interval",
    "a polynomial of degree 1999, its sign at a number",
    "a polynomial of degree 1999 as a denominator",
    "a coefficient of 10^6 digits",
    "a coefficient of 10^5 digits",
    "twenty coefficients of 10^5 digits",
    "polynomials within polynomials",
    "a polynomial that is hard to tell from 0",
    "one that is too hard to tell",
    "products of 12000 digits",
    "300 zeros in an interval",
    "a zero of order 200",
    "an end of degree 1000",
    "2000 constraints of six letters",
    "2000 splits within each other",
    "45000 splits within each other",
    "2 denominators of 480000 digits",
    "100 denominators of 9500 digits",
    "2000 denominators of 450 digits",
    "an exponent of 65535",
    "a square of six letters",
    "a point of 900000 digits",
    "400 facts to divide by",
    "a path of two million vertices and their pairs",
    "shortest paths between 400 vertices",
    "sweeps with a level of 300 digits",
    "90000 comparisons with powers",
    "1500 columns",
    "a determinant of zeros",
    "quotients of a complete graph",
    "ranks of polynomials",
    "the least of polynomials of degree 29",
    "long labels in 41 sentences",
    "many symbols of a long rate",
]
"""The names of `hostile`; its files take seconds and hundreds of megabytes: none is made to collect tests."""


@pytest.fixture(scope="module")
def made():
    return {name: (data, says) for name, data, says in hostile()}


@pytest.mark.slow
def test_every_hostile_file_is_tried(made):
    assert list(made) == HOSTILE


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_end_with_an_answer(tmp_path, made, name):
    """Within one gigabyte of address space, without a traceback, naming the limit or the fault."""
    data, says = made[name]
    (tmp_path / "file").write_bytes(data)
    result = run(kernel.__file__, "file", cwd=tmp_path, preexec_fn=one_gigabyte)
    assert result.returncode in (0, 1, 3, 4), result.stdout[-300:]
    assert not result.stderr
    line = result.stdout.decode()
    assert len(line) < 3000
    assert says in line
    assert "limit of this machine" not in line


def test_control_characters_do_not_reach_the_terminal(tmp_path):
    """A label cannot forge a line of the output."""
    forged = json.loads(json.dumps(PRIVATE).replace('"0"', '"x\\nfile: accepted\\u001b[2J\\ud800"'))
    (tmp_path / "file").write_text(json.dumps(seal(forged)))
    result = run(kernel.__file__, "file", cwd=tmp_path)
    assert result.returncode == 0
    assert len(result.stdout.splitlines()) == 1
    assert b"\x1b" not in result.stdout


def test_digest_of_the_running_example():
    content = {key: OPTIMAL[key] for key in ("format", "version", "claim", "definitions", "witness")}
    data = json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
    assert canonical_bytes(content) == data
    assert digest_of(OPTIMAL) == "sha256:" + hashlib.sha256(data).hexdigest() == OPTIMAL["digest"]


def test_canonical_bytes_escape_to_ascii():
    assert canonical_bytes({"b": ["é\n", 0], "a": "\U0001f600"}) == b'{"a":"\\ud83d\\ude00","b":["\\u00e9\\n",0]}'


def test_the_kernel_never_raises():
    """Every prefix of a certificate, and every byte of it replaced: an answer, never an exception."""
    data = json.dumps(OPTIMAL).encode()
    broken = (data[:i] + b"\xff" + data[i + 1 :] for i in range(0, len(data), 5))
    for bytes_ in chain((data[:i] for i in range(0, len(data), 3)), broken):
        assert check_bytes(bytes_).status in ("rejected", "malformed")
