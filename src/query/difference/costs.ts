import type { ChangedStacks } from "../../core/figures/index.ts";
import type { CodeLocation, Cost, CostChange } from "../../core/profiles/index.ts";
import { indexOfVariable, type NumberColumn, type Table } from "../../core/tables/index.ts";
import { flatText, conversion, convert, groupBy, sameDimension, type Unit } from "../../core/values/index.ts";
import { cellsOf } from "../profile/index.ts";
import { callsOf, locationKey } from "./call-frames.ts";

/** A function with its costs, callers and callees (keys of `Costs.functions`). */
export interface FunctionCost extends Cost {
  readonly location: CodeLocation;
  self: number;
  inclusive: number;
  readonly callers: Set<string>;
  readonly callees: Set<string>;
}

/** The costs of a profile in one quantity, as means over its repetitions. */
export interface Costs {
  readonly unit: Unit | undefined;
  readonly total: number;
  readonly functions: ReadonlyMap<string, FunctionCost>;
  /** By calls, outermost first, joined by `;`. */
  readonly stacks: ReadonlyMap<string, number>;
}

/**
 * The costs of a profile by quantity: the `subtype` of its rows, or `memory` for all allocation calls. With a `trace`,
 * the amount of a row is the self cost of the innermost call; with `exclusive`, the amount is the inclusive cost of a
 * function; otherwise calls are unknown. Rows with a `caller` only link functions. Frees are ignored. `order` numbers
 * the repetitions.
 */
export function costsOf(data: Table): ReadonlyMap<string, Costs> {
  const at = indexOfVariable(data, "amount");
  if (data.columns[at]?.kind !== "number") return new Map();
  const { sites, calls } = sitesOf(data);
  const repetitions = repetitionsOf(data);
  const all = new Map<string, CostBuilder>();
  for (const { metric, stack, amount, exclusive } of sites) {
    const costs = all.get(metric) ?? new CostBuilder();
    all.set(metric, costs);
    costs.add(stack, amount, Number.isNaN(exclusive) ? null : exclusive);
  }
  for (const costs of all.values()) costs.link(calls);
  return new Map([...all].map(([metric, costs]) => [metric, costs.take(data.variables[at]?.unit, repetitions)]));
}

/** Converts costs to another unit; null: the dimension differs. */
export function convertCosts(costs: Costs, unit: Unit | undefined): Costs | null {
  if (!sameDimension(costs.unit, unit)) return null;
  const factor = conversion(costs.unit, unit);
  const functions = new Map<string, FunctionCost>();
  for (const [key, each] of costs.functions)
    functions.set(key, { ...each, self: convert(each.self, factor), inclusive: convert(each.inclusive, factor) });
  const stacks = new Map([...costs.stacks].map(([stack, sum]) => [stack, convert(sum, factor)]));
  return { unit, total: convert(costs.total, factor), functions, stacks };
}

/** Rows of the same call. */
interface Site {
  readonly metric: string;
  readonly stack: readonly CodeLocation[];
  amount: number;
  /** NaN: the amount is the self cost of the innermost call. */
  exclusive: number;
}

interface Sites {
  readonly sites: readonly Site[];
  /** Names of callers with the location of their callee. */
  readonly calls: readonly (readonly [caller: string, called: CodeLocation])[];
}

function sitesOf(data: Table): Sites {
  const [uid, trace, location, caller] = ["uid", "trace", "location", "caller"].map((name) => cellsOf(data, name)) as [
    Cells,
    Cells,
    Cells,
    Cells,
  ];
  const [subtype, type] = [cellsOf(data, "subtype"), cellsOf(data, "type")];
  const [amounts, exclusives] = [numbersOf(data, "amount"), numbersOf(data, "exclusive")];
  const sites = new Map<string, Site>();
  const calls: [string, CodeLocation][] = [];
  for (let row = 0; row < data.length; row++) {
    const amount = amounts(row);
    const kind = subtype.at(row);
    if (!Number.isFinite(amount) || kind === "free") continue;
    const from = caller.at(row);
    if (from !== undefined && from !== null) {
      const called = callsOf(uid.at(row), undefined, location.at(row)).at(-1);
      if (called !== undefined) calls.push([flatText(from), called]);
      continue;
    }
    const exclusive = trace.at(row) === undefined ? exclusives(row) : Number.NaN;
    const codes = [type, subtype, uid, trace, location].map((cells) => cells.code(row));
    const key = `${codes.join(" ")} ${Number.isNaN(exclusive)}`;
    const site = sites.get(key);
    if (site === undefined) {
      const metric = type.at(row) === "memory" ? "memory" : flatText(kind ?? type.at(row) ?? "amount");
      sites.set(key, { metric, stack: callsOf(uid.at(row), trace.at(row), location.at(row)), amount, exclusive });
    } else {
      site.amount += amount;
      site.exclusive += exclusive;
    }
  }
  return { sites: [...sites.values()], calls };
}

