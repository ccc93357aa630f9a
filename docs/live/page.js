// SPDX-License-Identifier: MIT
// The page: a session of a page of the site, or what the reader makes of it, is run by a worker, which starts
// when it is first asked. Code and output are set as text and never as markup.

const START = 120; // seconds in which Python has to have started
const place = Object.fromEntries(["page", "code", "run", "stop", "seconds", "state", "output"].map((id) => [id, document.getElementById(id)]));

let worker = null;
let ready = null; // resolved when Python has started
let timer = 0;

function begin() {
  const source = `import ${JSON.stringify(new URL("worker.js", import.meta.url).href)};`;
  const begun = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })), { type: "module" });
  worker = begun;
  ready = new Promise((resolve, reject) => {
    begun.onmessage = ({ data }) => {
      if (begun !== worker) return;
      if (data.ready) resolve();
      else if (data.broken !== undefined) reject(new Error(data.broken));
      else finished("Done.", data.output);
    };
    begun.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message || "the worker ended"));
      if (begun === worker) ended(`Python ended: ${event.message || "the worker ended"}`);
    };
  });
  ready.catch((error) => begun === worker && ended(`Python could not be started: ${error.message}`));
}

function finished(said, output) {
  clearTimeout(timer);
  place.state.textContent = said;
  if (output !== undefined) place.output.textContent = output;
  place.run.disabled = false;
  place.stop.disabled = true;
}

function ended(said) {
  worker?.terminate();
  worker = null;
  finished(said);
}

async function run() {
  place.run.disabled = true;
  place.stop.disabled = false;
  place.output.textContent = "";
  place.state.textContent = worker ? "Running …" : "Python starts. That takes up to half a minute, once.";
  if (!worker) begin();
  const mine = worker;
  timer = setTimeout(() => ended("Python did not start in time."), START * 1000);
  try {
    await ready;
  } catch {
    return;
  }
  if (mine !== worker) return;
  clearTimeout(timer);
  const seconds = Math.min(Math.max(Number(place.seconds.value) || 60, 1), 3600);
  timer = setTimeout(() => ended(`Stopped after ${seconds} s.`), seconds * 1000);
  place.state.textContent = "Running …";
  mine.postMessage({ code: place.code.value });
}

// The address names a page and how many of its sessions are wanted; only names of the list are looked up.
function shown(examples, name, count) {
  place.page.value = name;
  place.code.value = examples[name].slice(0, count).join("\n\n");
  place.output.textContent = "";
}

const examples = await (await fetch(new URL("examples.json", import.meta.url))).json();
for (const name of Object.keys(examples)) place.page.append(new Option(name, name));
const asked = new URLSearchParams(location.search);
const count = Number.parseInt(asked.get("sessions") ?? "", 10);
const first = Object.hasOwn(examples, asked.get("page") ?? "") ? asked.get("page") : "explanation/level";
shown(examples, first, count > 0 ? count : examples[first].length);
place.page.addEventListener("change", () => shown(examples, place.page.value, examples[place.page.value].length));
place.run.addEventListener("click", run);
place.stop.addEventListener("click", () => ended("Stopped."));
place.run.disabled = false;
place.state.textContent = "Python starts with the first run.";
