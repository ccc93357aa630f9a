# SPDX-License-Identifier: MIT
"""``exactdp audit``: everything about one deployed table in one report."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import click

import exactdp.certificate as certificates
from exactdp.analysis.audit import audit as run_audit
from exactdp.analysis.audit import of_file
from exactdp.analysis.audit_comparison import compare_audits
from exactdp.analysis.audit_evidence import Audit
from exactdp.analysis.law_audit import LawAudit
from exactdp.analysis.privacy_claim import PrivacyClaim
from exactdp.analysis.requirement import Requirement, require_askable
from exactdp.analysis.subjects import Subject
from exactdp.analysis.verdict import Verdict
from exactdp.cli.file_access import held_files, put_file, put_folder
from exactdp.cli.inputs import (
    common_labels,
    in_one_order,
    is_labelled,
    level_of,
    matched_guesses,
    meant_neighbours,
    neighbours_of,
    on_inputs,
    read_given,
    read_wanted,
    same_labels,
)
from exactdp.cli.judged import note_rounding, subject_of
from exactdp.cli.outcomes import Outcomes, note_outcomes, outcome_options
from exactdp.cli.output import EXIT_CODES, Output, answering
from exactdp.cli.page_one import page_options, page_place, require_page, statements, summary_of, write_page
from exactdp.cli.policy import policy_options, required_of
from exactdp.cli.program import LIMIT, command, command_line, progress_line
from exactdp.cli.reading import (
    ConsumerWords,
    Reading,
    Unsized,
    WritablePath,
    about_printed,
    adjacency_options,
    all_read,
    complete_mechanism,
    leave_out,
    reading_options,
    rounding_of,
    rounding_option,
    typed,
)
from exactdp.errors import ExactDPError, InputError, WriteError
from exactdp.exact import QQ, Rational, RationalFunctionField, RegionField
from exactdp.exact.decimals import fixed_text
from exactdp.mechanisms import is_mechanism_spec
from exactdp.model import Mechanism, Neighbours, PrivacyLevel, Table
from exactdp.model.consumer import words_of_consumer
from exactdp.model.level import is_symbolic
from exactdp.report.items import Item
from exactdp.report.registry import headline_of
from exactdp.runtime.files import occupied
from exactdp.runtime.progress import Progress, seconds_left
from exactdp.runtime.values import dataclass


@command(
    "exactdp audit geometric:n=3,alpha=1/4 --claims-epsilon 1",
    "exactdp audit counts.csv --graph path --claims-epsilon 1 --for abs --for 'abs prior=uniform' --html report.html",
    "exactdp audit reports.csv --local --dyadic --claims-epsilon 1 --claims-delta 1e-6",
    "exactdp audit counts.csv --graph path --claims-epsilon 1/4 --repaired repaired.csv",
    "exactdp audit printed.csv --graph path --digits auto --claims-epsilon 1 --claims-delta 1e-5",
    "exactdp audit opendp-geometric:scale=1,lower=0,upper=5 --claims-epsilon 1 --json",
    "exactdp audit counts.csv --graph path --claims-epsilon 1 --for abs --bundle audit",
    "exactdp audit counts.csv --graph path --require 'epsilon <= 1' --require 'gap <= 5%' --for abs",
    "exactdp audit counts.csv --graph path --claims-epsilon 1 --page page.html --unit 'one person, one count'",
    "exactdp audit rounded-laplace:n=5,t=1/2 --compare geometric:n=5,alpha=1/4 --claims-alpha 1/4",
)
@click.argument("mechanism", nargs=-1, required=True, metavar="TABLE...", shell_complete=complete_mechanism)
@click.option("--alpha", "at_alpha", metavar="LEVEL", help="What the letter a in the table stands for, a level such as 1/4.")
@click.option("--epsilon", "at_epsilon", metavar="EPS", help="The same as ε: the letter a in the table is e^(−ε).")
@click.option("--claims-epsilon", "epsilon", metavar="EPS", help="The ε that is claimed, exactly: 1, 1/2, 0.1, ln(3).")
@click.option("--claims-alpha", "alpha", metavar="LEVEL", help="The level α = e^(−ε) that is claimed, instead of ε.")
@click.option("--claims-delta", "delta", default="0", show_default=True, metavar="DELTA", help="The δ that is claimed beside it.")
@click.option("--delta", "deltas", multiple=True, metavar="DELTA", help="Tell the smallest ε that this δ buys (may be repeated).")
@click.option(
    "--for",
    "consumers",
    multiple=True,
    metavar="CONSUMER",
    help="A consumer whose gap is wanted: a loss, perhaps with prior=… or side-information=…, as in 'abs prior=uniform' (repeatable).",
)
@policy_options
@outcome_options
@click.option("--compare", metavar="TABLE", help="A second table: which is more private, and better for whom?")
@click.option("--since", metavar="BUNDLE", help="Tell what has changed since an earlier bundle: its folder, zip or manifest.json.")
@click.option("--html", "html", type=WritablePath(), metavar="FILE", help="Write one self-contained page.")
@click.option(
    "--certificates", "folder", type=WritablePath(folder=True), metavar="DIR", help="Write a certificate of every part to a new DIR."
)
@click.option(
    "--bundle",
    "bundle",
    type=WritablePath(folder=True, or_zip=True),
    metavar="DIR",
    help="Write inputs, pages, certificates and the checker to a new DIR, or DIR.zip, with a manifest.json that can be signed.",
)
@click.option(
    "--repaired",
    "repaired",
    type=WritablePath(),
    metavar="FILE",
    help="Write the table that a repair makes, such as the mixture with the uniform mechanism, as .csv, .json or .tex.",
)
@page_options
@rounding_option
@adjacency_options
@about_printed
@reading_options
@answering
def audit(
    out: Output,
    mechanism: tuple[str, ...],
    at_alpha: str | None,
    at_epsilon: str | None,
    epsilon: str | None,
    alpha: str | None,
    delta: str,
    deltas: tuple[str, ...],
    consumers: tuple[str, ...],
    require: tuple[str, ...],
    policy: str | None,
    junit: Path | None,
    sarif: Path | None,
    register: Path | None,
    resume: bool,
    workers: int | None,
    compare: str | None,
    since: str | None,
    html: Path | None,
    folder: Path | None,
    bundle: Path | None,
    repaired: Path | None,
    rounding: str | None,
    graph: str | Unsized | None,
    metric: str | None,
    reading: Reading,
) -> int:
    """What is TABLE really: a mechanism, how private, is the claim true, how far from optimal, and what would
    repair it?

    TABLE is a file (--dyadic takes decimals and doubles as the exact numbers that they are) or a word such as
    geometric:n=3,alpha=1/4 or opendp-geometric:scale=1,lower=0,upper=50 ('exactdp mechanisms' lists them). Of
    several tables a line each is printed. To compare two tables, give the second one to --compare: the first
    line says which is more private, and which is better for whom (--for).

    Of a word whose table is too large its law is judged, and what the law does not decide is told.

    A word brings its own neighbours; for a table say them: --graph path for a count, --graph complete or
    --local for reports of single people. A table is exact, rounded (--rounding) or wrong.

    The exit code is 0 when it is a mechanism, or a rounded one, and the claim holds, 1 when not. Without a
    claim it is 0 for every mechanism, however private: the answer begins with NO CLAIM, and the verdict of
    --json is "no claim". What is required (--require, --policy) makes it 1 where it is not kept. It is 4 when
    the time limit left a part undecided, whatever is known of the others, and when a requirement is not
    decided. Of several tables it is the worst. With --digits and without a claim the answer and the exit code
    are those of 'exactdp privacy'.
    """
    outcomes = Outcomes(junit, sarif, register)
    table = mechanism[0]
    if len(dict.fromkeys(mechanism)) > 1:
        from exactdp.cli.batch import audit_all  # loaded for several tables only

        return audit_all(list(dict.fromkeys(mechanism)), outcomes, workers, resume=resume, as_json=out.json)
    leave_out("one table is audited by one process, at once", "workers", "resume")
    claim = _claimed(epsilon, alpha, delta)
    wanted = required_of(require, policy)
    graph, who = wanted.neighbours(graph, metric), (*wanted.consumers, *map(_words, consumers))
    require_page(bundle=bundle, compare=compare)
    if held_files() is None:
        _require_apart(html, folder, out.path, repaired)
        _require_new(bundle, html, folder, out.path, repaired, page_place())
    if reading.digits is not None:
        leave_out("a printed table is many tables, and none of them is repaired", "repaired")
        leave_out("a printed table has no letter", "at_alpha", "at_epsilon")
        leave_out("they say what holds of one table, and many print so", "junit", "sarif", "register", "since")
        require_askable(wanted.requirements, claim, consumers=bool(who))
        return _of_printed(out, table, claim, who, wanted.requirements, graph, metric, reading, html, folder, bundle)
    if wanted.given or since is not None:
        leave_out("requirements and changes are of one table", "compare")
    require_askable(wanted.requirements, claim, consumers=bool(who))
    level = _level_of_letter(at_alpha, at_epsilon)
    by_law = _by_law(out, table, graph, metric, reading, level, claim, deltas, who, wanted.requirements, compare)
    if by_law is not None:
        rounding_of(rounding)  # the word is exact, whatever is asked of a rounded table
        return _of_law(out, by_law, table, outcomes, html, folder, bundle, repaired)
    read = _Question(graph, metric, reading, claim, deltas, who, rounding_of(rounding), level, wanted.requirements)
    verdict = read.verdict(table, out)
    other = None
    if compare is not None:
        near = verdict.evidence.neighbours
        other = out.in_time(f"anything about {compare}", lambda: read.verdict(compare, out, near))
    read.require_level_used(table)
    out.about_files(Subject("mechanism", verdict.evidence.title))  # not about what it is compared with
    matched = other is not None and _by_position(verdict.evidence, other.evidence, reading, out)
    out.require_used()
    audits = [verdict.evidence] if other is None else [verdict.evidence, other.evidence]
    for one in audits:
        if one.undecided:
            out.limits.append(f"{one.stopped or 'the time limit has passed'}; not decided about {one.title}: {', '.join(one.undecided)}")
    if all(one.quality == "exact" for one in audits):
        named = [table] if compare is None else [table, compare]
        note_rounding(out, words=all(map(is_mechanism_spec, named)))
    out.uncertified += _uncertified(verdict.evidence, other, apart=folder is not None or bundle is not None)
    _note_subject(verdict.evidence, out, deltas=bool(deltas))
    _write_page(verdict, other, html, out, by_position=matched)
    _write_repaired(verdict.evidence, repaired, out)
    _write_certificates(verdict.evidence, folder, out)
    _write_bundle(verdict, bundle, out)
    sections, extra = _since(verdict, since, out)
    _note_outcomes(verdict, table, outcomes, out)
    extra |= _checked(verdict.evidence.verdicts, out)
    return out.answer(_compared(verdict, other, out, by_position=matched), also=sections, extra=extra)


def _checked(parts: dict[str, Verdict[Any]], out: Output) -> dict[str, Any]:
    """What JSON has of the checker's sentences."""
    if not out.json:
        return {}
    from exactdp.certificate.certificate import checked_sentences

    return {"checker": [] if out.limits else checked_sentences(parts)}


