// `npm run bench:simulate`: creates histories and experiments of three sizes, measures the cost of commands and
// compares their growth with predictions. Exits with 1 if a cost grows faster. Arguments after `--`: `--scale N`
// multiplies the sizes, `--only NAME` selects one dimension, `--seed N`, `--rounds N`, `--json`. Data is created in
// TMPDIR, which is faster in memory.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { built, installed, root } from "../scripts/prepare.mjs";
import { bundled } from "./bundle.mjs";

const { values } = parseArgs({
  options: {
    scale: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    rounds: { type: "string", default: "3" },
    only: { type: "string" },
    json: { type: "boolean", default: false },
  },
});

const units = { read: "B", written: "B", answered: "B", bytes: "B", peak: "MiB", cpu: "s" };

/** Three significant digits with a unit prefix. */
function figure(value, measure) {
  const unit = units[measure] ?? "";
  const at = Math.abs(value);
  const [shown, prefix] =
    at >= 1e9 ? [value / 1e9, "G"] : at >= 1e6 ? [value / 1e6, "M"] : at >= 1e3 ? [value / 1e3, "k"] : [value, ""];
  const small =
    at > 0 && at < 1 && unit === "s" ? [value * (at < 1e-3 ? 1e6 : 1e3), at < 1e-3 ? "µ" : "m"] : [shown, prefix];
  return `${Number(small[0].toPrecision(3))} ${small[1]}${unit}`.trim();
}

function lines(name, rows) {
  const cells = rows.map(({ what, measure, costs, each, predicted, fitted, isFine }) => [
    what,
    measure,
    ...costs.map((cost) => figure(cost, measure)),
    figure(each, measure),
    `n^${predicted}`,
    `n^${fitted.toFixed(2)}`,
    isFine ? "" : "FASTER",
  ]);
  const all = [[name, "", ...rows[0].sizes.map(String), "one more", "predicted", "fitted", ""], ...cells];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all.map((row) =>
    row
      .map((cell, column) => (column >= 2 && column < 6 ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join("  ")
      .trimEnd(),
  );
}

installed();
built();
const { dimensions, simulate } = await bundled("bench/simulate/entry.ts");
const scratch = mkdtempSync(join(tmpdir(), "perfkeep-simulate-"));
const program = {
  script: join(root, "dist/cli.js"),
  counting: join(root, "bench/simulate/counting.cjs"),
  home: join(scratch, "home"),
};
const found = [];
try {
  for (const [key, dimension] of Object.entries(dimensions)) {
    if (values.only !== undefined && values.only !== key) continue;
    const sizes = dimension.sizes.map((size) => Math.max(dimension.base + 1, Math.round(size * Number(values.scale))));
    const rows = simulate(dimension, {
      program,
      scratch,
      seed: Number(values.seed),
      rounds: Number(values.rounds),
      sizes,
    });
    found.push(...rows.map((row) => ({ dimension: key, ...row })));
    if (!values.json) console.log(`${lines(dimension.name, rows).join("\n")}\n`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
if (values.json) writeFileSync(1, `${JSON.stringify({ schema: "perfkeep.simulation/1", rows: found }, null, 2)}\n`);
const faster = found.filter(({ isFine }) => !isFine);
if (faster.length > 0) {
  console.error(`${faster.length} costs grow faster than predicted`);
  process.exitCode = 1;
}
