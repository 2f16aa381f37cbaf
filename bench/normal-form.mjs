// `npm run bench:normal-form`: fits known functions of one and two parameters with noise of 1, 5 and 10 %, and prints
// the share of right leading terms, the coverage of the intervals and the error at four times the largest values.
// `--trials N` (default 200), `--json` prints JSON.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundled } from "./bundle.mjs";

const { values } = parseArgs({
  options: { trials: { type: "string", default: "200" }, json: { type: "boolean", default: false } },
});
const noises = [0.01, 0.05, 0.1];
const scratch = mkdtempSync(join(tmpdir(), "perfkeep-bench-"));
const percent = (share) => `${(100 * share).toFixed(0)} %`;

function table(scores) {
  const mean = (key, rows) => rows.reduce((sum, row) => sum + row[key] / rows.length, 0);
  const cells = (name, parameters, noise, row) => [
    name,
    parameters,
    percent(noise),
    ...["right", "named", "close", "covered", "error"].map((key) => percent(row[key])),
  ];
  const totals = [1, 2].flatMap((parameters) =>
    noises.map((noise) => {
      const rows = scores.filter((each) => each.parameters === parameters && each.noise === noise);
      const keys = ["right", "named", "close", "covered", "error"];
      return cells("all", parameters, noise, Object.fromEntries(keys.map((key) => [key, mean(key, rows)])));
    }),
  );
  const head = ["function", "parameters", "noise", "right", "right or named", "within 1/4", "covered", "error"];
  const rows = scores.map((each) => cells(each.name, each.parameters, each.noise, each));
  return [head, head.map((_, at) => (at === 0 ? "---" : "--:")), ...rows, ...totals]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
}

try {
  const { normalFormScores } = await bundled("bench/normal-form.ts");
  const scores = normalFormScores(Number(values.trials), noises);
  console.log(
    values.json ? JSON.stringify({ schema: "perfkeep.normal-form-scores/1", scores }, null, 2) : table(scores),
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
