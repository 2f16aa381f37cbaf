import type { TableBlock } from "../../core/figures/index.ts";
import type {
  CodeLocation,
  Cost,
  CostChange,
  DifferenceGrouping,
  ProfileDifference,
  DifferenceSide,
  Run,
} from "../../core/profiles/index.ts";
import { flatText, isObject, JsonNumber, type Json } from "../../core/values/index.ts";
import { baseName } from "./call-frames.ts";
import { convertCosts, costsOf, type Costs, type FunctionCost } from "./costs.ts";
import { pairsOf, type Pair } from "./function-pairs.ts";

/** Cost moved within a function if its inclusive cost changed by at most this share of the moved cost. */
const tolerance = 0.2;

/** Functions that cost more than this multiple of the moved cost are ignored: other changes would hide it. */
const greatestDomain = 50;

/**
 * Detects cost that only moved (FBDetect's cost shifts): the self cost of a function changes, but its inclusive cost,
 * or that of one of its callers, stays the same. Only functions of both profiles qualify.
 */
class Movements {
  readonly #before: Costs;
  readonly #after: Costs;
  readonly #pairs = new Map<FunctionCost, Pair>();
  readonly #scale: number;

  /** `scale`: factor of the costs before. */
  constructor(before: Costs, after: Costs, pairs: readonly Pair[], scale: number) {
    this.#before = before;
    this.#after = after;
    this.#scale = scale;
    for (const pair of pairs)
      for (const side of [pair.before, pair.after]) if (side !== null) this.#pairs.set(side, pair);
  }

  /** The smallest function within which the cost moved; null: none. `change`: of the self cost of the function. */
  within(pair: Pair, change: number): CodeLocation | null {
    if (change === 0) return null;
    const steady = this.#domains(pair).filter((domain) => this.#isSteady(domain, Math.abs(change)));
    steady.sort((a, b) => a.before!.inclusive - b.before!.inclusive);
    return steady[0]?.after?.location ?? null;
  }

