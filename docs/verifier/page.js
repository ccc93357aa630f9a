// SPDX-License-Identifier: MIT
// The page: files wait in a queue for the worker, and each gets an answer. Whatever comes from a file is set
// as text and never as markup.

const SECONDS = 120; // for a file, and for each mebibyte in it, unless the reader says otherwise: as exactdp verify
const WORDS = {
  accepted: ["accepted", "The checker verified this:"],
  replayed: ["replayed", "The steps of this argument were followed, which is no proof by the checker:"],
  rejected: ["rejected", "The file does not prove its claim, which may be true or false. The checker says:"],
  malformed: ["malformed", "This is no certificate in the format of exactdp. The checker says:"],
  limit: ["limit", "Nothing was decided:"],
  unreadable: ["unreadable", "The file could not be read:"],
  defect: ["defect", "This is a fault of the checker, and nothing was decided. Please report it:"],
};
const OF_BUNDLES = {
  accepted: "All parts of this bundle belong together, and the checker accepts its certificates:",
  rejected: "This bundle is not what its manifest says:",
  malformed: "This is no bundle that can be checked:",
};
const MOST_PARTS = 10000; // of a folder that is dropped
const NAME = /^[a-z0-9_]+\/[a-z0-9-]+\.edp\.json$/; // of a certificate of this site
const MOST_NAMES = 50; // in the address of this page
const place = Object.fromEntries(["drop", "files", "state", "seconds", "stop", "clear", "none", "list", "ran", "samples"].map((id) => [id, document.getElementById(id)]));

let worker = null;
let ready = false;
let used = false; // whether this worker has checked a file before
let current = null;
let timer = 0;
let number = 0;
let batches = 0; // files that were dropped together have the same number
const queue = [];
const ran = new Map();

function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

// A name of a file as text that hides nothing: other characters than letters, digits and signs are escaped.
function plain(text) {
  return text.replace(/[^\p{L}\p{N}\x20-\x7e]/gu, (x) => `\\u{${x.codePointAt(0).toString(16)}}`);
}

function begin() {
  ready = used = false;
  const source = `import ${JSON.stringify(new URL("worker.js", import.meta.url).href)};`;
  const place = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const begun = new Worker(place, { type: "module" });
  begun.onmessage = ({ data }) => begun === worker && told(data);
  begun.onerror = (event) => {
    event.preventDefault();
    if (begun === worker) died(event.message || "the worker ended");
  };
  worker = begun;
  timer = setTimeout(() => broken("it did not start in time"), SECONDS * 1000);
}

function end() {
  clearTimeout(timer);
  worker?.terminate();
  worker = null;
  ready = false;
}

function broken(reason) {
  end();
  if (current) queue.unshift(current);
  current = null;
  for (const { card } of queue.splice(0)) answered(card, { status: "defect", sentence: `the checker could not be started: ${reason}` });
  say(`The checker could not be started: ${reason}`);
  controls();
}

// A worker that ended has decided nothing. If it had checked other files before, a new one is asked once.
function died(reason) {
  if (!ready) return broken(reason);
  const { card, file, together, batch, parts, again } = current ?? {};
  const retry = used && !again;
  end();
  const answers = card?.dataset.status === "checking";
  if (answers && retry) queue.unshift({ card, file, together, batch, parts, again: true });
  else if (answers) answered(card, { status: "limit", sentence: `the checker was stopped (${reason}); nothing was decided.` });
  else if (card) shown(card, null);
  current = null;
  next();
}

function stopped(reason) {
  const { card } = current;
  end();
  current = null;
  if (card.dataset.status === "checking") answered(card, { status: "limit", sentence: `${reason}; nothing was decided.` });
  else shown(card, null);
  next();
}

