// `npm run bench:detectors`: what every detector finds in series whose changes are known, as the table of
// docs/verdicts.md. The series are the same at every time, and others than those that the default was tuned on. Then
// what looking for changes takes. `--json` for machines.
import { build } from "esbuild";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../scripts/prepare.mjs";
import { seriesChecks } from "./series-checks.mjs";

const scratch = mkdtempSync(join(tmpdir(), "perfkeep-bench-"));
const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** A line for each detector: F1 by noise, then all noises together. */
function table(scores) {
  const names = [...new Set(scores.map(({ detector }) => detector))];
  const kinds = [...new Set(scores.map(({ noise }) => noise))].filter((noise) => noise !== "all");
  const of = (detector, noise) => scores.find((each) => each.detector === detector && each.noise === noise);
  const head = ["detector", "precision", "recall", "F1", "false alarms", ...kinds];
  const rows = names.map((name) => {
    const all = of(name, "all");
    const cells = [name, all.precision.toFixed(3), all.recall.toFixed(3), all.f1.toFixed(3), percent(all.falseAlarms)];
    return [
      ...cells,
      ...kinds.map((kind) => `${of(name, kind).f1.toFixed(2)}, ${percent(of(name, kind).falseAlarms)}`),
    ];
  });
  return [head, head.map((_, at) => (at === 0 ? "---" : "--:")), ...rows]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
}

/** Processor time, and the exponent of its growth in the number of series, or of points in the rows of longer ones. */
function speedTable(speeds) {
  const rows = speeds.map(({ what, milliseconds, exponent }) => {
    return `| ${what} | ${(milliseconds / 1000).toFixed(2)} s | ${exponent === undefined ? "" : `n^${exponent.toFixed(2)}`} |`;
  });
  return ["| what | processor time | growth |", "| --- | --: | --: |", ...rows].join("\n");
}

try {
  const outfile = join(scratch, "detectors.mjs");
  await build({
    entryPoints: [join(root, "bench/detectors.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
  });
  const { detectorScores } = await import(outfile);
  const scores = detectorScores();
  const speeds = await seriesChecks(scratch);
  if (process.argv.includes("--json"))
    writeFileSync(1, `${JSON.stringify({ schema: "perfkeep.detector-scores/1", scores, speeds }, null, 2)}\n`);
  else console.log(`${table(scores)}\n\n${speedTable(speeds)}`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
