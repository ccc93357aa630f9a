# SPDX-License-Identifier: MIT
"""The table of docs/limits.md has the rows of benchmarks/people; its figures are of the last run."""

import sys
import tomllib

from places import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))
import people


def cells(table):
    """The rows without their figures."""
    return [line.strip("| ").split(" | ")[:5] for line in table.splitlines()]


def test_the_page_has_the_rows_of_the_benchmark():
    page = people.PAGE.read_text(encoding="utf-8")
    table = page.split(people.MARKS[0])[1].split(people.MARKS[1])[0].strip()
    assert cells(table) == cells(people.page_table("")), "run python benchmarks/people.py, or with --table"
    assert len(cells(table)) > 20


def test_figures_come_from_what_was_measured_and_the_rest_of_the_page_stays():
    first = next(row for row in tomllib.loads((people.FAMILIES / "paths.toml").read_text())["row"] if "size" in row)
    table = people.page_table(f"| name | `{first['command']}` | 1.25 | 40 | 2.0 | | |\n")
    assert [line.split(" | ")[-2:] for line in table.splitlines() if f"`{first['command']}`" in line] == [["1.25", "40 |"]]
    page = f"before\n{people.MARKS[0]}old\n{people.MARKS[1]}after\n"
    assert people.with_table(page, table) == f"before\n{people.MARKS[0]}\n{table}\n{people.MARKS[1]}after\n"
