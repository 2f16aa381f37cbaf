// `npm run bench:detectors`: precision and recall of every detector on series with known changes, as in the table of
// docs/verdicts.md, and the cost of detection. The series are deterministic and were not used to tune the defaults.
// `--json` prints JSON.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundled } from "./bundle.mjs";
import { seriesChecks } from "./series-checks.mjs";

const scratch = mkdtempSync(join(tmpdir(), "perfkeep-bench-"));
const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** A row for each detector: scores over all noises, then F1 and false alarms by noise. */
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

/** CPU time and its growth exponent in the number of series, or of points for longer series. */
function speedTable(speeds) {
  const rows = speeds.map(({ what, milliseconds, exponent }) => {
    const growth = exponent === undefined ? "" : `n^${exponent.toFixed(2)}`;
    return `| ${what} | ${(milliseconds / 1000).toFixed(2)} s | ${growth} |`;
  });
  return ["| what | CPU time | growth |", "| --- | --: | --: |", ...rows].join("\n");
}

try {
  const { detectorScores } = await bundled("bench/detectors.ts");
  const scores = detectorScores();
  const speeds = await seriesChecks(scratch);
  if (process.argv.includes("--json"))
    writeFileSync(1, `${JSON.stringify({ schema: "perfkeep.detector-scores/1", scores, speeds }, null, 2)}\n`);
  else console.log(`${table(scores)}\n\n${speedTable(speeds)}`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