type Cells = ReturnType<typeof cellsOf>;

/** NaN where missing. */
function numbersOf(data: Table, name: string): (row: number) => number {
  const column = data.columns[data.variables.findIndex((variable) => variable.name === name)];
  if (column?.kind !== "number") return () => Number.NaN;
  return (row) => (isMissing(column, row) ? Number.NaN : (column.values[row] ?? Number.NaN));
}

function isMissing({ missing }: NumberColumn, row: number): boolean {
  return missing?.[row] === 1;
}

/** Number of repetitions, at least 1: distinct values of `order`. */
export function repetitionsOf(data: Table): number {
  const order = numbersOf(data, "order");
  const found = new Set<number>();
  for (let row = 0; row < data.length; row++) found.add(order(row));
  found.delete(Number.NaN);
  return Math.max(1, found.size);
}

class CostBuilder {
  readonly #functions = new Map<string, FunctionCost>();
  readonly #stacks = new Map<string, number>();
  #total = 0;

  /**
   * `exclusive` null: the amount is the self cost of the innermost call and part of the inclusive cost of its callers.
   */
  add(stack: readonly CodeLocation[], amount: number, exclusive: number | null): void {
    const keys = stack.map(locationKey);
    const self = exclusive ?? amount;
    const name = stack.map((location) => location.name.replaceAll(";", ",")).join(";");
    this.#stacks.set(name, (this.#stacks.get(name) ?? 0) + self);
    this.#total += self;
    const functions = stack.map((location, at) => this.#function(keys[at]!, location));
    // A recursive function counts once.
    for (const called of new Set(functions)) called.inclusive += amount;
    for (let at = 1; at < keys.length; at++) this.#connect(keys[at - 1]!, keys[at]!);
    const inner = functions.at(-1);
    if (inner !== undefined) inner.self += self;
  }

  /** Adds callers and callees from rows separate from stacks. */
  link(calls: Sites["calls"]): void {
    const byName = new Map([...this.#functions].map(([key, { location }]) => [location.name, key]));
    for (const [caller, called] of calls) {
      const [from, to] = [byName.get(caller), locationKey(called)];
      if (from !== undefined && this.#functions.has(to)) this.#connect(from, to);
    }
  }

  /** Means; integer sums are exact until here. */
  take(unit: Unit | undefined, repetitions: number): Costs {
    for (const each of this.#functions.values()) {
      each.self /= repetitions;
      each.inclusive /= repetitions;
    }
    const stacks = new Map([...this.#stacks].map(([stack, sum]) => [stack, sum / repetitions]));
    return { unit, total: this.#total / repetitions, functions: this.#functions, stacks };
  }

  #function(key: string, location: CodeLocation): FunctionCost {
    let found = this.#functions.get(key);
    if (found === undefined) {
      found = { location, self: 0, inclusive: 0, callers: new Set(), callees: new Set() };
      this.#functions.set(key, found);
    }
    return found;
  }

  #connect(caller: string, called: string): void {
    if (caller === called) return;
    this.#functions.get(caller)?.callees.add(called);
    this.#functions.get(called)?.callers.add(caller);
  }
}

/** A function whose cost changed, in a file that was changed. */
export interface TouchedCost {
  readonly path: string;
  readonly name: string;
  /** Share of all changes in its quantity. */
  readonly share: number;
}

/**
 * The rows whose source file is one of `paths`, the greatest share first. Paths match if one ends with the other; of
 * several matches the one with more folders in common wins.
 */
export function touchedCosts(rows: readonly CostChange[], paths: readonly string[]): TouchedCost[] {
  const found = rows.flatMap(({ name, file, share }): TouchedCost[] => {
    const path = file === null ? undefined : bestPath(file, paths);
    return path === undefined ? [] : [{ path, name, share }];
  });
  return found.sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
}

function bestPath(file: string, paths: readonly string[]): string | undefined {
  const fitting = paths.filter((path) => isEnding(file, path) || isEnding(path, file));
  return fitting.sort((a, b) => Math.min(b.length, file.length) - Math.min(a.length, file.length))[0];
}

function isEnding(path: string, ending: string): boolean {
  return path === ending || path.endsWith(`/${ending.replace(/^\.?\//, "")}`);
}

/** Returns a lookup of the changed stacks (`by: "stack"`, the greatest first) that end with the function of a row. */
export function stacksOfFunctions(stacks: readonly CostChange[]): ChangedStacks {
  const known = groupBy(stacks, ({ name }) => name.slice(name.lastIndexOf(";") + 1));
  return ({ name, renamedFrom }) =>
    [...new Set([name, renamedFrom?.name ?? name])].flatMap((each) => known.get(callOf(each)) ?? []);
}

/** A function's name as in the name of a stack, where `;` separates calls. */
function callOf(name: string): string {
  return name.replaceAll(";", ",");
}