function told(message) {
  if (message.broken !== undefined) return broken(message.broken);
  if (message.ended !== undefined) return died(message.ended);
  if (message.ready) {
    clearTimeout(timer);
    ready = true;
    for (const [name, value] of Object.entries(message.ran)) ran.set(name, value);
    return next();
  }
  if (!current || message.id !== current.id) return undefined;
  if (message.answer) {
    for (const [name, value] of Object.entries(message.answer.trusted)) ran.set(name, value);
    answered(current.card, message.answer);
  }
  if ("tables" in message) {
    clearTimeout(timer);
    shown(current.card, message.tables);
    used = true;
    current = null;
    next();
  }
  return undefined;
}

function next() {
  if (!worker) begin();
  if (ready && !current && queue.length) {
    current = { ...queue.shift(), id: ++number };
    const { file, together, batch, parts, card } = current;
    card.dataset.status = "checking";
    card.querySelector(".verdict").textContent = "is being checked …";
    const asked = place.seconds.checkValidity() && place.seconds.valueAsNumber;
    const seconds = (asked || SECONDS) * (1 + Math.floor(Math.min(file.size, 2 ** 26) / 2 ** 20));
    timer = setTimeout(() => stopped(`the checker took more than ${seconds} seconds`), seconds * 1000);
    worker.postMessage({ id: current.id, file, together, batch, parts });
  }
  controls();
}

function controls() {
  place.stop.disabled = !current && !queue.length;
  place.clear.disabled = !place.list.childElementCount || Boolean(current) || queue.length > 0;
  place.none.hidden = place.list.childElementCount > 0;
  if (worker && !ready) say("The checker is starting.");
  else if (current) say(`Checking ${plain(current.file.name)}. ${queue.length} more files wait.`);
  else if (ready) say(place.list.childElementCount ? `Done. ${tally()}` : "The checker is ready.");
  place.ran.replaceChildren(...[...ran].sort().map(([name, value]) => {
    const row = element("tr");
    const head = element("th", name);
    head.scope = "row";
    row.append(head, element("td", value));
    return row;
  }));
}

