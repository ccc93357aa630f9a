# SPDX-License-Identifier: MIT
"""A loss and a mechanism that nobody needs, and what must work with them: run in a patched copy of exactdp.

``python toys.py loss FOLDER`` and ``python toys.py mechanism FOLDER`` fail where something does not. They
leave their certificates in the folder, for a checker that was not patched.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

Patch = tuple[str, str, str]
"""A file, a text that is in it once, and what comes after that text."""

CUBED: tuple[Patch, ...] = (
    (
        "exactdp/model/named_losses.py",
        "NAMED_LOSSES: tuple[NamedLoss, ...] = (\n",
        '    NamedLoss("cubed", "|i − r|³", compares="integers", value=lambda d: d**3),\n',
    ),
    ("docs/vocabulary.md", "| `loss` | `--loss`, `--universal` | ", "`cubed`, "),
)

HALF_TRUTH: tuple[Patch, ...] = (
    ("exactdp/mechanisms/responses.py", "__all__ = [", '"half_truth", '),
    (
        "exactdp/mechanisms/responses.py",
        '"uniform"]\n',
        '''

def half_truth(n: int | Iterable[Label]) -> Mechanism:
    """The truth, or with probability 1/2 any of the inputs, all alike.

    >>> half_truth(1).matrix
    ExactMatrix([['3/4', '1/4'], ['1/4', '3/4']])
    """
    names = inputs_of(n)
    other = QQ(1) / (2 * len(names))
    return _two_values(names, other + QQ("1/2"), other)
''',
    ),
    ("exactdp/mechanisms/words.py", "from exactdp.mechanisms.responses import (\n", "    half_truth,\n"),
    (
        "exactdp/mechanisms/words.py",
        "    for family in (\n",
        """        Family("half-truth:n=3", "n", "a toy", "the truth, or anything with probability 1/2",
               "x_ii = 1/2 + 1/(2n+2), x_ir = 1/(2n+2)", lambda w: half_truth(w.size()), local=True),
""",
    ),
)


def patched(root: Path, patches: tuple[Patch, ...]) -> None:
    """Put the texts where they belong; each place must be there, and once."""
    for file, place, text in patches:
        before = (root / file).read_text(encoding="utf-8")
        assert before.count(place) == 1, (file, place)
        (root / file).write_text(before.replace(place, place + text), encoding="utf-8")


def command(words: str) -> str:
    """What a command prints; it must not fail."""
    from click.testing import CliRunner

    from exactdp.cli.program import main

    done = CliRunner().invoke(main, words.split())
    assert done.exit_code == 0, (words, done.output, done.exception)
    return done.output


def swept(folder: Path, question: Any) -> None:
    """Answer a question in a sweep, whose verification reads the certificate as the question's."""
    import exactdp as xdp

    xdp.sweep(xdp.Plan([question]), folder, workers=1)
    assert "accepted" in command(f"verify {folder}")


def loss(folder: Path) -> None:
    """|i − r|³ by its word, everywhere, against the same table."""
    import exactdp as xdp
    from exactdp.certificate.coq import to_coq

    near = {name: xdp.neighbours(name) for name in ("path:2", "path:4", "cycle:4", "complete:3")}
    for (name, graph), level in product(near.items(), ("1/4", xdp.PrivacyLevel(epsilon=1))):
        size = len(graph.vertices)
        table = xdp.Loss([[abs(i - r) ** 3 for r in range(size)] for i in range(size)], range(size), range(size))
        named = xdp.Loss.over("cubed", graph.vertices, graph)
        assert named.matrix == table.matrix
        assert named == table
        assert (named.kind, named.name, named.has_single_crossing()) == ("cubed", "cubed", True)
        for who in (xdp.MinimaxConsumer, lambda loss: xdp.BayesianConsumer(loss, "uniform")):
            found, again = (xdp.optimum(graph, level, who(loss)) for loss in ("cubed", table))
            assert found.proved
            assert found.evidence.value == again.evidence.value
            assert "loss cubed" in found.claim
            made, other = xdp.certify(found), xdp.certify(again)
            # with two inputs it is |i − r|, which certificates have a word for
            assert {d["type"] for key, d in made.definitions.items() if key == "l"} == {"loss" if size > 2 else "abs-loss"}
            assert made.definitions["l"] == other.definitions["l"]
            made.write(folder / f"{name.replace(':', '-')}-{len(list(folder.iterdir()))}.edp.json")
            if isinstance(level, str):
                assert "Theorem" in to_coq(made)
    assert xdp.optimum("path:2", "1/4", xdp.MinimaxConsumer("cubed")).evidence.value == xdp.Rational(Fraction(1, 5))
    by_level = xdp.optimum_by_level("path:3", xdp.MinimaxConsumer("cubed"))
    assert by_level.proved
    assert xdp.universally_optimal_mechanism("path:3", "1/2", "cubed").proved
    remap = xdp.best_remap(xdp.geometric(3, "1/4"), xdp.BayesianConsumer("cubed", "uniform"))
    assert remap.proved
    assert "cubed" in command("optimal --help")
    assert "loss cubed" in command("optimal --graph cycle:4 --alpha 1/4 --loss cubed")
    assert "loss cubed" in command(f"remap geometric:n=3,alpha=1/4 --loss cubed --prior uniform -o {folder / 'remap.edp.json'}")
    question = xdp.Question("optimum", "cycle:4", level="1/4", loss="cubed", consumer="uniform")
    swept(folder / "sweep", question)


def mechanism(folder: Path) -> None:
    """The toy mechanism by its public name and its word, everywhere, against its entries."""
    import exactdp as xdp

    made = xdp.half_truth(3)
    assert "half_truth" in dir(xdp.mechanisms)
    rows = [[Fraction(1, 8) + Fraction(int(i == r), 2) for r in range(4)] for i in range(4)]
    assert made.matrix == xdp.ExactMatrix(rows)
    assert made == xdp.randomized_response(4, keep="5/8")
    word = "half-truth:n=3"
    assert xdp.mechanism_from_spec(word) == made
    level = xdp.tightest_level(word, "complete:4")
    assert level.evidence.tightest.ratio == xdp.Rational(Fraction(1, 5))
    xdp.certify(level).write(folder / "level.edp.json")
    assert word in command("mechanisms")
    assert "1/2 + 1/(2n+2)" in command("mechanisms half-truth")
    assert "α = 1/5" in command(f"privacy {word}")
    command(f"privacy {word} -o {folder / 'private.edp.json'}")
    assert "<Mechanism" in repr(made) or "Mechanism" in repr(made)
    swept(folder / "sweep", xdp.Question("tightest-level", "complete:4", mechanism=word))


if __name__ == "__main__":
    {"loss": loss, "mechanism": mechanism}[sys.argv[1]](Path(sys.argv[2]))
