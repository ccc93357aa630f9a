# SPDX-License-Identifier: MIT
"""The folder: what counts as answered, whatever a crash, a full disk or somebody else left there."""

from __future__ import annotations

import hashlib
import json
import os
import random
import sys
import threading
from decimal import Decimal
from fractions import Fraction

import pytest
from cli_runner import run

pyarrow = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("duckdb")

from exactdp.certificate.verification import verify  # noqa: E402
from exactdp.errors import InputError, WriteError  # noqa: E402
from exactdp.sweeps import cluster  # noqa: E402
from exactdp.sweeps import store as store_module  # noqa: E402
from exactdp.sweeps.answer import Answer  # noqa: E402
from exactdp.sweeps.asking import answered  # noqa: E402
from exactdp.sweeps.index import index, rows  # noqa: E402
from exactdp.sweeps.plan import Plan  # noqa: E402
from exactdp.sweeps.question import Question  # noqa: E402
from exactdp.sweeps.store import COLUMNS, Store  # noqa: E402
from exactdp.sweeps.verification import verify_folder  # noqa: E402

PLAN = Plan(
    (
        Question("tight", "path:3", "1/2"),
        Question("tight", "star:4", "2/3"),
        Question("optimum", "path:2", "1/3", "abs", "minimax"),
        Question("optimum", "complete:3", "epsilon=1", "zero-one", "uniform"),
        Question("tight", "star:0", "2/3"),
    )
)


@pytest.fixture(scope="module")
def answers():
    return [answered(question.text, 60) for question in PLAN.questions]


@pytest.fixture
def folder(tmp_path, answers):
    with Store(tmp_path / "answers") as store:
        store.note(PLAN)
        store.keep(answers[:2])
        store.keep(answers[2:])
    return tmp_path / "answers"


def known(folder, again=()):
    with Store(folder) as store:
        return store.answered(again)


def certificates(folder):
    return sorted((folder / "certificates").iterdir())


def test_what_is_kept_is_answered(folder, answers):
    assert known(folder) == {answer.question: answer.verdict for answer in answers}
    assert [answer.verdict for answer in answers] == ["proved", "refuted", "proved", "proved", "failed"]
    assert known(folder, ("failed",)).keys() == {answer.question for answer in answers[:4]}


