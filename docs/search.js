// SPDX-License-Identifier: MIT
// The order of what a search finds. Options of commands come last, as nearly every word of the field is an option
// of some command; who types a hyphen, as in --alpha, finds them first. The other numbers are those of Sphinx.
var Scorer = {
  score: ([, , anchor, , score]) => {
    const option = (anchor || "").startsWith("#cmdoption-");
    const asked = (new URLSearchParams(location.search).get("q") || "").trim().startsWith("-");
    return option === asked ? score : score - 1000;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
