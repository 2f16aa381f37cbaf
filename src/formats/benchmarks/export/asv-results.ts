import type { MeasuredCase, MeasuredRun, Quantity } from "../../../core/measurements/index.ts";
import { companionOf, mainQuantities, type Companion } from "./companion-statistics.ts";

/**
 * A benchmark of asv: `cells` are its cases for all combinations of `lists`, with the last parameter varying fastest.
 */
interface AsvMatrix {
  readonly name: string;
  /** Names of the parameters. */
  readonly names: readonly string[];
  /** Values of each parameter as Python literals. */
  readonly lists: readonly (readonly string[])[];
  readonly cells: readonly (MeasuredCase | undefined)[];
}

/**
 * Maximum ratio of cells to cases. A sparser benchmark is not written as a matrix; its parameters become part of the
 * names.
 */
const maxEmptyFactor = 4;

/** The benchmarks with numbers of a quantity. */
function asvMatrix(quantity: Quantity, cases: readonly MeasuredCase[]): AsvMatrix[] {
  const groups = new Map<string, MeasuredCase[]>();
  for (const each of cases) {
    if (!each.samples.has(quantity.name)) continue;
    const key = JSON.stringify([each.benchmark, ...each.parameters.keys()]);
    const own = groups.get(key);
    if (own === undefined) groups.set(key, [each]);
    else own.push(each);
  }
  const named = new Set<string>();
  return [...groups.values()].flatMap((group) => {
    const name = asvName(group[0]!.benchmark, quantity);
    const matrix = named.has(name) ? undefined : matrixOf(name, group);
    const matrices = matrix === undefined ? group.map((each) => singleCell(quantity, each)) : [matrix];
    return matrices.filter((each) => !named.has(each.name) && named.add(each.name));
  });
}

/** undefined if too many combinations have no case. */
function matrixOf(name: string, group: readonly MeasuredCase[]): AsvMatrix | undefined {
  const names = [...group[0]!.parameters.keys()];
  const lists = names.map((each) => [
    ...new Set(group.map(({ parameters }) => pythonText(parameters.get(each) ?? ""))),
  ]);
  const size = lists.reduce((product, { length }) => product * length, 1);
  if (size > maxEmptyFactor * group.length + 16) return undefined;
  const indices = lists.map((list) => new Map(list.map((text, at) => [text, at])));
  const cells = Array.from({ length: size }, (): MeasuredCase | undefined => undefined);
  for (const each of group) {
    const at = names.reduce((index, parameter, i) => {
      const text = pythonText(each.parameters.get(parameter) ?? "");
      return index * lists[i]!.length + (indices[i]!.get(text) ?? 0);
    }, 0);
    cells[at] = each;
  }
  return { name, names, lists, cells };
}

function singleCell(quantity: Quantity, each: MeasuredCase): AsvMatrix {
  const parameters = [...each.parameters].map(([name, value]) => `${name}=${value}`).join(",");
  return { name: asvName(`${each.benchmark}(${parameters})`, quantity), names: [], lists: [], cells: [each] };
}

