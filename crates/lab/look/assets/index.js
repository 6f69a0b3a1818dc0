
(() => {
  const { lines } = data;
  const hasGold = lines.some((line) => line.f1 !== null);
  const loss = (line) => line.file === null ? 2 : line.f1 === null ? null : 1 - line.f1;
  const name = (line) => line.title ? titled(line.title) : value(line.id);
  const title = (line) => el("div", {}, line.file ? el("a", { href: line.file }, name(line)) : name(line),
    el("div", { class: "small muted address" }, value(line.url)), line.title ? el("div", { class: "small muted mono" }, value(line.id)) : null);
  const bar = (value) => {
    const fill = el("span", { class: "fill" });
    fill.style.setProperty("--part", value === null ? 0 : value);
    return el("span", { class: "meter", "aria-hidden": "true" }, fill);
  };
  const columns = [
    { name: "#", value: (line) => lines.indexOf(line), cell: (line) => String(lines.indexOf(line) + 1), numeric: false },
    { name: "Page", value: (line) => (line.title || line.id).toLowerCase(), cell: title },
  ];
  if (lines.some((line) => line.page_type)) columns.push({ name: "Type", value: (line) => line.page_type, cell: (line) => value(line.page_type) });
  if (hasGold) {
    columns.push({ name: "Loss (1 − F1)", value: loss, cell: (line) => line.f1 === null ? "–" : [bar(1 - line.f1), " ", fraction(1 - line.f1)], numeric: true });
    columns.push({ name: "P", value: (line) => line.precision, cell: (line) => fraction(line.precision), numeric: true });
    columns.push({ name: "R", value: (line) => line.recall, cell: (line) => fraction(line.recall), numeric: true });
    columns.push({ name: "Gold words", value: (line) => line.gold_words, cell: (line) => line.gold_words === null ? "–" : count(line.gold_words), numeric: true });
  }
  columns.push({ name: "Words kept", value: (line) => line.words, cell: (line) => count(line.words), numeric: true });
  columns.push({ name: "Blocks kept", value: (line) => line.blocks ? line.kept / line.blocks : -1, cell: (line) => count(line.kept) + " of " + count(line.blocks), numeric: true });
  columns.push({ name: "Faults", value: (line) => line.file === null ? 1000 : line.faults.length, cell: (line) => line.faults.map(([fault, meaning]) => el("div", { class: line.file ? "small" : "small bad", title: meaning || null }, "⚠ ", value(fault))), numeric: false });
  const by = data.order === "loss" && hasGold ? columns.findIndex((column) => column.name.startsWith("Loss")) : 0;
  const pages = lines.filter((line) => line.file).length;
  app.append(el("header", { class: "top" }, el("h1", {}, counted(pages, "page", "pages")), el("p", { class: "muted" }, value(data.title), " · ", value(data.pipeline)),
    el("p", { class: "small muted" }, "Click a heading to sort. In a page, ", el("kbd", {}, "n"), " and ", el("kbd", {}, "p"), " go to the next one and the one before.")),
    el("main", { class: "card" }, sortable(columns, lines, by, by !== 0, "Pages")));
})();
