// Unfluff over pages: a JSON line {"id", "html"} per page on standard input becomes a line {"id", "text"} on standard
// output. The text of a page that it cannot read is empty. At the end, the number of these goes to standard error.
const readline = require("readline");
const unfluff = require("unfluff");

// It warns once per element of a page whose language has no stop words.
console.error = () => {};

let failed = 0;

function text(html) {
  try {
    return unfluff(html).text ?? "";
  } catch {
    failed += 1;
    return "";
  }
}

readline
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, html } = JSON.parse(line);
    process.stdout.write(JSON.stringify({ id, text: text(html) }) + "\n");
  })
  .on("close", () => process.stderr.write(`${failed}\n`));
