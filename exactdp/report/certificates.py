# SPDX-License-Identifier: MIT
"""A certificate's JSON as facts and tables; the checker has accepted it, and nothing is judged here."""

from __future__ import annotations

import re
from typing import Any

from exactdp.analysis.wording import digits_of, level_text
from exactdp.certificate.certificate import Certificate
from exactdp.certificate.decode import Decoder
from exactdp.certificate.encode import Numbers
from exactdp.certificate.kinds import kinds
from exactdp.errors import DefectiveAnswerError
from exactdp.exact import ExactMatrix, Rational, RationalFunctionField, SymbolField
from exactdp.model import Labels, TightestLevel
from exactdp.model.metric import Distance
from exactdp.model.named_losses import OF_CERTIFICATES
from exactdp.report.headline import INFINITE, Shown, compared, epsilon_first, headline, level, number
from exactdp.report.items import LARGEST_PRODUCT, Fact, Grid, Item, Listing, grid_of
from exactdp.report.values import brief_number

# The types of keys (kinds.toml) that are numbers and lists of names; the keys of a witness that have keys.
_NUMBERS = ("level", "level_or_one", "scalar", "distance", "count")
_NAMES = ("names", "two_names", "parts")
_NESTED = ("primal", "dual", "by", "near", "low", "high")

# So many components, folds, or entries of one of them are shown.
_SHOWN = 12


def certificate_items(data: dict[str, Any], *, accepted: bool = True) -> list[Item]:
    """What the claim says, what its names mean, the witness, and the digest.

    Parameters
    ----------
    data : dict
        The certificate's JSON.
    accepted : bool
        Whether the checker accepts it: then an optimum that it has as a remap is multiplied out, too.

    Examples
    --------
    >>> from exactdp import certify, geometric, neighbours, tightest_level
    >>> import json
    >>> data = json.loads(certify(tightest_level(geometric(1, "1/2"), neighbours("path:2"))).to_json())
    >>> [item.name for item in certificate_items(data) if isinstance(item, Fact)][:3]
    ['claim', 'mechanism', 'neighbours']
    """
    claim, numbers = data["claim"], Numbers(data["definitions"])
    items: list[Item] = [Fact("claim", claim["kind"])]
    if "matrix" in claim:
        items += _determinant(claim)
    else:
        items += _Claim(claim, data["definitions"], numbers).claimed()
        for name, definition in data["definitions"].items():
            items += _definition(name, definition, numbers)
        if "pieces" in claim:
            items += _pieces(data, numbers, accepted)
        else:
            items += _optimum(claim, data["definitions"], data["witness"], numbers) if accepted else []
            items += _Claim(claim, data["definitions"], numbers).witness(data["witness"])
    unchecked = [Fact(f"{key} (not checked)", value) for key, value in data.get("provenance", {}).items()]
    return [*items, *unchecked, Fact("digest", data["digest"])]


def value_line(data: dict[str, Any]) -> str:
    """What a claim says of its number, which comes first; empty where it states none, or only a long formula.

    Parameters
    ----------
    data : dict
        The JSON of a certificate that the checker accepts.

    Examples
    --------
    >>> from exactdp import MinimaxConsumer, certify, optimum
    >>> import json
    >>> found = optimum("path:4", epsilon="1/2", consumer=MinimaxConsumer("abs"))
    >>> value_line(json.loads(certify(found).to_json()))
    'least loss ≈ 0.851286 (exact: 46 characters)'
    >>> found = optimum("path:4", "1/4", MinimaxConsumer("abs"))
    >>> value_line(json.loads(certify(found).to_json()))
    'least loss 168/415 ≈ 0.404819'
    """
    claim, numbers = data["claim"], Numbers(data["definitions"])
    if "pieces" in claim:
        if len(claim["pieces"]) > 1:
            return ""
        (piece,) = claim["pieces"]
        claim, numbers = piece["claim"], numbers.on(piece["interval"])
    return _first_line(claim, numbers)