def test_a_certificate_is_a_file_named_by_its_digest(folder, answers):
    assert len(certificates(folder)) == 4
    for answer in answers[:4]:
        path = folder / "certificates" / f"{answer.digest.removeprefix('sha256:')}.edp.json"
        body = json.loads(path.read_text())
        theorem = {key: body[key] for key in ("format", "version", "claim", "definitions", "witness")}
        digest = hashlib.sha256(json.dumps(theorem, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
        assert path.name == f"{digest}.edp.json"
        assert verify(path).accepted


def test_the_rows_are_exact(folder):
    names, found = rows(index(folder), select="question, verdict, value, lower, upper, inputs, edges", order="question")
    assert names[0] == "question"
    by = {text: row for text, *row in found}
    # tight on path:3 at α: utility Σz/3 with z from Φz = 1; at 1/2 by hand: (2/3 + 1/3 + 2/3)/3
    assert by[PLAN.questions[0].text] == ["proved", "5/9", Decimal("0.555555555555555555"), Decimal("0.555555555555555556"), 3, 2]
    # two inputs, |i − r|: the answer is right with probability 1/(1 + α), else the loss is 1
    assert by[PLAN.questions[2].text][1] == str(Fraction(1, 3) / (1 + Fraction(1, 3)))
    lower, upper = by[PLAN.questions[3].text][2:4]
    assert 0 < upper - lower <= Decimal(10) ** -18
    assert by[PLAN.questions[4].text] == ["failed", None, None, None, None, None]


@pytest.mark.parametrize("cut", [0, 1, 100])
@pytest.mark.parametrize("where", ["certificate", "part"])
def test_a_half_written_file_is_not_taken_for_a_whole_one(folder, answers, cut, where):
    path = certificates(folder)[0] if where == "certificate" else sorted((folder / "parts").iterdir())[-1]
    lost = answers[2:] if where == "part" else [answer for answer in answers if answer.digest == f"sha256:{path.name[:64]}"]
    path.write_bytes(path.read_bytes()[:cut])
    assert known(folder).keys() == {answer.question for answer in answers if answer not in lost}
    before = len(rows(index(folder))[1])
    assert before == (5 if where == "certificate" else 2)
    with Store(folder) as store:
        store.keep(lost)
        assert store.answered().keys() == {answer.question for answer in answers}
    assert verify_folder(folder).exit_codes == ([] if where == "certificate" else [4])  # the index is older than the parts
    assert len(rows(index(folder))[1]) == 5
    assert verify_folder(folder).exit_codes == []


def test_what_a_killed_client_left_is_cleaned_up(folder):
    for place in (folder, folder / "certificates", folder / "parts"):
        (place / ".unfinished-00000009.parquet").write_bytes(b"PAR1")
    before = known(folder)
    assert len(before) == 5
    assert not [*folder.rglob(".unfinished-*")]


def test_a_certificate_without_a_row_is_harmless_and_told(folder, answers):
    sorted((folder / "parts").iterdir())[0].unlink()
    found = verify_folder(folder)
    assert (found.accepted, found.exit_codes, len(found.extra)) == (4, [], 2)
    with Store(folder) as store:
        assert len(store.answered()) == 3
        store.keep(answers[:2])
        assert len(store.answered()) == 5
    assert verify_folder(folder).extra == ()


def test_the_newest_row_counts(folder, answers):
    first = answers[4]
    with Store(folder) as store:
        store.keep([Answer(first.question, "limit", message="later")])
        assert store.answered()[first.question] == "limit"
    assert rows(index(folder), select="message", where="verdict = 'limit'")[1] == [("later",)]
    assert len(rows(index(folder))[1]) == 5


def test_the_index_does_not_depend_on_the_order(tmp_path, answers, folder):
    with Store(tmp_path / "other") as store:
        for answer in reversed(answers):
            store.keep([answer])
    one, other = (pq.read_table(index(place)) for place in (folder, tmp_path / "other"))
    assert one.column_names == list(COLUMNS)
    assert one.equals(other)


def test_the_index_is_made_anew_only_when_there_is_more(folder, answers):
    path = index(folder)
    stamp = path.stat().st_mtime_ns
    assert index(folder).stat().st_mtime_ns == stamp
    with Store(folder) as store:
        store.keep(answers[:1])
    assert index(folder).stat().st_mtime_ns != stamp
    assert len(rows(path)[1]) == 5


def test_the_index_is_made_anew_when_a_part_has_other_bytes_of_the_same_number(folder):
    made = index(folder)
    first, second = sorted((folder / "parts").iterdir())
    before = made.read_bytes()
    data = first.read_bytes()
    first.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))  # no whole part any more
    assert index(folder).read_bytes() != before
    assert len(pq.read_table(made)) == len(pq.read_table(second))


def test_one_process_writes_at_a_time(folder):
    with Store(folder), pytest.raises(InputError, match="another process writes"), Store(folder):
        pass
    with Store(folder):
        pass


def test_a_folder_of_something_else_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("…")
    with pytest.raises(InputError, match="has other things in it"), Store(tmp_path):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
    with pytest.raises(InputError, match="there is no sweep"):
        index(tmp_path)


@pytest.mark.parametrize("fails", ["certificates", "parts"])
def test_a_disk_that_fails_loses_no_whole_file(folder, answers, monkeypatch, fails, tmp_path):
    full = tmp_path / "full"
    real = os.fsync

    def fsync(handle):
        if fails in os.readlink(f"/proc/self/fd/{handle}"):
            raise OSError(28, "No space left on device")
        real(handle)

    if not os.path.exists("/proc/self/fd"):
        pytest.skip("no /proc")
    with Store(full) as store:
        store.keep(answers[:1])
        with monkeypatch.context() as patched:
            patched.setattr(store_module.os, "fsync", fsync)
            with pytest.raises(WriteError, match="No space left"):
                store.keep(answers[1:])
    assert not [*full.rglob(".unfinished-*")]
    assert known(full).keys() == {answers[0].question}
    with Store(full) as store:
        store.keep(answers[1:])
    assert known(full) == known(folder)


def test_plans_are_noted_once_each(folder):
    with Store(folder) as store:
        store.note(PLAN)
        store.note(Plan(PLAN.questions[:1]))
        store.note(PLAN)
    noted = json.loads((folder / "plans.json").read_text())["plans"]
    assert [entry["questions"] for entry in noted] == [5, 1]


