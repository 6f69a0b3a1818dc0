
(() => {
  const all = data.summaries.filter((row) => row.page_type === null && row.set === null);
  const measures = [["f1", "F1"], ["precision", "P"], ["recall", "R"], ["lcs_f1", "LCS F1"], ["score", "Score"], ["cosine", "cosine"], ["block_f1", "block F1"], ["block_auc", "AUC"]];
  const figure = (value) => value === null || value === undefined ? "–" : value.toFixed(4).replace(/^0/, "");
  const best = (rows, key) => Math.max(...rows.map((row) => row[key] ?? -1));

  // One page has a mean and no interval.
  const hasInterval = (row) => row.pages > 1 && row.f1_low !== null && row.f1_high !== null;
  const limits = (row) => hasInterval(row) ? figure(row.f1_low) + "–" + figure(row.f1_high) : "–";
  // A mean with its interval, on a scale that the rows share.
  function interval(row, low, high) {
    const W = 200, H = 18;
    const x = (value) => 4 + (W - 8) * (value - low) / Math.max(high - low, 1e-6);
    return svg("svg", { viewBox: `0 0 ${W} ${H}`, class: "interval", role: "img" }, svg("title", {}, "95 %: " + figure(row.f1_low) + " to " + figure(row.f1_high)),
      svg("line", { x1: 0, x2: W, y1: 9, y2: 9, class: "rail" }), svg("line", { x1: x(row.f1_low), x2: x(row.f1_high), y1: 9, y2: 9, class: "span" }),
      svg("line", { x1: x(row.f1_low), x2: x(row.f1_low), y1: 5, y2: 13, class: "end" }), svg("line", { x1: x(row.f1_high), x2: x(row.f1_high), y1: 5, y2: 13, class: "end" }), svg("circle", { cx: x(row.f1), cy: 9, r: 4, class: "point" }));
  }
  function figures(rows) {
    const wide = rows.filter(hasInterval);
    const lows = wide.map((row) => row.f1_low), highs = wide.map((row) => row.f1_high);
    const low = Math.min(...lows), high = Math.max(...highs);
    return sortable([
      { name: "pipeline", value: (row) => row.pipeline, cell: (row) => el("b", {}, row.pipeline) },
      { name: "F1 with its 95 % interval", value: (row) => row.f1, cell: (row) => hasInterval(row) ? [interval(row, low - .01, high + .01), el("span", { class: "small muted range" }, limits(row))] : "–" },
      ...measures.map(([key, name]) => ({ name, value: (row) => row[key], cell: (row) => row[key] !== null && row[key] === best(rows, key) && rows.length > 1 ? el("b", {}, figure(row[key])) : figure(row[key]), numeric: true })),
      { name: "pages", value: (row) => row.pages, cell: (row) => count(row.pages), numeric: true }, { name: "empty", value: (row) => row.empty, cell: (row) => count(row.empty), numeric: true },
      { name: "faults", value: (row) => row.faults, cell: (row) => count(row.faults), numeric: true },
      { name: "p", value: (row) => row.p_value, cell: (row) => row.p_value === null ? "–" : row.p_value < .0001 ? "<.0001" : figure(row.p_value), numeric: true },
    ], rows, 2, true, "Figures by pipeline");
  }
  const main = el("main", {});
  const section = (id, title, about, ...content) => main.append(el("section", { id }, el("h2", {}, title), about ? el("p", { class: "about muted" }, about) : null, ...content));
  section("all", "All pages", "Means over pages. F1, P, R: words as bags. LCS F1, Score: order counts. Block F1, AUC: blocks by their words. p: Wilcoxon against the first pipeline.", el("div", { class: "card" }, figures(all)));
  // F1 of the pages of each set, or of each type: `key` is which.
  function byGroup(key, title) {
    const groups = [...new Set(data.summaries.map((row) => row[key]).filter((name) => name !== null))];
    if (groups.length === 0) return;
    section(key, title, "With 95 % intervals.", el("div", { class: "card types" }, sortable([
      { name: "pipeline", value: (row) => row.pipeline, cell: (row) => el("b", {}, row.pipeline) },
      ...groups.map((group) => {
        const rows = data.summaries.filter((other) => other[key] === group);
        const of = (row) => rows.find((other) => other.pipeline === row.pipeline);
        const cell = (row) => {
          const own = of(row);
          return el("span", { title: "95 %: " + limits(own) }, own.f1 === best(rows, "f1") && rows.length > 1 ? el("b", {}, figure(own.f1)) : figure(own.f1), el("span", { class: "small muted range" }, " " + limits(own)));
        };
        return { name: shown(group) + " (" + rows[0].pages + ")", value: (row) => of(row).f1, numeric: true, cell };
      }),
    ], all, 0, false, title)));
  }
  byGroup("set", "F1 by set");
  byGroup("page_type", "F1 by type of page");
  const plots = [...document.querySelectorAll("#plots > svg")];
  // A method without degrees of score has no line.
  const flat = data.pipelines.filter((pipeline) => pipeline.reliability.length === 0).map((pipeline) => pipeline.name);
  section("plots-shown", "Scores and pages", "First: blocks by their score, weighted by words; on the straight line, a score is a probability" + (flat.length ? " (" + flat.join(", ") + ": no degrees of score, so no line)" : "") + ". Second: a mark per page; up and to the right is better.", el("div", { class: "grid" }, plots.map((plot) => el("figure", { class: "card" }, plot))));
  document.getElementById("plots").remove();
  data.pipelines.forEach((pipeline, at) => {
    section("worst-" + (at + 1), "The worst pages of " + pipeline.name, null, pipeline.worst.length ? el("div", { class: "card" }, sortable([
      { name: "page", value: (page) => page.id, cell: (page) => el("div", {}, page.view ? el("a", { href: page.view }, value(page.id)) : el("span", { class: "mono" }, value(page.id)), el("div", { class: "small muted address" }, value(page.url)), page.view || !page.command ? null : el("div", { class: "small mono muted" }, page.command)) },
      ...(pipeline.worst.some((page) => page.page_type) ? [{ name: "type", value: (page) => page.page_type, cell: (page) => value(page.page_type) }] : []),
      { name: "F1", value: (page) => page.f1, cell: (page) => fraction(page.f1), numeric: true }, { name: "P", value: (page) => page.precision, cell: (page) => fraction(page.precision), numeric: true }, { name: "R", value: (page) => page.recall, cell: (page) => fraction(page.recall), numeric: true },
      { name: "gold words", value: (page) => page.gold_words, cell: (page) => count(page.gold_words), numeric: true }, ...(pipeline.worst.some((page) => page.fault) ? [{ name: "fault", value: (page) => page.fault || "", cell: (page) => page.fault ? ["⚠ ", value(page.fault)] : "" }] : []),
    ], pipeline.worst, pipeline.worst.some((page) => page.page_type) ? 2 : 1, false, "Worst pages")) : el("p", { class: "muted" }, "None are listed; see --worst."));
  });
  app.append(el("header", { class: "top" }, el("h1", {}, "Evaluation"), el("p", { class: "muted" }, counted(data.pages, "page", "pages") + ", gold ", el("span", { class: "mono" }, value(data.gold))),
    data.missing + data.faults ? el("p", {}, el("span", { class: "chip warn" }, "⚠ " + counted(data.missing, "page of the gold is", "pages of the gold are") + " not in the inputs, " + counted(data.faults, "fault", "faults"))) : null), main);
})();