def _first_line(claim: dict[str, Any], numbers: Numbers) -> str:
    """The line of one claim, as its kind says it."""
    kind = kinds()[claim["kind"]]
    words = re.split(r"\{(\w+)\}", kind.first)
    keys = [key for key in words[1::2] if kind.claim[key] == "scalar" and key != "ratio"]
    shown: dict[str, str | Shown] = dict(zip(keys, compared(*(numbers.scalar(claim[key]) for key in keys)), strict=True))
    if len(keys) == 1:
        shown = {key: number(numbers.scalar(claim[key])) for key in keys}
    for key in words[1::2]:
        if key == "ratio":
            shown[key] = _level_shown(numbers.scalar(claim[key]), claim.get("distance", 1))
        elif key not in keys:
            shown[key] = number(claim[key]) if isinstance(claim[key], int) else claim[key]
    told = headline(*(shown[part] if place % 2 else part.strip() for place, part in enumerate(words)))
    return "" if told.formula else told.text


def _level_shown(ratio: Any, distance: int | str) -> Shown:
    """The level ratio^(1/distance) with what it is called."""
    found = TightestLevel(ratio, Distance.of(distance))
    forms = level(found)
    name = "smallest " if epsilon_first(found) else "tightest level "
    if forms.decimal == INFINITE:
        name = ""
    return Shown(forms.value, tuple(f"{name}{form}" for form in forms.forms), forms.decimal)


def _optimum(claim: dict[str, Any], definitions: dict[str, Any], witness: dict[str, Any], numbers: Numbers) -> list[Item]:
    """The table of the optimal mechanism, where the witness has it in parts."""
    primal = witness.get("primal")
    if not isinstance(primal, dict) or "rows" in primal or not {"remap", "components"} & set(primal):
        return []
    decoder = Decoder(Certificate(claim, definitions, witness, {}), numbers)
    if len(decoder.consumer().inputs) > LARGEST_PRODUCT:
        return [Fact("an optimal mechanism", f"of {len(decoder.consumer().inputs)} inputs; exactdp convert writes its table")]
    return [grid_of("an optimal mechanism", decoder.primal())]


def _pieces(data: dict[str, Any], numbers: Numbers, accepted: bool) -> list[Item]:
    """The claims and witnesses of the pieces, one after the other."""
    items: list[Item] = []
    digits = digits_of(numbers.interval(part["interval"]) for part in data["claim"]["pieces"])
    for part, witness in zip(data["claim"]["pieces"], data["witness"]["pieces"], strict=True):
        here = numbers.on(part["interval"])
        told = _Claim(part["claim"], data["definitions"], here)
        optimum = _optimum(part["claim"], data["definitions"], witness, here) if accepted else []
        where = Fact("for the levels in", here.interval(part["interval"]).text(digits))
        items += [where, *told.claimed(), *optimum, *told.witness(witness)]
    return items


