# SPDX-License-Identifier: MIT
"""``exactdp verify``: the checker's files, run alone by a fresh interpreter, and nothing else.

Files that are arguments are replayed by the files of ``exactdp/arguments``, which are not trusted.

With ``--trust`` it tells which trusted files were compiled, with the digests of their bytes. With
``--proved`` a second checker, which is extracted from Coq, judges the same bytes.
"""

from __future__ import annotations

import json
import os
import platform
import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from exactdp.certificate.edpcheck import PROGRAM, VARIABLE, BothChecked, both, find_program
from exactdp.certificate.kinds import kinds
from exactdp.certificate.verification import Checked, answers, is_argument
from exactdp.cli.program import LIMIT, PROVED, REFUTED, command, exit_code, json_option, progress_line, say
from exactdp.errors import ExactDPError, printable
from exactdp.runtime.progress import Progress

if TYPE_CHECKING:
    from exactdp.sweeps.verification import FolderChecked

_WORDS = {PROVED: "proved", REFUTED: "refuted", LIMIT: "undecided"}
"""The verdict of each exit code; an error, such as a malformed certificate, has none."""


_STEPS = "arguments.md 0.2: §1 to §8, and the files that these need; replayed, by files that are not trusted"


def _verdict(code: int, *, replayed: bool) -> str | None:
    """The verdict of an exit code; nothing that rests on an argument, even in part, is proved.

    >>> _verdict(0, replayed=False), _verdict(0, replayed=True), _verdict(1, replayed=True)
    ('proved', 'replayed', 'refuted')
    """
    return "replayed" if code == PROVED and replayed else _WORDS.get(code)