# --- The commands, where no cluster is needed ---


def test_verify_names_what_is_wrong(folder, tmp_path):
    done = run(["verify", str(folder)])
    assert done.code == 0
    rows = "4 rows name one, 1 without a verdict, not compared; no certificate says, so not compared: "
    rows += "value (1), lower (1), upper (1), message, seconds, memory, versions"
    assert done.out.splitlines() == [f"{folder}: 4 certificates: 4 accepted; {rows}"]
    first, second, third, _ = certificates(folder)
    third.unlink()
    body = first.read_text()
    first.write_text(second.read_text())
    (folder / "certificates" / f"{64 * '0'}.edp.json").write_text(body.replace('"digest": "sha256:', '"digest": "sha256:f'))
    done = run(["verify", str(folder)])
    assert done.code == 1
    assert f"{first}: rejected: its digest is sha256:{second.name[:64]}, and its name says another one" in done.out
    assert f"{third.name}: missing: a row names it" in done.out
    assert "4 certificates: 2 accepted, 2 rejected; 4 rows name one, 1 missing, 1 that no row names, 1 without a verdict" in done.out
    told = run(["verify", str(folder), "--json"])
    assert told.code == done.code
    assert told.json["missing"] == [third.name]
    assert told.json["accepted"] == 2


def test_verify_takes_any_folder_of_certificates(folder, tmp_path):
    found = verify_folder(folder / "certificates")
    assert (found.files, found.accepted, found.rows) == (4, 4, None)
    (tmp_path / "empty").mkdir()
    assert run(["verify", str(tmp_path / "empty")]).code == 3
    assert run(["verify", str(folder), str(folder)]).code == 2
    assert run(["verify", str(folder), "--trust"]).code == 2


def test_an_altered_index_is_rejected(folder, answers):
    made, answer = index(folder), next(answer for answer in answers if answer.kind == "optimal")
    table = pq.read_table(made)
    values = ["1/7" if text == answer.value else text for text in table.column("value").to_pylist()]
    pq.write_table(table.set_column(table.schema.get_field_index("value"), "value", [values]), made)
    found = verify_folder(folder)
    assert found.exit_codes == [1]
    assert found.others[0].sentence == f"row {answer.question}: the row has the value 1/7, the certificate {answer.value}"


@pytest.mark.parametrize(
    ("column", "old", "new"),
    [
        ("verdict", "refuted", "proved"),
        ("graph", "star:4", "star:5"),
        ("level", "2/3", "1/2"),
        ("ask", "tight", "optimum"),
        ("consumer", "minimax", "uniform"),
        ("inputs", 4, 5),
        ("edges", 3, None),
        ("lower", Decimal("0.555555555555555555"), Decimal("0.444444444444444444")),
        ("upper", Decimal("0.555555555555555556"), None),
    ],
)
def test_each_column_of_an_index_is_compared(folder, column, old, new):
    made = index(folder)
    table = pq.read_table(made)
    cells = table.column(column).to_pylist()
    assert old in cells
    changed = pyarrow.array([new if cell == old else cell for cell in cells], table.schema.field(column).type)
    pq.write_table(table.set_column(table.schema.get_field_index(column), table.schema.field(column), changed), made)
    assert verify_folder(folder).exit_codes == [1] * cells.count(old)


def altered(path, alter):
    """A Parquet file with other rows."""
    table = pq.read_table(path)
    found = alter(table.to_pylist())
    pq.write_table(pyarrow.Table.from_pylist(found, schema=table.schema), path)


SEVENTH = {"verdict": "Proved", "value": "1/7", "claim": "The least loss is 1/7."}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (SEVENTH, "its verdict is Proved, which is none of"),
        (SEVENTH | {"verdict": None}, "its verdict is empty, which is none of"),
        (SEVENTH | {"verdict": "limit"}, "its verdict is limit, and it has the value 1/7"),
        ({"verdict": "failed", "kind": "optimal"}, "its verdict is failed, and it has the kind optimal"),
        ({"bytes": 7}, "it has the size 7"),
        ({"graph": "path:9"}, "its column graph is path:9"),
        ({"inputs": 9}, "its column inputs is 9"),
        ({"question": "{}"}, "its question can't be read"),
        ({"question": '{"ask":"tight","graph":"star:9","graph":"star:0","level":"2/3"}'}, "its question has a key twice"),
    ],
)
@pytest.mark.parametrize("where", ["index.parquet", "parts"])
def test_a_row_without_a_certificate_says_nothing_that_needs_one(folder, change, told, where):
    index(folder)
    files = [folder / where] if where == "index.parquet" else sorted((folder / where).iterdir())
    for path in files:
        altered(path, lambda found: [row if row["digest"] else row | change for row in found])
    found = verify_folder(folder)
    assert (found.accepted, found.exit_codes) == (4, [1])
    assert told in found.others[0].sentence
    assert found.others[0].file == str(folder / where)