def _write_certificates(found: Audit, folder: Path | None, out: Output) -> None:
    """Write the certificates of all parts, if they are wanted."""
    if folder is not None and out.limits:
        out.notes.append("no certificates were written: the time was up")
    elif folder is not None:
        write_certificates(found.verdicts, *_expected_table(found), folder, out)


def _write_page(verdict: Verdict[Audit], other: Verdict[Audit] | None, html: Path | None, out: Output, *, by_position: bool) -> None:
    """Write the page, if it is wanted."""
    if html is None:
        return
    from exactdp.report.audit_page import audit_page  # which knows how everything is shown

    progress_line()(Progress("writing the page"))
    titles = "\n".join(one.evidence.title for one in (verdict, other) if one is not None)
    notes = out.notes_beside(titles)
    page = out.in_time("the page", lambda: audit_page(verdict, other, notes=notes, by_position=by_position))
    if page is not None and out.write(html, page):
        out.notes.append(f"the page was written to {html}")


def _note_outcomes(verdict: Verdict[Audit] | Verdict[LawAudit], table: str, outcomes: Outcomes, out: Output) -> None:
    """Write the files that say what holds and what fails, if any are wanted."""
    if not outcomes.wanted:
        return
    body = out.body(out.named(verdict)) | ({"error": "; ".join(out.limits)} if out.limits else {})
    note_outcomes(outcomes, table, body, LIMIT if out.limits else EXIT_CODES[verdict.decision])
    out.notes += outcomes.notes
    out.unwritten += outcomes.unwritten


