# SPDX-License-Identifier: MIT
"""``python proofs/deployments.py``: mechanisms in use, judged again and compared with the record.

The record is ``deployed/deployments.toml``, the tables and the certificates stand beside it. The page
``docs/deployments.md`` is made from it.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

if __package__ in (None, ""):  # run as a file
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import exactdp as xdp
from exactdp.cli.program import PROVED, REFUTED, say
from exactdp.mechanisms import law_of_word
from exactdp.runtime.files import write_file
from proofs.program import program, run

FOLDER = Path(__file__).resolve().parent / "deployed"
PAGE = FOLDER.parent.parent / "docs" / "deployments.md"


@dataclass(frozen=True, slots=True)
class Deployment:
    """What ``deployments.toml`` has of one mechanism; its head says what the words mean."""

    name: str
    title: str
    source: str
    law: str
    subject: str
    neighbours: str
    assumed: str
    unit: str
    verdict: str
    claim: dict[str, str] | None = None
    value: str | None = None

    @property
    def mechanism(self) -> Any:
        """The word, or the table of the file with each row divided by its sum."""
        if not self.subject.endswith(".csv"):
            return self.subject
        return xdp.read_table(FOLDER / "tables" / self.subject, labels=True).renormalise()

    @property
    def claimed(self) -> str:
        """The claim in words."""
        if self.claim is None:
            return "nothing"
        return ", ".join(f"{letter} = {self.claim[key]}" for key, letter in (("epsilon", "ε"), ("delta", "δ")) if key in self.claim)


@dataclass(frozen=True, slots=True)
class Judged:
    """What is found of one mechanism.

    Attributes
    ----------
    deployment : Deployment
        What was judged.
    verdict : str
        holds, fails, or no claim.
    found : str
        The first line of the answer.
    answer : Verdict
        The answer itself, for a certificate.
    agrees : bool
        Whether verdict and value are the recorded ones.
    """

    deployment: Deployment
    verdict: str
    found: str
    answer: Any
    agrees: bool


def deployments() -> list[Deployment]:
    """All records, in the order of the file.

    >>> deployments()[0].claimed
    'ε = 14'
    """
    recorded = tomllib.loads((FOLDER / "deployments.toml").read_text(encoding="utf-8"))
    return [Deployment(**one) for one in recorded["deployment"]]


def judged(deployment: Deployment) -> Judged:
    """Decide the claim, or without one the smallest ε.

    >>> print(judged(next(d for d in deployments() if d.name == "survey-forced-response")).found)
    PROVED  smallest ε = ln(5) ≈ 1.609438 (α = 1/5)
    """
    mechanism, neighbours, claim = deployment.mechanism, deployment.neighbours, deployment.claim
    answer: xdp.Verdict[Any]
    if claim is None:
        answer = xdp.tightest_level(mechanism, neighbours)
        verdict, value = "no claim", answer.evidence.tightest
    elif "delta" in claim:
        answer = xdp.least_delta(mechanism, neighbours, epsilon=claim["epsilon"])
        verdict = "holds" if answer.evidence.delta <= Fraction(claim["delta"]) else "fails"
        value = answer.evidence.delta
    else:
        answer = xdp.is_private(mechanism, neighbours, epsilon=claim["epsilon"])
        verdict = "holds" if answer.proved else "fails"
        value = answer.evidence.tightest
    agrees = verdict == deployment.verdict and (deployment.value is None or _is(value, deployment))
    return Judged(deployment, verdict, str(answer).splitlines()[0], answer, agrees)


def _is(value: Any, deployment: Deployment) -> bool:
    """Whether this is the recorded value."""
    if deployment.value == "none":
        return bool(value.value == 0)
    if deployment.claim is not None and "delta" in deployment.claim:
        return bool(value == Fraction(str(deployment.value)))
    return bool(value.compare(xdp.PrivacyLevel(epsilon=deployment.value)) == 0)


def certificate_file(name: str) -> Path:
    """Where the certificate of a deployment stands."""
    return FOLDER / "certificates" / f"{name}.edp.json"


def page(found: list[Judged]) -> str:
    """The page: what each claim says, what is found, and all that was assumed."""
    return "\n".join([_HEAD, *_summary(found), *(line for one in found for line in _section(one)), ""])


_HEAD = """# Mechanisms in use