@pytest.mark.parametrize("claim", [None, ""])
def test_a_row_with_a_certificate_has_its_sentence(folder, claim):
    for path in (folder / "parts").iterdir():
        altered(path, lambda found: [row | {"claim": claim} for row in found])
    assert verify_folder(folder).exit_codes == [1] * 4


@pytest.mark.parametrize("name", ["any", "{}"])
def test_a_row_names_its_certificate_by_the_digest(folder, name):
    """Not by the name of a file."""
    digits = certificates(folder)[0].name[:64]
    other = name.format(digits)
    for path in (folder / "parts").iterdir():
        altered(path, lambda found: [row | {"digest": other} if row["digest"] == f"sha256:{digits}" else row for row in found])
    certificates(folder)[0].rename(folder / "certificates" / f"{other}.edp.json")
    found = verify_folder(folder)
    assert found.exit_codes == [1]
    assert f"the row has the digest {other}, the certificate sha256:{digits}" in found.others[0].sentence


@pytest.mark.parametrize(
    "alter",
    [lambda found: found[1:], lambda found: [*found, found[0]], lambda found: [row | {"message": "it is false"} for row in found]],
)
def test_an_index_that_is_not_that_of_the_parts_is_named(folder, alter):
    """A row is missing there, or there is another one; without the parts nobody can tell."""
    made = index(folder)
    altered(made, alter)
    found = verify_folder(folder)
    assert found.exit_codes == [4]
    assert found.not_seen == ("index.parquet (it has not the newest rows of the parts: exactdp index makes it anew from them)",)


def test_a_question_is_written_once(folder, answers):
    """JSON takes the last of two graphs, a reader any of them."""
    twice = [answer.question.replace('"graph":', '"graph":"path:9","graph":') for answer in answers]
    for path in (folder / "parts").iterdir():
        altered(path, lambda found: [row | {"question": twice[[a.question for a in answers].index(row["question"])]} for row in found])
    assert verify_folder(folder).exit_codes == [1] * 5


@pytest.mark.parametrize("size", [None, 1])
def test_the_bytes_of_a_certificate_are_compared(folder, size):
    made = index(folder)
    table = pq.read_table(made)
    cells = [cell and (size or cell + 1) for cell in table.column("bytes").to_pylist()]
    changed = pyarrow.array(cells, table.schema.field("bytes").type)
    pq.write_table(table.set_column(table.schema.get_field_index("bytes"), table.schema.field("bytes"), changed), made)
    assert verify_folder(folder).exit_codes == [1] * 4


def test_each_file_is_read_once(folder):
    """A pipe gives the certificate to the one who reads it first, and something else later."""
    index(folder)
    path = certificates(folder)[0]
    data = path.read_bytes()
    path.unlink()
    os.mkfifo(path)
    done = threading.Event()

    def serve():
        path.write_bytes(data)
        if not done.wait(60):  # who reads it again waits for something to read
            path.write_bytes(b"{}")

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    found = verify_folder(folder)
    done.set()
    assert (found.accepted, found.exit_codes) == (4, [])