def _note_subject(found: Audit, out: Output, *, deltas: bool) -> None:
    """What is noted of a table that is none, or another one than is judged."""
    if deltas and not found.for_delta:
        out.notes.append("no ε is told for --delta: entries are negative")
    if found.quality == "rounded":
        out.subject = subject_of(found.title)


def _compared(verdict: Verdict[Audit], other: Verdict[Audit] | None, out: Output, *, by_position: bool) -> Verdict[Audit]:
    """The answer about the first table, with the second one beside it, if there is one."""
    if other is None:
        return verdict
    if verdict.evidence.claim is not None or other.evidence.privacy_beside(verdict.evidence) is None:
        out.notes.append(f"beside it {other.evidence.title}: {headline_of(other).text}")  # the first line has the rest
    if not verdict.evidence.consumers:
        out.notes.append("which is better for whom is told with --for, as in --for zero-one")
    beside = compare_audits(verdict.evidence, other, by_position=by_position)
    return replace(verdict, evidence=replace(verdict.evidence, compared=beside))


def _since(verdict: Verdict[Audit], place: str | None, out: Output) -> tuple[list[tuple[str, list[Item]]], dict[str, Any]]:
    """What has changed since a bundle: a section, and the same in JSON; nothing without one."""
    if place is None:
        return [], {}
    from exactdp.certificate.since import changes_since  # only where it is asked for
    from exactdp.report.difference import since_json, since_section

    found = out.in_time("what has changed", lambda: changes_since(verdict, place, progress=out.progress))
    return ([], {}) if found is None else ([since_section(found)], {"since": since_json(found)})


