# SPDX-License-Identifier: MIT
"""Is what is recorded about a paper what a computation finds today? Its arguments and certificates.

Every claim names a function; the function gets the tables as printed and returns the status it finds, without
access to the record. A recorded certificate must state what the function's verdict states, and the checker
must accept the file. A recorded argument must be replayed by the program for arguments and state a theorem of
the recorded name; that a recorded Coq theorem is stated in ``proofs/coq`` is asked when the record is read.
What is said for all n is never found by a computation, only not contradicted.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from exactdp.arguments import argument
from exactdp.certificate import Certificate, certify
from exactdp.checker import Answer, check_bytes
from exactdp.errors import CertificateError, InputError
from exactdp.runtime.progress import Listener, counted_off
from proofs.grounds import in_words
from proofs.record import Claim, Finding, Paper, Printed, Status, load_paper


def argument_files(folder: Path) -> list[Path]:
    """The argument files of a paper's folder, in the order of their names.

    >>> from proofs.record import PROOFS
    >>> [file.stem for file in argument_files(PROOFS / "gupte_sundararajan")][:2]
    ['chain', 'determinants']
    """
    return sorted((folder / "arguments").glob("*.json"))


def theorems(file: Path) -> Mapping[str, str]:
    """What an argument file states, replayed now: each theorem's statement in words, by its name.

    Raises
    ------
    InputError
        The file is not replayed; the message names the step.
    """
    answer = argument.check_bytes(file.read_bytes(), file.parent)
    if answer.status != "replayed":
        raise InputError(f"{file.name} is {answer.status}: {answer.sentence}", argument=file.name)
    return statements(file)


def statements(file: Path) -> Mapping[str, str]:
    """The statements of an argument file as it writes them, without a check."""
    data: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return {theorem["name"]: argument.in_words(theorem) for theorem in data["theorems"]}


def unproved(record: Paper, claim: Claim, replayed: dict[Path, Mapping[str, str] | str]) -> str | None:
    """Why the first of a claim's arguments that fails does; ``replayed`` holds the files checked."""
    for name in claim.argument:
        stem, theorem = name.split(".")
        file = record.folder / "arguments" / f"{stem}.json"
        if file not in replayed:
            try:
                replayed[file] = theorems(file)
            except InputError as error:
                replayed[file] = str(error)
        found = replayed[file]
        if isinstance(found, str):
            return found
        if theorem not in found:
            return f"{file.name} states no theorem {theorem!r}"
    return None


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """A replayed claim: the status on record, the one found, whether record and computation agree.

    ``printed`` is what the paper says, ``detail`` what was computed, ``repair`` what is true instead,
    ``decided`` who decides it (:mod:`proofs.grounds`); see :mod:`proofs.record` for
    ``missing`` and ``reason``.
    """

    id: str
    locator: str
    printed: str
    statement: str
    scope: str
    recorded: str
    found: str
    agrees: bool
    detail: str
    seconds: float
    argument: tuple[str, ...] = ()
    coq: tuple[str, ...] = ()
    missing: str | None = None
    repair: str | None = None
    reason: str | None = None
    decided: str = ""

    def why(self) -> dict[str, str]:
        """Why the status found is not a plain yes, by the name of each line; nothing where it is one.

        >>> [result] = replay("gupte_sundararajan", only=["gupte_sundararajan/T1c"])
        >>> print(result.why()["computed"])
        the printed interaction has the loss 357/880, the best 168/415: worse by exactly 63/73040
        """
        lines = {"missing in Coq": self.missing if self.recorded == Status.REPLAYED else None}
        if not self.agrees or self.found in (Status.REFUTED, Status.IMPRECISE, Status.OPEN, Status.OUTSIDE):
            lines |= {"printed": self.printed, "computed": self.detail, "true instead": self.repair, "reason": self.reason}
            lines |= {"decided by": self.decided or None}
        return {name: " ".join(text.split()) for name, text in lines.items() if text is not None}


