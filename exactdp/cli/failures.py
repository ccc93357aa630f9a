# SPDX-License-Identifier: MIT
"""Exceptions as exit codes and one message: who has to do what, without a traceback."""

from __future__ import annotations

import json

import click

from exactdp.errors import (
    CertificateError,
    DefectiveAnswerError,
    DomainError,
    ExactDPError,
    InputError,
    RejectedCertificateError,
    ResourceLimitError,
    SearchError,
)
from exactdp.report.elide import elide

__all__ = ["DEFECT", "INTERRUPTED", "LIMIT", "MALFORMED", "PROVED", "REFUTED", "USAGE", "exit_code", "report_failure"]

PROVED, REFUTED, USAGE, MALFORMED, LIMIT, DEFECT, INTERRUPTED = 0, 1, 2, 3, 4, 70, 130
"""The exit codes of the contract, and the shell's for Ctrl-C."""

_CODES: tuple[tuple[type[BaseException], int], ...] = (
    (KeyboardInterrupt, INTERRUPTED),
    (click.Abort, INTERRUPTED),
    (click.ClickException, USAGE),
    (RejectedCertificateError, REFUTED),
    (CertificateError, MALFORMED),
    (InputError, MALFORMED),
    (DomainError, MALFORMED),
    (DefectiveAnswerError, DEFECT),
    (ResourceLimitError, LIMIT),
    (SearchError, LIMIT),
    (MemoryError, LIMIT),
    (OSError, USAGE),
)


def exit_code(error: BaseException) -> int:
    """The exit code that an exception stands for.

    >>> exit_code(InputError("no")), exit_code(ValueError("no"))
    (3, 70)
    """
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    return next((code for kind, code in _CODES if isinstance(error, kind)), DEFECT)


def report_failure(error: BaseException, *, as_json: bool) -> int:
    """Say what failed, on standard error or as the one JSON object; return the exit code."""
    if isinstance(error, (SystemExit, click.exceptions.Exit)):
        given = error.code if isinstance(error, SystemExit) else error.exit_code
        return given if isinstance(given, int) else 0
    code = exit_code(error)
    if as_json:
        body = {"verdict": "undecided", "claim": None, "error": _message(error), "error_type": type(error).__name__, "certificate": None}
        click.echo(json.dumps({**body, "exit_code": code}, indent=2))
    elif code == INTERRUPTED:
        click.echo("Interrupted.", err=True)
    elif isinstance(error, click.UsageError):
        error.show()
    else:
        click.echo(f"Error: {elide(_message(error))}", err=True)
    return code


def _message(error: BaseException) -> str:
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        return "interrupted"
    if isinstance(error, DefectiveAnswerError):
        return f"{error.message} (a defect of exactdp; --debug shows where)"
    if isinstance(error, ExactDPError):
        return error.message
    if isinstance(error, MemoryError):
        return "not enough memory; try a smaller n, or raise the limit"
    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        return f"{name}{error.strerror or error}"
    if isinstance(error, ImportError) and error.name and not error.name.startswith("exactdp"):
        return f"{error.name} can't be imported ({error}); the installation of exactdp is incomplete, install it again"
    what = f"{type(error).__name__}: {error}"
    return f"{what}. This is a defect of exactdp; please report it with the command and its input (--debug shows where it happened)"
