// `npm run bench:series`: verdicts of `check series` on simulated machines: drift, modes, moving levels, changes of a
// whole suite. Prints the table of docs/verdicts.md; deterministic.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { installed, root } from "../scripts/prepare.mjs";

installed();
const outfile = join(root, "node_modules/.cache/perfkeep-series-trials.mjs");
await build({
  entryPoints: [join(root, "bench/series-trials.ts")],
  bundle: true,
  platform: "node",
  format: "esm",
  outfile,
});
const { driftTrials, hostTrials, modeTrials, machineTrials, sharedTrials } = await import(pathToFileURL(outfile).href);
const rows = [...driftTrials(100), ...modeTrials(100), ...machineTrials(20), ...sharedTrials(20), ...hostTrials(50)];
console.log("| trial | result | wanted |\n| --- | --- | --- |");
for (const { what, found, wanted } of rows) console.log(`| ${what} | ${found} | ${wanted} |`);
