"""``exactdp mechanisms``: every word with its parameters, law, source and an example that works."""

from __future__ import annotations

import json

import pytest
from cli_runner import run

from exactdp.mechanisms.words import FAMILIES, mechanism_from_spec

LARGE = {"opendp-geometric"}


def test_the_list_has_every_word_with_its_parameters_law_source_and_example():
    shown = run("mechanisms")
    assert shown.code == 0
    listed = shown.out.split("\n\n")
    assert len(listed) == len(FAMILIES)
    for block, family in zip(listed, FAMILIES.values(), strict=True):
        assert block.startswith(f"{family.example}\n")
        for key, text in (("takes", family.takes), ("law", family.law), ("source", family.source), ("does", family.does)):
            assert text
            assert f"\n  {key.ljust(6)}  {text}" in block
        for parameter in family.parameters:
            assert parameter.name in family.takes


@pytest.mark.parametrize("name", FAMILIES)
def test_all_about_a_word_and_its_example_works(name):
    shown = run(["mechanisms", name])
    assert shown.code == 0
    family = FAMILIES[name]
    for parameter in family.parameters:
        assert f"  {parameter.name} " in shown.out
        assert parameter.domain in shown.out
        assert parameter.default is None or f"(default {parameter.default})" in shown.out
    example = shown.out.splitlines()[-1].removeprefix("Example     ")
    if name not in LARGE:
        assert run(example).code == 0
    assert run(["mechanisms", name, "--json"]).json["parameters"] == [
        {"name": p.name, "domain": p.domain, "default": p.default, "one_of_several": p.choice} for p in family.parameters
    ]


def test_a_default_is_what_the_word_means_without_the_parameter():
    for family in FAMILIES.values():
        given = dict(part.split("=") for part in family.example.partition(":")[2].split(","))
        for parameter in family.parameters:
            if parameter.default is not None:
                value = given["n"] if parameter.default == "n" else parameter.default
                rest = ",".join(f"{key}={text}" for key, text in given.items() if key != parameter.name)
                assert mechanism_from_spec(f"{family.name}:{rest}") == mechanism_from_spec(f"{family.name}:{rest},{parameter.name}={value}")


def test_json_lists_the_same_words():
    assert [entry["word"] for entry in json.loads(run("mechanisms --json").out)["mechanisms"]] == list(FAMILIES)


def test_a_whole_word_is_explained_by_its_name():
    assert run("mechanisms geometric:n=3").out == run("mechanisms geometric").out


def test_an_unknown_word_brings_the_nearest():
    shown = run("mechanisms geometrc")
    assert shown.code == 2
    assert "did you mean geometric?" in shown.err


def test_commands_point_to_the_list():
    shown = run("privacy geometrc:n=3 --alpha 1/4")
    assert shown.code == 2
    assert "did you mean geometric?" in shown.err
    for command in ("privacy", "optimal", "remap", "derive", "refine", "audit"):
        assert "'exactdp mechanisms' lists" in " ".join(run([command, "--help"]).out.replace("'exactdp\n", "'exactdp ").split())


def test_a_wrong_or_missing_parameter_says_what_the_word_takes():
    for words in ("privacy geometric:n=3,beta=1", "privacy geometric:alpha=1/2", "privacy geometric:n=3"):
        shown = run(words)
        assert shown.code in (2, 3)
        assert "geometric takes n, one of alpha, epsilon, as in geometric:n=3,alpha=1/2" in shown.err