@command(
    "exactdp verify c.json",
    "exactdp verify *.edp.json",
    "exactdp verify --trust c.json",
    "exactdp verify - < c.json",
    "exactdp verify --proved c.json",
    "exactdp verify answers",
    "exactdp verify audit.zip",
    builds=False,
)
@click.argument("files", nargs=-1, required=True, metavar="FILE... | DIR | BUNDLE")
@click.option("--trust", is_flag=True, help="Say also what the answers rest on: files, digests, rules.")
@click.option("--proved", is_flag=True, help="Ask the proved checker (edpcheck), too.")
@click.option("--no-rerun", "rerun", is_flag=True, default=True, flag_value=False, help="Of a bundle: do not run its command again.")
@json_option
def verify(files: tuple[str, ...], trust: bool, proved: bool, rerun: bool, as_json: bool) -> None:
    """Check certificates with the checker, which needs the standard library only and shares no code with
    exactdp.

    Its core, kernel.py and the few files that it begins with, checks rational numbers and the basic kinds of
    claims. For levels given as ε or as a letter and for the claims of further topics it loads a small file
    beside it: --trust names each, with its digest. Arguments (files of the format exactdp-argument) are
    replayed by another program, which is not trusted, for those who check their own derivations: their
    verdict is 'replayed'.

    A line a file: accepted, with the checker's own sentence about what it verified; rejected, malformed, or a
    limit reached, with the reason. The exit code is the worst.

    A directory stands for all certificates (NAME.edp.json) directly in it, or in DIR/certificates, and for
    the arguments beside them. They are checked in parallel; a line each for those that are not accepted or
    replayed, or have the name of another, and the counts of both kinds. Rows of a sweep are compared with
    their certificates, an audit's files with its manifest.json: those that are missing are an error.
    Everything else in DIR, hidden and in directories inside, is named as not looked at (exit code 4); so are
    rows that can't be read.

    BUNDLE is the folder or zip of 'exactdp audit --bundle'. All of it is checked: every file against its
    manifest.json, the table against its file, each certificate against the table, each sentence of a page
    against its certificate. What is missing, foreign, changed or swapped is told (exit code 1). Then its
    command is run again, with the inputs of the bundle and nothing else of this machine, and must write the
    same bytes. That takes as long as the audit took; --no-rerun leaves it out.

    With --proved the same bytes are given to edpcheck, too: a program that is extracted from Coq, with a
    theorem that what it accepts is true. A file is accepted if both accept it (exit code 0). Claims of kinds
    that edpcheck does not know, or that it has no time or memory for, are not proved (exit code 4). Where one
    accepts what the other rejects there is a defect (exit code 70). edpcheck is looked for on the PATH, or is
    what the environment variable EXACTDP_EDPCHECK names.
    """
    if len(files) == 1 and _is_bundle(files[0]):
        from exactdp.cli.reading import leave_out  # the reading of tables: not needed for one file

        leave_out("a bundle is checked by the checker alone, and all of it is told", "trust", "proved")
        _verify_bundle(files[0], as_json, rerun=rerun)
    if len(files) == 1 and files[0] and Path(files[0]).is_dir():
        from exactdp.cli.reading import leave_out  # the reading of tables: not needed for one file

        leave_out("a directory is checked by the checker alone, and its counts are told", "trust", "proved", "rerun")
        _verify_folder(files[0], as_json)
    if not rerun:
        from exactdp.cli.reading import leave_out

        leave_out("no command is run again for certificates, only for the bundle of an audit", "rerun")
    program = _program() if proved else None
    loaded: dict[str, str] = {}
    results: list[dict[str, Any]] = []
    rules: list[set[str] | None] = []
    stopped: BaseException | None = None
    bar = progress_line()
    bar(Progress("certificates", 0, len(files), "files"))
    try:
        for checked, data in answers(files, loaded):
            judged = checked if program is None else both(program, checked, data)
            results.append(judged.to_dict() if isinstance(judged, BothChecked) else asdict(judged))
            if trust:
                rules.append(_rules(data, decided=checked.status in ("accepted", "replayed", "rejected")))
            bar(Progress("certificates", len(results), len(files), "files"))
            if not as_json:
                say(_told(judged, data), more=True, fold=True)
    except (KeyboardInterrupt, SystemExit, ExactDPError) as error:
        if not as_json:
            raise
        stopped = error
    rests_on = _trust(rules, loaded, program) if trust else {}
    worst = max((answer["exit_code"] for answer in results), key=_badness, default=0)
    if as_json:
        claims = [answer.get("checker", answer)["sentence"] for answer in results]
        kinds = [answer.get("checker", answer)["status"] == "replayed" for answer in results]
        verdicts = [_verdict(answer["exit_code"], replayed=replayed) for answer, replayed in zip(results, kinds, strict=True)]
        files_of = [{"verdict": v, "claim": c, **answer} for v, c, answer in zip(verdicts, claims, results, strict=True)]
        body: dict[str, Any] = {
            "verdict": _verdict(worst, replayed=any(kinds)),
            "claim": " ".join(claims),
            "files": files_of,
            **({"trust": rests_on} if trust else {}),
        }
        if stopped is not None:
            worst = exit_code(stopped)
            reason = stopped.message if isinstance(stopped, ExactDPError) else "interrupted"
            body = body | {"verdict": _WORDS.get(worst), "error": reason, "error_type": type(stopped).__name__, "exit_code": worst}
        say(json.dumps(body, indent=2))
    elif rests_on:
        width = max(map(len, rests_on))
        say("\n".join(printable(f"{name.ljust(width)}  {value}") for name, value in rests_on.items()), fold=True)
    click.get_current_context().exit(worst)


def _told(judged: Checked | BothChecked, data: bytes) -> str:
    """The lines about a file: the checker's own sentence, below the value where the claim states one."""
    if not isinstance(judged, Checked):
        return str(judged)
    if judged.status == "malformed" and _is_table(judged.file, data):
        remedy = "'exactdp privacy' asks how private it is, 'exactdp show' prints it"
        said = f"{judged.file}: {judged.status}: this is a table, and no certificate ({remedy})"
        return f"{printable(said)}\n{printable(f'  {judged.sentence}')}"
    return str(judged.showing_number(data))


