"""The public surface: every name is there, is documented, and loading it lazily hides nothing."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from public_names import PUBLIC

import exactdp
from exactdp.stubs import NOT_SHOWN, names_of, shown_in, topics_of

STUB = Path(exactdp.__file__).with_name("__init__.pyi")


def test_every_public_name_resolves_and_is_documented():
    for name in {*PUBLIC, *exactdp.__all__}:
        thing = getattr(exactdp, name)
        assert thing.__doc__, name
    assert sorted(dir(exactdp)) == sorted(exactdp.__all__)


STUBS = sorted(path.relative_to(STUB.parent).with_suffix("").as_posix() for path in STUB.parent.rglob("*.pyi"))


def module_of(stub: str) -> str:
    """The dotted name of the module beside which a stub is."""
    return ".".join(["exactdp", *Path(stub).parts]).removesuffix(".__init__")


def as_python_reads_it(stub: str) -> tuple[dict[str, object], set[str]]:
    """The names of a stub with what they are, its ``*`` by what the module says; and which are shown."""
    base = ".".join(["exactdp", *Path(stub).parts[:-1]])
    text = (STUB.parent / f"{stub}.pyi").read_text(encoding="utf-8")
    mark = text[: text.find(NOT_SHOWN)].count("\n") if NOT_SHOWN in text else text.count("\n")
    named: dict[str, object] = {}
    shown: set[str] = set()
    for node in ast.parse(text).body:
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module is None:
            modules = {alias.name: import_module(f"{base}.{alias.name}") for alias in node.names}
            names = [alias.name for alias in node.names if alias.name == alias.asname]
            named |= {name: modules[name] for name in names}
        elif isinstance(node, ast.ImportFrom) and node.level == 1:
            home = import_module(f"{base}.{node.module}")
            for alias in node.names:
                here = home.__all__ if alias.name == "*" else [alias.name] if alias.name == alias.asname else []
                for name in here:
                    found = getattr(home, name)
                    assert inspect.unwrap(named.setdefault(name, found)) is inspect.unwrap(
                        found
                    )  # in a topic and at the top it is the same
                names += here
        elif isinstance(node, ast.AnnAssign) and not node.target.id.startswith("__"):
            names = [node.target.id]
            named[names[0]] = import_module(f"{base}.{names[0]}")
        shown |= set(names) if node.lineno <= mark else set()
    return named, shown


@pytest.mark.parametrize("stub", STUBS)
def test_a_module_has_the_names_of_its_stub(stub):
    """Those that Python reads in it, what exactdp/stubs.py makes of it, and what is there, are the same."""
    found = import_module(module_of(stub))
    named, shown = as_python_reads_it(stub)
    names = {name for names in names_of(found.__file__).values() for name in names}
    assert names | set(topics_of(found.__file__)) == set(named)
    assert shown <= set(dir(found))
    assert sorted(found.__all__) == sorted(shown) == shown_in(found.__file__)
    for name, thing in named.items():
        assert inspect.unwrap(getattr(found, name)) is inspect.unwrap(thing)


NEEDED = {
    "a frame of floats": {"from_floats", "is_private", "neighbours"},
    "the smallest ε of a file": {"read_table", "load", "tightest_level", "Epsilon"},
    "two tables": {"is_refined_by", "tightest_level", "audit"},
    "a picture": {"geometric", "Mechanism"},
    "the best remap": {"best_remap", "MinimaxConsumer", "BayesianConsumer", "Loss", "Prior"},
    "the optimum": {"optimum", "is_optimal", "PrivacyLevel"},
    "a certificate": {"certify", "verify", "load"},
}
"""The names of the top that the tasks of a new user need; the rest are methods, or in topics."""


def test_a_newcomer_sees_about_forty_names_and_the_topics_among_them():
    topics = topics_of(exactdp.__file__)
    assert 35 <= len(dir(exactdp)) <= 45
    assert set().union(*NEEDED.values()) <= set(dir(exactdp))
    assert {"leakage", "types", "tight", "composition", "letters"} <= set(topics)
    within = {name for topic in topics if topic != "errors" for name in dir(getattr(exactdp, topic))}
    assert set(PUBLIC) <= within  # every name is in a topic


@pytest.mark.parametrize("topic", topics_of(exactdp.__file__))
def test_a_topic_is_there_at_once_and_imports_as_modules_do(topic):
    code = f"import exactdp; shown = dir(exactdp.{topic}); import exactdp.{topic} as again; assert exactdp.{topic} is again"
    code += f"; from exactdp import {topic}; assert again is {topic}; assert all(hasattr(again, name) for name in shown)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_topic_of_leakage_is_still_the_function():
    mechanism = exactdp.geometric(1, "1/2")
    assert exactdp.leakage(mechanism, "uniform").evidence == exactdp.leakage.leakage(mechanism, "uniform").evidence
    text = (STUB.parent / "leakage.pyi").read_text(encoding="utf-8")
    (typed,) = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
    fields = {node.targets[0].id for node in typed.body if isinstance(node, ast.Assign)}
    assert fields == {*exactdp.leakage.__all__, "__call__"}  # what type checkers know of it


TYPED = """
import exactdp
import exactdp.types
from exactdp import capacity, leakage, sweep
from exactdp.tight import tight_levels
exactdp.leakage.capacity("geometric:n=3,alpha=1/2")
exactdp.leakage("geometric:n=3,alpha=1/2", "uniform").evidence.factor
exactdp.capacity("geometric:n=3,alpha=1/2")
exactdp.types.vertex_count("path:2", "1/2")
raise exactdp.errors.InputError("")
"""


@pytest.mark.slow
@pytest.mark.parametrize(("more", "fault"), [("", None), ("exactdp.leakage.capcity", "capcity"), ("exactdp.K", "K")])
def test_a_type_checker_knows_topics_and_old_names(more, fault, tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "asks.py").write_text(TYPED.replace("raise", f"{more}\nraise"), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "asks.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == (fault is not None), done.stdout
    assert fault is None or f'"{fault}"' in done.stdout


@pytest.mark.parametrize(
    ("module", "wrong", "meant"),
    [
        ("", "tighest_level", "tightest_level"),
        ("", "capcity", "capacity"),
        (".leakage", "posterior", "posteriors"),
        ("", "leackage", "leakage"),
    ],
)
def test_a_wrong_name_is_answered_with_the_nearest(module, wrong, meant):
    with pytest.raises(AttributeError) as caught:
        getattr(import_module(f"exactdp{module}"), wrong)
    assert str(caught.value) == f"exactdp{module} has no {wrong!r}; did you mean {meant}?"
    with pytest.raises(ImportError):
        exec(f"from exactdp{module} import {wrong}", {})


def test_all_lines_of_a_stub_are_read(tmp_path):
    (tmp_path / "__init__.pyi").write_text("# names\nfrom .a import x as x\nfrom .b.c import *\n\n__version__: str\n")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c.py").write_text('__all__ = [\n    "y",\n    "z",\n]\n')
    assert names_of(str(tmp_path / "__init__.py")) == {"a": ["x"], "b.c": ["y", "z"]}
    (tmp_path / "b" / "c.py").write_text("def y(): ...\n")
    with pytest.raises(ImportError, match=r"b\.c, which has no __all__"):
        names_of(str(tmp_path / "__init__.py"))


@pytest.mark.parametrize(
    "name",
    [
        "joint",
        "posteriors",
        "Hyper",
        "earth_move",
        "uncertainty",
        "vulnerability",
        "additive_leakage",
        "multiplicative_leakage",
        "is_refined_by",
        "refinement_order",
    ],
)
def test_channels_and_losses_are_public_and_have_an_example(name):
    thing = getattr(exactdp, name)
    assert ">>>" in thing.__doc__
    assert "Parameters" in thing.__doc__


def test_unknown_names_are_refused():
    assert not hasattr(exactdp, "nonsense")
    with pytest.raises(AttributeError, match="nonsense"):
        exactdp.nonsense  # noqa: B018


def test_help_loads_no_numbers():
    code = "import sys, exactdp.cli; print([m for m in ('flint', 'sympy', 'highspy', 'matplotlib') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
