import { join } from "node:path";
import type { Experiment } from "../../src/core/experiments/experiment.ts";
import { tableOf } from "../../src/core/tables/table-builder.ts";
import { parseUnit } from "../../src/core/values/unit.ts";
import type { Value } from "../../src/core/values/value.ts";
import type { Variable } from "../../src/core/variables/variable.ts";
import type { Engine } from "../../src/plugins/engines/engine.ts";
import { Experiments } from "../../src/store/experiments/experiments.ts";
import { Objects } from "../../src/store/objects/objects.ts";
import { migrate } from "../../src/store/schema/schema.ts";
import { plainImport } from "./import-rows.ts";

/* An experiment with values of all types, all kinds of runs and a history. */

const types = [
  "integer",
  "float",
  "string",
  "text",
  "date",
  "timeofday",
  "duration",
  "timestamp",
  "binary",
  "boolean",
  "version",
] as const;
export const everything: Experiment = {
  name: "Everything",
  synopsis: "all types",
  readers: [],
  writers: [],
  variables: [
    ...types.map((type): Variable => ({
      name: `m_${type}`,
      role: "result",
      occurrence: "multiple",
      type,
      default: null,
    })),
    ...types.map((type): Variable => ({
      name: `o_${type}`,
      role: "parameter",
      occurrence: "once",
      type,
      default: null,
    })),
    { name: "size", role: "parameter", occurrence: "multiple", type: "integer", unit: parseUnit("MiByte"), default: 7 },
  ],
};

/** A row with a value of each type, in the order of `types`. */
const rows: readonly (readonly Value[])[] = [
  [
    9_223_372_036_854_775_807n,
    Number.NaN,
    "tab\there",
    "line\nand \\N\r",
    -719_000,
    86_399.999999,
    -0,
    -62_000_000_000_000_001n,
    "AAEC/w==",
    true,
    "1.10.2",
  ],
  [
    -9_007_199_254_740_993n,
    Number.POSITIVE_INFINITY,
    "",
    "\\",
    19_000,
    0,
    1e300,
    1_700_000_000_000_001,
    "",
    false,
    "v2rc1",
  ],
  [0, -0, "\ufeff\u00e4\u{1f600}", "\\\\t", 0, 0.1, 5e-324, 0, "/w==", null, "2"],
  [null, Number.NEGATIVE_INFINITY, null, null, null, null, null, null, null, null, null],
  [1, 0.1 + 0.2, "NULL", "N", 1, 1, 1.7976931348623157e308, 1, "AA==", true, "1.0a"],
];

/** A database with its own object store. */
export interface Home {
  readonly engine: Engine;
  readonly objects: Objects;
  readonly experiments: Experiments;
}

export async function homeOf(engine: Engine, folder: string): Promise<Home> {
  await migrate(engine);
  const objects = new Objects(join(folder, "objects"), join(folder, "quarantine"));
  return { engine, objects, experiments: new Experiments(engine, objects) };
}

export async function importRun(
  { experiments, objects }: Home,
  name: string,
  values: readonly (readonly Value[])[],
): Promise<void> {
  const stored = await experiments.find("everything");
  const { digest } = objects.put("attachment", "raw", new TextEncoder().encode(`raw ${name}`));
  const { digest: description } = objects.put("attachment", "input", new TextEncoder().encode("TABLE size pos=1\n"));
  await experiments.import(stored, 5, plainImport, async (writer) => {
    writer.begin();
    const variables = stored.experiment.variables.filter(({ occurrence }) => occurrence === "multiple");
    await writer.rows(
      tableOf(
        variables,
        values.map((row) => [...row, 3]),
      ),
    );
    const once = new Map(types.map((type, at) => [`o_${type}`, values[0]?.[at] ?? null]));
    await writer.end(once, {
      created: 5,
      performed: 1_700_000_000_123_456,
      performer: "ann",
      dirty: true,
      description,
    });
    const sha256 = Buffer.from(name).toString("hex").padEnd(64, "0");
    await writer.claim(1, { path: name, sha256, object: digest, bytes: 4, modified: 77 }, false);
  });
}

/** All kinds of runs, attachments and parameter sets, and a history with a dropped variable. */
export async function live(home: Home): Promise<void> {
  const { experiments, objects } = home;
  await experiments.create({ ...everything, name: "first" }, 1, "ann");
  await experiments.remove(await experiments.find("first"), 1);
  await experiments.restore(await experiments.findDeleted("first"), 1, "Everything");
  let stored = await experiments.find("everything");
  const about = { experiment: "everything", about: {}, access: [] };
  const drop = { name: "gone", role: "parameter", occurrence: "once", type: "string", default: "x" } as const;
  await experiments.update(stored, { ...about, changes: [{ kind: "add", variable: drop }] }, 2);
  stored = await experiments.find("everything");
  await experiments.storeParameterSet(
    stored,
    "old",
    new Map<string, Value>([
      ["gone", "g"],
      ["o_float", -0],
    ]),
    3,
  );
  const changes = [{ kind: "drop" as const, name: "gone" }];
  await experiments.update(stored, { ...about, changes }, 4);
  await importRun(home, "a.txt", rows);
  await importRun(home, "b.txt", [...rows].reverse());
  await importRun(home, "c.txt", []);
  await importRun(home, "d.txt", rows.slice(0, 1));
  stored = await experiments.find("everything");
  await experiments.removeRuns(stored, [1, 4], 6);
  await experiments.restoreRuns(stored, [1], false, 7);
  await experiments.purgeRuns(stored, 8);
  await experiments.removeRuns(stored, [2], 9);
  await experiments.spendRunNumbers(stored, 2, 9);
  const { digest } = objects.put("attachment", "input", new TextEncoder().encode("TABLE size pos=1\n"));
  await experiments.attach(stored, { name: "One", kind: "input", object: digest, creator: "ann" }, 10);
  await experiments.storeParameterSet(
    stored,
    "Set",
    new Map<string, Value>([
      ["o_string", "a\tb"],
      ["o_integer", null],
    ]),
    11,
  );
}