def _of_printed(
    out: Output,
    mechanism: str,
    claim: PrivacyClaim | None,
    consumers: tuple[ConsumerWords, ...],
    require: tuple[Requirement, ...],
    graph: str | Unsized | None,
    metric: str | None,
    reading: Reading,
    html: Path | None,
    folder: Path | None,
    bundle: Path | None,
) -> int:
    """The answer about a printed table."""
    from exactdp.cli.printed import answer, printed_audit  # loaded for printed tables only

    found = printed_audit(out, mechanism, claim, consumers, require, graph, metric, reading)
    if html is not None:
        from exactdp.report.audit_page import printed_page

        if out.write(html, printed_page(found, notes=out.notes_beside(found.evidence.title))):
            out.notes.append(f"the page was written to {html}")
    if folder is not None:
        from exactdp.certificate.manifest import printed_ends

        e = found.evidence
        write_certificates(e.verdicts, e.title, printed_ends(e.printed), folder, out)
    _write_bundle(found, bundle, out)
    return answer(out, found)


def _by_law(out: Output, word: str, *asked: Any) -> Verdict[LawAudit] | None:
    """The answer about a word whose table is too large; None if there is a table."""
    if not is_mechanism_spec(word):
        return None
    from exactdp.cli.law_audit import Asked, audited_by_law  # loaded for words only

    found = audited_by_law(out, word, Asked(*asked))
    if found is not None:
        leave_out("no table was built, and changes are told cell by cell", "since")
    return found