What is claimed of mechanisms that are in use, and what is true of the *law* that their makers published. Each
row is decided exactly, with a certificate that [the checker](referee.md) accepts. A claim
is judged for one answer, under the assumptions that stand with it. Nothing is said about the programs that
sample, or about what else is released. `python proofs/deployments.py` decides all of it again, `--write` writes this
page, and `--bundles FOLDER` a [bundle](how-to/bundle.md) with page one for each; the site has them as files to load.
Where the table of a mechanism is too large, its law is judged, and page one says so. The record is
[deployments.toml](../proofs/deployed/deployments.toml).
"""


def _summary(found: list[Judged]) -> Iterator[str]:
    yield "| mechanism | claimed | verdict | found |"
    yield "|---|---|---|---|"
    for one in found:
        record = one.deployment
        answer = one.found.partition("  ")[2]
        title = record.title.replace("|", "\\|")
        yield f"| [{title}](#{_anchor(record.title)}) | {record.claimed} | {one.verdict} | {answer} |"


def _anchor(heading: str) -> str:
    """The name of a heading, as code hosts and the site make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _section(one: Judged) -> Iterator[str]:
    record = one.deployment
    subject = (
        f"[{record.subject}](../proofs/deployed/tables/{record.subject})" if record.subject.endswith(".csv") else f"`{record.subject}`"
    )
    yield from ("", f"## {record.title}", "")
    rows = {
        "source": record.source,
        "law": record.law,
        "subject": subject,
        "neighbours": "any two inputs" if record.neighbours == "complete" else "counts that differ by 1",
        "protects": record.unit,
        "assumed": record.assumed,
        "claimed": record.claimed,
        "found": f"**{one.verdict}**: {one.found.partition('  ')[2]}",
        "certificate": f"[{record.name}.edp.json](../proofs/deployed/certificates/{record.name}.edp.json)",
    }
    yield from (f"* {name}: {text}" for name, text in rows.items())
    yield f"<!-- bundle: {record.name} -->"


def with_bundles(text: str) -> str:
    r"""The text of the page with links to the bundles, which are made where the site is built.

    >>> with_bundles("* claimed: nothing\n<!-- bundle: a-b -->").splitlines()[1]
    '* bundle: <a href="bundles/a-b.zip">page one, certificates, and the program that checks them</a>'
    """
    link = r'* bundle: <a href="bundles/\1.zip">page one, certificates, and the program that checks them</a>'
    return re.sub(r"<!-- bundle: ([\w-]+) -->", link, text)


def write_bundles(place: Path) -> None:
    """The bundle of each mechanism as a file, for the site."""
    place.mkdir()
    for record in deployments():
        write_bundle(record, place / f"{record.name}.zip")


def by_law(deployment: Deployment) -> bool:
    """Whether it is a word that is judged by its law: its table is too large to be built."""
    return not deployment.subject.endswith(".csv") and law_of_word(deployment.subject) is not None


def write_bundle(deployment: Deployment, place: Path) -> None:
    """Audit the mechanism against its claim, and write the bundle with page one.

    What the source says of the law, and what is assumed, are statements on page one.
    """
    claim = deployment.claim
    answer = xdp.audit(
        deployment.mechanism,
        deployment.neighbours,
        claim=None if claim is None else xdp.PrivacyClaim(epsilon=claim["epsilon"], delta=claim.get("delta", 0)),
        title=deployment.title,
    )
    files = [FOLDER / "tables" / deployment.subject] if deployment.subject.endswith(".csv") else []
    said = {
        "unit": deployment.unit,
        "neighbours": f"this record; assumed: {deployment.assumed}",
        "sampler": f"as its makers published it, and not tested: {deployment.law}",
    }
    answer.bundle(place, inputs=files, statements=said)


@program("python proofs/deployments.py", "python proofs/deployments.py --write", "python proofs/deployments.py --bundles bundles")
@click.option("--write", is_flag=True, help="Write the page and the certificates, too.")
@click.option("--bundles", "folder", type=click.Path(path_type=Path), help="Write a bundle of each, into FOLDER.")
def command(write: bool, folder: Path | None) -> None:
    """Judge all mechanisms of deployed/deployments.toml again, and compare with the record.

    Prints a line for each; exit code 1 if one is not as recorded.
    """
    found = [judged(deployment) for deployment in deployments()]
    for one in found:
        agrees = "" if one.agrees else "  CONTRADICTS THE RECORD"
        say(f"{one.deployment.name}: claimed {one.deployment.claimed}; {one.verdict}: {one.found}{agrees}")
    if write:
        for one in found:
            file = certificate_file(one.deployment.name)
            file.parent.mkdir(exist_ok=True)
            write_file(file, xdp.certify(one.answer).to_json())
        write_file(PAGE, page(found))
    if folder is not None:
        folder.mkdir(exist_ok=True)
        for one in found:
            write_bundle(one.deployment, folder / one.deployment.name)
    click.get_current_context().exit(PROVED if all(one.agrees for one in found) else REFUTED)


if __name__ == "__main__":
    run(command, "python proofs/deployments.py")
