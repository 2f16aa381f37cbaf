import { flatText } from "../../core/values/flatten.ts";
import type { CodePlace, Cost } from "../../core/profiles/profile-difference.ts";
import { indexOfVariable, type NumberColumn, type Table } from "../../core/tables/table.ts";
import { conversion, convert, sameDimension, type Unit } from "../../core/values/unit.ts";
import { cellsOf } from "../profile/cells.ts";
import { callsOf, placeKey } from "./call-frames.ts";

/** A function, what it costs, who calls it and whom it calls (keys of `Costs.functions`). */
export interface FunctionCost extends Cost {
  readonly place: CodePlace;
  self: number;
  inclusive: number;
  readonly callers: Set<string>;
  readonly callees: Set<string>;
}

/** The costs of a profile in one quantity, as a mean of its repetitions. */
export interface Costs {
  readonly unit: Unit | undefined;
  readonly total: number;
  readonly functions: ReadonlyMap<string, FunctionCost>;
  /** By calls, outermost first, joined by `;`. */
  readonly stacks: ReadonlyMap<string, number>;
}

/**
 * The costs of the rows of a profile, by quantity: the kind (`subtype`) of row, or `memory`, whose kinds are different
 * calls for the same. Rows are one of three things. With a `trace`, the amount is what the innermost call costs by
 * itself. With `exclusive`, the amount is what a function costs with all it calls. Otherwise nothing is known of calls.
 * Rows that name a `caller` tell who calls whom and are counted nowhere else; what was freed is passed over. `order`
 * numbers repetitions.
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

/** The same costs in another unit; null: they are no amounts of that. */
export function costsIn(costs: Costs, unit: Unit | undefined): Costs | null {
  if (!sameDimension(costs.unit, unit)) return null;
  const factor = conversion(costs.unit, unit);
  const functions = new Map<string, FunctionCost>();
  for (const [key, each] of costs.functions)
    functions.set(key, { ...each, self: convert(each.self, factor), inclusive: convert(each.inclusive, factor) });
  const stacks = new Map([...costs.stacks].map(([stack, sum]) => [stack, convert(sum, factor)]));
  return { unit, total: convert(costs.total, factor), functions, stacks };
}

/** Rows that are about the same. */
interface Site {
  readonly metric: string;
  readonly stack: readonly CodePlace[];
  amount: number;
  /** NaN: the amount is what the innermost call costs by itself. */
  exclusive: number;
}

interface Sites {
  readonly sites: readonly Site[];
  /** Names of callers with the place of what they call. */
  readonly calls: readonly (readonly [caller: string, called: CodePlace])[];
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
  const calls: [string, CodePlace][] = [];
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
    const key = `${type.code(row)} ${subtype.code(row)} ${uid.code(row)} ${trace.code(row)} ${location.code(row)} ${Number.isNaN(exclusive)}`;
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

/** NaN where there is none. */
function numbersOf(data: Table, name: string): (row: number) => number {
  const column = data.columns[data.variables.findIndex((variable) => variable.name === name)];
  if (column?.kind !== "number") return () => Number.NaN;
  return (row) => (isMissing(column, row) ? Number.NaN : (column.values[row] ?? Number.NaN));
}

function isMissing({ missing }: NumberColumn, row: number): boolean {
  return missing?.[row] === 1;
}

/** How often the same was measured, at least 1: different contents of `order`. */
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

  /** `exclusive` null: the amount is that of the innermost call alone, and of all that led to it. */
  add(stack: readonly CodePlace[], amount: number, exclusive: number | null): void {
    const keys = stack.map(placeKey);
    const self = exclusive ?? amount;
    const name = stack.map((place) => place.name.replaceAll(";", ",")).join(";");
    this.#stacks.set(name, (this.#stacks.get(name) ?? 0) + self);
    this.#total += self;
    const functions = stack.map((place, at) => this.#function(keys[at]!, place));
    // A function that calls itself is told once.
    for (const called of new Set(functions)) called.inclusive += amount;
    for (let at = 1; at < keys.length; at++) this.#connect(keys[at - 1]!, keys[at]!);
    const inner = functions.at(-1);
    if (inner !== undefined) inner.self += self;
  }

  /** Adds who calls whom, where rows tell it apart from the stacks. */
  link(calls: Sites["calls"]): void {
    const byName = new Map([...this.#functions].map(([key, { place }]) => [place.name, key]));
    for (const [caller, called] of calls) {
      const [from, to] = [byName.get(caller), placeKey(called)];
      if (from !== undefined && this.#functions.has(to)) this.#connect(from, to);
    }
  }

  /** Means; sums of whole numbers are exact until here. */
  take(unit: Unit | undefined, repetitions: number): Costs {
    for (const each of this.#functions.values()) {
      each.self /= repetitions;
      each.inclusive /= repetitions;
    }
    const stacks = new Map([...this.#stacks].map(([stack, sum]) => [stack, sum / repetitions]));
    return { unit, total: this.#total / repetitions, functions: this.#functions, stacks };
  }

  #function(key: string, place: CodePlace): FunctionCost {
    let found = this.#functions.get(key);
    if (found === undefined) {
      found = { place, self: 0, inclusive: 0, callers: new Set(), callees: new Set() };
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
