// The figures of the benchmark as a table for terminals, and as docs/performance.md:
// `node bench/run.mjs --json > bench/performance.json && npm run bench:page`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../scripts/prepare.mjs";

const head = ["what", "median", "ratio", "goal", "peak", "growth"];

function cellsOf(row) {
  return [
    row.what,
    row.milliseconds < 10 ? `${row.milliseconds.toPrecision(2)} ms` : `${row.milliseconds.toFixed(0)} ms`,
    row.ratio === undefined || row.ratio === null ? "" : `${row.ratio.toFixed(2)} x ${row.of}`,
    row.goal ? `<= ${row.goal}` : "",
    row.peak ? `${row.peak.toFixed(0)} MiB` : "",
    row.exponent ? `n^${row.exponent.toFixed(2)}` : "",
  ];
}

export function textTable(rows) {
  const all = [head, ...rows.map(cellsOf)];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Titles and texts of the page, by group, in its order. */
const sections = {
  everyday: ["Start-up", "Everyday commands on 200 commits with three profiles each, next to Node that does nothing."],
  log: ["Long histories", "`log --short` next to `git log` with the same fields."],
  add: ["Large profiles", "`add` next to hashing and compressing the same bytes in Node."],
  import: ["Imports of tables", "`import` with a description, next to DuckDB's `read_csv` into memory."],
  listing: ["Imports of listings", "25 named values and a table in every block, next to `wc -l`."],
  small: ["Many small files", "Processor time of one `import`."],
  reports: ["Benchmark reports", "`import` of JSON reports, next to `JSON.parse` of the same file."],
  query: ["Queries", "`query` next to the same SQL, sent to DuckDB in the same process."],
  series: ["Verdicts", "`check series` over many series."],
  profiles: ["Profiles of other programs", "Reading next to inflating or parsing the same bytes."],
  stacks: ["Stacks", "`convert` and `import-profile` of sampled stacks."],
  memory: ["Memory tracing", "Next to the untraced program, and to DHAT if it is installed."],
  overhead: ["Collectors", "Time that measuring adds."],
  report: ["Reports", "`report` over a history."],
  pages: ["Pages", "The dashboard and reports in Chromium."],
  flames: [
    "Flame graphs in pages",
    `A million samples in the dashboard, in Chromium without a graphics processor. The time of a frame is the processor
time of the page's main thread for it, by Chromium's trace.`,
  ],
  share: ["Sharing", "`push` and `pull` through a git remote."],
};

function markdownTable(rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const marked = rows.map((row) => {
    const cells = cellsOf(row);
    if (row.goal && row.ratio > row.goal) cells[3] += ", missed";
    return line(cells);
  });
  return [line(head), line(["---", "--:", "---", "---", "--:", "---"]), ...marked].join("\n");
}

/** docs/performance.md of the JSON of `npm run bench -- --json`. */
export function performancePage({ machine, rows }) {
  const groups = Object.entries(sections).flatMap(([group, [title, text]]) => {
    const own = rows.filter((row) => row.group === group);
    return own.length === 0 ? [] : [`## ${title}\n\n${text}\n\n${markdownTable(own)}\n`];
  });
  return `# Performance

Costs of the built program next to what bounds them: an empty Node process, \`git log\`, DuckDB alone,
reading the bytes. Both run in the same rounds; the *ratio* is the median of the rounds and holds on other machines, the
milliseconds do not. *Growth* is the exponent of the cost above Node's start over three sizes: n^1 is linear. *Peak* is
resident memory.

This page is generated: \`npm run bench -- --json > bench/performance.json && npm run bench:page\`.
[bench/README.md](../bench/README.md) describes the groups and the benchmarks that run on request.

Measured on: ${machine.processor}, ${machine.memory}, ${machine.system}, Node ${machine.node}, ${machine.git},
at a load of ${machine.load}.

${groups.join("\n")}`;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const page = join(root, "docs/performance.md");
  const text = performancePage(JSON.parse(readFileSync(join(root, "bench/performance.json"), "utf8")));
  if (!process.argv.includes("--check")) writeFileSync(page, text);
  else if (readFileSync(page, "utf8") !== text) {
    console.log("docs/performance.md is not that of bench/performance.json: npm run bench:page");
    process.exitCode = 1;
  }
}