class _Claim:
    """One claim, with what its names and numbers mean."""

    def __init__(self, claim: dict[str, Any], definitions: dict[str, Any], numbers: Numbers) -> None:
        self.about, self.definitions, self.numbers = claim, definitions, numbers

    def claimed(self) -> list[Item]:
        """The numbers and names of the claim."""
        c, items = self.about, list[Item]()
        types = {"kind": "word", **{key.removesuffix("?"): of for key, of in kinds()[c["kind"]].claim.items()}}
        for key, value in c.items():
            of = types[key]
            if of == "name":
                items.append(Fact(key, f"{value}: {self._definition_text(value)}"))
            elif of in _NUMBERS:
                plain = isinstance(value, int) or (isinstance(value, str) and "sqrt" in value)
                items.append(Fact(key, value if plain else self._number(key, self.numbers.scalar(value))))
            elif of == "consumer":
                items.append(Fact("consumer", self._consumer_text(value)))
            elif of in _NAMES:
                items.append(Fact(key, ", ".join(name if isinstance(name, str) else " on ".join(name.values()) for name in value)))
            elif of == "vector":
                items.append(Fact(key, ", ".join(map(str, self.numbers.vector(value, self._length(value))))))
            elif isinstance(value, str) and key != "kind":
                items.append(Fact(key, value))
        if "coalitions" in c:
            items.append(Fact("release", f"inputs 0..{c['n']} at the levels {', '.join(str(self.numbers.scalar(x)) for x in c['levels'])}"))
            members = ["{" + ", ".join(str(i + 1) for i in seen["members"]) + "}" for seen in c["coalitions"]]
            seen = [level_text(self.numbers.scalar(entry["level"])) for entry in c["coalitions"]]
            lines = tuple(f"{who}: {level}" for who, level in zip(members, seen, strict=True))
            items.append(Listing("coalition levels", lines, len(lines)))
        return items

    def _number(self, key: str, x: Any) -> Any:
        """A number of the claim; of a level also its ε, first where the numbers are those of one."""
        return level_text(x) if key == "level" else x

    def witness(self, witness: dict[str, Any]) -> list[Item]:
        """Every vector and matrix of the witness, with labels where the claim gives them."""
        if not witness:
            return []
        rows, columns = self._shapes()
        items: list[Item] = []
        for key, value in _flat(witness):
            if key in ("automorphisms", "images", "guesses"):
                items.append(Listing(f"witness {key}", tuple(map(str, value)), len(value)))
            elif key == "signs":
                lines = tuple(self._sign_text(lemma) for lemma in value)
                items.append(Listing("witness signs", lines, len(lines)))
            elif key.endswith(("components", "folds")):
                texts = self._component_texts(value) if key.endswith("components") else self._fold_texts(value)
                items.append(Listing(f"witness {key}", texts, len(value)))
            elif isinstance(value, dict):
                width = len(value["num"]) if "at" not in value else len(rows)
                vector = ExactMatrix([list(self.numbers.vector(value, width))])
                items.append(Grid(f"witness {key}", vector, ("",), _numbered(width, rows)))
            elif isinstance(value, list) and value and isinstance(value[0], dict):
                width = max((len(v["num"]) for v in value if "at" not in v), default=len(columns))
                if width == 0:  # multipliers of neighbours without a pair
                    items.append(Fact(f"witness {key}", "none"))
                    continue
                matrix, sparse = self.numbers.matrix(value, width), key.endswith("remap")
                items.append(
                    Grid(
                        f"witness {key}{self._meaning(key)}", matrix, _numbered(len(value), rows), _numbered(width, columns), sparse=sparse
                    )
                )
            else:
                nothing = "0" if value == 0 else "nothing"
                items.append(Fact(f"witness {key}", str(value) if value else nothing))
        return items

    def _meaning(self, key: str) -> str:
        """That rows are the optimum itself, or what a remap of an optimum is applied to (SPEC §4.1)."""
        if key != "primal remap":
            return ", an optimal mechanism" if key == "primal rows" else ""
        level = self.numbers.scalar(self.about["level"])
        return f", of the geometric mechanism G({len(self._shapes()[0]) - 1}, {level})"

    def _component_texts(self, components: list[dict[str, Any]]) -> tuple[str, ...]:
        """Of the first components the guess, the value, and the inputs with their heights (SPEC §4.1)."""
        rows, columns = self._shapes()
        return tuple(
            f"guess {columns[c['guess']]}: {brief_number(self.numbers.scalar(c['value']))} at "
            + _few([f"{rows[i]} (height {h})" for i, h in zip(c["at"], c["heights"], strict=True)])
            for c in components[:_SHOWN]
        )

    def _fold_texts(self, folds: list[dict[str, list[int]]]) -> tuple[str, ...]:
        """Of the first guesses which inputs are folded into which (SPEC §4.2)."""
        rows, columns = self._shapes()
        return tuple(
            f"guess {guess}: " + (_few([f"{rows[i]} into {rows[j]}" for i, j in zip(f["from"], f["into"], strict=True)]) or "none")
            for guess, f in zip(columns[:_SHOWN], folds, strict=False)
        )

    def _sign_text(self, lemma: dict[str, Any]) -> str:
        """What a lemma about letters says, and how long its proof is."""
        steps = len(lemma["proof"])
        relation = ">" if lemma["sign"] == "positive" else "≥"
        return f"{self.numbers.polynomial(lemma['polynomial'])} {relation} 0, in {steps} step{'s' if steps != 1 else ''}"

    def _length(self, vector: dict[str, Any]) -> int:
        return len(self._shapes()[0]) if "at" in vector else len(vector["num"])

    def _shapes(self) -> tuple[Labels, Labels]:
        """The labels of inputs and of guesses (or outputs) that the claim is about."""
        c = self.about
        if "n" in c:
            return _numbered(c["n"] + 1), _numbered(c["n"] + 1)
        if "consumer" in c:
            name = c["consumer"]["loss"]
        elif "mechanisms" in c or "parts" in c:
            name = c["mechanisms"][0] if "mechanisms" in c else c["parts"][0]["mechanism"]
        else:
            name = next(c[key] for key in ("target", "mechanism", "table", "loss", "neighbours") if key in c)
        return _labels(self.definitions[name], "inputs"), _labels(self.definitions[name], "outputs")

    def _definition_text(self, name: str) -> str:
        d = self.definitions[name]
        match d["type"]:
            case "geometric":
                return f"the geometric mechanism G({d['n']}, {self.numbers.scalar(d['level'])})"
            case "randomized-response":
                return f"the randomized response of {len(d['inputs'])} labels at the level {self.numbers.scalar(d['level'])}"
            case "path":
                return f"the path on {d['vertices']} vertices"
            case "complete":
                return f"the complete graph on {len(d['vertices'])} vertices"
            case "graph":
                return f"a graph on {len(d['vertices'])} vertices with {len(d['edges'])} edges"
            case "distances":
                return f"distances of {len(d['pairs'])} pairs of {len(d['vertices'])} points"
            case kind if kind in OF_CERTIFICATES:
                return f"the loss {OF_CERTIFICATES[kind].formula} on 0..{d['n']}"
            case "printed":
                return f"a printed table, {len(d['inputs'])}×{len(_labels(d, 'outputs'))}, below"
            case "mechanism" | "table" | "loss" as kind:
                return f"a {kind}, {len(d['inputs'])}×{len(_labels(d, 'outputs'))}, below"
            case unknown:
                raise DefectiveAnswerError(f"a definition of type {unknown!r} has no words in exactdp/report/certificates.py", type=unknown)

    def _consumer_text(self, consumer: dict[str, Any]) -> str:
        loss = f"{consumer['loss']}: {self._definition_text(consumer['loss'])}"
        inputs = _labels(self.definitions[consumer["loss"]], "inputs")
        if consumer["type"] == "minimax":
            return f"minimax, loss {loss}, side information {{{', '.join(inputs[i] for i in consumer['side_information'])}}}"
        prior = ", ".join(map(str, self.numbers.vector(consumer["prior"], len(inputs))))
        return f"Bayesian, loss {loss}, prior ({prior})"


