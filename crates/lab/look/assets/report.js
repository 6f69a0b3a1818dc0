
(() => {
  const { runs } = data;
  const two = runs.length === 2;
  const toc = [];
  const main = el("main", {});

  // `short` is the title in the list of sections.
  function section(id, [title, short], about, ...content) {
    toc.push([id, short || title]);
    main.append(el("section", { id, "aria-labelledby": id + "-title" }, el("h2", { id: id + "-title" }, title), about ? el("p", { class: "about muted" }, about) : null, ...content));
  }
  // The same for each run, side by side.
  function each(make) {
    return el("div", { class: two ? "pair" : "" }, runs.map((run, at) => el("div", { class: "one" }, two ? el("p", { class: "run small" }, el("b", {}, "AB"[at]), " ", value(run.folder)) : null, make(run, at))));
  }
  function table(heads, rows, note) {
    if (rows.length === 0) return el("p", { class: "muted" }, "None.");
    return el("div", { class: "scroll card" + (heads.length < 5 ? " narrow" : "") }, el("table", { class: heads.length > 3 ? "stack" : null }, el("caption", { class: "unseen" }, note || ""),
      el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col", class: head.startsWith("#") ? "n" : null }, head.replace(/^#/, "") || el("span", { class: "unseen" }, "name"))))),
      el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, at) => el("td", { class: heads[at].startsWith("#") ? "n" : null, "data-name": heads[at].replace(/^#/, "") }, cell)))))));
  }
  function more(summary, ...content) {
    return el("details", { class: "more" }, el("summary", {}, summary), ...content);
  }
  function meter(part, kind) {
    const fill = el("span", { class: "fill " + (kind || "") });
    fill.style.setProperty("--part", Math.max(0, Math.min(1, part)));
    return el("span", { class: "meter", "aria-hidden": "true" }, fill);
  }
  function metered(part, whole) {
    return [meter(whole ? part / whole : 0), el("span", { class: "share" }, share(part, whole))];
  }

  // A chart of columns, one or two stacked values each.
  function columns(label, bars, names, ticks) {
    const legend = names.length > 1 ? el("p", { class: "legend small" }, names.map((name, i) => [el("span", { class: "swatch s" + i, "aria-hidden": "true" }), name + " "])) : null;
    const figure = el("figure", {}, drawn(640), legend);
    // Letters keep their size in any window.
    new ResizeObserver(([entry]) => {
      const width = Math.round(entry.contentRect.width);
      if (width > 0 && width !== Number(figure.firstChild.dataset.width)) figure.firstChild.replaceWith(drawn(width));
    }).observe(figure);
    return figure;
    function drawn(W) {
      const H = 170, left = 46, bottom = 24, top = 8;
      const most = even(Math.max(...bars.map((bar) => bar.values.reduce((a, b) => a + b, 0))));
      const scale = (n) => (H - bottom - top) * n / most;
      const width = (W - left - 4) / Math.max(1, bars.length);
      const chart = svg("svg", { viewBox: `0 0 ${W} ${H}`, class: "chart", role: "img", "data-width": W }, svg("title", {}, label));
      for (const part of [0.5, 1]) {
        const y = H - bottom - scale(most * part);
        chart.append(svg("line", { x1: left, x2: W, y1: y, y2: y, class: "grid" }));
        const text = svg("text", { x: left - 6, y: y + 4, class: "tick end" });
        text.append(short(most * part));
        chart.append(text);
      }
      bars.forEach((bar, at) => {
        let y = H - bottom;
        const group = svg("g", {}, svg("title", {}, bar.name + ": " + bar.values.map((n, i) => (names[i] ? names[i] + " " : "") + count(n)).join(", ")));
        group.append(svg("rect", { x: left + at * width, y: top, width, height: H - bottom - top, class: "hit" }));
        bar.values.forEach((n, i) => {
          const height = scale(n);
          y -= height;
          if (height > 0) group.append(svg("rect", { x: left + at * width + Math.min(1, width * .08), y, width: Math.max(.5, width - Math.min(2, width * .16)), height, class: "s" + i }));
        });
        chart.append(group);
      });
      chart.append(svg("line", { x1: left, x2: W, y1: H - bottom, y2: H - bottom, class: "base" }));
      for (const [at, name] of ticks) {
        const x = left + at * width;
        const text = svg("text", { x, y: H - 7, class: "tick " + (at === 0 ? "" : at >= bars.length ? "end" : "middle") });
        text.append(name);
        chart.append(text);
      }
      return chart;
    }
  }
  // The end of an axis: a round number, not below `n`, whose half is round, too.
  function even(n) {
    let unit = 1;
    while (10 * unit < n) unit *= 10;
    return Math.max(2, [1, 2, 4, 6, 8, 10].map((step) => step * unit).find((end) => end >= n) ?? 2);
  }
  function sign(n) {
    return n > 0 ? "+" : n < 0 ? "−" : "±";
  }
  function change(by, whole) {
    const part = Math.abs(by / whole);
    return part > 0 && part < .0005 ? "less than ±0.1 %" : sign(by) + percent(part);
  }
  function short(n) {
    for (const [size, unit] of [[1e9, " G"], [1e6, " M"], [1e3, " k"]]) if (n >= size) return (n / size).toFixed(n / size < 10 ? 1 : 0).replace(/\.0$/, "") + unit;
    return n < 1 && n > 0 ? n.toFixed(1) : String(Math.round(n));
  }
  // Small counts are compared and checked, so they are not rounded.
  const rounded = (n) => n < 10000 ? count(n) : short(n);
  const power = (n) => 2 ** (n % 10) + ["", " Ki", " Mi", " Gi", " Ti", " Pi", " Ei"][Math.floor(n / 10)];

  // Header and findings.
  const marks = { lost: ["✕", "lost"], look: ["!", "look"], know: ["i", "to know"] };
  const recipe = (run) => run.card.recipe ? "version " + run.card.recipe.version + ", " + (run.card.pipeline ? "pipeline " + run.card.pipeline[0] : "method " + run.card.recipe.method) : "no recipe";
  section("findings", ["What to look at"], null, each((run) => run.findings.length
    ? el("ul", { class: "findings card" }, run.findings.map((finding) => el("li", { class: finding.level }, el("span", { class: "badge" }, el("span", { "aria-hidden": "true" }, marks[finding.level][0]), el("span", { class: "unseen" }, marks[finding.level][1])),
      el("div", {}, el("a", { href: "#" + finding.section }, visible(finding.what)), finding.detail ? el("p", { class: "small muted" }, visible(finding.detail)) : null))))
    : el("p", { class: "well" }, "✓ Nothing looks wrong: every input is done, no input is damaged, all counts add up, and every output has its size and its rows.")));

  // Flow.
  function stage(title, value, parts, unit) {
    const whole = parts.reduce((sum, part) => sum + part.n, 0);
    const bar = el("div", { class: "flowbar", "aria-hidden": "true" }, parts.filter((part) => part.n > 0).map((part) => {
      const piece = el("span", { class: part.kind });
      piece.style.setProperty("flex-grow", Math.max(part.n / Math.max(whole, 1), .004));
      return piece;
    }));
    return el("div", { class: "stage" }, el("div", { class: "stagehead" }, el("b", {}, title), el("span", { class: "total", "data-sum": title }, unit(value))), bar,
      el("ul", { class: "parts small" }, parts.map((part) => el("li", { class: part.n ? "" : "zero" }, el("span", { class: "swatch " + part.kind, "aria-hidden": "true" }), part.name + " ", el("b", { "data-sum": title + "/" + part.name }, unit(part.n)), " ", el("span", { class: "muted" }, whole ? share(part.n, whole) : "")))));
  }
  const skipKinds = ["too_large", "tokenizer", "panicked"];
  section("flow", ["From bytes to text", "Bytes to text"], "Every byte and record is in one part of each line; the sums are those of the manifest rows.", each((run) => {
    const l = run.ledger;
    const skipped = Object.values(l.skips).reduce((a, b) => a + b, 0);
    const exact = (n) => el("span", { title: bytes(n) }, count(n) + " B");
    return el("div", { class: "flow card" },
      stage("Bytes of the inputs", l.compressed_bytes, [{ name: "in members", n: l.member_bytes, kind: "ok" }, { name: "damaged", n: l.damaged_bytes, kind: "bad" }], exact),
      stage("Decoded bytes", l.decoded_bytes, [{ name: "in records", n: l.record_bytes, kind: "ok" }, { name: "garbage", n: l.garbage_bytes, kind: "bad" }], exact),
      stage("Records", l.records, [{ name: "pages", n: l.pages, kind: "ok" }, { name: "others", n: l.other_records, kind: "other" }], count),
      stage("Pages", l.pages, [{ name: "documents", n: l.documents, kind: "ok" }, ...Object.entries(l.removed).map(([rule, n]) => ({ name: "failed: " + rule, n, kind: "other" })), ...Object.entries(l.skips).map(([reason, n]) => ({ name: "skipped: " + reason, n, kind: skipKinds.includes(reason) ? "bad" : "other" }))], count),
      stage("Documents", l.documents, [{ name: "with content", n: l.documents - l.empty_documents, kind: "ok" }, { name: "without", n: l.empty_documents, kind: "drop" }], count),
      run.duplicates ? stage("Without duplicates", run.duplicates.pages, [{ name: "kept", n: run.duplicates.kept, kind: "ok" }, ...["url", "text", "near"].map((rule) => ({ name: "duplicates: " + rule, n: run.duplicates["dropped_" + rule], kind: "drop" }))], count) : null,
      stage("Blocks", l.blocks, [{ name: "content", n: l.content_blocks, kind: "ok" }, { name: "boilerplate", n: l.blocks - l.content_blocks, kind: "drop" }], count),
      sums("Lines that rules dropped or changed: ", l.lines), sums("Personal data found: ", l.personal),
      el("p", { class: "small muted" }, "Pages skipped: " + count(skipped) + ". Bytes of HTML " + count(l.html_bytes) + ", of all text " + count(l.raw_text_bytes) + ", of cleaned text " + count(l.text_bytes) + ", written " + count(l.written_bytes) + "."));
  }), two ? compareSums() : null);
  function sums(title, counts) {
    const parts = Object.entries(counts).map(([name, n]) => name + " " + count(n));
    return parts.length ? el("p", { class: "small muted" }, title + parts.join(", ") + ".") : null;
  }
  function compareSums() {
    const names = [["inputs", "inputs"], ["compressed_bytes", "bytes of inputs"], ["records", "records"], ["pages", "pages"], ["documents", "documents"], ["empty_documents", "documents without content"],
      ["blocks", "blocks"], ["content_blocks", "content blocks"], ["raw_text_bytes", "bytes of all text"], ["text_bytes", "bytes of cleaned text"], ["fault_count", "faults"], ["damaged_bytes", "damaged bytes"], ["written_bytes", "bytes written"]];
    const [a, b] = runs.map((run) => run.ledger);
    const rows = names.map(([key, name]) => [name, a[key], b[key]]);
    for (const rule of new Set([...Object.keys(a.removed), ...Object.keys(b.removed)])) rows.push(["failed: " + rule, a.removed[rule] || 0, b.removed[rule] || 0]);
    for (const reason of new Set([...Object.keys(a.skips), ...Object.keys(b.skips)])) rows.push(["skipped: " + reason, a.skips[reason] || 0, b.skips[reason] || 0]);
    return el("div", { class: "compare" }, el("h3", {}, "A beside B"), table(["", "#A", "#B", "#B − A", "#"], rows.map(([name, x, y]) => [name, count(x), count(y), sign(y - x) + count(Math.abs(y - x)), x ? change(y - x, x) : ""]), "Sums of both runs"));
  }

  section("faults", ["Faults"], "Damage of the inputs, with its places.", each((run) => {
    const kinds = Object.entries(run.ledger.faults);
    const listed = kinds.reduce((sum, [, kind]) => sum + kind.count, 0);
    return [table(["kind", "#faults", "#bytes", "#inputs"], kinds.map(([name, kind]) => [name, count(kind.count), count(kind.bytes), count(kind.inputs)]), "Faults by kind"),
      run.ledger.fault_count > listed ? el("p", { class: "small muted" }, count(run.ledger.fault_count - listed) + " more faults are only counted.") : null,
      kinds.map(([name, kind]) => more("Places of " + name, places(kind.places)))];
  }));
  function places(list) {
    return table(["input", "#byte", "what"], list.map((place) => [el("span", { class: "mono" }, value(place.input)), count(place.offset), value(place.what)]));
  }
  section("skips", ["Skips"], "Pages that were not processed; the first places of each reason.", each((run) => {
    const reasons = Object.entries(run.ledger.skips).sort((a, b) => b[1] - a[1]);
    return [table(["reason", "#pages", "#of all pages"], reasons.map(([reason, n]) => [reason, count(n), share(n, run.ledger.pages)])),
      reasons.map(([reason]) => run.ledger.skipped[reason] ? more("Places of " + reason, places(run.ledger.skipped[reason])) : null)];
  }));
  section("inputs", ["Inputs"], "Those with the most trouble first.", each((run) => [
    el("div", { class: "chips" }, el("span", { class: "chip" }, el("b", {}, count(run.ledger.inputs)), " done"), el("span", { class: run.not_done ? "chip warn" : "chip" }, el("b", {}, count(run.not_done)), " not done"),
      el("span", { class: run.sealed ? "chip" : "chip warn" }, run.sealed ? "✓ sealed" : "not sealed"),
      el("span", { class: "chip" }, Object.entries(run.ledger.records_by_type).map(([type, n]) => shown(type) + " " + count(n)).join(", ") || "no records")),
    run.not_done_names.length ? more("Inputs that are not done", el("ul", { class: "mono plain" }, run.not_done_names.map((name) => el("li", {}, value(name))))) : null,
    run.gaps.length ? more("Names that a sequence lacks", el("ul", { class: "mono plain" }, run.gaps.map((name) => el("li", {}, value(name))))) : null,
    run.broken.length + run.differing.length + run.ledger.unbalanced.length ? more("What cannot be read or does not add up", el("ul", { class: "plain" }, [...run.broken, ...run.differing, ...run.ledger.unbalanced].map((line) => el("li", {}, visible(line))))) : null,
    run.ledger.worst_inputs.length ? el("div", { class: "card" }, sortable([
      { name: "input", value: (i) => i.input, cell: (i) => el("span", { class: "mono" }, value(i.input)) },
      { name: "bytes", value: (i) => i.bytes, cell: (i) => bytes(i.bytes), numeric: true },
      { name: "lost bytes", value: (i) => i.lost_bytes, cell: (i) => count(i.lost_bytes), numeric: true },
      { name: "faults", value: (i) => i.faults, cell: (i) => count(i.faults), numeric: true },
      { name: "records", value: (i) => i.records, cell: (i) => count(i.records), numeric: true },
      { name: "pages", value: (i) => i.pages, cell: (i) => count(i.pages), numeric: true },
      { name: "skipped", value: (i) => i.skips, cell: (i) => count(i.skips) + " (" + share(i.skips, i.pages) + ")", numeric: true },
      { name: "without content", value: (i) => i.empty_documents, cell: (i) => count(i.empty_documents), numeric: true },
      { name: "text", value: (i) => i.text_bytes, cell: (i) => bytes(i.text_bytes), numeric: true },
    ], run.ledger.worst_inputs, 2, true, "Inputs")) : null,
  ]));
  section("hosts", ["Hosts"], "By pages, with the share of their blocks that is kept.", each((run) => {
    const { lines, missed } = run.documents.hosts;
    return [el("p", { class: "small muted" }, counted(run.documents.distinct_hosts, "host", "hosts") + (run.documents.distinct_hosts >= 1024 ? ", about" : "") + "; pages without an address: " + count(run.documents.without_address) + (missed ? ". Rare hosts are not all counted: each may have up to " + count(missed) + " pages more." : ".")),
      lines.length ? el("div", { class: "card" }, sortable([
        { name: "host", value: ([host]) => host, cell: ([host]) => value(host) },
        { name: "pages", value: ([, n]) => n, cell: ([, n, missed]) => (missed ? "≥ " : "") + count(n), numeric: true },
        { name: "without content", value: ([, n, , s]) => s[0] / n, cell: ([, n, , s]) => [count(s[0]), " ", el("span", { class: "muted" }, share(s[0], n))], numeric: true },
        { name: "blocks kept", value: ([, , , s]) => s[1] ? s[2] / s[1] : -1, cell: ([, , , s]) => metered(s[2], s[1]), numeric: true },
        { name: "HTML", value: ([, , , s]) => s[3], cell: ([, , , s]) => bytes(s[3]), numeric: true },
        { name: "text", value: ([, , , s]) => s[4], cell: ([, , , s]) => bytes(s[4]), numeric: true },
      ], lines, 1, true, "Hosts")) : null];
  }));
  const topTable = (name, top, whole, note) => el("div", { class: "small-table", id: note || null }, el("h3", {}, name), table(["", "#pages", "#share", "#empty"], top.lines.map(([text, n, , s]) => [text ? value(text) : "(none)", count(n), metered(n, whole), s.length ? share(s[0], n) : ""]), name));
  section("languages", ["Languages, types, encodings", "Languages"], "Empty are pages of which nothing is kept.", each((run) => {
    const d = run.documents;
    return el("div", { class: "grid" }, topTable("Language", d.languages, d.rows), topTable("Media type", d.media_types, d.rows), topTable("Encoding", d.charsets, d.rows, two ? null : "charsets"), topTable("Encoding found by", d.charset_sources, d.rows), topTable("HTTP status", d.statuses, d.rows), topTable("Cut off because", { lines: d.truncated.lines }, d.rows));
  }));
  section("warnings", ["Warnings"], "Flaws that did not stop a page, and how many documents have each.", each((run) => table(["warning", "#documents", "#share", "meaning"], Object.entries(run.ledger.warnings).sort((a, b) => b[1] - a[1]).map(([word, n]) => [word, count(n), share(n, run.ledger.documents), data.warnings[word] || ""]))));
  section("kept", ["How much is kept", "Kept"], "Pages by the share of their blocks that is kept, and blocks by their score.", each((run) => {
    const { kept_shares, without_blocks } = run.documents;
    const pages = columns("Pages by the share of their blocks that is kept", kept_shares.map((n, at) => ({ name: at * 5 + " to " + (at + 1) * 5 + " % kept", values: [n] })), [""], [[0, "0 %"], [10, "50 %"], [20, "100 %"]]);
    const scores = run.scores.rows ? columns("Blocks by score", run.scores.content.map((n, at) => ({ name: "score " + (at / 50).toFixed(2), values: [n, run.scores.boilerplate[at]] })), ["content", "boilerplate"], [[0, "0"], [25, "score .5"], [50, "1"]]) : el("p", { class: "muted" }, "The run wrote no blocks.");
    return el("div", { class: "grid two" }, el("div", { class: "card chartcard" }, el("h3", {}, "Pages"), pages, without_blocks ? el("p", { class: "small muted" }, counted(without_blocks, "page has", "pages have") + " no text at all.") : null), el("div", { class: "card chartcard" }, el("h3", {}, "Blocks"), scores));
  }));
  section("sizes", ["Sizes"], "Columns double in size (1 Ki is 1,024); quantiles are at most a quarter too large.", each((run) => {
    const of = (name, sizes, unit) => {
      const first = sizes.octaves.findIndex((n) => n > 0);
      const octaves = first < 0 ? [] : sizes.octaves.slice(first);
      const bars = octaves.map((n, at) => ({ name: "from " + power(first + at), values: [n] }));
      const ticks = octaves.map((_, at) => [at, power(first + at)]).filter((_, at) => at % Math.max(1, Math.ceil(octaves.length / 6)) === 0);
      // What is empty stands apart.
      if (sizes.zeros) { bars.unshift({ name: "0", values: [sizes.zeros] }); ticks.forEach((tick) => { tick[0] += 1; }); ticks.unshift([0, "0"]); }
      return el("div", { class: "card chartcard" }, el("h3", {}, name), columns(name, bars, [""], ticks),
        el("p", { class: "small muted" }, "median " + unit(sizes.quantiles[1]) + ", quartiles " + unit(sizes.quantiles[0]) + " and " + unit(sizes.quantiles[2]) + ", 99 % at most " + unit(sizes.quantiles[3]) + ", largest " + unit(sizes.largest)));
    };
    return el("div", { class: "grid three" }, of("Bytes of HTML a page", run.documents.html, bytes), of("Bytes of text a page", run.documents.text, bytes), of("Blocks a page", run.documents.blocks_a_page, count));
  }));
  section("dates", ["Dates"], "When pages were fetched.", each((run) => {
    const days = run.documents.days;
    if (days.length === 0) return el("p", { class: "muted" }, "No page has a date.");
    // Days, months or years, so that there are at most 120 columns.
    const date = (day) => new Date(day * 86400000).toISOString().slice(0, 10);
    const span = days[days.length - 1][0] - days[0][0] + 1;
    const digits = span <= 120 ? 10 : span <= 3600 ? 7 : 4;
    const bins = new Map();
    for (let day = days[0][0]; day <= days[days.length - 1][0]; day += 1) bins.set(date(day).slice(0, digits), [0, 0]);
    for (const [day, [n, empty]] of days) { const bin = bins.get(date(day).slice(0, digits)); bin[0] += n - empty; bin[1] += empty; }
    const names = [...bins.keys()];
    const ticks = names.map((name, at) => [at, name]).filter((_, at) => at % Math.max(1, Math.ceil(names.length / 5)) === 0);
    return el("div", { class: "card chartcard" }, columns("Pages by date", names.map((name) => ({ name, values: bins.get(name) })), ["with content", "without"], ticks),
      run.documents.undated ? el("p", { class: "small muted" }, counted(run.documents.undated, "page has", "pages have") + " no date between 1990 and 2100.") : null);
  }));
  // Of a pipeline that does not ship nobody knows the file.
  const pipelineOf = (run) => run.card.pipeline ? quote(run.card.pipeline[0]) : "FILE";
  const command = (run, page) => "warcsieve view " + quote(page.input.replace(/^-/, "./-")) + " --id=" + quote(page.id) + " --pipeline=" + pipelineOf(run) + " --out page.html";
  // An argument for a shell; characters that are not seen, or turn others round, as escapes that it knows.
  function quote(text) {
    if (/^[\w./:@+-]+$/.test(text)) return text;
    if (visible(text) === text) return "'" + text.replaceAll("'", "'\\''") + "'";
    return "$'" + text.replace(/[\\']/g, "\\$&").replace(/./gsu, (c) => visible(c) === c ? c : "\\u" + c.codePointAt(0).toString(16).padStart(4, "0")) + "'";
  }
  const name = (page) => page.title ? titled(page.title) : value(page.id);
  const named = (page) => el("div", {}, el("b", {}, name(page)), el("div", { class: "small muted" }, value(page.url || page.id)));
  section("pages", ["Largest pages", "Largest"], "Outputs hold no times, so that they are the same on any machine; the pages with the most bytes and blocks are the ones that take longest.", each((run) => {
    const d = run.documents;
    const list = (pages) => table(["page", "#HTML", "#text", "#blocks kept", "where"], pages.map((page) => [named(page), bytes(page.html_bytes), bytes(page.text_bytes), count(page.content_blocks) + " of " + count(page.blocks), el("span", { class: "mono small" }, value(page.input), " at " + count(page.offset))]));
    return [more("By bytes of HTML", list(d.largest)), more("By blocks", list(d.most_blocks)), more("The largest of which nothing is kept", list(d.largest_empty)),
      d.digests[0] ? el("p", { class: "small muted" }, count(d.digests[0]) + " pages state a digest of their payload, " + (d.digests[1] >= 1024 ? "about " : "") + count(d.digests[1]) + " different ones.") : null];
  }));
  const HEADING = /^h[1-6]$/;
  function sample(run, pages) {
    return pages.map((page) => {
      const rows = el("div", { class: "rows" });
      const details = el("details", { class: "page card" }, el("summary", {}, el("span", { class: "pagetitle" }, name(page)), el("span", { class: "chip" }, el("b", {}, count(page.content_blocks)), " of " + counted(page.blocks, "block", "blocks")),
        el("span", { class: "small muted address" }, value(page.url))), rows);
      details.addEventListener("toggle", () => {
        if (rows.childElementCount) return;
        rows.append(el("p", { class: "mono small command" }, command(run, page)));
        if (page.why) rows.append(el("p", { class: "muted" }, "No blocks: " + page.why));
        rows.append(...page.rows.map((row) => el("div", { class: "row " + (row.kept ? "keep" : "drop"), title: row.reason },
          el("span", { class: "mark" }, row.kept ? "+" : "−"), el("span", { class: HEADING.test(row.tag) ? "text heading" : row.tag === "li" ? "text item" : "text", dir: "auto" }, row.text), el("span", { class: "score" }, fraction(row.score)))));
        if (page.rows.length < page.blocks && !page.why) rows.append(el("p", { class: "muted small" }, "The first " + count(page.rows.length) + " blocks."));
      });
      return details;
    });
  }
  section("sample", ["Pages drawn at random", "Sample"], "Drawn by the hashes of their ids, so the same ones each time. Open one to see its blocks; the command, run from the folder that the names of the inputs begin in, shows the whole page.", each((run) => [
    el("h3", {}, "Something is kept"), el("div", { class: "samples", "data-sample": "kept" }, sample(run, run.kept)), el("h3", {}, "Nothing is kept"), run.dropped.length ? el("div", { class: "samples", "data-sample": "dropped" }, sample(run, run.dropped)) : el("p", { class: "muted" }, "There is no such page."),
  ]));
  section("card", ["Pipeline and model", "Pipeline"], "What the outputs depend on besides the inputs.", each((run) => {
    const { recipe, pipeline, model, settings } = run.card;
    return [run.recipes.length > 1 ? table(["recipe", "#inputs"], run.recipes.map(([recipe, n]) => [el("span", { class: "mono" }, visible(JSON.stringify(recipe))), count(n)])) : null,
      recipe ? table(["key", "value"], Object.entries(recipe).filter(([, value]) => value !== null).map(([key, value]) => [key, el("span", { class: "mono" }, String(value))])) : el("p", { class: "muted" }, "No input is done."),
      pipeline ? more("Pipeline " + pipeline[0], el("pre", { class: "card" }, pipeline[1])) : el("p", { class: "small muted" }, "The pipeline file is not one that ships with warcsieve, so it is not shown."),
      settings ? more("Settings", el("pre", { class: "card wrap" }, settings)) : null, model ? more("Model card", el("pre", { class: "card wrap" }, model)) : null];
  }));

  app.append(el("header", { class: "top" }, el("h1", {}, two ? "Two runs side by side" : "What a run did"), runs.map((run, at) => el("p", { class: "muted" }, two ? el("b", {}, "AB"[at] + " ") : null, el("span", { class: "mono" }, value(run.folder)), " · ", recipe(run))),
    el("div", { class: two ? "pair" : "" }, runs.map((run) => {
      const l = run.ledger;
      const tile = (value, name, exact) => el("div", { class: "tile" }, el("b", { title: exact || null }, value), el("span", {}, name));
      return el("div", { class: "tiles" }, tile(count(l.inputs), "inputs"), tile(rounded(l.pages), "pages", count(l.pages)), tile(rounded(l.documents), "documents", count(l.documents)), tile(bytes(l.text_bytes), "of text", count(l.text_bytes)), tile(share(Math.min(l.text_bytes, l.raw_text_bytes), l.raw_text_bytes), "of all text kept"), tile(count(l.fault_count), "faults"));
    }))),
    el("nav", { class: "toc screen", "aria-label": "Sections" }, toc.map(([id, title]) => el("a", { href: "#" + id }, title))), main);
})();
