import { Failure } from "../../../../core/failures/index.ts";
import { InvalidValue } from "../../../../core/values/index.ts";
import type { Variable } from "../../../../core/variables/index.ts";
import type { SplitStore } from "../../../../formats/descriptions/index.ts";
import type { PresentValue } from "../value-reader.ts";
import { hasMark, valueIn, type Finder, type Look, type Source } from "../finders/finder.ts";
import type { Slot } from "../slot.ts";

/** A value at the beginning or the end of a block. */
export interface SplitEdge {
  readonly variable: Variable;
  readonly source: Source;
  /** True when the block begins or ends with this value. */
  readonly storesRow: boolean;
}

/** Maximum nesting depth; bounds the memory for inputs without ends. */
const deepest = 100_000;

/** Values of blocks that may be nested: those of the beginning are on a stack until the end. */
export class Split {
  readonly finders: readonly Finder[];
  readonly #enter: readonly SplitEdge[];
  readonly #leave: readonly SplitEdge[];
  readonly #stores: readonly { readonly slot: Slot; readonly store: SplitStore["store"] }[];
  #stacks = new Map<string, { readonly value: PresentValue; readonly line: number }[]>();
  #left = new Map<string, PresentValue>();

  constructor(
    enter: readonly SplitEdge[],
    leave: readonly SplitEdge[],
    stores: readonly { readonly slot: Slot; readonly store: SplitStore["store"] }[],
  ) {
    this.#enter = enter;
    this.#leave = leave;
    this.#stores = stores;
    this.finders = [...enter, ...leave].map(({ source }) => source.finder);
  }

  /** Examines a line. Returns the values to store when a block ends with it. Fails with `split-mismatch`. */
  look(look: Look): ReadonlyMap<Slot, PresentValue> | undefined {
    for (const each of this.#enter) {
      const value = edgeValue(each, look, "beginning");
      if (value === undefined) continue;
      const { name } = each.variable;
      const stack = this.#stacks.get(name) ?? [];
      if (stack.length >= deepest)
        throw new Failure("split-mismatch", {
          line: look.line.number,
          problem: `more than ${deepest} blocks are open`,
        });
      stack.push({ value, line: look.line.number });
      this.#stacks.set(name, stack);
    }
    return this.#ends(look) ? this.#close(look.line.number) : undefined;
  }

  #ends(look: Look): boolean {
    const anyStores = this.#leave.some(({ storesRow }) => storesRow);
    let over = false;
    for (const each of this.#leave) {
      const value = edgeValue(each, look, "end");
      if (value === undefined) continue;
      this.#left.set(each.variable.name, value);
      if (each.storesRow) over = true;
    }
    return anyStores ? over : this.#left.size > 0 && this.#leave.every(({ variable }) => this.#left.has(variable.name));
  }

  #close(line: number): ReadonlyMap<Slot, PresentValue> {
    const entered = new Map<string, PresentValue>();
    for (const { variable } of this.#enter) {
      const { name } = variable;
      const top = this.#stacks.get(name)?.pop();
      if (!top)
        throw new Failure("split-mismatch", {
          line,
          problem: `a block ends that never started: no value for '${name}'`,
        });
      entered.set(name, top.value);
    }
    const values = new Map(this.#stores.map(({ slot, store }) => [slot, this.#stored(slot, store, entered, line)]));
    this.#left = new Map();
    return values;
  }

  #stored(
    slot: Slot,
    store: SplitStore["store"],
    entered: ReadonlyMap<string, PresentValue>,
    line: number,
  ): PresentValue {
    const { name } = slot.variable;
    const [enter, leave] = [entered.get(name), this.#left.get(name)];
    const value = combined(store, enter, leave);
    if (value === undefined) {
      const side = leave === undefined && store !== "enter" ? "end" : "beginning";
      throw new Failure("split-mismatch", {
        line,
        problem: `'${name}' has no value at the ${side} of the block that ends here`,
      });
    }
    return store === "diff" || store === "sum" ? slot.fit(Number(value), line) : value;
  }

  /** The line of the innermost open block; undefined: none is open. */
  get open(): number | undefined {
    for (const stack of this.#stacks.values()) if (stack.length > 0) return stack.at(-1)?.line;
    return undefined;
  }

  endRun(): void {
    this.#stacks = new Map();
    this.#left = new Map();
    for (const finder of this.finders) finder.reset();
  }
}

function edgeValue({ variable, source }: SplitEdge, look: Look, side: string): PresentValue | undefined {
  const value = valueIn([source], look);
  if (value !== undefined && !(value instanceof InvalidValue)) return value;
  if (!hasMark([source], look)) return undefined;
  const problem = `the ${side} of a block has no value for '${variable.name}'`;
  throw new Failure("split-mismatch", { line: look.line.number, problem });
}

function combined(
  store: SplitStore["store"],
  enter: PresentValue | undefined,
  leave: PresentValue | undefined,
): PresentValue | undefined {
  if (store === "current") return leave ?? enter;
  if (store === "enter") return enter;
  if (store === "leave") return leave;
  if (enter === undefined || leave === undefined) return undefined;
  const [from, to] = [Number(enter), Number(leave)];
  if (store === "max") return to > from ? leave : enter;
  if (store === "min") return to < from ? leave : enter;
  return store === "diff" ? to - from : from + to;
}