def _definition(name: str, d: dict[str, Any], numbers: Numbers) -> list[Item]:
    """A definition in full."""
    if d["type"] == "graph":
        lines = tuple(f"{d['vertices'][i]} – {d['vertices'][j]}" for i, j in d["edges"][:12])
        return [Listing(f"{name}: edges", lines, len(d["edges"]))]
    if d["type"] == "exponential":
        return [Fact(letter, meaning) for letter, meaning in numbers.field.legend.items()]
    if d["type"] == "parameter":
        return [Fact(name, f"every level in {numbers.field.interval}")]
    if d["type"] == "region":
        letters = ", ".join(d["letters"])
        if "at" in d:
            at = ", ".join(f"{letter} = {x}" for letter, x in zip(d["letters"], d["at"], strict=True))
            return [Fact(letters, f"at {at}, a point with {numbers.field.region}")]
        return [Fact(letters, f"every point with {numbers.field.region}")]
    if d["type"] == "printed":
        rows, columns = _labels(d, "inputs"), _labels(d, "outputs")
        return [Grid(f"{name}: {end} ends", numbers.matrix(d[end], len(columns)), rows, columns) for end in ("lower", "upper")]
    if "rows" not in d:
        return []
    columns = _labels(d, "outputs")
    return [Grid(f"{name} ({d['type']})", numbers.matrix(d["rows"], len(columns)), _labels(d, "inputs"), columns)]