  #domains(pair: Pair): Pair[] {
    const callers = [...callersOf(pair.before, this.#before), ...callersOf(pair.after, this.#after)];
    return [...new Set([pair, ...callers.flatMap((caller) => this.#pairs.get(caller) ?? [])])];
  }

  #isSteady({ before, after }: Pair, moved: number): boolean {
    if (before === null || after === null) return false;
    const cost = before.inclusive * this.#scale;
    return Math.abs(after.inclusive - cost) <= tolerance * moved && cost <= greatestDomain * moved;
  }
}

function callersOf(each: FunctionCost | null, { functions }: Costs): FunctionCost[] {
  return [...(each?.callers ?? [])].flatMap((key) => functions.get(key) ?? []);
}

export interface DifferenceOptions {
  readonly by: DifferenceGrouping;
  /** Compares shares instead of amounts: costs before are scaled to the total after. */
  readonly isNormalised: boolean;
  /** Rows with a smaller share of all changes are omitted. */
  readonly minShare: number;
  /** Most rows of a quantity. */
  readonly limit: number;
}

/**
 * The differences of two profiles, one for each common quantity, in the order and the units of the first; empty without
 * common quantities. Quantities of one name but different dimensions are not common.
 */
export function profileDifference(before: Run, after: Run, options: DifferenceOptions): ProfileDifference[] {
  const [all, others] = [costsOf(before.data), costsOf(after.data)];
  return [...all].flatMap(([metric, costs]) => {
    const measured = others.get(metric);
    const other = measured === undefined ? null : convertCosts(measured, costs.unit);
    return other === null ? [] : [differenceOf(metric, costs, other, options)];
  });
}

/** The difference of two sums of costs in one unit. */
export function differenceOf(
  metric: string,
  before: Costs,
  after: Costs,
  options: DifferenceOptions,
): ProfileDifference {
  const { by, isNormalised, minShare, limit } = options;
  const scale = isNormalised && after.total !== 0 && before.total !== 0 ? after.total / before.total : 1;
  const changed = rowsBy[by](before, after, scale).filter(({ change }) => change !== 0 && Number.isFinite(change));
  const whole = changed.reduce((sum, { change }) => sum + Math.abs(change), 0);
  const shared = changed.map((row) => ({ ...row, share: Number.isFinite(whole) ? row.change / whole : 0 }));
  shared.sort((a, b) => Math.abs(b.share) - Math.abs(a.share) || byName(a, b));
  const rows = shared.filter(({ share }) => Math.abs(share) >= minShare).slice(0, limit);
  const { unit } = before;
  return {
    metric,
    unit,
    by,
    isNormalised,
    before: before.total,
    after: after.total,
    rows,
    omitted: shared.length - rows.length,
  };
}

const rowsBy = { function: functionRows, file: fileRows, stack: stackRows } as const;

function functionRows(before: Costs, after: Costs, scale: number): CostChange[] {
  const pairs = pairsOf(before, after);
  const movements = new Movements(before, after, pairs, scale);
  return pairs.map((pair): CostChange => {
    const sides = { before: costOf(pair.before, scale), after: costOf(pair.after, 1) };
    const change = changeOf(sides);
    return {
      ...locationOfPair(pair),
      ...sides,
      change,
      share: 0,
      renamedFrom: pair.renamedFrom,
      movedWithin: movements.within(pair, change),
    };
  });
}

function locationOfPair({
  before,
  after,
}: {
  readonly before: { location: CodeLocation } | null;
  readonly after: { location: CodeLocation } | null;
}): CodeLocation {
  return (after ?? before)!.location;
}

function costOf(cost: Cost | null, scale: number): Cost | null {
  return cost && { self: cost.self * scale, inclusive: cost.inclusive * scale };
}

/** Files by base name, since folders differ between trees, unless a profile has several of that name. */
function fileRows(before: Costs, after: Costs, scale: number): CostChange[] {
  const paths = [before, after].map(
    ({ functions }) => new Set([...functions.values()].flatMap(({ location }) => location.file ?? [])),
  );
  const counts = paths.map((all) => countsOf([...all].map(baseName)));
  const keyOf = (path: string): string =>
    counts.every((count) => (count.get(baseName(path)) ?? 0) <= 1) ? baseName(path) : path;
  const sums = ({ functions }: Costs): Map<string, number> => {
    const found = new Map<string, number>();
    for (const { location, self } of functions.values()) {
      const word = location.file === null ? "" : keyOf(location.file);
      found.set(word, (found.get(word) ?? 0) + self);
    }
    return found;
  };
  return flatRows(sums(before), sums(after), scale).map((row) =>
    row.name === "" ? { ...row, name: "(unknown)" } : { ...row, file: row.name },
  );
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function stackRows(before: Costs, after: Costs, scale: number): CostChange[] {
  return flatRows(before.stacks, after.stacks, scale);
}

function flatRows(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  scale: number,
): CostChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].map((name) => {
    const sides = { before: flatCost(before.get(name), scale), after: flatCost(after.get(name), 1) };
    return { name, file: null, ...sides, change: changeOf(sides), share: 0, renamedFrom: null, movedWithin: null };
  });
}

function flatCost(amount: number | undefined, scale: number): Cost | null {
  return amount === undefined ? null : { self: amount * scale, inclusive: amount * scale };
}

function changeOf({ before, after }: Pick<CostChange, "before" | "after">): number {
  return (after?.self ?? 0) - (before?.self ?? 0);
}

function byName(a: CodeLocation, b: CodeLocation): number {
  const [one, other] = [`${a.name}\0${a.file}`, `${b.name}\0${b.file}`];
  return one < other ? -1 : one > other ? 1 : 0;
}

/** A profile with its name. */
export interface NamedRun extends DifferenceSide {
  readonly run: Run;
}

/**
 * The headers of two profiles side by side: a row for each property that one of them has, with a remark where they
 * differ.
 */
export function headerComparison(base: NamedRun, target: NamedRun): TableBlock {
  const [before, after] = [factsOf(base), factsOf(target)];
  const rows = Object.keys(before)
    .map((key): [string, string, string] => [key, before[key] ?? "", after[key] ?? ""])
    .filter(([, one, other]) => one !== "" || other !== "");
  return {
    kind: "table",
    caption: "The two profiles",
    head: ["", "base", "target", "remark"].map((label) => ({ label, align: "left" })),
    rows: rows.map(([key, one, other]) => [key, one || "-", other || "-", one === other ? "" : "differs"]),
  };
}

/** Properties of a profile in display order; unknown ones are empty. */
function factsOf({ run, profile, version }: NamedRun): Record<string, string> {
  const { fixed, machine } = run;
  const textAt = (key: string): string => String(fixed.get(key) ?? "");
  const of = (key: string): string => textOf(machine?.get(key));
  const system = [of("system"), of("release")].filter((word) => word !== "").join(" ");
  return {
    profile,
    origin: version ?? "",
    command: textAt("cmd"),
    workload: textAt("workload"),
    collector: stepsText(run, "collector"),
    postprocessors: stepsText(run, "postprocessor"),
    rows: String(run.data.length),
    host: of("host"),
    system: [system, of("architecture")].filter((word) => word !== "").join(", "),
    kernel: of("kernel"),
    cpu: cpuText(machine?.get("cpu")),
    memory: memoryText(machine?.get("memory")),
  };
}

/** Steps with their parameters: `perf (frequency: 99)`. */
function stepsText({ steps }: Run, kind: string): string {
  const texts = steps
    .filter((step) => step.kind === kind)
    .map(({ name, params }) => {
      const given = isObject(params) ? [...params].map(([key, value]) => `${key}: ${flatText(value)}`).join(", ") : "";
      return given === "" ? name : `${name} (${given})`;
    });
  return texts.join(", then ");
}

function cpuText(cpu: Json | undefined): string {
  if (!isObject(cpu)) return textOf(cpu);
  const [model, total, frequency] = ["model", "total", "frequency"].map((key) => textOf(cpu.get(key))) as [
    string,
    string,
    string,
  ];
  return [model, total === "" ? "" : `${total} processors`, frequency].filter((word) => word !== "").join(", ");
}

function memoryText(memory: Json | undefined): string {
  return isObject(memory) ? textOf(memory.get("total_ram")) : textOf(memory);
}

function textOf(json: Json | undefined): string {
  if (json instanceof JsonNumber) return json.text;
  return typeof json === "string" ? json : "";
}
