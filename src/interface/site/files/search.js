// SPDX-License-Identifier: Apache-2.0
// Searches a static site in the browser. The index is a script beside this one
// (search-index.js; search_index.h describes it), which is loaded when the box is
// first used. Results are sections, best first. Nothing is fetched.
(() => {
  "use strict";
  const folder = new URL(".", document.currentScript.src).href;
  const root = new URL("..", folder).href;
  const box = document.getElementById("q");
  const own = document.getElementById("results");
  const place = own || document.getElementById("live");
  if (!box || !place) return;
  place.innerHTML = '<p class="dim" role="status"></p><ol class="hits"></ol>';
  const [status, list] = place.children;

  const kMost = 20;
  let index = null;
  let isLoading = false;
  let wantsFocus = false; // after Enter in the box

  // The same rule as IsWordCharacter in search_index.cc.
  const kWord =
    /[A-Za-z0-9_\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u1FFF\u2C00-\u2FFF\u3040-\uFEFF\uFF10-\uFFFF\u{10000}-\u{1EFFF}]+/gu;
  const fold = (word) =>
    word.replace(/[A-Z]/g, (c) => c.toLowerCase()).replace(/^_+|_+$/g, "");
  const wordsOf = (text) => (text.match(kWord) || []).filter((word) => fold(word) !== "");
  const partsOf = (word) =>
    word.replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$2_").split("_").filter(Boolean);

  function readTerms(text) {
    const terms = [];
    let before = "";
    for (const entry of text === "" ? [] : text.split(" ")) {
      before = before.slice(0, parseInt(entry[0], 36)) + entry.slice(1);
      terms.push(before);
    }
    return terms;
  }

  // The page calls it from search-index.js.
  window.sibylIndex = (data) => {
    index = {
      pages: data.pages,
      sections: data.sections,
      terms: readTerms(data.terms),
      postings: data.postings.split(";"),
    };
    show();
  };

  function load() {
    if (index || isLoading) return;
    isLoading = true;
    const script = document.createElement("script");
    script.src = folder + "search-index.js";
    script.onerror = () => {
      status.textContent = "search-index.js could not be loaded";
    };
    document.head.append(script);
  }

  function firstAtLeast(word) {
    let low = 0;
    let high = index.terms.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (index.terms[middle] < word) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // "queues" also finds "queue", a little less.
  const singular = (word) => (word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : null);

  // Section to score, for one word: the best of the terms that begin with it.
  function scoresOf(word) {
    const scores = new Map();
    addScores(word, 1, scores);
    if (singular(word)) addScores(singular(word), 0.8, scores);
    return scores;
  }

  function addScores(word, factor, scores) {
    const total = index.sections.length;
    const from = firstAtLeast(word);
    for (let i = from; i < index.terms.length && index.terms[i].startsWith(word); ++i) {
      const entries = index.postings[i].split(",");
      const rarity = Math.log(1 + (total - entries.length + 0.5) / (entries.length + 0.5));
      const fit = index.terms[i] === word ? 1 : (0.6 * word.length) / index.terms[i].length;
      let section = 0;
      for (const entry of entries) {
        const [step, weight] = entry.split(":");
        section += parseInt(step, 36);
        const w = weight ? parseInt(weight, 36) : 1;
        const score = (factor * fit * rarity * w) / (w + 1.5);
        if (score > (scores.get(section) || 0)) scores.set(section, score);
      }
    }
  }

  function find(query) {
    let words = [];
    for (const word of wordsOf(query)) {
      const whole = fold(word);
      const parts = partsOf(word);
      const isKnown = index.terms[firstAtLeast(whole)]?.startsWith(whole);
      if (isKnown || parts.length < 2) words.push(whole);
      else words = words.concat(parts.map(fold));
    }
    // One letter finds too much, but it may be all there is.
    if (words.some((word) => word.length > 1)) words = words.filter((word) => word.length > 1);
    const sums = new Map();
    for (const word of new Set(words)) {
      for (const [section, score] of scoresOf(word)) {
        const sum = sums.get(section) || { section, score: 0, words: 0 };
        sum.score += score;
        sum.words += 1;
        sums.set(section, sum);
      }
    }
    const most = new Set(words).size;
    let found = [...sums.values()].filter((each) => each.words === most);
    if (found.length === 0) found = [...sums.values()];
    // A page that cites nothing, such as a log of reviews, comes after those that do.
    const isUncited = (each) => index.pages[index.sections[each.section][0]][3] || 0;
    found.sort(
      (a, b) =>
        b.words - a.words || isUncited(a) - isUncited(b) || b.score - a.score || a.section - b.section,
    );
    return { words: words.map((word) => singular(word) || word), found };
  }

  function marked(text, words) {
    const piece = document.createDocumentFragment();
    let at = 0;
    for (const match of text.matchAll(kWord)) {
      const parts = [match[0], ...partsOf(match[0])].map(fold);
      if (!parts.some((part) => words.some((word) => part.startsWith(word)))) continue;
      const mark = document.createElement("mark");
      mark.textContent = match[0];
      piece.append(text.slice(at, match.index), mark);
      at = match.index + match[0].length;
    }
    piece.append(text.slice(at));
    return piece;
  }

  function itemOf(number, words) {
    const [page, anchor, heading, snippet] = index.sections[number];
    const [href, title, topic] = index.pages[page];
    const item = document.createElement("li");
    item.className = "pg";
    item.innerHTML = '<a></a><p class="dim"></p><p></p>';
    const [link, where, text] = item.children;
    link.href = root + href + (anchor ? "#" + encodeURIComponent(anchor) : "");
    link.append(marked(anchor ? heading : title, words));
    where.textContent = [topic, anchor && title].filter(Boolean).join(" › ");
    text.append(marked(snippet, words));
    return item;
  }

  function show() {
    const query = box.value.trim();
    list.replaceChildren();
    status.textContent = "";
    place.hidden = query === "" && !own;
    if (query === "") return;
    if (!index) {
      load();
      return;
    }
    const { words, found } = find(query);
    for (const each of found.slice(0, kMost)) list.append(itemOf(each.section, words));
    const count = found.length === 1 ? "1 section" : found.length + " sections";
    status.textContent =
      found.length === 0 ? "Nothing found" : found.length > kMost ? `${count}, the best ${kMost} shown` : count;
    if (wantsFocus) (list.querySelector("a") || box).focus({ preventScroll: true });
    wantsFocus = false;
  }

  box.addEventListener("focus", load, { once: true });
  box.addEventListener("input", show);
  if (own) {
    // The box was used on another page.
    box.value = new URLSearchParams(location.search).get("q") || "";
    box.form.addEventListener("submit", (event) => {
      event.preventDefault();
      wantsFocus = true;
      show();
    });
    wantsFocus = box.value !== "";
    show();
  }
})();