def test_what_is_not_looked_at_is_named(folder, tmp_path):
    whole = certificates(folder)[0].read_bytes()
    places = ["x.edp.json", ".x.edp.json", "sub/x.edp.json", "x.json", "parts/x.parquet", "certificates/.x.edp.json"]
    places += ["certificates/sub/x.edp.json", "certificates/notes.txt", "parts/00000009.parquet"]
    for name in places:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(whole)
    (folder / "linked").symlink_to(tmp_path)
    found = verify_folder(folder)
    assert (found.accepted, found.exit_codes) == (4, [4])
    reasons = {"parts/00000009.parquet": " (it is no whole Parquet file)"}
    assert sorted(found.not_seen) == sorted([*(name + reasons.get(name, "") for name in places), "linked"])
    done = run(["verify", str(folder)])
    assert done.code == 4
    assert "10 not looked at: " in done.out
    assert run(["verify", str(folder), "--json"]).json["not_looked_at"] == list(found.not_seen)
    sorted((folder / "certificates").glob("[0-9a-f]*.edp.json"))[0].unlink()
    assert run(["verify", str(folder)]).code == 1  # what is wrong is worse than what nobody looked at


def test_rows_that_cant_be_read_are_named(folder, monkeypatch):
    index(folder)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    done = run(["verify", str(folder)])
    assert done.code == 4
    assert "compared with nothing" in done.out
    for name in ("index.parquet", "parts/00000001.parquet", "parts/00000002.parquet"):
        assert f"{name} (many questions need the extra 'sweep', and pyarrow is missing" in done.out


def test_rows_are_compared_wherever_the_certificates_are(folder):
    """Also beside the index."""
    made = index(folder)
    for path in certificates(folder):
        path.rename(folder / path.name)
    (folder / "certificates").rmdir()
    assert verify_folder(folder).exit_codes == []
    table = pq.read_table(made)
    values = ["1/7" if text else None for text in table.column("value").to_pylist()]
    pq.write_table(table.set_column(table.schema.get_field_index("value"), "value", [values]), made)
    assert 1 in verify_folder(folder).exit_codes


def test_answers_without_a_certificate_are_counted(folder):
    made = index(folder)
    table = pq.read_table(made)
    none = pyarrow.array([None] * len(table), table.schema.field("digest").type)
    pq.write_table(table.set_column(table.schema.get_field_index("digest"), "digest", none), made)
    done = run(["verify", str(folder)])
    assert done.code == 4
    assert "4 accepted; 4 rows name one, 4 proved or refuted without one, 1 without a verdict" in done.out
    assert run(["verify", str(folder), "--json"]).json["without"] == 4


def test_a_part_that_cant_be_read_now_is_not_removed(folder, answers, monkeypatch):
    [first, *_] = parts = sorted((folder / "parts").iterdir())
    whole = type(first).read_bytes

    def refuse(path):
        if path == first:
            raise PermissionError(13, "Permission denied")
        return whole(path)

    with monkeypatch.context() as patch:
        patch.setattr(type(first), "read_bytes", refuse)
        with pytest.raises(InputError, match="can't be read: Permission denied"):
            known(folder)
    assert sorted((folder / "parts").iterdir()) == parts
    assert known(folder) == {answer.question: answer.verdict for answer in answers}


def test_index_prints_tables_json_and_csv(folder):
    base = ["index", str(folder), "--where", "ask = 'tight' AND verdict <> 'failed'"]
    done = run(base)
    assert done.code == 0
    assert [line.split() for line in done.out.splitlines()] == [
        ["ask", "graph", "level", "verdict", "value"],
        ["tight", "path:3", "1/2", "proved", "5/9"],
        ["tight", "star:4", "2/3", "refuted"],
        ["(2", "rows)"],
    ]
    told = run([*base, "--json", "--select", "graph, lower"]).json
    assert told["columns"] == ["graph", "lower"]
    assert told["rows"] == [["path:3", "0.555555555555555555"], ["star:4", None]]
    printed = run([*base, "--csv", "--select", "graph, upper", "--order", "graph DESC"]).out
    assert printed == "graph,upper\nstar:4,\npath:3,0.555555555555555556\n"
    counted = run(["index", str(folder), "--select", "verdict, count(*) AS n", "--group", "verdict", "--order", "n, verdict"])
    assert [line.split() for line in counted.out.splitlines()[1:4]] == [["failed", "1"], ["refuted", "1"], ["proved", "3"]]
    assert run(["index", str(index(folder)), "--limit", "1"]).out.splitlines()[-1] == "(1 row)"


