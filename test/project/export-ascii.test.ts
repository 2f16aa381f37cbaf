import fc from "fast-check";
import { expect, it } from "vitest";
import { asciiExport } from "../../src/cli/print/experiments/export-ascii.ts";
import type { Output } from "../../src/cli/output.ts";
import type { Experiment } from "../../src/core/experiments/experiment.ts";
import { tableOf } from "../../src/core/tables/table-builder.ts";
import { rowsOf, type Table } from "../../src/core/tables/table.ts";
import { parseUnit } from "../../src/core/values/unit.ts";
import type { DataType, Value } from "../../src/core/values/value.ts";
import type { Variable } from "../../src/core/variables/variable.ts";
import { asciiInput } from "../../src/formats/descriptions/export-description.ts";
import { printInput } from "../../src/formats/descriptions/input/input-print.ts";
import { parseInput } from "../../src/formats/descriptions/input/input.ts";
import { description as importer } from "../../src/plugins/importers/description/description.ts";

/* What is exported to ascii and read by the description of the export is the same again. */

const word = fc.constantFrom(
  "a",
  "b c",
  "# run 1",
  "#",
  "x = 1",
  "-",
  "1",
  "\t",
  "\n",
  "\r\n",
  '"',
  '""',
  "\\n",
  " ",
  "\u00a0",
  "\u2028",
  "é",
  "😀",
);
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(word, { maxLength: 4 }).map((words) => words.join("")),
);
const storable = text.filter((each) => !each.includes("\0") && !/\p{Cs}/u.test(each));

const contents: Readonly<Record<DataType, fc.Arbitrary<Value>>> = {
  integer: fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, -1, 9223372036854775807n, -9223372036854775808n)),
  float: fc.double(),
  string: storable,
  text: storable,
  boolean: fc.boolean(),
  date: fc.integer({ min: -100_000, max: 100_000 }),
  timestamp: fc.integer({ min: -1e15, max: 4e15 }),
  timeofday: fc.integer({ min: 0, max: 86_399_999 }).map((ms) => ms / 1000),
  duration: fc.oneof(
    fc.integer({ min: -1e9, max: 1e9 }),
    fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value + 0),
  ),
  binary: fc.uint8Array({ maxLength: 900 }).map((bytes) => Buffer.from(bytes).toString("base64")),
  version: fc.constantFrom("1.2", "2.0-rc1", "v10.0.3"),
};

const shape = fc.record({
  type: fc.constantFrom(...(Object.keys(contents) as DataType[])),
  role: fc.constantFrom("parameter" as const, "result" as const),
  occurrence: fc.constantFrom("once" as const, "multiple" as const),
});

/** Every run has a number of its own: a run of nothing is none. */
const key: Variable = { name: "host", role: "parameter", occurrence: "once", type: "integer" };

const variables = fc.array(shape, { maxLength: 5 }).map((shapes): Variable[] => {
  const unit = parseUnit("MByte/s");
  return shapes.map((each, at) => ({
    name: `v.${at}-x`,
    ...each,
    default: null,
    ...(each.type === "integer" || each.type === "float" ? { unit } : {}),
  }));
});

const isOnce = ({ occurrence }: Variable): boolean => occurrence === "once";

const given = variables.chain((all) => {
  const cells = (of: readonly Variable[]): fc.Arbitrary<Value[]> =>
    fc.tuple(
      ...of.map(({ type }) =>
        fc.oneof({ weight: 5, arbitrary: contents[type] }, { weight: 1, arbitrary: fc.constant(null) }),
      ),
    );
  const run = fc.record({
    once: cells(all.filter(isOnce)),
    rows: fc.array(cells(all.filter((each) => !isOnce(each))), { maxLength: 5 }),
  });
  return fc.record({ all: fc.constant(all), runs: fc.array(run, { minLength: 1, maxLength: 4 }) });
});

const number: Variable = { name: "run", role: "parameter", occurrence: "once", type: "integer" };

function exported(once: readonly Variable[], rows: readonly Variable[], runs: readonly Table[][]): string {
  let printed = "";
  const output: Pick<Output, "data"> = { data: (piece) => void (printed += String(piece)) };
  const sink = asciiExport(output as Output, { once, rows });
  for (const [own, sets] of runs) {
    sink.open(own as Table, 0);
    const middle = Math.floor((sets?.length ?? 0) / 2);
    sink.rows(sets as Table, 0, middle);
    sink.rows(sets as Table, middle, sets?.length ?? 0);
    sink.close();
  }
  sink.end();
  return printed;
}

interface ReadRun {
  once: Record<string, Value>;
  rows: Record<string, unknown>[];
}

async function read(bytes: Uint8Array, experiment: Experiment, described: string): Promise<ReadRun[]> {
  const runs: ReadRun[] = [{ once: {}, rows: [] }];
  const source = (async function* () {
    yield bytes;
  })();
  const description = parseInput(described, "export.inp");
  for await (const event of importer.read(source, new Map(), { experiment, description })) {
    const run = runs.at(-1) as ReadRun;
    if (event.kind === "end") runs.push({ once: {}, rows: [] });
    else if (event.kind === "once") Object.assign(run.once, Object.fromEntries(event.values));
    else if (event.kind === "rows") run.rows.push(...recordsOf(event.table));
  }
  return runs.filter(({ once, rows }) => rows.length > 0 || Object.keys(once).length > 0);
}

function recordsOf(table: Table): Record<string, unknown>[] {
  return rowsOf(table).map((cells) => Object.fromEntries(table.variables.map(({ name }, at) => [name, cells[at]])));
}

/** Contents that are missing are left out. */
function present(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}

it("is read back by the input description that goes with it", async () => {
  await fc.assert(
    fc.asyncProperty(given, async ({ all, runs }) => {
      const once = [key, ...all.filter(isOnce)];
      const rows = all.filter((each) => !isOnce(each));
      const experiment: Experiment = { name: "e", readers: [], writers: [], variables: [...once, ...rows] };
      const tables = runs.map((run, at) => [
        tableOf([number, ...once], [[at + 1, at, ...run.once]]),
        tableOf(
          [number, ...rows],
          run.rows.map((cells) => [at + 1, ...cells]),
        ),
      ]);
      const printed = exported(once, rows, tables);
      const found = await read(
        new TextEncoder().encode(printed),
        experiment,
        printInput(asciiInput(experiment, once, rows)),
      );
      const named = (of: readonly Variable[], cells: readonly Value[]): Record<string, unknown> =>
        present(Object.fromEntries(of.map(({ name }, at) => [name, cells[at]])));
      expect(
        found.map((run) => present(run.once)),
        printed,
      ).toEqual(runs.map((run, at) => named(once, [at, ...run.once])));
      if (rows.length > 0)
        expect(
          found.map((run) => run.rows.map(present)),
          printed,
        ).toEqual(runs.map((run) => run.rows.map((cells) => named(rows, cells))));
    }),
    { numRuns: 300 },
  );
});
