// `npm run bench:series`: verdicts of `check series` on simulated machines: drift, modes, moving levels, changes of a
// whole suite. Prints the table of docs/verdicts.md; deterministic.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { installed, root } from "../scripts/prepare.mjs";

installed();
const outdir = join(root, "node_modules/.cache/perfkeep-series-trials");
await build({
  entryPoints: ["series-trials", "why-trials"].map((name) => join(root, `bench/${name}.ts`)),
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  outdir,
  outExtension: { ".js": ".mjs" },
});
const [trials, { whyTrials }] = await Promise.all(
  ["series-trials", "why-trials"].map((name) => import(pathToFileURL(join(outdir, `${name}.mjs`)).href)),
);
const rows = [
  ...trials.driftTrials(100),
  ...trials.modeTrials(100),
  ...trials.machineTrials(20),
  ...trials.sharedTrials(20),
  ...trials.hostTrials(50),
  ...trials.culpritTrials(1000),
  ...whyTrials(200),
];
console.log("| trial | result | wanted |\n| --- | --- | --- |");
for (const { what, found, wanted } of rows) console.log(`| ${what} | ${found} | ${wanted} |`);