function tally() {
  const counts = new Map();
  for (const { dataset } of place.list.children) counts.set(dataset.status, (counts.get(dataset.status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} ${status}`).join(", ");
}

function say(text) {
  if (place.state.textContent !== text) place.state.textContent = text;
}

function card(name) {
  const made = element("article");
  const title = element("h3");
  title.append(element("bdi", plain(name)));
  made.append(title, element("p", "waits", "verdict"));
  made.dataset.status = "waits";
  place.list.append(made);
  return made;
}

function answered(made, answer) {
  const [word, own] = WORDS[answer.status] ?? WORDS.defect;
  const meaning = (answer.bundle && OF_BUNDLES[word]) || own;
  made.dataset.status = word;
  made.classList.add(word);
  made.querySelector(".verdict").textContent = word;
  made.append(element("p", meaning), element("p", answer.sentence, "said"));
  if (answer.digest) {
    const digest = element("p", answer.bundle ? "Digest of manifest.json: " : "Digest of the certificate: ");
    digest.append(element("code", answer.digest));
    made.append(digest);
  }
}

function shown(made, tables) {
  if (tables === null) {
    made.append(element("p", "Its definitions can not be shown."));
  } else if (tables.length) {
    const details = element("details");
    details.open = tables.length <= 6;
    details.append(element("summary", "Definitions of the file, as this page reads them"), ...tables.flatMap(drawn));
    made.append(details);
  }
}

function drawn({ name, type, text, columns, rows, more }) {
  const parts = [element("h4", `${name}: ${type}`)];
  if (text) parts.push(element("p", text));
  if (rows.length) {
    const box = element("div", "", "wide");
    const table = element("table");
    const head = element("tr");
    const caption = `${name}: ${type}`;
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", caption);
    table.setAttribute("aria-label", caption);
    head.append(element("td"), ...columns.map((label) => scoped(label, "col")));
    const body = rows.map(([first, ...cells]) => {
      const row = element("tr");
      row.append(scoped(first, "row"), ...cells.map((cell) => element("td", cell)));
      return row;
    });
    const top = element("thead");
    top.append(head);
    const rest = element("tbody");
    rest.append(...body);
    table.append(top, rest);
    box.append(table);
    parts.push(box);
  }
  if (more) parts.push(element("p", `Not shown: ${more}.`));
  return parts;
}

function scoped(label, scope) {
  const made = element("th", label);
  made.scope = scope;
  return made;
}

function add(files) {
  const together = [...files];
  if (!together.length) return;
  batches += 1;
  for (const file of together) queue.push({ file, together, batch: batches, card: card(file.name) });
  next();
}

// A folder that is dropped is a bundle: all of its files, by their names from the folder on.
async function dropped(folder) {
  const made = card(folder.name);
  try {
    const parts = await filesOf(folder, "");
    queue.push({ file: new File([], folder.name), together: [], batch: 0, parts, card: made });
  } catch (error) {
    answered(made, { status: "unreadable", sentence: plain(String(error.message ?? error)) });
  }
  next();
}

async function filesOf(folder, above) {
  const found = [];
  const reader = folder.createReader();
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return found;
    for (const entry of some) {
      const name = above + entry.name;
      if (entry.isDirectory) found.push(...(await filesOf(entry, `${name}/`)));
      else found.push([name, await new Promise((resolve, reject) => entry.file(resolve, reject))]);
      if (found.length > MOST_PARTS) throw new Error(`the folder has more than ${MOST_PARTS} files`);
    }
  }
}

function chosen() {
  add(place.files.files);
  place.files.value = "";
}

// Certificates of this site, named by ?file=NAME: only those that the site lists, and from nowhere else.
async function named() {
  const asked = [...new Set(new URLSearchParams(location.search).getAll("file"))].slice(0, MOST_NAMES);
  if (!asked.length) return;
  let listed;
  try {
    listed = new Set(await (await sent("names.json")).json());
  } catch {
    listed = new Set();
  }
  const files = [];
  for (const name of asked) {
    try {
      if (!listed.has(name) || !NAME.test(name)) throw new Error("this site has no certificate of that name");
      files.push(new File([await (await sent(name)).blob()], name.split("/")[1]));
    } catch (error) {
      answered(card(name.slice(0, 200)), { status: "unreadable", sentence: plain(error.message) });
    }
  }
  add(files);
  controls();
}

// A sample that the reader asked for: a file of this page, checked as any other.
async function sample({ target }) {
  const name = target.dataset.sample;
  if (!name) return;
  try {
    add([new File([await (await sent(name, "samples")).blob()], name)]);
  } catch (error) {
    answered(card(name), { status: "unreadable", sentence: plain(error.message) });
    controls();
  }
}

async function sent(name, folder = "../certificates") {
  const response = await fetch(new URL(`${folder}/${name}`, import.meta.url), { redirect: "error", credentials: "omit" });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response;
}

place.files.addEventListener("change", chosen);
place.samples.addEventListener("click", sample);
addEventListener("dragover", (event) => {
  event.preventDefault();
  place.drop.classList.add("over");
});
for (const name of ["dragleave", "drop", "dragend"]) addEventListener(name, () => place.drop.classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  const entries = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry?.());
  for (const folder of entries.filter((entry) => entry?.isDirectory)) dropped(folder);
  add([...(event.dataTransfer?.files ?? [])].filter((_, i) => !entries[i]?.isDirectory));
});
place.stop.addEventListener("click", () => {
  for (const { card: waiting } of queue.splice(0)) answered(waiting, { status: "limit", sentence: "you stopped the checker; nothing was decided." });
  if (current) stopped("you stopped the checker");
  else controls();
});
place.clear.addEventListener("click", () => {
  place.list.replaceChildren();
  controls();
});

if (location.protocol === "file:") say("This page has to be served: python -m http.server -d FOLDER, then http://localhost:8000");
else next();
chosen(); // what was chosen before this program was there
if (location.protocol !== "file:") named();
