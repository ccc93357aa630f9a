# SPDX-License-Identifier: MIT
"""Closed forms in n and the level: the answers that they fit, and what became of their arguments."""

from __future__ import annotations

from typing import Any

from exactdp.analysis.verdict import Verdict
from exactdp.arguments.generalisation.answer import GeneralisationEvidence
from exactdp.arguments.generalisation.closed_form import LATEX, PARITIES, ClosedForm, EntryForm, condition_latex
from exactdp.arguments.generalisation.closed_form import Formula as ClosedFormula
from exactdp.exact import ExactMatrix
from exactdp.report.headline import LONGEST, Headline, Shown, headline, number, shape_of
from exactdp.report.items import Fact, Formula, Item, Listing, Told, columns
from exactdp.report.mathml import formula_mathml


def _facts(e: GeneralisationEvidence) -> list[Item]:
    items: list[Item] = [Fact(f"what {e.letter} counts", e.meaning)]
    numbers = [(str(n), x) for n, x in e.values.items() if not isinstance(x, ExactMatrix)]
    items += columns("answers", [e.letter, "value"], numbers, lambda n, x: f"{e.letter} = {n}: {x}", len(numbers))
    if e.form is not None:
        items.append(Fact("closed form", Formula(str(e.form), _form_mathml(e.form), e.form.to_latex())))
    for table in e.tables:
        about = "" if table.parity is None else f", {e.letter} = {('2*h', '2*h+1')[table.parity]}"
        about += f", {table.letter} = {e.letter}{table.shift:+d}" if table.shift else ""
        title = f"{table.name}({table.indices.replace(' ', ', ')}){about}" if table.indices else table.name
        cases = [(_typeset(formula), _condition(condition)) for condition, formula in table.cases]
        lines = table.lines()
        items.append(Listing(title, tuple(lines), len(lines), ("entry", "where"), tuple(cases)))
    for argument in e.arguments:
        said = "replayed" if argument.replayed else f"{argument.status or 'not replayed'}: {argument.sentence}"
        items.append(Fact(f"argument {argument.name}", said))
    return items + ([Fact("left to others", e.theorem)] if e.theorem and e.arguments else [])


def _typeset(formula: ClosedFormula) -> Formula:
    text = str(formula)
    return Formula(text, formula_mathml(text), formula.written(LATEX))


def _condition(condition: str) -> Formula | str:
    """Where a case holds; the last is that of all other entries."""
    return Formula(condition, formula_mathml(condition), condition_latex(condition)) if condition else "else"


def _form_mathml(form: ClosedForm) -> str:
    """One formula, or one for each parity with where it holds."""
    formulas = [formula_mathml(str(formula)) for formula in form.formulas]
    if len(formulas) == 1:
        return formulas[0]
    cases = [formula_mathml(f"{form.letter} = {case}") for case in PARITIES]
    return "; ".join(f"{formula} for {case}" for formula, case in zip(formulas, cases, strict=True))


def _json(e: GeneralisationEvidence) -> dict[str, Any]:
    return {
        "letter": e.letter,
        "meaning": e.meaning,
        "answers": {str(n): _value_json(x) for n, x in e.values.items()},
        "closed_form": None if e.found is None else str(e.found),
        "latex": None if e.found is None else e.found.to_latex(),
        "tables": [
            {"name": t.name, "indices": t.indices, "parity": t.parity, "cases": [[c, str(f)] for c, f in t.cases]} for t in e.tables
        ],
        "arguments": [{"name": x.name, "status": x.status, "sentence": x.sentence} for x in e.arguments],
        "left_to_others": e.theorem or None,
    }


def _value_json(x: Any) -> Any:
    return [[str(y) for y in row] for row in x.rows()] if isinstance(x, ExactMatrix) else str(x)


def _headline(verdict: Verdict[GeneralisationEvidence]) -> Headline:
    """The closed form; its instances are what it was found from."""
    e = verdict.evidence
    sizes = f"{e.letter} = {', '.join(map(str, e.sizes[:4]))}{' …' if len(e.sizes) > 4 else ''}"
    about = (e.title, f"{e.letter}: {e.meaning}")
    if e.found is None:
        return headline(f"no closed form found for {sizes}", what="closed form", assumed=about)
    found = _shown(e.found)
    if verdict.replayed:
        every = f"for every {e.letter} ≥ {e.least}:"
        named = f"{every} {e.title.removeprefix('the ')} ="
        fits = len(f"{named} {found.forms[0]}") <= LONGEST
        return headline(named if fits else every, found, what="closed form", assumed=about[1:] if fits else about)
    return headline(f"not proved; fits {sizes}:", found, what="closed form", assumed=about)


def _shown(found: ClosedForm | EntryForm) -> Shown:
    """The form; of two that are too long the first, and where the other one holds."""
    text = str(found)
    if not isinstance(found, ClosedForm) or len(found.formulas) == 1:
        return number(text)
    first, second = (f"{found.letter} = {case}" for case in PARITIES)
    return Shown(text, (text, f"{found.formulas[0]} for {first}, another for {second}", shape_of(text)))


EVIDENCE = {GeneralisationEvidence: Told(_facts, _json, _headline)}