def _of_law(
    out: Output,
    found: Verdict[LawAudit],
    word: str,
    outcomes: Outcomes,
    html: Path | None,
    folder: Path | None,
    bundle: Path | None,
    repaired: Path | None,
) -> int:
    """The answer about a mechanism that was judged by its law."""
    out.require_used()
    if repaired is not None:
        out.notes.append(f"{repaired} was not written: there is no table to repair")
    if html is not None:
        from exactdp.report.audit_page import printed_page

        if out.write(html, printed_page(found, notes=out.notes_beside(found.claim))):
            out.notes.append(f"the page was written to {html}")
    if folder is not None:
        from exactdp.certificate.laws import law_digest

        write_certificates(found.evidence.verdicts, found.evidence.title, law_digest(found.evidence.law), folder, out)
    _write_bundle(found, bundle, out)
    _note_outcomes(found, word, outcomes, out)
    return out.answer(found, extra=_checked(found.evidence.verdicts, out))


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked of each table."""

    graph: str | Unsized | None
    metric: str | None
    reading: Reading
    claim: PrivacyClaim | None
    deltas: tuple[str, ...]
    consumers: tuple[ConsumerWords, ...]
    rounding: Rational
    level: PrivacyLevel | None = None
    require: tuple[Requirement, ...] = ()

    def require_level_used(self, title: str) -> None:
        """Refuse a level that was put for no letter."""
        if self.level is not None and "level" not in self.reading.used:
            from exactdp.cli.law_audit import refuse_level  # for this message only

            refuse_level(title)

    def verdict(self, text: str, out: Output, beside: Neighbours | None = None) -> Verdict[Audit]:
        """What is found of a table; one with the labels of the table beside it has its neighbours."""
        given = read_given(text, self.reading, level=self.level, notes=out.notes)
        file = self.reading.undivided
        if given.levelled:
            self.reading.use("level")
        chosen = neighbours_of(self.graph, self.metric, self.reading)
        labels = given.table.inputs
        if isinstance(chosen, Unsized) and beside is not None and is_labelled(beside.vertices) and is_labelled(labels):
            chosen = beside if set(beside.vertices) == set(labels) else chosen
        near = meant_neighbours(chosen, given, out)
        read = [read_wanted(words, self.reading) for words in self.consumers]
        near = in_one_order(self.reading, out.notes, near, given, *read)
        given = on_inputs(given, near.vertices)
        wanted, own = [], given.table.outputs
        for found in read:
            consumer = found.consumer(near)
            renamed = is_labelled(given.table.outputs) and not is_labelled(own)
            if renamed and set(consumer.loss.guesses) != set(given.table.outputs):
                raise click.UsageError(
                    f"--by-position: the outputs of {given.title} are unlabelled, and the guesses of the consumers have different labels; "
                    "ask about these consumers one by one"
                )
            given, consumer = matched_guesses(self.reading, out.notes, given, consumer, found.title)
            wanted.append(consumer)
        question = partial(
            run_audit,
            given.table,
            near,
            claim=self.claim,
            consumers=wanted,
            deltas=self.deltas,
            require=self.require,
            rounding=self.rounding,
            title=given.named if self.level is None or not given.levelled else f"{given.named} at {self.level.said}",
            time_limit=seconds_left(),
            progress=out.progress,
        )
        answer = out.or_certain(question)
        return answer if file is None else of_file(answer, file)


def _words(text: str) -> ConsumerWords:
    """What ``--for`` says of a consumer."""
    try:
        said = words_of_consumer(text)
    except InputError as error:
        raise click.UsageError(f"--for {text!r}: {error.message}") from None
    return ConsumerWords(said.loss, None, said.prior, said.side_information)


def _level_of_letter(alpha: str | None, epsilon: str | None) -> PrivacyLevel | None:
    """The level that is put for the letter in the table."""
    if is_symbolic(alpha):
        raise click.UsageError("--alpha takes one level here, such as 1/4; 'exactdp privacy --alpha symbolic' is about all levels")
    return level_of(alpha, epsilon)


def _claimed(epsilon: str | None, alpha: str | None, delta: str) -> PrivacyClaim | None:
    """What is claimed, if anything is."""
    if epsilon is not None and alpha is not None:
        raise click.UsageError("give --claims-epsilon or --claims-alpha, not both")
    if epsilon is not None or alpha is not None:
        return _claim(epsilon, alpha, delta)
    for shown in typed("delta"):
        raise click.UsageError(
            f"{shown} has no effect: a δ is claimed beside an ε or a level; add --claims-epsilon or --claims-alpha, or leave it out"
        )
    return None


def _claim(epsilon: str | None, alpha: str | None, delta: str) -> PrivacyClaim:
    if is_symbolic(alpha):
        raise click.UsageError("--claims-alpha takes one level, such as 1/4; 'exactdp privacy --alpha symbolic' is about all levels")
    try:
        return PrivacyClaim(epsilon=epsilon, alpha=alpha, delta=delta)
    except ExactDPError as error:
        raise type(error)(f"the claim: {error.message}", **error.facts) from None


def _write_repaired(found: Audit, path: Path | None, out: Output) -> None:
    """Write the table of the first repair that makes one, else that of a rounded table as it was judged."""
    if path is None:
        return
    tables = [(repair.action, repair.mechanism) for repair in found.repairs if repair.mechanism is not None]
    if found.quality == "rounded" and found.mechanism is not None:
        tables.append(("every row divided by its sum, negative entries 0", found.mechanism))
    if not tables:
        reason = "no repair makes a table" if found.repairs else "there is nothing to repair"
        if found.undecided:
            reason = "the time was up"
        out.notes.append(f"{path} was not written: {reason}")
        return
    from exactdp.cli.convert import writer_for  # it loads certificates and pages, which an audit alone needs not

    action, mechanism = tables[0]
    if out.write(path, writer_for(path)(mechanism.as_table())):
        out.notes.append(f"the repaired table ({action}) was written to {path}")
        out.notes += _of_formulas(found, mechanism)


def _of_formulas(found: Audit, mechanism: Mechanism) -> list[str]:
    """A note of a repaired table that has formulas over ε, with the fraction whose table has numbers."""
    if isinstance(mechanism.matrix.field, RationalFunctionField | RegionField) or mechanism.matrix.field == QQ or found.level is None:
        return []
    above = found.level.as_tightest().enclosure(4)[1]
    told = "its entries are formulas over ε, exact numbers that no decimal is; rounded they are another table, which may break the claim"
    if above >= 1 or found.claim is None or found.claim.alpha is not None:
        return [f"{told}: check it again ('exactdp privacy FILE --rounding 1e-6')"]
    alpha = fixed_text(above, 4)
    instead = f"--claims-alpha {alpha} in the place of --claims-epsilon {found.claim.epsilon}"
    return [f"{told}; {instead} claims a little more, and its table has fractions"]


def _require_apart(html: Path | None, folder: Path | None, path: Path | None, repaired: Path | None) -> None:
    """Refuse names with which one file would take another's place; a device takes all that it is given."""
    _require_empty(folder)
    if repaired is not None:
        from exactdp.cli.convert import writer_for  # see above

        writer_for(repaired)
    named = (("--html", html), ("-o", path), ("--repaired", repaired), ("--page", page_place()))
    places = {option: os.path.realpath(given) for option, given in named if given is not None}
    files = {}
    for option, place in places.items():
        is_device = os.path.exists(place) and not os.path.isfile(place)
        if not is_device:
            files[option] = place
    for (option, place), (other, same) in combinations(files.items(), 2):
        if place == same:
            shown = str(dict(named)[option])
            raise click.UsageError(f"{option} and {other} name one file, {shown!r}; give two names")
    if folder is None:
        return
    from exactdp.certificate.manifest import ENDING, MANIFEST  # of certificates only

    for option, place in files.items():
        inside = os.path.dirname(place) == os.path.realpath(folder)
        if inside and (place.endswith(ENDING) or os.path.basename(place) == MANIFEST):
            raise click.UsageError(
                f"{option} names a file of --certificates, which are *{ENDING} and {MANIFEST}; give another name or directory"
            )