/** Quotes a text, unless it is a number, a constant or quoted already. */
function pythonText(text: string): string {
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$|^'.*'$|^(?:None|True|False)$/s.test(text)
    ? text
    : `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** By quantity: pattern of asv's prefixes, and the prefix added to other names. */
const prefixes: ReadonlyMap<string, readonly [known: RegExp, given: string]> = new Map([
  ["time s", [/^[Tt]ime(?:raw)?(?=[A-Z_])/, "time"]],
  ["bytes Byte", [/^[Mm]em(?=[A-Z_])/, "mem"]],
  ["peak_memory Byte", [/^[Pp]eakmem(?=[A-Z_])/, "peakmem"]],
  ["value ", [/^[Tt]rack(?=[A-Z_])/, "track"]],
]);

/** Keeps `suite.time_parse`; other names get a prefix before their last part: `suite.track_rate_parse`. */
function asvName(benchmark: string, { name, unit }: Quantity): string {
  const [known, given] = prefixes.get(`${name} ${unit}`) ?? [undefined, `track_${name}`];
  const plain = benchmark.replaceAll(/[\s\p{C}]+/gu, "_");
  const dot = plain.lastIndexOf(".", plain.search(/[(]|$/)) + 1;
  const last = plain.slice(dot);
  return known?.test(last) === true ? plain : `${plain.slice(0, dot)}${given}_${last}`;
}

/** A file with its path relative to the folder. */
export interface FolderFile {
  readonly path: string;
  readonly text: string;
}

const asvCompanions = ["median", "lower", "upper", "q1", "q3"] as const;

/** Result columns in addition to result, parameters, version, start and samples. */
const statistics: readonly (readonly [column: string, companion: Companion])[] = [
  ["stats_ci_99_a", "lower"],
  ["stats_ci_99_b", "upper"],
  ["stats_q_25", "q1"],
  ["stats_q_75", "q3"],
];

/**
 * asv compares only results with the same benchmark version. Benchmarks of other programs have none.
 */
const version = "1";

const machineFacts = ["arch", "cpu", "num_cpu", "os", "ram"] as const;

/**
 * A results folder of airspeed velocity, version 2: `benchmarks.json`, and for each machine `machine.json` and one file
 * per commit and environment. The prefix of a name gives the type of a benchmark: `time_`, `mem_`, `peakmem_`,
 * `track_`. All cases must have a commit.
 */
export function asvResults(quantities: readonly Quantity[], cases: readonly MeasuredCase[]): FolderFile[] {
  const byFile = new Map<string, MeasuredCase[]>();
  for (const each of cases) {
    const path = pathOf(each.run);
    const own = byFile.get(path);
    if (own === undefined) byFile.set(path, [each]);
    else own.push(each);
  }
  const main = mainQuantities(quantities, asvCompanions);
  const benchmarks = new Map<string, object>();
  const files = [...byFile].map(([path, own]) => ({ path, text: resultText(own, main, benchmarks) }));
  const machines = new Map([...byFile.values()].map(([first]) => [machineOf(first!.run), first!.run]));
  return [
    { path: "benchmarks.json", text: jsonText([...benchmarks, ["version", 2]]) },
    ...[...machines].map(([name, run]) => ({ path: `${name}/machine.json`, text: machineText(name, run) })),
    ...files,
  ];
}

/** Adds the benchmarks of the results to `benchmarks`. */
function resultText(
  cases: readonly MeasuredCase[],
  quantities: readonly Quantity[],
  benchmarks: Map<string, object>,
): string {
  const { run } = cases[0]!;
  const results = quantities.flatMap((quantity) =>
    asvMatrix(quantity, cases).map((matrix): [string, unknown] => {
      benchmarks.set(matrix.name, benchmarkJson(matrix.name, quantity, matrix.names, matrix.lists));
      return [matrix.name, resultColumns(matrix, quantity, run)];
    }),
  );
  const columns = ["result", "params", "version", "started_at", ...statistics.map(([column]) => column), "samples"];
  return jsonText([
    ["commit_hash", run.commit],
    ["env_name", environmentOf(run)],
    ["date", Math.round(run.performed / 1000)],
    [
      "params",
      Object.fromEntries([
        ["machine", machineOf(run)],
        ...machineFacts.map((name) => [name, run.facts.get(name) ?? ""]),
      ]),
    ],
    ["python", run.facts.get("python") ?? ""],
    ["requirements", {}],
    ["env_vars", {}],
    ["result_columns", columns],
    ["results", new Members(results)],
    ["durations", {}],
    ["version", 2],
  ]);
}

/** The values of `result_columns` for a benchmark. */
function resultColumns({ lists, cells }: AsvMatrix, quantity: Quantity, run: MeasuredRun): readonly unknown[] {
  const sampled = cells.map((cell) => cell?.samples.get(quantity.name));
  const result = cells.map(
    (cell, at) => (cell && companionOf(cell, quantity, "median")?.median) ?? sampled[at]?.median ?? null,
  );
  const statisticColumns = statistics.map(([, companion]) =>
    cells.map((cell) => (cell && companionOf(cell, quantity, companion)?.median) ?? null),
  );
  const samples = sampled.map((sample) => (sample !== undefined && sample.numbers.length > 1 ? sample.numbers : null));
  return [result, lists, version, Math.round(run.performed / 1000), ...statisticColumns, samples];
}

function benchmarkJson(
  name: string,
  { unit, name: quantity }: Quantity,
  names: readonly string[],
  lists: readonly (readonly string[])[],
): object {
  const type = /(?:^|\.)(time|mem|peakmem|track)_[^.]*$/.exec(name)?.[1] ?? "track";
  const types: Readonly<Record<string, string>> = { mem: "memory", peakmem: "peakmemory" };
  const units: Readonly<Record<string, string>> = { s: "seconds", Byte: "bytes" };
  return {
    code: "",
    name,
    param_names: names,
    params: lists,
    timeout: 60,
    type: types[type] ?? type,
    unit: units[unit] ?? (unit || quantity),
    version,
  };
}

function machineText(name: string, { facts }: MeasuredRun): string {
  return jsonText([
    ...machineFacts.map((fact): [string, unknown] => [fact, facts.get(fact) ?? ""]),
    ["machine", name],
    ["version", 1],
  ]);
}

function pathOf(run: MeasuredRun): string {
  return `${machineOf(run)}/${(run.commit ?? "").slice(0, 8)}-${environmentOf(run)}.json`;
}

function machineOf({ facts }: MeasuredRun): string {
  return fileWord(facts.get("machine") ?? facts.get("host") ?? facts.get("hostname") ?? "unknown");
}

function environmentOf({ facts }: MeasuredRun): string {
  return fileWord(facts.get("environment") ?? facts.get("env_name") ?? "existing");
}

/** A safe file name: no slash, and no leading dot. */
function fileWord(text: string): string {
  return text
    .slice(0, 100)
    .replaceAll(/[^\w.-]+/g, "_")
    .replace(/^(?=\.|$)/, "_");
}

/** An object whose members may have any name, such as __proto__. */
class Members {
  readonly members: readonly (readonly [string, unknown])[];

  constructor(members: readonly (readonly [string, unknown])[]) {
    this.members = members;
  }
}

function jsonText(members: readonly (readonly [string, unknown])[]): string {
  return `${objectText(members)}\n`;
}

function objectText(members: readonly (readonly [string, unknown])[]): string {
  const text = (value: unknown): string =>
    value instanceof Members ? objectText(value.members) : JSON.stringify(value);
  return `{\n${members.map(([name, value]) => `${JSON.stringify(name)}: ${text(value)}`).join(",\n")}\n}`;
}
