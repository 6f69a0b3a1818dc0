
// Blocks of the text that browsers lay out at a time.
const PIECES = 300;

(() => {
  const { page, place } = data;
  const { facts, blocks, references } = page;
  const keptText = new Map(page.text.own);
  const state = { threshold: null, filter: "all", reason: "", text: "", least: 0, most: 1000, reference: null, pane: "text" };
  let explained = -1;
  const list = new BlockList(blocks, (i) => explain(i));
  const { own } = list;
  const details = el("div", { class: "details-body", "aria-live": "polite" }, describe(blocks, -1));
  function explain(i) {
    explained = i;
    details.replaceChildren(...describe(blocks, i, list.kept[i]));
  }

  // What a block is as to the reference, by its words.
  const inside = new Uint32Array(list.size), outside = new Uint32Array(list.size);
  // Words of the reference that no block has.
  let absent = 0;
  function countWords(reference) {
    absent = 0;
    for (let at = 0; at < reference.words.length; at += 2) if (reference.words[at] < 0) absent += reference.words[at + 1];
    reference.blocks.forEach((runs, i) => {
      inside[i] = outside[i] = 0;
      runs.forEach((n, at) => { if (at % 2) inside[i] += n; else outside[i] += n; });
    });
  }
  const isMissing = (i) => state.reference && !list.kept[i] && inside[i] > 0;
  const isExtra = (i) => state.reference && list.kept[i] && outside[i] > 0;

  // Header.
  const link = (file, text, label) => file
    ? el("a", { class: "button", href: file, "aria-label": label, rel: label === "Next page" ? "next" : label === "Page before" ? "prev" : null }, text)
    : el("span", { class: "button off", "aria-hidden": "true" }, text);
  const nav = place.index ? el("nav", { class: "nav screen", "aria-label": "Pages" },
    link(place.before, "‹", "Page before"), el("a", { class: "button", href: place.index }, "All pages"),
    el("span", { class: "muted small" }, place.number + " of " + place.of), link(place.after, "›", "Next page")) : null;
  const stats = el("div", { class: "chips" });
  const fixed = [
    facts.status ? el("span", { class: "chip" }, "HTTP ", el("b", {}, String(facts.status))) : null,
    facts.mime ? el("span", { class: "chip" }, el("span", {}, value(facts.mime), ", ", value(facts.charset))) : null,
    el("span", { class: "chip" }, bytes(facts.html_bytes)),
    facts.page_type ? el("span", { class: "chip" }, value(facts.page_type)) : null,
    ...facts.warnings.map(([word, meaning]) => el("span", { class: "chip warn", title: meaning }, "⚠ " + word)),
  ];
  const help = helpDialog([
    ["j k", "next block, block before"], ["u", "next unsure block: its score is near the cut"], ["m", "next block with missing or extra words"],
    ["n p", "next page, page before"], ["[ ]", "lower or raise the threshold"], ["0", "labels of the pipeline again"],
    ["f", "next filter"], ["r", "next comparison"], ["t", "next form of the text"], ["/", "search"], ["?", "these keys"],
  ]);
  const header = el("header", { class: "top" },
    el("div", { class: "title" },
      el("div", {}, el("h1", { dir: "auto" }, facts.title || "(no title)"),
        el("p", { class: "address mono muted" }, facts.url ? value(facts.url) : "(no address)"),
        el("p", { class: "small muted" }, value(facts.id), " · ", value(facts.input), " at byte ", count(facts.offset))),
      nav),
    el("div", { class: "chips" }, stats, fixed));

  // Filters.
  const filterButtons = new Map();
  const filters = el("div", { class: "group", role: "group", "aria-label": "Blocks that are shown" },
    [["all", "All"], ["kept", "Kept"], ["dropped", "Dropped"], ["missing", "Missing"], ["extra", "Extra"]].map(([name, text]) => {
      const button = el("button", { type: "button", "aria-pressed": name === "all", onclick: () => setFilter(name) }, text);
      filterButtons.set(name, button);
      return button;
    }));
  function setFilter(name) {
    state.filter = name;
    for (const [key, button] of filterButtons) button.setAttribute("aria-pressed", key === name);
    redrawFilter();
  }
  const reasons = new Map();
  blocks.reason.forEach((reason) => reasons.set(reason, (reasons.get(reason) || 0) + 1));
  const reasonSelect = el("select", { "aria-label": "Reason", onchange: () => { state.reason = reasonSelect.value; redrawFilter(); reasonSelect.blur(); } },
    el("option", { value: "" }, "any reason"),
    [...reasons].sort((a, b) => b[1] - a[1]).slice(0, 60).map(([reason, n]) => el("option", { value: reason }, blocks.reasons[reason].slice(0, 80) + " (" + n + ")")));
  const search = el("input", { type: "search", placeholder: "search…", "aria-label": "Search in blocks", oninput: () => { state.text = search.value.trim().toLowerCase(); redrawFilter(); } });
  const bound = (label, value, set) => {
    const input = el("input", { type: "number", min: "0", max: "1", step: "0.05", value, "aria-label": label, class: "bound",
      oninput: () => { const n = Number(input.value); if (input.value !== "" && n >= 0 && n <= 1) { set(Math.round(n * 1000)); redrawFilter(); } } });
    return input;
  };
  const scores = el("span", { class: "bounds" }, "score ", bound("Lowest score", "0", (n) => { state.least = n; }), "–", bound("Highest score", "1", (n) => { state.most = n; }));
  const shownCount = el("span", { class: "muted small shown", role: "status" });
  function isShown(i) {
    if (state.filter === "kept" && !list.kept[i] || state.filter === "dropped" && list.kept[i]) return false;
    if (state.filter === "missing" && !isMissing(i) || state.filter === "extra" && !isExtra(i)) return false;
    if (state.reason !== "" && blocks.reason[i] !== Number(state.reason)) return false;
    if (blocks.score[i] < state.least || blocks.score[i] > state.most) return false;
    return !state.text || blocks.text[i].toLowerCase().includes(state.text);
  }
  function redrawFilter() {
    const all = state.filter === "all" && state.reason === "" && !state.text && state.least === 0 && state.most === 1000;
    const n = list.filter(all ? null : isShown);
    shownCount.textContent = all ? "" : counted(n, "block", "blocks") + " of " + count(list.size);
  }

  // Threshold, with the words by score above it.
  const isGraded = blocks.score.some((score) => score !== 0 && score !== 1000);
  // Where the slider stands while labels are the pipeline's: at the page's cut, or else at the lowest score that is kept.
  const start = Math.floor((blocks.cut ?? blocks.score.reduce((least, score, i) => own[i] && score < least ? score : least, 1000)) / 10) * 10;
  const slider = el("input", { type: "range", min: "0", max: "1000", step: "10", value: start, "aria-label": "Threshold on the score", disabled: !isGraded,
    oninput: () => setThreshold(Number(slider.value)) });
  const sliderText = el("output", { class: "small" });
  const reset = el("button", { type: "button", onclick: () => setThreshold(null) }, "Reset");
  const BINS = 40;
  const bins = Array.from({ length: BINS }, () => [0, 0]);
  blocks.score.forEach((score, i) => { bins[Math.min(BINS - 1, Math.floor(score * BINS / 1000))][own[i] ? 1 : 0] += blocks.words[i]; });
  const tallest = Math.max(1, ...bins.map(([a, b]) => Math.sqrt(a + b)));
  const histogram = svg("svg", { viewBox: "0 0 400 40", preserveAspectRatio: "none", class: "histogram", "aria-hidden": "true" });
  bins.forEach(([dropped, kept], at) => {
    const height = 38 * Math.sqrt(dropped + kept) / tallest;
    const keep = dropped + kept ? height * kept / (dropped + kept) : 0;
    histogram.append(svg("rect", { class: "k", x: at * 10 + 1, y: 40 - keep, width: 8, height: keep }),
      svg("rect", { class: "d", x: at * 10 + 1, y: 40 - height, width: 8, height: Math.max(0, height - keep) }));
  });
  function setThreshold(threshold) {
    state.threshold = isGraded ? threshold : null;
    slider.value = state.threshold ?? start;
    list.label(state.threshold === null ? (i) => own[i] : (i) => blocks.score[i] >= state.threshold);
    explain(explained);
    redrawStats();
    if (state.filter !== "all") redrawFilter();
    drawText();
  }

  // Comparison.
  const compare = references.length ? el("select", { "aria-label": "Compare with", onchange: () => { setReference(compare.value); compare.blur(); } },
    el("option", { value: "" }, "compare: nothing"), references.map((reference, at) => el("option", { value: at }, "compare: " + reference.name))) : null;
  function setReference(at) {
    state.reference = at === "" ? null : references[at];
    if (state.reference) countWords(state.reference);
    if (compare) compare.value = at;
    list.compare(state.reference);
    for (const name of ["missing", "extra"]) filterButtons.get(name).hidden = !state.reference;
    for (const name of ["reference"]) tabs.get(name).hidden = !state.reference;
    if (state.reference) tabs.get("reference").textContent = state.reference.is_gold ? "Gold" : "Text of " + state.reference.name;
    legend.hidden = !state.reference;
    if (!state.reference && (state.filter === "missing" || state.filter === "extra")) setFilter("all");
    if (!state.reference && state.pane === "reference") setPane("text");
    redrawFilter();
    redrawStats();
    drawText();
  }
  function redrawStats() {
    let kept = 0, words = 0, right = 0, found = 0, missing = 0, extra = 0, changed = 0;
    for (let i = 0; i < list.size; i += 1) {
      if (list.kept[i] !== own[i]) changed += 1;
      if (list.kept[i]) { kept += 1; words += blocks.words[i]; right += inside[i]; found += inside[i] + outside[i]; extra += outside[i]; }
      else missing += inside[i];
    }
    sliderText.textContent = state.threshold === null
      ? (isGraded ? "kept as labelled" : "no degrees of score")
      : "score ≥ " + fraction(state.threshold / 1000) + ": " + count(changed) + " changed";
    reset.disabled = state.threshold === null;
    const chips = [
      el("span", { class: "chip" }, el("b", { id: "kept" }, count(kept)), " of " + counted(list.size, "block", "blocks") + " kept"),
      el("span", { class: "chip" }, el("b", { id: "words" }, count(words)), " words"),
    ];
    if (state.reference) {
      const { measures } = state.reference;
      if (state.threshold === null) {
        chips.push(el("span", { class: "chip", title: "words as bags, as eval measures" }, "F1 ", el("b", { id: "f1" }, fraction(measures.f1)), " · P ", fraction(measures.precision), " · R ", fraction(measures.recall)));
      } else {
        let all = 0;
        for (let at = 1; at < state.reference.words.length; at += 2) all += state.reference.words[at];
        const p = found ? right / found : 0, r = all ? right / all : 0;
        chips.push(el("span", { class: "chip", title: "words as they are aligned" }, "F1 ", el("b", { id: "f1" }, fraction(p + r ? 2 * p * r / (p + r) : 0)), " · P ", fraction(p), " · R ", fraction(r)));
      }
      chips.push(el("span", { class: "chip" }, el("span", { class: "missing" }, "−" + count(missing)), " missing"), el("span", { class: "chip" }, el("span", { class: "extra" }, "+" + count(extra)), " extra"));
      if (absent) chips.push(el("span", { class: "chip" }, el("span", { class: "absent" }, "−" + count(absent)), " absent"));
    }
    stats.replaceChildren(...chips);
  }

  // The text beside the blocks.
  const tabs = new Map();
  const tabList = el("div", { class: "group", role: "tablist", "aria-label": "Form of the text" },
    [["text", "Text"], ["markdown", "Markdown"], ["reference", "Gold"]].map(([name, text]) => {
      const tab = el("button", { type: "button", role: "tab", "aria-selected": name === "text", "aria-controls": "out", tabindex: name === "text" ? "0" : "-1", onclick: () => setPane(name) }, text);
      tabs.set(name, tab);
      return tab;
    }));
  tabList.addEventListener("keydown", (event) => {
    const names = [...tabs].filter(([, tab]) => !tab.hidden).map(([name]) => name);
    const at = names.indexOf(state.pane);
    const to = { ArrowRight: (at + 1) % names.length, ArrowLeft: (at + names.length - 1) % names.length, Home: 0, End: names.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setPane(names[to]);
    tabs.get(names[to]).focus();
  });
  const out = el("div", { class: "out", id: "out", role: "tabpanel", tabindex: "0", dir: "auto" });
  function setPane(name) {
    state.pane = name;
    for (const [key, tab] of tabs) {
      tab.setAttribute("aria-selected", key === name);
      tab.tabIndex = key === name ? 0 : -1;
    }
    drawText();
  }
  function drawText() {
    heading.textContent = state.pane === "reference" && state.reference ? state.reference.name : page.pipeline.name;
    out.className = "out " + state.pane;
    running.delete(out);
    if (state.pane === "markdown") return drawMarkdown();
    if (state.pane === "reference" && state.reference) return drawReference(state.reference);
    const kept = [];
    for (let i = 0; i < list.size; i += 1) if (list.kept[i]) kept.push(i);
    if (kept.length === 0) return out.replaceChildren(el("p", { class: "muted" }, "Nothing is kept."));
    out.replaceChildren();
    let chunk = null;
    inSlices(out, kept.length, (n) => {
      if (n % PIECES === 0) out.append(chunk = el("div", { class: "chunk" }));
      const i = kept[n];
      const gap = state.threshold === null ? page.text.gaps[n] : n > 0 ? "\n\n" : "";
      const text = state.threshold === null && keptText.get(n) || blocks.text[i];
      chunk.append(gap);
      const runs = state.reference ? state.reference.blocks[i] : null;
      chunk.append(el("span", { class: "piece", dir: "auto", "data-kind": blocks.kind[i] }, runs && runs.length
        ? wordRuns(text, runs, (run, part) => run % 2 ? document.createTextNode(part) : el("span", { class: "extra" }, part)) : text));
    });
  }
  function drawReference(reference) {
    // Words by where they are: kept, dropped, or not on the page.
    const runs = [], kinds = [];
    for (let at = 0; at < reference.words.length; at += 2) {
      const block = reference.words[at];
      const kind = block < 0 ? "absent" : list.kept[block] ? "" : "missing";
      if (kinds.length && kinds[kinds.length - 1] === kind) runs[runs.length - 1] += reference.words[at + 1];
      else { runs.push(reference.words[at + 1]); kinds.push(kind); }
    }
    out.replaceChildren();
    if (!reference.text) return out.append(el("p", { class: "muted" }, reference.is_gold ? "The text is empty: nothing of this page should be kept." : reference.name + " keeps nothing of this page."));
    const words = reference.text.matchAll(WORD);
    let chunk = null, pieces = 0, end = 0, start = 0;
    // A part of the text; chunks begin after ends of lines.
    const append = (kind, from, to) => {
      if (from === to) return;
      const part = reference.text.slice(from, to);
      if (chunk === null || pieces >= PIECES && reference.text[from - 1] === "\n") { out.append(chunk = el("div", { class: "chunk" })); pieces = 0; }
      pieces += 1;
      chunk.append(kind ? el("span", { class: kind }, part) : part);
    };
    inSlices(out, runs.length, (run) => {
      let last = end;
      for (let n = 0; n < runs[run]; n += 1) {
        const word = words.next().value;
        if (!word) break;
        if (n === 0) start = word.index;
        last = word.index + word[0].length;
      }
      if (last === end) return;
      const line = reference.text.lastIndexOf("\n", start - 1) + 1;
      if (line > end) { append("", end, line); append("", line, start); } else append("", end, start);
      append(kinds[run], start, last);
      end = last;
    }, () => append("", end, reference.text.length));
  }
  const ELEMENTS = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "blockquote", "pre", "code", "table", "tr", "th", "td", "em", "strong", "s", "br", "hr", "div"]);
  const BLOCKS = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "th", "td"]);
  function drawMarkdown() {
    out.replaceChildren();
    if (state.threshold !== null) out.append(el("p", { class: "muted small" }, "As the pipeline labels the page, whatever the threshold."));
    if (page.markdown.length === 0) out.append(el("p", { class: "muted" }, "Nothing is kept."));
    const open = [out];
    for (const part of page.markdown) {
      const top = open[open.length - 1];
      if (part === ">") open.pop();
      else if (part[0] === "t") top.append(part.slice(1));
      else {
        const [name, address] = part.slice(1).split("\t");
        const element = address !== undefined ? el("span", { class: name === "img" ? "image" : "link", title: address })
          : el(ELEMENTS.has(name) ? name : "div", { dir: BLOCKS.has(name) ? "auto" : null });
        top.append(element);
        open.push(element);
      }
    }
  }

  const heading = el("h2", {}, page.pipeline.name);
  const legend = el("p", { class: "legend small", hidden: true }, el("span", { class: "missing" }, "missing"), " words are dropped though the other text has them; ",
    el("span", { class: "extra" }, "extra"), " words are kept though it has not; ", el("span", { class: "absent" }, "absent"), " ones are not on the page.");
  const panes = el("div", { class: "group panes screen", role: "group", "aria-label": "What is shown" },
    ["blocks", "text"].map((name) => el("button", { type: "button", "aria-pressed": name === "blocks", onclick: (event) => {
      app.dataset.show = name;
      for (const button of panes.children) button.setAttribute("aria-pressed", button === event.currentTarget);
    } }, name === "blocks" ? "Blocks" : "Text")));
  app.dataset.show = "blocks";
  const panel = el("aside", { class: "details screen", "aria-label": "The block" }, details);
  app.append(header,
    el("div", { class: "bar screen" },
      filters, reasonSelect, scores, search, compare,
      el("div", { class: "threshold" }, el("div", { class: "over" }, histogram, slider), el("div", { class: "under" }, sliderText, reset)),
      el("button", { type: "button", class: "help", "aria-label": "Keys", onclick: () => help.showModal() }, "?")),
    panes,
    el("main", { class: "columns" },
      el("section", { class: "left", "aria-label": "Blocks" }, el("div", { class: "head" }, el("h2", {}, "Blocks ", shownCount),
        el("p", { class: "small muted" }, el("span", { class: "key keep" }, "+ kept"), " ", el("span", { class: "key drop" }, "− dropped"), " · strong colours are sure")), legend, list.root),
      el("section", { class: "right", "aria-label": "Text" }, el("div", { class: "head" }, heading, tabList), out)),
    panel);
  list.under = () => panel.offsetHeight;
  followBar();

  document.addEventListener("keydown", (event) => {
    if (isTyping(event)) { if (event.key === "Escape") event.target.blur(); if (event.key === "Escape" && event.target === search) { search.value = ""; state.text = ""; redrawFilter(); list.root.querySelector("[tabindex='0']").focus(); } return; }
    const next = (names, now) => names[(names.indexOf(now) + 1) % names.length];
    const visible = (map) => [...map].filter(([, button]) => !button.hidden).map(([name]) => name);
    const move = (step) => { const t = (state.threshold ?? start) + step; setThreshold(Math.max(0, Math.min(1000, t))); };
    const actions = {
      j: () => list.step(1), k: () => list.step(-1),
      u: () => list.step(1, (i) => list.isUnsure(i)),
      m: () => list.step(1, (i) => isMissing(i) || isExtra(i)),
      n: () => place.after && app.querySelector("[rel=next]").click(), p: () => place.before && app.querySelector("[rel=prev]").click(),
      "[": () => move(-20), "]": () => move(20), 0: () => setThreshold(null),
      f: () => setFilter(next(visible(filterButtons), state.filter)), t: () => setPane(next(visible(tabs), state.pane)),
      r: () => { if (compare) setReference(next(["", ...references.map((_, at) => String(at))], compare.value)); },
      "/": () => search.focus(), "?": () => help.showModal(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  setReference(references.length ? "0" : "");
})();
