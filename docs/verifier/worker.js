// SPDX-License-Identifier: MIT
// The checker at work: Python in a worker of its own, which the page ends when it takes too long. Everything
// comes from beside this file; the worker is confined by the page's policy, since it was made from a blob.

const MOST_BYTES = 2 ** 26; // what the checker reads of a file; one byte more is over its limit

async function fetched(place, kind) {
  const response = await fetch(new URL(place, import.meta.url));
  if (!response.ok) throw new Error(`${place}: ${response.status}`);
  return kind === "json" ? response.json() : new Uint8Array(await response.arrayBuffer());
}

async function started() {
  const built = await fetched("built.json", "json");
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", import.meta.url));
  const deciding = ["checker", "arguments", "certificate"].flatMap((place) => built[place].map((name) => `${place}/${name}`));
  const [python, page, files] = await Promise.all([
    loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href, stdout() {}, stderr() {} }),
    Promise.all(["judge.py", "tables.py", "errors.py"].map((name) => fetched(name))),
    Promise.all(deciding.map((file) => fetched(file))),
  ]);
  for (const folder of ["/checker", "/arguments", "/certificate", "/page", "/page/exactdp"]) python.FS.mkdir(folder);
  ["judge.py", "tables.py", "exactdp/errors.py"].forEach((name, i) => python.FS.writeFile(`/page/${name}`, page[i]));
  deciding.forEach((file, i) => python.FS.writeFile(`/${file}`, files[i]));
  python.runPython(`
import sys
sys.path.insert(0, "/page")
import json, judge, tables
judge.load(judge.CHECKER)`);
  const version = python.runPython("sys.version.split()[0] + ' (' + sys.platform + ') and its standard library'");
  return { python, ran: { Python: version, Pyodide: built.pyodide } };
}

const start = started();
start.then(
  ({ ran }) => postMessage({ ready: true, ran }),
  (error) => postMessage({ broken: String(error) }),
);

async function bytesOf(file) {
  return new Uint8Array(await file.slice(0, MOST_BYTES + 1).arrayBuffer());
}

// An argument may need other files of its folder: those that were dropped with it, in a folder of theirs.
let written = null;

async function folderOf(python, files, batch) {
  const folder = `/dropped${batch}`;
  if (written === batch) return folder;
  python.FS.mkdir(folder);
  for (const file of files) {
    if (/^[a-z0-9][a-z0-9-]{0,63}\.json$/.test(file.name) && file.size <= 2 ** 20) {
      python.FS.writeFile(`${folder}/${file.name}`, await bytesOf(file));
    }
  }
  written = batch;
  return folder;
}

// A bundle: its files are written where the program reads them, and removed.
async function ofBundle(python, file, parts) {
  const place = parts ? "/bundle" : "/bundle.zip";
  if (parts) {
    python.FS.mkdirTree(place);
    for (const [name, part] of parts) {
      python.FS.mkdirTree(`${place}/${name.split("/").slice(0, -1).join("/")}`);
      python.FS.writeFile(`${place}/${name}`, await bytesOf(part));
    }
  } else {
    python.FS.writeFile(place, await bytesOf(file));
  }
  python.globals.set("place", place);
  const answer = JSON.parse(python.runPython("json.dumps(judge.judge_bundle(place))"));
  python.runPython("import os, shutil\nshutil.rmtree(place) if os.path.isdir(place) else os.remove(place)");
  return answer;
}

async function judged({ id, file, together, batch, parts }) {
  const { python } = await start;
  let bytes;
  try {
    if (parts || /\.zip$/i.test(file.name)) {
      postMessage({ id, answer: await ofBundle(python, file, parts) });
      postMessage({ id, tables: [] });
      return;
    }
    bytes = await bytesOf(file);
  } catch (error) {
    postMessage({ id, answer: { status: "unreadable", sentence: String(error), exit_code: 2, trusted: {} }, tables: [] });
    return;
  }
  python.globals.set("data", python.toPy(bytes));
  python.runPython("data = bytes(data)");
  const argument = python.runPython("judge.is_argument(data)");
  python.globals.set("folder", argument ? await folderOf(python, together, batch) : undefined);
  const answer = JSON.parse(python.runPython("json.dumps(judge.judge(data, folder))"));
  postMessage({ id, answer });
  let tables = [];
  if (!argument && ["accepted", "rejected"].includes(answer.status)) {
    try {
      tables = JSON.parse(python.runPython("json.dumps(tables.tables(data))"));
    } catch {
      tables = null; // a rejected file need not have the form of a certificate
    }
  }
  python.runPython("del data, folder");
  postMessage({ id, tables });
}

// What fails here is Python itself (the checker catches the rest): the page then begins with a new worker.
onmessage = ({ data }) => judged(data).catch((error) => postMessage({ ended: String(error) }));
