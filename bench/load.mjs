// `npm run bench:load`: 50 programs that import into one PostgreSQL server concurrently with 50 that query it. `--json`
// prints JSON, `--connections N` sets the connection limit of the server (default: 40), `--data-servers N` shards the
// experiment over N servers, `--programs N` sets the number of programs of each kind (default: 50).
import { join } from "node:path";
import { built, installed, root } from "../scripts/prepare.mjs";
import { bundled } from "./bundle.mjs";

installed();
built();
const { measureLoad } = await bundled("bench/load.ts");
const [limit, dataServers, programs] = [
  numberAfter("--connections", 40),
  numberAfter("--data-servers", 0),
  numberAfter("--programs", 50),
];
const report = await measureLoad(join(root, "dist/cli.js"), limit, dataServers, programs);

function numberAfter(flag, fallback) {
  const at = process.argv.indexOf(flag);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
}

/** The quantile of `times`, in milliseconds. */
function quantile(times, share) {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
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
    `${stored.runs} files, ${stored.rows} rows in ${seconds.toFixed(1)} s: ` +
      `${Math.round(rowsPerSecond)} rows/s during the queries`,
  );
  const names = { imports: "imports", refused: "already-imported", queries: "queries" };
  for (const [what, { count, p50, p99 }] of Object.entries(times))
    console.log(`${String(count).padStart(5)} ${names[what].padEnd(22)} p50 ${p50} ms, p99 ${p99} ms`);
  console.log(
    `at most ${connections} of ${limit} connections; ${errors.length} errors; ` +
      (same ? "no rows lost or duplicated" : "STORED DATA DIFFERS FROM THE IMPORTS"),
  );
  if (!same) console.log(JSON.stringify({ stored, expected }));
  for (const error of errors.slice(0, 10)) console.log(error);
}
process.exitCode = same && errors.length === 0 ? 0 : 1;
