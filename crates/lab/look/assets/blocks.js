
// The blocks of a page as a list of rows, made in slices, in chunks that browsers lay out when they are near.
const CHUNK = 25;
// Chunks are in batches, so that a browser has to watch few of them at a time.
const BATCH = 40 * CHUNK;
const WORD = /[\p{L}\p{N}_]+/gu;

// A block is unsure if its score is within this share of the way from the page's cut to 0 or 1.
const UNSURE = .6;

class BlockList {
  // `look(i)` is called with the block that is looked at, and with -1 where there is none any more.
  constructor(blocks, look) {
    this.blocks = blocks;
    this.look = look;
    this.size = blocks.text.length;
    this.own = Array.from(blocks.kept, (mark) => mark === "1");
    this.kept = [...this.own];
    // Where scores divide content from boilerplate; where the pipeline has no such score, the middle.
    this.cut = blocks.cut ?? 500;
    this.rows = new Array(this.size);
    this.texts = new Array(this.size);
    this.shown = null;
    this.reference = null;
    this.at = -1;
    // The row that Tab goes to, and how much at the bottom of the window hides rows.
    this.tab = 0;
    // Rows whose looks are not those of their labels yet.
    this.stale = new Set();
    this.under = () => 0;
    // Where the pointer was, and the row that it pointed at.
    this.pointer = "";
    this.pointed = -1;
    this.made = 0;
    this.root = el("div", { class: "blocks", role: "list", "aria-label": "Blocks of the page" });
    this.root.addEventListener("focusin", (event) => this.meet(event.target));
    this.root.addEventListener("mousemove", (event) => this.hover(event));
    this.root.addEventListener("mouseleave", () => { this.pointed = -1; this.look(this.at); });
    this.none = el("p", { class: "muted empty", hidden: true }, "No block matches.");
    this.root.append(this.none);
    this.chunks = [];
    for (let start = 0; start < this.size; start += CHUNK) {
      const chunk = el("div", { class: "chunk", role: "none" });
      chunk.style.setProperty("--rows", Math.min(CHUNK, this.size - start));
      this.chunks.push(chunk);
      if (start % BATCH === 0) {
        const batch = el("div", { class: "chunk", role: "none" });
        batch.style.setProperty("--rows", Math.min(BATCH, this.size - start));
        this.root.append(batch);
      }
      this.root.lastChild.append(chunk);
    }
    if (this.size === 0) this.root.append(el("p", { class: "muted empty" }, "The page has no text."));
    inSlices(this, this.size, (i) => this.make(i));
  }

  make(i) {
    const { blocks } = this;
    const mark = el("span", { class: "mark", "aria-hidden": "true" });
    const label = el("span", { class: "unseen" });
    const text = el("span", { class: "text", dir: "auto" });
    const row = el("div", { class: "row", role: "listitem", tabindex: i === this.tab ? "0" : "-1", id: "b" + i }, mark, label, text,
      el("span", { class: "score" }, fraction(blocks.score[i] / 1000)));
    row.index = i;
    row.dataset.kind = blocks.kind[i];
    row.style.setProperty("--lists", blocks.lists[i]);
    this.rows[i] = row;
    this.texts[i] = text;
    this.write(i);
    this.paint(i);
    if (this.shown && !this.shown(i)) row.hidden = true;
    this.chunks[Math.floor(i / CHUNK)].append(row);
    this.made = i + 1;
  }

  // The text of a row, with its words that are in the reference and those that are not.
  write(i) {
    const text = this.blocks.text[i];
    const runs = this.reference ? this.reference.blocks[i] : null;
    if (!runs || runs.length === 0) this.texts[i].textContent = text;
    else this.texts[i].replaceChildren(...wordRuns(text, runs, (run, part) => el("span", { class: run % 2 ? "in" : "out" }, part)));
  }

  // How far the score of a block is from the page's cut, 0 to 1: at 0 or 1 it is 1. Where the pipeline has a cut, a label
  // on its other side comes from a rule, and is sure; scores are rounded, so not one right beside it.
  sureness(i) {
    const score = this.blocks.score[i], { cut } = this;
    if (this.blocks.cut !== null && Math.abs(score - cut) > 5 && score > cut !== this.own[i]) return 1;
    return score > cut ? (score - cut) / (1000 - cut) : (cut - score) / Math.max(cut, 1);
  }

  isUnsure(i) {
    return this.sureness(i) < UNSURE;
  }

  // How a row looks by its label.
  paint(i) {
    const row = this.rows[i];
    if (!row) return;
    const kept = this.kept[i];
    row.classList.toggle("keep", kept);
    row.classList.toggle("drop", !kept);
    row.style.setProperty("--sure", this.sureness(i).toFixed(2));
    row.children[0].textContent = kept ? "+" : "−";
    row.children[1].textContent = kept ? "kept: " : "dropped: ";
    row.classList.toggle("edited", kept !== this.own[i]);
  }

  // Sets labels; `kept(i)`. Rows follow in slices.
  label(kept) {
    for (let i = 0; i < this.size; i += 1) {
      const now = kept(i);
      if (now !== this.kept[i]) {
        this.kept[i] = now;
        this.stale.add(i);
      }
    }
    const stale = [...this.stale];
    inSlices(this.stale, stale.length, (n) => {
      this.paint(stale[n]);
      this.stale.delete(stale[n]);
    });
  }