def _by_position(first: Audit, second: Audit, reading: Reading, out: Output) -> bool:
    """Whether two tables, one without labels, are compared by position; a note says in which order."""
    found = False
    for axis in ("inputs", "outputs"):
        own, other = (getattr(audited.table, axis) for audited in (first, second))
        if reading.by_position and len(own) == len(other) and not same_labels(own, other):
            common_labels(reading, out.notes, axis, [(first.title, own), (second.title, other)])
            found = True
    return found


def _uncertified(found: Audit, other: Verdict[Audit] | None, *, apart: bool) -> list[str]:
    """What the one certificate does not say of all that is told: nothing, or a note."""
    about = "the tightest level" if found.claim is None else "the claim"
    if found.quality == "wrong":
        about = "the faults"
    parts = {
        "the tightest level": about == "the claim",
        "the level that --delta buys": bool(found.for_delta),
        "what is required": bool(found.requirements),
        "consumers": any(entry.deployed is not None or entry.remapped is not None for entry in found.consumers),
    }
    left = [part for part, told in parts.items() if told]
    hint = "; --certificates DIR writes one of every part" if left and not apart else ""
    left += [] if other is None else [other.evidence.title]
    return [f"the certificate is about {about}, not about {' or '.join(left)}{hint}"] if left else []


def _require_empty(folder: Path | None) -> None:
    """Refuse a directory with the certificates of another audit: nobody could tell them from this one's."""
    if folder is None or not folder.is_dir():
        return
    from exactdp.certificate.manifest import ENDING, MANIFEST

    there = sorted(path.name for path in folder.iterdir() if path.name == MANIFEST or path.name.endswith(ENDING))
    if there:
        raise click.UsageError(
            f"--certificates: {str(folder)!r} has certificates of another audit ({there[0]}); give a new directory, or remove them"
        )


