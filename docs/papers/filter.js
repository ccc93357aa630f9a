// SPDX-License-Identifier: MIT
// Hides the rows of the tables that one does not look for. Nothing is fetched, and no text becomes markup.

const form = document.getElementById("filter");
const [words, text, verdict, files] = ["words", "text", "verdict", "files"].map((id) => document.getElementById(id));
const count = document.getElementById("count");
const tables = [...document.querySelectorAll("table.statements")];

// What the reader sees, so that a search for α finds α, and a search for "lemma 2" finds Lemma 2.
const plain = (of) => of.normalize("NFKC").toLowerCase().replace(/\s+/g, " ");
const rows = tables.flatMap((table) =>
  [...table.tBodies[0].rows].map((row) => ({
    row,
    paper: table.dataset.paper,
    verdict: row.className,
    files: row.querySelector('a[href^="certificates/"]') !== null,
    said: plain(`${row.textContent} ${table.closest("section").querySelector("h2").textContent}`),
  })),
);

function chosen() {
  const asked = plain(words.value).split(" ").filter(Boolean);
  let shown = 0;
  for (const { row, paper, verdict: is, files: has, said } of rows) {
    const fits = (!text.value || text.value === paper) && (!verdict.value || verdict.value === is) && (!files.checked || has);
    row.hidden = !(fits && asked.every((word) => said.includes(word)));
    shown += !row.hidden;
  }
  for (const table of tables) table.closest("section").hidden = [...table.tBodies[0].rows].every((row) => row.hidden);
  count.textContent = shown ? `${shown} of ${rows.length} statements` : "no statement is like that";
}

form.addEventListener("input", chosen);
form.addEventListener("submit", (event) => event.preventDefault());

// A link to a row shows it, whatever is hidden.
addEventListener("hashchange", () => {
  if (document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest("[hidden]")) {
    form.reset();
    chosen();
    document.getElementById(decodeURIComponent(location.hash.slice(1))).scrollIntoView();
  }
});

form.hidden = false;
chosen();
