// `npm run bench:series`: verdicts of `check series` on simulated machines: drift, modes, moving levels, changes of a
// whole suite. Prints the table of docs/verdicts.md; deterministic.
import { installed } from "../scripts/prepare.mjs";
import { bundled } from "./bundle.mjs";

installed();
const trials = await bundled("bench/series-trials.ts");
const { whyTrials } = await bundled("bench/why-trials.ts");
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
