
(() => {
  const { pages } = data;
  // Pages on disk share what a browser keeps, and two people may label copies of one file.
  const KEY = "warcsieve-label-" + data.key + "-" + location.pathname;
  const TYPES = ["article", "forum", "product", "collection", "listing", "documentation", "service"];
  // What a person did, by page: labels, whether it is done, its type. Others are as the pipeline left them.
  const work = pages.map((page) => ({ labels: page.blocks.kept, done: false, type: page.facts.page_type || "" }));
  const undone = pages.map(() => ({ back: [], forth: [] }));
  let at = 0, list = null, queue = [], keys = 0;

  // Autosave in the browser, if it has room for it.
  let autosave = "";
  function store(n) {
    try { localStorage.setItem(KEY + "-" + n, JSON.stringify(work[n])); autosave = "saved in this browser"; }
    catch { autosave = "this browser keeps nothing: use Save"; }
  }
  function restore() {
    pages.forEach((page, n) => {
      let text = null;
      try { text = localStorage.getItem(KEY + "-" + n); } catch { autosave = "this browser keeps nothing: use Save"; }
      // What cannot be read is of this page alone.
      try {
        const saved = JSON.parse(text);
        if (saved) take(n, saved.labels, saved.done, saved.type);
      } catch { autosave = "page " + (n + 1) + " could not be restored"; }
    });
  }
  function take(n, labels, done, type) {
    if (typeof labels !== "string" || labels.length !== pages[n].blocks.kept.length || /[^01]/.test(labels)) return false;
    undone[n] = { back: [], forth: [] };
    work[n] = { labels, done: done === true, type: typeof type === "string" ? type.slice(0, 100) : "" };
    return true;
  }

  // Gold of a page: the texts of its content, a line each.
  function goldOf(n, labels = work[n].labels) {
    const { blocks, preformatted } = pages[n];
    const pre = new Map(preformatted);
    return blocks.text.map((text, i) => pre.get(i) || text).filter((_, i) => labels[i] === "1").join("\n");
  }
  function goldLines() {
    const done = pages.map((_, n) => n).filter((n) => work[n].done);
    return done.map((n) => {
      const { id, url, title } = pages[n].facts;
      const line = { id, url };
      if (work[n].type) line.page_type = work[n].type;
      return JSON.stringify({ ...line, gold: goldOf(n), title, pipeline: data.pipeline, labels: work[n].labels }) + "\n";
    }).join("");
  }
  function save() {
    const lines = goldLines();
    if (!lines) return say("No page is done yet: press Enter on a page that is right.");
    const file = URL.createObjectURL(new Blob([lines], { type: "application/jsonl" }));
    const link = el("a", { download: "gold.jsonl" });
    link.href = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(file), 60000);
    say(counted(lines.split("\n").length - 1, "page", "pages") + " in gold.jsonl.");
  }
  async function open(file) {
    const places = new Map(pages.map((page, n) => [page.facts.id, n]));
    let taken = 0, other = 0;
    for (const line of (await file.text()).split("\n")) {
      if (!line.trim()) continue;
      try {
        const gold = JSON.parse(line);
        const n = places.get(gold.id);
        if (n !== undefined && gold.pipeline === data.pipeline && goldOf(n, gold.labels) === gold.gold && take(n, gold.labels, true, gold.page_type)) { taken += 1; store(n); } else other += 1;
      } catch { other += 1; }
    }
    show(at);
    say(counted(taken, "page", "pages") + " taken from " + file.name + (other ? ", " + counted(other, "line", "lines") + " of other pages, texts or pipelines, or without labels." : "."));
  }

  // Frame.
  const title = el("h1", { dir: "auto" });
  const address = el("p", { class: "address mono muted" });
  const facts = el("p", { class: "small muted" });
  const progress = el("progress", { max: pages.length, value: 0, "aria-label": "Pages that are done" });
  const progressText = el("span", { class: "small", role: "status" });
  const message = el("p", { class: "message small", role: "status" });
  const doneText = el("span");
  const doneButton = el("button", { type: "button", class: "primary", onclick: () => finish() }, doneText, " ", el("kbd", {}, "Enter"));
  const chooser = el("select", { "aria-label": "Page", onchange: () => { show(Number(chooser.value)); chooser.blur(); } });
  const type = el("select", { "aria-label": "Type of the page", onchange: () => { setType(type.value); type.blur(); } }, el("option", { value: "" }, "type of page…"), TYPES.map((name, n) => el("option", { value: name }, n + 1 + " " + name)));
  const counts = el("div", { class: "chips" });
  const left = el("section", { class: "left", "aria-label": "Blocks" });
  const nothing = el("span", { class: "muted" }, "Nothing: the page has no content.");
  const out = el("div", { class: "out text", id: "out", tabindex: "0", dir: "auto", "aria-label": "Gold" });
  const picker = el("input", { type: "file", accept: ".jsonl", class: "unseen", tabindex: "-1", "aria-label": "gold.jsonl to go on with", onchange: () => { if (picker.files[0]) open(picker.files[0]); picker.value = ""; } });
  const help = helpDialog([
    ["c b", "this block is content, is boilerplate; then the next unsure one"], ["C B", "the same for all its neighbours of one label"],
    ["space", "flip this block, stay here"], ["u", "next unsure block, the least sure first"], ["j k", "next block, block before"],
    ["J K", "next, last change of label"], ["h H", "next, last heading"], ["e", "extend: blocks from the last one labelled to this one get its label"], ["z Z", "undo, redo"], ["Enter", "the page is right: next page that is not done; on a page that is done: it is not"],
    ["n p", "next page, page before"], ["1–7", "type of the page"], ["s", "save gold.jsonl"], ["?", "these keys"],
  ]);
  app.append(el("header", { class: "top" },
    el("div", { class: "title" }, el("div", {}, title, address, facts),
      el("nav", { class: "nav screen", "aria-label": "Pages" }, el("button", { type: "button", "aria-label": "Page before", onclick: () => show(at - 1) }, "‹"), chooser, el("button", { type: "button", "aria-label": "Next page", onclick: () => show(at + 1) }, "›"))),
    counts),
    el("div", { class: "bar screen" }, doneButton, type, el("button", { type: "button", onclick: () => undo() }, "Undo ", el("kbd", {}, "z")), el("button", { type: "button", onclick: () => save() }, "Save ", el("kbd", {}, "s")),
      el("button", { type: "button", onclick: () => picker.click() }, "Open…"), picker, el("span", { class: "progress" }, progress, progressText), el("button", { type: "button", class: "help", "aria-label": "Keys", onclick: () => help.showModal() }, "?"), message),
    el("main", { class: "columns" }, left, el("section", { class: "right", "aria-label": "Gold" }, el("div", { class: "head" }, el("h2", {}, "Gold"), el("span", { class: "small muted" }, "what is kept of the page")), out)));
  followBar();
  function say(text) {
    message.textContent = text;
  }

  function show(n) {
    if (n < 0 || n >= pages.length) return;
    at = n;
    const page = pages[n];
    title.textContent = page.facts.title || "(no title)";
    address.replaceChildren(page.facts.url ? value(page.facts.url) : "(no address)");
    facts.replaceChildren(value(page.facts.id), " · ", value(page.facts.input), " at byte " + count(page.facts.offset));
    type.value = TYPES.includes(work[n].type) ? work[n].type : "";
    list = new BlockList(page.blocks, () => {});
    list.label((i) => work[n].labels[i] === "1");
    list.root.addEventListener("click", (event) => clicked(event));
    // Unsure blocks, the least sure first; of equal ones the first.
    const far = page.blocks.score.map((_, i) => list.sureness(i));
    queue = [...far.keys()].filter((i) => list.isUnsure(i)).sort((a, b) => far[a] - far[b] || a - b);
    list.asked = new Set();
    anchor = -1;
    left.replaceChildren(el("div", { class: "head" }, el("h2", {}, "Blocks"), el("p", { class: "small muted" }, el("span", { class: "key keep" }, "+ kept"), " ", el("span", { class: "key drop" }, "− dropped"), " · click a mark to flip it")), list.root);
    say(queue.length ? counted(queue.length, "block is", "blocks are") + " unsure: u goes to the least sure one." : "No block is unsure.");
    changed(false);
    drawGold();
    window.scrollTo(0, 0);
  }

  // After labels changed.
  function changed(kept) {
    const page = pages[at];
    if (kept) {
      work[at].labels = list.kept.map((k) => k ? "1" : "0").join("");
      store(at);
    }
    const edited = list.kept.filter((k, i) => k !== (page.blocks.kept[i] === "1")).length;
    const words = page.blocks.words.reduce((sum, n, i) => sum + (list.kept[i] ? n : 0), 0);
    counts.replaceChildren(el("span", { class: "chip" }, el("b", { id: "kept" }, count(list.kept.filter(Boolean).length)), " of " + counted(list.size, "block", "blocks") + " kept"),
      el("span", { class: "chip" }, el("b", {}, count(words)), " words"), el("span", { class: "chip" }, el("b", { id: "edited" }, count(edited)), " changed"), el("button", { type: "button", class: work[at].done ? "chip done" : "chip", "aria-pressed": work[at].done, onclick: () => setDone(!work[at].done) }, work[at].done ? "✓ done" : "not done"));
    doneText.textContent = work[at].done ? "Not done" : "Done, next";
    const done = work.filter((page) => page.done).length;
    nothing.hidden = list.kept.includes(true);
    progress.value = done;
    progressText.textContent = done + " of " + pages.length + " done" + (autosave ? ", " + autosave : "");
    chooser.replaceChildren(...pages.map((page, n) => { const option = el("option", { value: n }, (work[n].done ? "✓ " : "") + (n + 1) + ". " + visible((page.facts.title || page.facts.id).slice(0, 60))); option.selected = n === at; return option; }));
  }

  // The gold beside the blocks, in parts, of which only those of changed blocks are written again.
  const PART = 200;
  let parts = [];
  function drawGold() {
    parts = Array.from({ length: Math.ceil(list.size / PART) }, () => el("div", { class: "chunk", dir: "auto" }));
    out.replaceChildren(nothing, ...parts);
    inSlices(out, parts.length, writePart);
  }
  function writePart(part) {
    const { blocks, preformatted } = pages[at];
    const pre = new Map(preformatted.filter(([i]) => Math.floor(i / PART) === part));
    const texts = [];
    for (let i = part * PART; i < Math.min(list.size, (part + 1) * PART); i += 1) if (list.kept[i]) texts.push(pre.get(i) || blocks.text[i]);
    parts[part].textContent = texts.join("\n");
  }

  function set(blocks, kept) {
    const before = blocks.map((i) => list.kept[i]);
    if (before.every((was) => was === kept)) return;
    undone[at].back.push([blocks, before, blocks.map(() => kept)]);
    undone[at].forth = [];
    apply(blocks, () => kept);
  }
  function apply(blocks, kept) {
    blocks.forEach((i, n) => { list.kept[i] = kept(n); list.paint(i); });
    if (blocks.length === 1) anchor = blocks[0];
    changed(true);
    new Set(blocks.map((i) => Math.floor(i / PART))).forEach(writePart);
  }
  function undo() {
    const step = undone[at].back.pop();
    if (!step) return say("There is nothing to undo on this page.");
    undone[at].forth.push(step);
    apply(step[0], (n) => step[1][n]);
    list.go(step[0][0]);
  }
  function redo() {
    const step = undone[at].forth.pop();
    if (!step) return say("There is nothing to redo on this page.");
    undone[at].back.push(step);
    apply(step[0], (n) => step[2][n]);
    list.go(step[0][0]);
  }
  // The neighbours of a block that have its label.
  function neighbours(i) {
    let start = i, end = i;
    while (start > 0 && list.kept[start - 1] === list.kept[i]) start -= 1;
    while (end + 1 < list.size && list.kept[end + 1] === list.kept[i]) end += 1;
    return Array.from({ length: end - start + 1 }, (_, n) => start + n);
  }
  function answer(kept, all) {
    if (list.at < 0) return unsure();
    const blocks = all ? neighbours(list.at) : [list.at];
    blocks.forEach((i) => list.asked.add(i));
    set(blocks, kept);
    unsure();
  }
  function unsure() {
    const next = queue.find((i) => !list.asked.has(i));
    if (next === undefined) return say("No unsure block is left. Is the page right? Enter.");
    list.asked.add(next);
    list.go(next);
  }
  function change(by) {
    list.step(by, (i) => list.kept[i] !== list.kept[i - by] || i - by < 0 || i - by >= list.size);
  }
  function heading(by) {
    list.step(by, (i) => /^h[1-6]$/.test(list.blocks.kind[i]));
  }
  // Gives the blocks from the last one that was labelled up to this one its label.
  function extend() {
    if (anchor < 0 || list.at < 0) return say("Label a block first: e extends its label up to another block.");
    const [a, b] = [Math.min(anchor, list.at), Math.max(anchor, list.at)];
    set(Array.from({ length: b - a + 1 }, (_, n) => a + n), list.kept[anchor]);
  }
  // The block where a range begins: the last one that was labelled or clicked.
  let anchor = -1;
  function clicked(event) {
    const row = event.target.closest(".row");
    if (!row) return;
    if (event.shiftKey && anchor >= 0) {
      const [a, b] = [Math.min(anchor, row.index), Math.max(anchor, row.index)];
      set(Array.from({ length: b - a + 1 }, (_, n) => a + n), list.kept[anchor]);
    } else {
      if (event.target.closest(".mark")) set([row.index], !list.kept[row.index]);
      anchor = row.index;
    }
    row.focus({ preventScroll: true });
  }
  function setType(name) {
    work[at].type = name;
    type.value = name;
    store(at);
    changed(false);
  }
  function setDone(done) {
    work[at].done = done;
    store(at);
    changed(false);
  }
  function finish() {
    if (work[at].done) {
      setDone(false);
      return say("This page is not done any more. Is it right? Enter.");
    }
    work[at].done = true;
    store(at);
    for (let step = 1; step <= pages.length; step += 1) {
      const n = (at + step) % pages.length;
      if (!work[n].done) return show(n);
    }
    changed(false);
    say("All pages are done: save them with s.");
  }

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && event.target.closest("select")) event.target.blur();
    if (isTyping(event) || (event.target.closest("button") && (event.key === "Enter" || event.key === " "))) return;
    const actions = {
      c: () => answer(true, false), b: () => answer(false, false), C: () => answer(true, true), B: () => answer(false, true),
      " ": () => list.at >= 0 && set([list.at], !list.kept[list.at]), u: () => unsure(), j: () => list.step(1), k: () => list.step(-1), J: () => change(1), K: () => change(-1), h: () => heading(1), H: () => heading(-1), e: () => extend(),
      z: () => undo(), Z: () => redo(), Enter: () => finish(), n: () => show(at + 1), p: () => show(at - 1), s: () => save(), "?": () => help.showModal(),
    };
    const number = Number(event.key);
    const action = actions[event.key] || (number >= 1 && number <= TYPES.length ? () => setType(TYPES[number - 1]) : null);
    if (!action) return;
    event.preventDefault();
    // A key that is held down moves, and does nothing else: what nobody has seen gets no label.
    if (event.repeat && !"jkJKhHnpu".includes(event.key)) return;
    keys += 1;
    action();
  });
  // What tests look at.
  window.labeller = { goldLines, work, get at() { return at; }, get keys() { return keys; }, get list() { return list; } };
  restore();
  show(Math.max(0, work.findIndex((page) => !page.done)));
})();