def replay(
    paper: str, *, only: Collection[str] | None = None, root: Path | None = None, progress: Listener | None = None
) -> list[ClaimResult]:
    """Recompute the recorded claims of a paper from its tables as printed.

    Parameters
    ----------
    paper : str
        One of :func:`proofs.record.papers`.
    only : collection of str, optional
        Ids to replay, in which a hyphen stands for an underscore; all unless given.
    root : Path, optional
        Another folder of papers.
    progress : callable, optional
        Told before each claim how many are done.

    Returns
    -------
    list of ClaimResult
        In the order of the file.

    Raises
    ------
    InputError
        There is no such paper, an id of ``only`` is unknown, or the record breaks a rule.

    Examples
    --------
    >>> for result in replay("gupte_sundararajan", only=["gupte_sundararajan/T1c"]):
    ...     print(result.found, result.agrees)
    refuted as printed True
    """
    record = load_paper(paper, root)
    known = {claim.id for claim in record.claims}
    wanted = known if only is None else {name.replace("-", "_") for name in only}
    if wanted - known:
        unknown = min(wanted - known)
        raise InputError(f"{paper} has no claim {unknown!r}", claim=unknown)
    chosen = [claim for claim in record.claims if claim.id in wanted]
    results = []
    replayed: dict[Path, Mapping[str, str] | str] = {}
    answers: dict[str, Answer] = {}
    for claim in counted_off(chosen, progress, paper, "claims", detail=lambda claim: claim.id):
        results.append(_replay_one(record, claim, replayed, answers))
    return results


def exit_code(results: Collection[ClaimResult]) -> int:
    """0 if every claim agrees with its record, else 1."""
    return 0 if all(result.agrees for result in results) else 1


def certificates(paper: str, *, skip: Collection[str] = (), root: Path | None = None) -> dict[str, Certificate]:
    """All certificates of a paper's claims but of ``skip``, computed anew and accepted, by name."""
    record = load_paper(paper, root, complete=False)
    made: dict[str, Certificate] = {}
    for claim in record.claims:
        for name, verdict in _run(record, claim).verdicts.items() if claim.id not in skip else ():
            certificate = certify(verdict, check=name not in made)
            if made.setdefault(name, certificate) != certificate:
                raise CertificateError(f"{claim.id}: another claim makes a different certificate {name!r}", name=name)
    return made


def regenerate(paper: str, directory: Path, *, skip: Collection[str] = (), root: Path | None = None) -> list[Path]:
    """Write a paper's certificates, but those of ``skip``; their bytes depend on the claims alone."""
    made = certificates(paper, skip=skip, root=root)
    return [certificate.write(directory / f"{name}.edp.json") for name, certificate in sorted(made.items())]


def _replay_one(record: Paper, claim: Claim, replayed: dict[Path, Mapping[str, str] | str], answers: dict[str, Answer]) -> ClaimResult:
    start = time.perf_counter()
    finding = _run(record, claim)
    problem = _disagreement(record, claim, finding, answers) or unproved(record, claim, replayed)
    detail = f"{finding.detail} [record: {problem}]" if problem else finding.detail
    seconds = time.perf_counter() - start
    kept = {key: getattr(claim, key) for key in ("id", "locator", "statement", "scope", "argument", "coq", "missing")}
    kept |= {key: getattr(claim, key) for key in ("printed", "repair", "reason")}
    kept["decided"] = in_words(record, claim) if problem is None else ""
    found, agrees = str(finding.status), problem is None
    return ClaimResult(recorded=str(claim.status), found=found, agrees=agrees, detail=detail, seconds=seconds, **kept)


def _run(record: Paper, claim: Claim) -> Finding:
    module, _, function = claim.replay.rpartition(".")
    try:
        found: Callable[[Printed], Finding] = getattr(import_module(f"proofs.{record.name}.{module}"), function)
    except (ImportError, AttributeError):
        raise InputError(f"{claim.id}: there is no replay function {claim.replay!r}", claim=claim.id) from None
    return found(Printed(record.folder))


def _disagreement(record: Paper, claim: Claim, finding: Finding, answers: dict[str, Answer]) -> str | None:
    """The first difference of the record from the finding, or None. Each file is checked once."""
    if not finding.status.fits(claim.status):
        return f"the recorded status is {claim.status!s}"
    if claim.gap() is not None:
        return claim.gap()
    if set(claim.certificates) != set(finding.verdicts):
        return f"the recorded certificates are {sorted(claim.certificates)}, the computation gives {sorted(finding.verdicts)}"
    for name, verdict in finding.verdicts.items():
        data = (record.folder / "certificates" / f"{name}.edp.json").read_bytes()
        answer = answers.get(name) or answers.setdefault(name, check_bytes(data))
        if answer.status != "accepted":
            return f"the checker does not accept {name}: {answer.sentence}"
        made = certify(verdict, check=False)
        recorded: Mapping[str, Any] = json.loads(data)
        if recorded["claim"] != made.claim or recorded["definitions"] != made.definitions:
            return f"{name} states something else"
    return None