@pytest.mark.parametrize("words", [["--where", "nothing = 3"], ["--where", "); DROP"], ["--select", "count("]])
def test_what_duckdb_does_not_understand_is_told(folder, words):
    done = run(["index", str(folder), *words])
    assert done.code == 3
    assert done.err.startswith(f"Error: DuckDB can't answer from the index {str(folder / 'index.parquet')!r}: ")
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    "words",
    [
        ["--select", "(SELECT content FROM read_text('{place}/secret.txt'))"],
        ["--where", "graph IN (SELECT content FROM read_text('{place}/*.txt'))"],
        ["--where", "TRUE; COPY (SELECT 1) TO '{place}/new.csv'; --"],
        ["--where", "TRUE; ATTACH '{place}/new.csv' AS other; SELECT 1 AS question"],
        ["--select", "1; SET enable_external_access = true; SELECT 1 AS question", "--order", "question"],
    ],
)
def test_a_question_to_the_index_reads_and_writes_no_files(folder, words, tmp_path):
    (tmp_path / "secret.txt").write_text("path:3")
    done = run(["index", str(folder), *(word.format(place=tmp_path) for word in words)])
    assert done.code == 3
    assert len(done.err.splitlines()) == 1
    assert "path:3" not in done.out + done.err
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix) == ["secret.txt"]


def test_a_comment_in_a_condition_hides_no_limit(folder):
    found = rows(index(folder), where="verdict = 'proved' -- the good ones", order="graph DESC -- last first", limit=1)[1]
    assert len(found) == 1


def test_a_folder_may_have_any_name(folder, tmp_path):
    place = tmp_path / "_100%25 [a-z] * 'ü'"
    folder.rename(place)
    assert len(rows(index(place))[1]) == 5
    index(place).rename(tmp_path / "_hidden[1].parquet")
    assert len(rows(tmp_path / "_hidden[1].parquet")[1]) == 5
    (tmp_path / "no.parquet").write_bytes(b"PAR1")
    done = run(["index", str(tmp_path / "no.parquet")])
    assert (done.code, len(done.err.splitlines())) == (3, 1)
    assert "can't be read as Parquet" in done.err


def test_what_is_no_finite_number_is_text_in_json(folder):
    done = run(["index", str(folder), "--select", "'nan'::DOUBLE, '-inf'::DOUBLE", "--limit", "1", "--json"])
    assert json.loads(done.out, parse_constant=pytest.fail)["rows"] == [["nan", "-inf"]]


def test_decimals_are_compared_exactly(folder):
    assert len(rows(index(folder), where="lower > 0.555555555555555554 AND upper < 0.555555555555555557")[1]) == 1
    assert rows(index(folder), where="lower > 0.555555555555555555 AND graph = 'path:3'")[1] == []


def test_a_sweep_with_nothing_to_ask_starts_no_cluster(folder, monkeypatch):
    import exactdp as xdp

    monkeypatch.setattr("exactdp.sweeps.run.cluster", None)
    events = []
    done = xdp.sweep(PLAN, folder, progress=events.append)
    assert str(done) == "5 questions: 3 proved, 1 refuted, 1 failed (5 had been answered before)"
    assert [row["graph"] for row in done.rows("verdict = 'refuted'")] == ["star:4"]
    assert (events[0].done, events[0].total) == (5, 5)
    for wrong in ({"workers": True}, {"workers": 0}, {"workers": 1, "scheduler": "tcp://127.0.0.1:1"}):
        with pytest.raises(InputError, match="workers"):
            xdp.sweep(PLAN, folder, **wrong)


@pytest.mark.parametrize("missing", ["pyarrow", "duckdb", "distributed"])
def test_without_the_extra_one_sentence_says_what_to_install(folder, monkeypatch, missing, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, missing, None)
    (tmp_path / "plan.toml").write_text('[[questions]]\nask = "tight"\ngraphs = "path:3"\nlevels = "1/2"\n')
    command = ["index", str(folder)] if missing == "duckdb" else ["sweep", str(tmp_path / "plan.toml"), "-o", str(tmp_path / "new")]
    if missing == "distributed":  # only a cluster needs it
        assert run(command).code == 0
        command = [*command[:-1], str(tmp_path / "newer"), "--scheduler", "tcp://127.0.0.1:1"]
    done = run(command)
    assert done.code == 3
    assert f"{missing} is missing: pip install 'exactdp[sweep]'" in done.err
    assert len(done.err.splitlines()) == 1


