import fc from "fast-check";
import { expect, test } from "vitest";
import { comparableRun, exportedRun } from "../../../test/contracts/exported-measurements.ts";
import { readReport, readSample, type ReadRun } from "../../../test/contracts/report-importer.ts";
import type { MeasuredCase, Quantity } from "../../core/measurements/measurement.ts";
import type { Importer } from "../../plugins/importers/importer.ts";
import { asv } from "../../plugins/importers/python/asv.ts";
import { bmf } from "../../plugins/importers/interchange/bmf.ts";
import { customBigger } from "../../plugins/importers/interchange/custom-benchmarks.ts";
import { customSmaller } from "../../plugins/importers/interchange/custom-benchmarks.ts";
import { hyperfine } from "../../plugins/importers/tools/hyperfine.ts";
import { asvResults } from "./export/asv-results.ts";
import { bencherMetrics, customMetrics, quantitiesWithoutDirection, openMetricsText } from "./export/metric-lists.ts";

type Write = (quantities: readonly Quantity[], cases: readonly MeasuredCase[]) => string;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function roundTrip(importer: Importer, original: ReadRun, write: Write): Promise<ReadRun> {
  const { quantities, cases } = exportedRun(original);
  const [run] = await readReport(importer, bytes(write(quantities, cases)));
  return run!;
}

const bencher: Write = (quantities, cases) => [...bencherMetrics(quantities, cases)].join("");
const asvFile: Write = (quantities, cases) => asvResults(quantities, cases).at(-1)!.text;
const custom = (...all: Parameters<typeof customMetrics>): string => [...customMetrics(...all)].join("");
const smaller: Write = (quantities, cases) => custom(quantities, cases, "lower");
const bigger: Write = (quantities, cases) => custom(quantities, cases, "higher");

/** Names, units and values must survive; the order of columns and descriptions need not. */
const lossless: readonly (readonly [Importer, Write, string])[] = [
  [bmf, bencher, "test/samples/bmf/results.json"],
  [customSmaller, smaller, "test/samples/custom-smaller/results.json"],
  [customBigger, bigger, "test/samples/custom-bigger/results.json"],
];

test.each(lossless)("a sample of $name survives a round trip", async (importer, write, path) => {
  const [found] = await readSample(importer, path);
  expect(comparableRun(await roundTrip(importer, found!, write))).toEqual(comparableRun(found!));
});

test.each(["first.json", "second.json"])("asv results survive a round trip: %s", async (name) => {
  const [found] = await readSample(asv, `test/samples/asv/${name}`);
  const run = await roundTrip(asv, found!, asvFile);
  expect([run.about.commit, run.about.performed]).toEqual([found!.about.commit, found!.about.performed]);
  const facts = ["arch", "cpu", "machine", "os", "ram"];
  expect(facts.map((fact) => run.once[fact])).toEqual(facts.map((fact) => found!.once[fact]));
  const sorted = ({ rows }: ReadRun): string[] =>
    rows.map((row) => JSON.stringify(Object.entries(row).toSorted())).toSorted();
  expect(sorted(run)).toEqual(sorted(found!));
});

const name = fc.string({ minLength: 1, maxLength: 8, unit: "binary" }).filter((each) => !/\p{Cs}/u.test(each));
const number = fc.oneof(
  fc.integer({ min: -1000, max: 1_000_000 }).map((each) => each + 0),
  fc.double({ noNaN: true, min: 1e-12, max: 1e12 }).map((each) => Number(each.toPrecision(14))),
);

test("Bencher metrics -> experiment -> Bencher metrics is lossless", async () => {
  const metric = fc.record({ value: number, lower_value: number, upper_value: number }, { requiredKeys: ["value"] });
  const slug = fc.constantFrom("latency", "throughput", "build-time", "file-size", "allocs", "a_b");
  const benchmark = fc.dictionary(slug, metric, { minKeys: 1 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, benchmark), { minLength: 1, maxLength: 5 }), async (some) => {
      const document = Object.fromEntries(some.filter(([key]) => key !== "__proto__").concat([["last", some[0]![1]]]));
      const [found] = await readReport(bmf, bytes(JSON.stringify(document)));
      const { quantities, cases } = exportedRun(found!);
      expect(JSON.parse(bencher(quantities, cases))).toEqual(document);
    }),
    { numRuns: 200 },
  );
});

test("custom metrics -> experiment -> custom metrics is lossless", async () => {
  const unit = fc.constantFrom("s", "Byte", "1/s", "Byte/s", "%", "points", "value");
  const entry = fc.record({
    name,
    unit,
    value: number,
    range: fc.option(
      number.map((each) => Math.abs(each)),
      { nil: undefined },
    ),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(entry, { selector: (each) => each.name, minLength: 1, maxLength: 5 }),
      fc.boolean(),
      async (some, isLower) => {
        const [importer, write] = isLower ? ([customSmaller, smaller] as const) : ([customBigger, bigger] as const);
        const [found] = await readReport(importer, bytes(JSON.stringify(some)));
        expect(comparableRun(await roundTrip(importer, found!, write))).toEqual(comparableRun(found!));
      },
    ),
    { numRuns: 200 },
  );
});