def _is_table(file: str, data: bytes) -> bool:
    """Whether it seems to be a table: by the ending of its name, or rows in JSON."""
    return data.lstrip()[:1] == b"[" or (data.lstrip()[:1] != b"{" and file.lower().endswith((".csv", ".tsv", ".npy", ".tex")))


def _is_bundle(place: str) -> bool:
    """Whether this is the name of a zip, or of a folder that says that it is a bundle, or has what only
    bundles have.
    """
    if not os.path.isdir(place):
        return _begins_as_zip(place)
    if any(os.path.lexists(os.path.join(place, name)) for name in ("check_bundle.py", "checker", "table.json")):
        return True
    from exactdp.certificate.bundle_files import MANIFEST, MOST_OF_MANIFEST, strict_json

    manifest = os.path.join(place, MANIFEST)
    if os.path.lexists(manifest) and (os.path.islink(manifest) or not os.path.isfile(manifest)):
        return True  # the program of bundles says what it is, and opens no pipe
    try:
        with open(manifest, "rb") as stream:
            body = strict_json(stream.read(MOST_OF_MANIFEST + 1))
        return bool(body["predicate"]["contents"] == "bundle")
    except (OSError, ValueError, LookupError, TypeError):
        return False


def _begins_as_zip(place: str) -> bool:
    try:
        if not os.path.isfile(place):  # neither a device nor a pipe, which is read once
            return False
        with open(place, "rb") as stream:
            return stream.read(4) in (b"PK\3\4", b"PK\5\6") or place.lower().endswith(".zip")
    except (OSError, ValueError):
        return False


def _verify_bundle(place: str, as_json: bool, *, rerun: bool) -> NoReturn:
    """Check the bundle of an audit."""
    from exactdp.certificate.check_bundle import text_of
    from exactdp.cli.bundle import bundle_answer

    found = bundle_answer(place, rerun=rerun)
    code = int(found["exit_code"])
    if as_json:
        told = {**found, "audit": found["verdict"], "verdict": _verdict(code, replayed=False), "claim": found["sentence"]}
        say(json.dumps({"verdict": told.pop("verdict"), "claim": told.pop("claim"), **told}, indent=2))
    else:
        say("\n".join(map(printable, text_of(found).split("\n"))), fold=True)
    click.get_current_context().exit(code)


def _verify_folder(folder: str, as_json: bool) -> NoReturn:
    """Check all certificates of a directory."""
    from exactdp.certificate.manifest import MANIFEST
    from exactdp.sweeps.verification import verify_folder

    bar = progress_line()
    found = verify_folder(folder, told=lambda done, total: bar(Progress("certificates", done, total, "files")))
    worst = max(found.exit_codes, key=_badness, default=0)
    if as_json:
        body: dict[str, Any] = {"verdict": _verdict(worst, replayed=found.replayed > 0), "claim": str(found)}
        body |= {"certificates": found.files, "accepted": found.accepted}
        body |= {"arguments": found.arguments, "replayed": found.replayed} if found.arguments else {}
        body |= {"files": [asdict(checked) for checked in found.others], "rows": found.rows, "missing": found.missing}
        body |= {"extra": found.extra, "without": found.without, "open_rows": found.open_rows}
        body |= {"not_looked_at": found.not_seen, "not_compared": dict(found.not_compared)}
        body |= {} if found.manifest is None else {"manifest": found.manifest.digest, "subject": _subject(found)}
        say(json.dumps(body | {"exit_code": worst}, indent=2))
    else:
        who = "a row names it" if found.manifest is None else f"{MANIFEST} expects it"
        lines = [str(checked) for checked in found.others] + [f"{name}: missing: {who}" for name in found.missing]
        say("\n".join(map(printable, [*lines, str(found)])), fold=True)
    click.get_current_context().exit(worst)