def test_processes_that_do_not_start_are_no_defect(monkeypatch, tmp_path):
    monkeypatch.setattr(cluster.Processes.__init__, "__defaults__", ((sys.executable, "-c", "raise SystemExit('no room')"),))
    (tmp_path / "plan.toml").write_text('[[questions]]\nask = "tight"\ngraphs = "path:3"\nlevels = "1/2"\n')
    done = run(["sweep", str(tmp_path / "plan.toml"), "-o", str(tmp_path / "new")])
    assert "the processes of this machine can't answer: RuntimeError: the process that answers questions does not start" in done.err
    assert "no room" in done.err
    assert "defect" not in done.err


# --- Damage ---


def flipped(data, bit):
    """The bytes with one bit of another value."""
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_a_flipped_bit_of_the_index_is_found_and_repaired(folder):
    """Anywhere in the file: it is made anew, or says nothing else than before."""
    made = index(folder)
    data, expected = made.read_bytes(), pq.read_table(made).to_pylist()
    remade = 0
    for bit in random.Random(3).sample(range(8 * len(data)), 400):
        made.write_bytes(flipped(data, bit))
        said = []
        assert pq.read_table(index(folder, told=said.append)).to_pylist() == expected, bit
        remade += bool(said)
        assert all(repr(str(made)) in text for text in said)
    assert remade > 200


@pytest.mark.slow
def test_a_flipped_bit_of_the_index_changes_no_answer_in_sql(folder):
    made = index(folder)
    data, expected = made.read_bytes(), sorted(rows(made)[1], key=str)
    some = sorted(rows(made, where="inputs = 3")[1], key=str)

    def said(where):
        try:
            return sorted(rows(made, where=where)[1], key=str)
        except InputError as error:
            return error.message

    for bit in random.Random(4).sample(range(8 * len(data)), 200):
        made.write_bytes(flipped(data, bit))
        for where, meant in (("", expected), ("inputs = 3", some)):
            found = said(where)
            assert found == meant or str(made) in found, bit


def test_verify_says_which_index_is_damaged(folder):
    made = index(folder)
    text = made.read_bytes()
    place = 8 * (len(text) // 3)
    made.write_bytes(flipped(text, place))
    done = run(["verify", str(folder)])
    assert done.code == 4
    assert "1 not looked at: index.parquet (it is damaged, or no index: exactdp index makes it anew from the parts)" in done.out
    done = run(["index", str(folder)])
    assert done.code == 0
    assert done.err.startswith(f"Note: {str(made)!r} was damaged and is made anew from ")
    assert run(["verify", str(folder)]).code == 0


def test_a_damaged_part_is_told_and_asked_again(folder, tmp_path):
    part = next((folder / "parts").glob("[0-9]*.parquet"))
    part.write_bytes(flipped(part.read_bytes(), 8 * (part.stat().st_size // 3)))
    done = run(["index", str(folder)])
    assert f"Note: {str(part)!r} is damaged, and its answers are left out" in done.err
    (tmp_path / "plan.toml").write_text('[[questions]]\nask = "tight"\ngraphs = "path:3"\nlevels = "1/2"\n')
    done = run(["sweep", str(tmp_path / "plan.toml"), "-o", str(folder)])
    assert done.code == 0
    assert f"Note: {str(part)!r} was damaged and is removed; its questions are asked again" in done.err
    assert run(["verify", str(folder)]).code == 0


def test_a_damaged_index_alone_is_named(folder, tmp_path):
    alone = tmp_path / "alone"
    alone.mkdir()
    data = index(folder).read_bytes()
    (alone / "index.parquet").write_bytes(flipped(data, 8 * (len(data) // 3)))
    done = run(["index", str(alone)])
    assert done.code == 3
    assert str(alone / "index.parquet") in done.err
    assert "damaged" in done.err


def test_the_sentence_of_a_row_is_the_checkers(folder):
    """So that what people read is compared, too."""
    assert verify_folder(folder).exit_codes == []
    for path in sorted((folder / "parts").glob("[0-9]*.parquet")):
        table = pq.read_table(path)
        claims = [text and text.replace("tight", "slack") for text in table.column("claim").to_pylist()]
        changed = table.set_column(table.schema.get_field_index("claim"), table.schema.field("claim"), pyarrow.array(claims))
        pq.write_table(changed, path)
    found = verify_folder(folder)
    assert found.others
    assert all("its sentence (claim) is not the one that the checker says" in checked.sentence for checked in found.others)
