"""What the whole suite shares: which optional parts are there, and CI's refusal of skipped oracles."""

from __future__ import annotations

import gc
import importlib
import importlib.util
import os
import re
import shutil
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestItem, DoctestModule
from hypothesis import HealthCheck, settings

# exact numbers may grow, and a machine may be busy: no time is asserted. Each test has a timeout instead
settings.register_profile("exactdp", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("exactdp")

for package in ("exact", "model", "mechanisms", "analysis", "certificate"):
    # before pytest imports a single module for its doctests: it executes one again that its package imports,
    # and then there are two classes of each name
    importlib.import_module(f"exactdp.{package}")
importlib.import_module("proofs.index")

WITH_EXTRAS = {"exactdp/sweeps/worker.py": "distributed", "docs/conf.py": "sphinx", "docs/pictures/draw.py": "matplotlib"}
"""Files that can't be imported without a library of an extra."""

collect_ignore = [file for file, library in WITH_EXTRAS.items() if importlib.util.find_spec(library) is None]


@pytest.hookimpl(hookwrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, Any, None]:
    """Modules without an example are not imported and searched for one."""
    outcome = yield
    if file_path.suffix == ".py" and ">>>" not in file_path.read_text(encoding="utf-8"):
        outcome.force_result([found for found in outcome.get_result() if not isinstance(found, DoctestModule)])


@pytest.hookimpl(hookwrapper=True)
def pytest_collection() -> Generator[None, Any, None]:
    """What is collected stays to the end: while it grows nothing in it is looked for as garbage."""
    gc.disable()
    yield
    gc.enable()


REQUIRE_ORACLES = bool(os.environ.get("EXACTDP_REQUIRE_ORACLES"))
AGAIN = bool(os.environ.get("EXACTDP_AGAIN"))
"""Set where CI repeats the suite with other versions: a fifth of the examples of each property test."""
MISSING = re.compile(r"oracle missing|could not import '(?!qif')")
"""The reasons of skips that CI refuses: all its packages are there, but for one that its index lacks."""

EXAMPLES_WITH_EXTRAS = {"matrices.md": "pandas", "exploring.md": "matplotlib", "picture.py": "matplotlib"}
"""Files whose examples need a library of an extra."""


def _is_of_another_module(item: pytest.Item) -> bool:
    """Whether an example is that of a public function at the top: it is tried where that is defined."""
    if not isinstance(item, DoctestItem) or item.dtest is None:
        return False
    module, _, name = item.dtest.name.rpartition(".")
    here = sys.modules.get(module)
    inside = getattr(vars(here).get(name) if here is not None else None, "__wrapped__", None)
    return inside is not None and inside.__module__ != module


@pytest.hookimpl(tryfirst=True)  # before those that are slow are deselected
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Most cases of some tests are slow. Examples of what is not installed are skipped. The fast suite
    tries fewer examples of each property, and the nightly run all of them.
    """
    items[:] = [item for item in items if not _is_of_another_module(item)]
    shares, fewer = map(importlib.import_module, ("shares", "fewer_examples"))  # in tests/support
    shares.mark_most_slow(items)
    for item in items:
        library = EXAMPLES_WITH_EXTRAS.get(item.path.name)
        if library and importlib.util.find_spec(library) is None:
            item.add_marker(pytest.mark.skip(reason=f"oracle missing: {library}"))
        if fewer.is_property(getattr(item, "obj", None)):
            item.add_marker(pytest.mark.property)
    if AGAIN or config.option.markexpr == "not slow":
        fewer.with_fewer_examples((getattr(item, "obj", None) for item in items), 5 if AGAIN else 3)


def pytest_report_header() -> str:
    """Say which optional parts the run can use."""
    parts = [name for name in ("highspy", "z3", "ppl", "numpy", "matplotlib") if importlib.util.find_spec(name)]
    parts += [program for program in ("esolver", "lrs", "chromium") if shutil.which(program)]
    return f"optional parts found: {', '.join(parts) or 'none'}"


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, Any, None]:
    """In CI a module is not left out for want of a library."""
    outcome = yield
    _refuse_skip(collector.nodeid, outcome.get_result())


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """In CI a test that needs another library or solver must run."""
    outcome = yield
    _refuse_skip(item.nodeid, outcome.get_result())


def _refuse_skip(nodeid: str, report: pytest.CollectReport | pytest.TestReport) -> None:
    """In CI a skip for want of what is there is a failure."""
    if REQUIRE_ORACLES and report.skipped and isinstance(report.longrepr, tuple) and MISSING.search(report.longrepr[2]):
        report.outcome = "failed"
        report.longrepr = f"{nodeid}: {report.longrepr[2]} (EXACTDP_REQUIRE_ORACLES is set)"
