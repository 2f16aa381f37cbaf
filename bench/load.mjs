// `npm run bench:load`: 50 programs that import into one PostgreSQL server at a time, and 50 that ask it; `--json` for
// machines, `--connections N` for another limit of the server than 40, `--data-servers N` for an experiment that is
// spread over so many others, `--programs N` for fewer than 50 of each.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { built, installed, root } from "../scripts/prepare.mjs";

installed();
built();
const outfile = join(root, "node_modules/.cache/perfkeep-load.mjs");
await build({
  entryPoints: [join(root, "bench/load.ts")],
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  outfile,
});
const { measureLoad } = await import(pathToFileURL(outfile).href);
const [limit, dataServers, programs] = [
  numberAfter("--connections", 40),
  numberAfter("--data-servers", 0),
  numberAfter("--programs", 50),
];
const report = await measureLoad(join(root, "dist/cli.js"), limit, dataServers, programs);

function numberAfter(flag, usual) {
  const at = process.argv.indexOf(flag);
  return at < 0 ? usual : Number(process.argv[at + 1]);
}

/** Milliseconds that so large a part of the times does not exceed. */
function quantile(times, part) {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.ceil(part * sorted.length) - 1] ?? 0);
}

const { stored, expected, errors, connections, seconds, rowsPerSecond } = report;
const same = JSON.stringify(stored) === JSON.stringify(expected);
const times = Object.fromEntries(
  ["imports", "refused", "queries"].map((what) => {
    const all = report[what];
    return [what, { count: all.length, p50: quantile(all, 0.5), p99: quantile(all, 0.99) }];
  }),
);
if (process.argv.includes("--json"))
  console.log(JSON.stringify({ times, seconds, rowsPerSecond, connections, limit, stored, expected, errors }));
else {
  console.log(
    `${stored.runs} files, ${stored.rows} rows in ${seconds.toFixed(1)} s: ${Math.round(rowsPerSecond)} rows/s beside the questions`,
  );
  const names = { imports: "imports", refused: "told already-imported", queries: "questions" };
  for (const [what, { count, p50, p99 }] of Object.entries(times))
    console.log(`${String(count).padStart(5)} ${names[what].padEnd(22)} p50 ${p50} ms, p99 ${p99} ms`);
  console.log(
    `at most ${connections} of ${limit} connections; ${errors.length} errors; ${same ? "nothing lost, nothing double" : "NOT what was imported"}`,
  );
  if (!same) console.log(JSON.stringify({ stored, expected }));
  for (const error of errors.slice(0, 10)) console.log(error);
}
process.exitCode = same && errors.length === 0 ? 0 : 1;