const run = { number: 3, performed: 0, facts: new Map<string, string>(), commit: "0123456789" };
const quantities: Quantity[] = [
  { name: "time", unit: "s", better: "lower", synopsis: 'of "it"' },
  { name: "ops", unit: "1/s", better: "higher" },
];
const sample = (...numbers: number[]): MeasuredCase["samples"] extends ReadonlyMap<string, infer S> ? S : never => ({
  numbers,
  median: numbers[Math.floor(numbers.length / 2)]!,
  least: numbers[0]!,
  greatest: numbers.at(-1)!,
  deviation: 0.5,
});
const cases: MeasuredCase[] = [
  {
    benchmark: "copy",
    parameters: new Map([
      ["size", "10"],
      ["Größe", 'a"\n'],
    ]),
    run,
    samples: new Map([["time", sample(1, 2, 4)]]),
  },
  {
    benchmark: "copy",
    parameters: new Map([["size", "20"]]),
    run,
    samples: new Map([
      ["time", sample(3)],
      ["ops", sample(7)],
    ]),
  },
];

test("several samples become a median and bounds", () => {
  expect(JSON.parse(bencher(quantities, cases))).toEqual({
    'copy/size=10/Größe=a"\n': { latency: { value: 2e9, lower_value: 1e9, upper_value: 4e9 } },
    "copy/size=20": { latency: { value: 3e9 }, ops: { value: 7 } },
  });
  expect(JSON.parse(custom(quantities, cases, "lower"))).toEqual([
    {
      name: 'copy/size=10/Größe=a"\n',
      unit: "s",
      value: 2,
      range: "± 0.5",
      extra: "run 3\ncommit 0123456789\n3 samples",
    },
    { name: "copy/size=20", unit: "s", value: 3, extra: "run 3\ncommit 0123456789" },
  ]);
  expect(JSON.parse(custom(quantities, cases, "higher"))).toMatchObject([
    { name: "copy/size=20", unit: "1/s", value: 7 },
  ]);
});

test("custom metrics: the unit is the default for the direction; plain numbers have none", () => {
  const open: Quantity[] = ["speed Byte/s", "size Byte", "score "].map((each) => ({
    name: each.split(" ")[0]!,
    unit: each.split(" ")[1]!,
  }));
  const measured = { ...cases[1]!, samples: new Map(open.map(({ name: each }) => [each, sample(1)])) };
  const written = (better: "lower" | "higher"): unknown => JSON.parse(custom(open, [measured], better));
  expect(written("higher")).toMatchObject([{ name: "copy/size=20", unit: "Byte/s" }]);
  expect(written("lower")).toMatchObject([{ name: "copy/size=20", unit: "Byte" }]);
  expect(quantitiesWithoutDirection(open).map(({ name: each }) => each)).toEqual(["score"]);
});

test("OpenMetrics have a family per quantity and labels with unchanged texts", () => {
  expect([...openMetricsText("my-bench", quantities, () => cases)].join("").split("\n")).toEqual([
    "# TYPE perfkeep_my_bench_time_seconds gauge",
    "# UNIT perfkeep_my_bench_time_seconds seconds",
    '# HELP perfkeep_my_bench_time_seconds Median of time: of \\"it\\"',
    String.raw`perfkeep_my_bench_time_seconds{benchmark="copy",size="10",Gr__e="a\"\n"} 2`,
    'perfkeep_my_bench_time_seconds{benchmark="copy",size="20"} 3',
    "# TYPE perfkeep_my_bench_ops gauge",
    "# HELP perfkeep_my_bench_ops Median of ops",
    'perfkeep_my_bench_ops{benchmark="copy",size="20",unit="1/s"} 7',
    "# EOF",
    "",
  ]);
});

test("an asv folder has benchmarks, machines and a file per commit; facts cannot form paths", () => {
  const other = {
    ...run,
    commit: "fedcba9876",
    facts: new Map([
      ["machine", "../../etc"],
      ["environment", ""],
    ]),
  };
  const files = asvResults(quantities, [...cases, { ...cases[1]!, run: other }]);
  const paths = files.map(({ path }) => path);
  expect(paths).toEqual([
    "benchmarks.json",
    "unknown/machine.json",
    "_.._.._etc/machine.json",
    "unknown/01234567-existing.json",
    "_.._.._etc/fedcba98-_.json",
  ]);
  expect(JSON.parse(files[0]!.text)).toMatchObject({
    time_copy: { param_names: ["size"], params: [["20"]], type: "time", unit: "seconds" },
    track_ops_copy: { type: "track", unit: "1/s" },
    version: 2,
  });
});

test("samples and parameters of hyperfine convert to asv", async () => {
  const [found] = await readSample(hyperfine, "test/samples/hyperfine/scan.json");
  const { quantities: measured, cases: latest } = exportedRun(found!);
  const [read] = await readReport(
    asv,
    bytes(
      asvFile(
        measured,
        latest.map((each) => ({ ...each, run })),
      ),
    ),
  );
  const times = ({ rows }: ReadRun): number[] => rows.flatMap(({ time }) => (typeof time === "number" ? [time] : []));
  expect(times(read!)).toEqual(times(found!));
  expect(times(read!).length).toBeGreaterThan(3);
});

test("a matrix with too many empty cells is split into single cells", () => {
  const sparse = Array.from({ length: 40 }, (_, i): MeasuredCase => ({
    ...cases[1]!,
    parameters: new Map([
      ["a", String(i)],
      ["b", `x${i}`],
    ]),
  }));
  const { results } = JSON.parse(asvFile(quantities, sparse)) as { results: Record<string, unknown> };
  expect(Object.keys(results)).toHaveLength(80);
  expect(Object.keys(results)[1]).toBe("time_copy(a=1,b=x1)");
});