def _subject(found: FolderChecked) -> dict[str, Any]:
    """The table that the manifest names, and how many certificates are about it."""
    assert found.manifest is not None
    return {"name": found.manifest.name, "digest": found.manifest.table, "certificates": found.about}


def _badness(code: int) -> int:
    """The place of an exit code from good to bad, as in the checker; one that it does not know is worst."""
    order = [0, 1, 4, 3, 2, 70]
    return order.index(code) if code in order else len(order)


def _program() -> str:
    """Where the proved checker is."""
    program = find_program()
    if program is None:
        raise click.UsageError(
            f"--proved needs {PROGRAM}, on the PATH or named by {VARIABLE}. To build it: apt-get install coq libcoq-mathcomp-algebra "
            f"ocaml-nox ocaml-findlib libzarith-ocaml-dev && make -C proofs/coq checker && export {VARIABLE}=$PWD/proofs/coq/{PROGRAM}"
        )
    return program


def _trust(rules: list[set[str] | None], loaded: dict[str, str], program: str | None) -> dict[str, str]:
    """The files that were compiled, with digests, the rules that the files given use, and the Python."""
    import hashlib

    certificates = [used for used in rules if used is not None]
    sections = ", ".join(sorted(set().union(*certificates), key=_numbers)) or "none: no certificate was decided"
    names = sorted(loaded, key=_place)
    return {
        **{Path(path).stem: f"{path}, {loaded[path]}" for path in names},
        **({PROGRAM: f"{program}, sha256:{hashlib.sha256(Path(program).read_bytes()).hexdigest()}"} if program else {}),
        **({"sections": f"SPEC.md 0.2: {sections}"} if certificates else {}),
        **({"steps": _STEPS} if len(certificates) < len(rules) else {}),
        "python": f"{platform.python_implementation()} {platform.python_version()} and its standard library",
    }


def _place(path: str) -> tuple[bool, bool, str]:
    """Where a file stands in the list: the checker before what replays arguments, its first file first."""
    file = Path(path)
    return file.parent.name == "arguments", file.stem not in ("kernel", "argument"), path


def _numbers(section: str) -> tuple[tuple[int, ...], str]:
    """Where a section stands in the list: 4.2 before 4.12."""
    return tuple(map(int, re.findall(r"\d+", section.split(maxsplit=1)[0]))), section


def _rules(content: bytes, *, decided: bool) -> set[str] | None:
    """The sections that a certificate uses: for its kind, its dual's rule, its numbers, and its pieces.

    None for an argument, none of them for what was not decided: only what was is known to be of a
    size that can be read again.
    """
    if is_argument(content):
        return None
    try:
        data = json.loads(content) if decided else {}
        used = _of_claim(data["claim"], data["witness"])
        kinds = {definition["type"] for definition in data["definitions"].values()}
        used |= {"§2.1"} if kinds & {"exponential", "parameter", "region"} else set()
        used |= {"§2.2"} if "region" in kinds else set()
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return set()
    return used | {"§1", "§2", "§3", "§6"}


def _of_claim(claim: Any, witness: Any) -> set[str]:
    kind, dual = claim["kind"], witness.get("dual")
    if kind not in kinds():  # a file may be rejected before its kind is looked at
        return set()
    used = {f"§{section}" for section in kinds()[kind].sections} | {f"§4 ({kind})"}
    if kind == "on-pieces":
        for piece, below in zip(claim["pieces"], witness["pieces"], strict=True):
            used |= _of_claim(piece["claim"], below)
    if "primal" not in witness and kind != "on-pieces":
        used -= {"§4.1"}
    if isinstance(dual, dict):
        if {"edges", "folds"} & {*dual}:
            rule = "graph"
        elif "potentials" in dual:
            rule = "forest"
        else:
            rule = "path"
        used = {s for s in used if s != "§4.2"} | {f"§4.2 ({rule} rule)"}
    return used
