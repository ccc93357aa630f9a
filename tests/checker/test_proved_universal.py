# SPDX-License-Identifier: MIT
"""Universal optimality and the proved checker: of every rule a certificate that both checkers accept, and
changes of it that neither does.

Numbers by hand. At level 1/2 the posteriors of two inputs have the vertices (1, 2) and (2, 1); randomized
response (2/3, 1/3) loses 1/3 + 2/3 under the weights (1, 2). On three inputs at distance 1 from each other
the weights (1, 1, 1)/2 and (1, 1, 0) ask for different mechanisms, with losses 3/4 and 2/3, and no mechanism
loses less than 3/2 under both together.
"""

from __future__ import annotations

from certificate_pool import certificate, complete, geo, graph, losses, mat, mech, path, text_of, vec
from checker.test_proved_checker import asked
from proved_checker import needs_edpcheck

from exactdp.checker import check_bytes

STAR = [(0, 1), (0, 2), (0, 3)]
RESPONSE = mech([["2/3", "1/3"], ["1/3", "2/3"]])
BLIND = mech([[1], [1]])
OF_TREE = mech([[0, "1/3", "1/3", "1/3"], [0, "2/3", "1/6", "1/6"], [0, "1/6", "2/3", "1/6"], [0, "1/6", "1/6", "2/3"]])
LEAVES = mat([[0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
THREE = [
    mat([["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]),
    mat([["2/3", "1/3", 0], ["1/3", "2/3", 0], ["1/3", "2/3", 0]]),
]


def zero_one(m):
    return losses(lambda i, r: int(i != r), m)


def made(kind, near, loss, witness, mechanism=None, level="1/2"):
    claim = {"kind": kind, "neighbours": "N", "level": level, "loss": "l"}
    named = {} if mechanism is None else {"mechanism": "M"}
    defined = {} if mechanism is None else {"M": mechanism}
    return certificate({**claim, **named}, {"N": near, "l": loss, **defined}, witness)


def by_path(mechanism=None, level="1/2", guesses=(0, 1, 2), inputs=(0, 1, 2), near=None):
    by = {"rule": "path", "inputs": list(inputs), "guesses": list(guesses), "remap": mat([[int(i == j) for j in inputs] for i in range(3)])}
    return made("universally-optimal", near or path(3), zero_one(3), {"by": by}, mechanism or geo(2, "1/2"), level)


def by_tree(level="1/2", near=None, loss=None):
    return made(
        "universally-optimal", near or graph(4, STAR), loss or zero_one(4), {"by": {"rule": "tree", "remap": LEAVES}}, OF_TREE, level
    )


def by_kinks(level="1/2", without=(), mechanism=RESPONSE, more=0):
    priors = {(1, 0): (0, 0), (0, 1): (0, 0), (1, 2): (1, more), (2, 1): (0, 1)}
    kept = {w: y for w, y in priors.items() if w not in without}
    by = {"rule": "kinks", "priors": mat(kept), "potentials": mat(kept.values())}
    return made("universally-optimal", path(2), zero_one(2), {"by": by}, mechanism, level)


def by_shape(near, loss, level="1/2", **by):
    return made("no-universally-optimal", near, loss, {"by": by}, level=level)


def by_priors(near=None, each="1/2", first=("1/2", "1/2", "1/2"), level="1/2"):
    by = {"rule": "priors", "priors": mat([first, [1, 1, 0]]), "potentials": vec([each] * 3), "mechanisms": THREE}
    return made("no-universally-optimal", near or complete(3), zero_one(3), {"by": by}, level=level)


def worse(mechanism=BLIND, prior=(1, 1)):
    return made("not-universally-optimal", path(2), zero_one(2), {"prior": vec(prior), "better": RESPONSE["rows"]}, mechanism)


def cycle(near=None, loss=None, inputs=(0, 1, 2)):
    return by_shape(near or complete(3), loss or zero_one(3), rule="cycle", inputs=list(inputs))


def star(level="3/5", neighbours=(1, 2, 3), loss=None):
    return by_shape(graph(4, STAR), loss or zero_one(4), level, rule="star", input=0, neighbours=list(neighbours))


HOPS = losses(lambda i, r: 0 if i == r else 1 if 0 in (i, r) else 2, 4)
TRUE = {
    "path": by_path(),
    "tree": by_tree(),
    "kinks": by_kinks(),
    "cycle": cycle(),
    "star": star(),
    "star-distance": star("1/10", loss=HOPS),
    "priors": by_priors(),
    "not": worse(),
}
FALSE = {
    "path: another level": by_path(level="1/3"),
    "path: guesses that do not cross once": by_path(guesses=(1, 0, 2)),
    "path: inputs that are not joined": by_path(near=graph(3, [(0, 1), (0, 2)])),
    "path: another mechanism": by_path(mechanism=mech([["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]])),
    "tree: too many neighbours": by_tree(level="3/5"),
    "tree: a cycle": by_tree(near=graph(4, [*STAR, (1, 2)])),
    "tree: two parts": by_tree(near=graph(4, [(0, 1), (0, 2), (1, 2)])),
    "tree: another loss": by_tree(loss=HOPS),
    "kinks: not optimal at a weaker level": by_kinks(level="1/4"),
    "kinks: a corner is missing": by_kinks(without=[(1, 2)]),
    "kinks: a potential is too large": by_kinks(more=1),
    "kinks: another mechanism": by_kinks(mechanism=BLIND),
    "cycle: none": cycle(near=path(3)),
    "cycle: only two": cycle(inputs=(0, 1)),
    "cycle: another loss": cycle(loss=losses(lambda i, r: 2 * (i != r) + (i == r), 3)),
    "star: few neighbours for the level": star("1/2"),
    "star: two neighbours": star("1/10", neighbours=(1, 2), loss=HOPS),
    "priors: potentials are too large": by_priors(each="3/5"),
    "priors: nothing is gained": by_priors(each="17/36"),
    "priors: neighbours that have one": by_priors(near=path(3)),
    "priors: not below 0": by_priors(first=("1/2", "1/2", "-1/2")),
    "not: the best itself": worse(mechanism=RESPONSE),
    "not: nobody asks": worse(prior=(0, 0)),
}


def answers(files, tmp_path):
    paths = []
    for i, content in enumerate(files):
        paths.append(tmp_path / f"{i}.json")
        paths[-1].write_text(text_of(content), encoding="utf-8")
    return [word for word, _ in asked(paths)], [check_bytes(file.read_bytes()).status for file in paths]


@needs_edpcheck
def test_every_rule_is_proved(tmp_path):
    proved, checked = answers(TRUE.values(), tmp_path)
    assert dict(zip(TRUE, proved, strict=True)) == dict.fromkeys(TRUE, "accepted")
    assert set(checked) == {"accepted"}


@needs_edpcheck
def test_what_a_rule_does_not_show_is_rejected(tmp_path):
    proved, checked = answers(FALSE.values(), tmp_path)
    assert dict(zip(FALSE, proved, strict=True)) == dict.fromkeys(FALSE, "rejected")
    assert "accepted" not in checked
