// SPDX-License-Identifier: MIT
// Python with exactdp, in a worker of its own, which the page ends when it takes too long. Everything comes
// from this site; the worker is confined by the page's policy, since it was made from a blob.

async function fetched(place) {
  const response = await fetch(new URL(place, import.meta.url));
  if (!response.ok) throw new Error(`${place}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function started() {
  const folder = new URL("../verifier/pyodide/", import.meta.url);
  const { loadPyodide } = await import(new URL("pyodide.mjs", folder));
  const [python, flint, packages, run] = await Promise.all([
    loadPyodide({ indexURL: folder.href, stdout() {}, stderr() {} }),
    ...["flint.whl", "packages.zip", "run.py"].map(fetched),
  ]);
  python.unpackArchive(flint, "whl");
  python.unpackArchive(packages, "zip");
  python.FS.mkdir("/page");
  python.FS.writeFile("/page/run.py", run);
  python.runPython(`
import sys
sys.path.insert(0, "/page")
import run, exactdp`);
  return python;
}

const start = started();
start.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ broken: String(error) }),
);

onmessage = async ({ data }) => {
  const python = await start;
  python.globals.set("text", data.code);
  let output;
  try {
    output = python.runPython("run.run(text)");
  } catch (error) {
    output = `Python failed: ${error}`;
  }
  postMessage({ output });
};