def _require_new(bundle: Path | None, *others: Path | None) -> None:
    """Refuse a bundle where something is, or would be."""
    if bundle is None:
        return
    if not _is_zip(bundle) and (reason := occupied(bundle)) is not None:
        raise click.UsageError(f"--bundle: {reason}")
    place = os.path.realpath(bundle)
    for other in filter(None, others):
        inside = os.path.realpath(other)
        if inside == place or inside.startswith(f"{place}{os.sep}"):
            raise click.UsageError(f"--bundle {str(bundle)!r} has nothing but its own parts; give {str(other)!r} another place")


def _is_zip(bundle: Path) -> bool:
    return bundle.name.lower().endswith(".zip")


def _write_bundle(verdict: Verdict[Any], place: Path | None, out: Output) -> None:
    """Write page one and the bundle, and say so in notes."""
    held = held_files()
    if held is not None and (place is None or out.limits):
        raise click.UsageError("; ".join(out.limits) or "it has no --bundle")
    write_page(verdict, out, click.get_current_context().params["mechanism"][0])
    if place is None:
        return
    from exactdp.certificate.manifest import MANIFEST

    if out.limits:
        out.notes.append("no bundle was written: the time was up")
        return
    from exactdp.report.bundle import Input, Source, bundle_of, of_claim, write_bundle  # which knows how everything is shown

    progress_line()(Progress("writing the bundle"))
    given = click.get_current_context().params
    options = (*READING, "at_alpha", "at_epsilon")
    reading = {key: given[key] for key in options if given.get(key) not in (None, False, ())}
    inputs = tuple(Input(name, content, "table" if what == "the mechanism" else "other") for name, what, content in all_read())
    assert out.reading is not None
    summary = summary_of(verdict, out.reading)
    told, required = of_claim(verdict)
    verdict = out.named(told)
    notes = [*out.notes_beside(verdict.claim), *required]
    parts = (out.body(verdict), summary, statements(), summary.requirements)
    source = Source(command_line(), inputs, reading | {"table": given["mechanism"][0]}, tuple(notes), *parts)
    if held is not None:
        held.bundle.update(bundle_of(verdict, source))
        click.get_current_context().exit()  # nothing else of the command is asked for
    try:
        digest = write_bundle(verdict, place, source)
    except WriteError as error:
        out.unwritten.append(error.message)
        return
    out.notes.append(f"the bundle was written to {place}, with the digest of its {MANIFEST}: {digest} (check it: exactdp verify {place})")


READING = ("labels", "dyadic", "header", "transpose", "renormalise", "by_position", "letters", "digits")
"""The options of how a table is read, which a bundle says."""


def write_certificates(parts: dict[str, Verdict[Any]], title: str, table: Table | str, folder: Path, out: Output) -> None:
    """A file a part, up to the first that can't be written, and then what is expected in the folder; notes
    about what was written and what has no certificate. They are about a table, or what has a digest.
    """
    from exactdp.certificate.manifest import ENDING, MANIFEST, Manifest, Part, certified, table_digest

    written: dict[str, tuple[str, certificates.Certificate]] = {}
    without: dict[str, str] = {}
    files: list[Part] = []
    manifest = ""
    try:
        put_folder(folder)
        progress_line()(Progress("certificates", 0, len(parts), "files"))
        for number, (name, made) in enumerate(certified(parts), 1):
            progress_line()(Progress("certificates", number, len(parts), "files"))
            if isinstance(made, str):
                without[name] = made
                continue
            put_file(folder / f"{name}{ENDING}", made.to_json())
            written[f"{name}{ENDING}"] = (name, made)
            files.append(Part(f"{name}{ENDING}", "certificate", made.to_json().encode()))
        if written:
            digest = table if isinstance(table, str) else table_digest(table)
            expected = Manifest.of(title, digest, files, written, without)
            put_file(folder / MANIFEST, expected.to_json())
            manifest = f", and their names and digests to {folder / MANIFEST} ({expected.digest})"
    except WriteError as error:
        out.unwritten.append(f"{error.message}; no certificate was written after it")
    if written:
        out.notes.append(f"{len(written)} certificates were written to {folder}{manifest} (check them: exactdp verify {folder})")
    out.notes += [f"no certificate of {name}: {reason}" for name, reason in without.items()]


def _expected_table(found: Audit) -> tuple[str, Table]:
    """What the certificates in the folder are about: the table that was judged, and its name."""
    judged = found.mechanism if found.quality == "rounded" else None
    table = found.given if judged is None else judged.as_table()
    return found.title if judged is None else subject_of(found.title), table