  // Compares with a reference, or none.
  compare(reference) {
    this.reference = reference;
    this.root.classList.toggle("compared", !!reference);
    inSlices(this.texts, this.made, (i) => this.write(i));
  }

  // Shows the rows for which `shown(i)`; all for null. Returns how many.
  filter(shown) {
    this.shown = shown;
    let n = 0, first = -1;
    for (let i = 0; i < this.size; i += 1) {
      const show = !shown || shown(i);
      if (show) n += 1;
      if (show && first < 0) first = i;
      if (this.rows[i] && this.rows[i].hidden === show) this.rows[i].hidden = !show;
    }
    if (first >= 0 && shown && !shown(this.tab)) this.rove(first);
    this.none.hidden = n > 0 || this.size === 0;
    if (this.at >= 0 && shown && !shown(this.at)) this.look(-1);
    return n;
  }

  // Makes a row the one that Tab goes to.
  rove(i) {
    if (this.rows[this.tab]) this.rows[this.tab].tabIndex = -1;
    this.tab = i;
    if (this.rows[i]) this.rows[i].tabIndex = 0;
  }

  meet(target) {
    const row = target.closest(".row");
    if (!row || row.index === this.at) return;
    this.rove(row.index);
    this.at = row.index;
    this.look(row.index);
    row.style.scrollMarginBottom = "calc(" + this.under() + "px + 1rem)";
  }

  // Rows that move below a pointer that rests are not pointed at.
  hover(event) {
    const row = event.target.closest(".row"), place = event.screenX + "," + event.screenY;
    if (row && place !== this.pointer && row.index !== this.pointed) {
      this.pointed = row.index;
      this.look(row.index);
    }
    this.pointer = place;
  }

  go(i) {
    const row = this.rows[i];
    if (!row || row.hidden) return false;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    return true;
  }

  // Goes to the next block, forwards or back, for which `wanted(i)`.
  step(by, wanted) {
    for (let i = this.at < 0 && by < 0 ? this.size - 1 : this.at + by; i >= 0 && i < this.size; i += by) {
      if (this.rows[i] && !this.rows[i].hidden && (!wanted || wanted(i))) return this.go(i);
    }
    return false;
  }
}

// Parts of a text by runs of words: `runs` are numbers of words; run 0 first. `make(run, part)` gives the node of one;
// what is between runs is text.
function wordRuns(text, runs, make) {
  const nodes = [];
  let end = 0, run = 0, left = runs[0] || 0, start = -1, last = 0;
  const close = () => {
    if (start < 0) return;
    if (start > end) nodes.push(text.slice(end, start));
    nodes.push(make(run, text.slice(start, last)));
    end = last;
    start = -1;
  };
  for (const word of text.matchAll(WORD)) {
    while (left === 0 && run + 1 < runs.length) { close(); run += 1; left = runs[run]; }
    if (start < 0) start = word.index;
    last = word.index + word[0].length;
    if (left > 0) left -= 1;
  }
  close();
  if (end < text.length) nodes.push(text.slice(end));
  return nodes;
}

// Tells the style how high the bar is, below which other parts stay in view.
function followBar() {
  const bar = app.querySelector(".bar");
  new ResizeObserver(() => app.style.setProperty("--bar", bar.offsetHeight + "px")).observe(bar);
}

// What is known of a block; of none, how to choose one.
function describe(blocks, i, kept) {
  if (i < 0) return [el("p", { class: "muted hint" }, "Point at a block, or move with ", el("kbd", {}, "j"), " and ", el("kbd", {}, "k"), ", to see why it is kept or dropped.")];
  const moved = blocks.moved[i] || [];
  const name = blocks.classes[blocks.class[i]];
  const most = Math.max(...moved.map(([, , by]) => Math.abs(by)), .01);
  const bar = ([feature, measured, by]) => {
    const amount = el("span", { class: "amount " + (by > 0 ? "up" : "down") });
    amount.style.setProperty("--by", Math.abs(by) / most);
    return el("li", {}, el("span", { class: "feature" }, el("b", {}, feature), " ", String(measured)), el("span", { class: "by" }, (by < 0 ? "−" : "+") + Math.abs(by).toFixed(2)), el("span", { class: "axis" }, amount));
  };
  const facts = [
    counted(blocks.words[i], "word", "words"), blocks.linked[i] + " % linked", (blocks.density[i] / 10).toFixed(1) + " words a line",
    "bytes " + count(blocks.start[i]) + "–" + count(blocks.end[i]),
  ];
  const isLate = i >= blocks.why.length && blocks.unexplained;
  return [
    el("p", { class: "verdict " + (kept ? "keep" : "drop") }, el("span", { class: "mark" }, kept ? "+" : "−"), " Block " + (i + 1) + (kept ? ", kept" : ", dropped"),
      name ? el("span", { class: "chip" }, value(name)) : null, el("span", { class: "chip" }, "score ", el("b", {}, fraction(blocks.score[i] / 1000)))),
    el("p", { class: "reason" }, blocks.why[i] || blocks.reasons[blocks.reason[i]], isLate ? el("span", { class: "muted" }, " — " + blocks.unexplained) : null),
    moved.length ? el("ul", { class: "moved", "aria-label": "Features that moved the score most" }, moved.map(bar)) : null,
    el("p", { class: "path mono" }, visible(blocks.paths[blocks.path[i]])),
    el("p", { class: "small muted" }, facts.join(" · ")),
  ];
}