def _labels(d: dict[str, Any], side: str) -> Labels:
    """Row (``inputs``) or column labels of a definition."""
    if "n" in d:
        return _numbered(d["n"] + 1)
    names: Any = d[next(key for key in (side, "guesses", "outputs", "vertices", "inputs") if key in d)]
    return _numbered(names) if isinstance(names, int) else tuple(names)


def _few(texts: list[str]) -> str:
    """The first of some texts, and how many there are if there are more."""
    return ", ".join(texts[:_SHOWN]) + (f", … ({len(texts)} in all)" if len(texts) > _SHOWN else "")


def _numbered(size: int, labels: Labels = ()) -> Labels:
    """The labels if there are so many, else numbers."""
    return labels if len(labels) == size else tuple(map(str, range(size)))


def _flat(witness: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """The entries of a witness, those of its parts with the part's name before theirs."""
    found: list[tuple[str, Any]] = []
    for key, value in witness.items():
        if key in _NESTED and isinstance(value, dict) and "num" not in value:
            found += _flat(value, f"{prefix}{key} ")
        elif key == "stages":
            found += [(f"T_{i}", stage) for i, stage in enumerate(value, 2)]
        elif prefix == "by " and key == "mechanisms":
            found += [(f"{prefix}mechanism {k}", matrix) for k, matrix in enumerate(value, 1)]
        else:
            found.append((prefix + key, value))
    return found


def _determinant(claim: dict[str, Any]) -> list[Item]:
    """A claim about a determinant: its matrix, the formula (factored), and where they differ."""
    matrix, level = claim["matrix"], RationalFunctionField()
    items: list[Item] = []
    if matrix["type"] == "rows":
        entry = [[level.quotient(_integers(p), _integers(row["den"])) for p in row["num"]] for row in matrix["rows"]]
        items.append(grid_of("matrix", ExactMatrix(entry, level)))
        size = len(entry)
    else:
        size = matrix["n"] + 1
        items.append(Fact("matrix", f"{'G′' if matrix['type'] == 'geometric-prime' else 'G'}({matrix['n']}, a)"))
    items += [Fact("replaced by x", f"column {claim['column']}")] if "column" in claim else []
    field = SymbolField(["a", *(f"x{j}" for j in range(size if "column" in claim else 0))])
    num, den = (_terms(claim["formula"][key], len(field.names) - 1) for key in ("num", "den"))
    items.append(Fact("formula", str(field.quotient(num, den))))
    if "point" in claim:
        values = claim["point"].get("x", [])
        items.append(Fact("point", ", ".join([f"a = {claim['point']['a']}", *(f"x{j} = {x}" for j, x in enumerate(values))])))
        items += [Fact("determinant there", Rational(claim["determinant"])), Fact("formula there", Rational(claim["value"]))]
    return items


def _terms(form: list[dict[str, Any]], symbols: int) -> tuple[Any, ...]:
    """The terms (exponents, coefficient) of a form."""
    return tuple(((k, *map(t["x"].count, range(symbols))), c) for t in form for k, c in enumerate(_integers(t["a"])) if c)


def _integers(polynomial: list[str]) -> list[int]:
    return [Rational(c).numerator for c in polynomial]
