import fc from "fast-check";

/** A sample as plain data: functions outer first; none: it has no stack. */
export interface GeckoSample {
  readonly calls: readonly string[];
  readonly weight: number;
}

/** A thread, and by which of the layouts a document has it. */
export interface GeckoThread {
  readonly name: string;
  readonly samples: readonly GeckoSample[];
  readonly layout: "rows" | "columns" | "shared" | "listed";
  readonly isText: boolean;
}

export interface GeckoProcess {
  readonly threads: readonly GeckoThread[];
  readonly within: readonly GeckoProcess[];
  /** Of the members of all objects of it. */
  readonly order: number;
}

type Json = Record<string, unknown>;

const sample: fc.Arbitrary<GeckoSample> = fc.record({
  calls: fc.array(fc.constantFrom("main", "a", "b (x.js:3:4)", "déjà", '"\\', "0x12ff"), { maxLength: 5 }),
  weight: fc.integer({ min: -8, max: 64 }).map((eighths) => eighths / 8),
});

const thread: fc.Arbitrary<GeckoThread> = fc.record({
  name: fc.constantFrom("GeckoMain", "Worker", "3"),
  samples: fc.array(sample, { maxLength: 12 }),
  layout: fc.constantFrom("rows", "columns", "shared", "listed"),
  isText: fc.boolean(),
});

/** A process with at least one thread. */
export const geckoProcess: fc.Arbitrary<GeckoProcess> = fc.letrec<{ process: GeckoProcess }>((tie) => ({
  process: fc.record({
    threads: fc.array(thread, { minLength: 1, maxLength: 3 }),
    within: fc.oneof({ maxDepth: 2 }, fc.constant([]), fc.array(tie("process"), { maxLength: 2 })),
    order: fc.nat(1000),
  }),
})).process;

/** All threads of a process, in the order in which documents tell them. */
export function threadsWithin({ threads, within }: GeckoProcess): GeckoThread[] {
  return [...threads, ...within.flatMap(threadsWithin)];
}

/** The document that says it. Members of its objects stand in whatever order. */
export function geckoDocument(process: GeckoProcess): Json {
  const shared = new Tables();
  const threads = process.threads.map((each) => {
    const json = turned(threadJson(each, shared, process.order), process.order);
    return each.isText ? JSON.stringify(json) : json;
  });
  return turned(
    {
      meta: { version: 24, interval: 1 },
      libs: [],
      // What is passed over may be large, and have names that matter elsewhere.
      counters: [{ samples: { schema: { stack: 0 }, data: [[9]] } }],
      profilerOverhead: { samples: { length: 1, stack: [7] }, threads: [1], "": {} },
      shared: turned({ ...shared.json("columns", 0), resourceTable: { length: 0, lib: [] } }, process.order),
      threads,
      processes: process.within.map(geckoDocument),
    },
    process.order,
  );
}

function threadJson({ name, samples, layout }: GeckoThread, shared: Tables, order: number): Json {
  const markers = { schema: { name: 0, data: 1 }, data: [[0, { stack: 5 }]] };
  if (layout === "listed")
    return {
      name,
      markers,
      samples: samples.map(({ calls }) => ({ frames: calls.map((location) => ({ location })) })),
    };
  const tables = layout === "shared" ? shared : new Tables();
  const stacks = samples.map(({ calls }) => tables.stack(calls));
  const weights = samples.map(({ weight }) => weight);
  const rows = { schema: { time: 0, weight: 2, stack: 1 }, data: stacks.map((stack, at) => [at, stack, weights[at]]) };
  const columns = {
    length: stacks.length,
    time: stacks.map(() => 0.5),
    stack: stacks,
    weight: weights,
    weightType: "samples",
  };
  const own = layout === "shared" ? {} : tables.json(layout, order);
  return { name, markers, samples: turned(layout === "rows" ? rows : columns, order), ...own };
}

/**
 * Strings, frames and stacks as a document has them; a later row of the stack table may be the prefix of an earlier
 * one.
 */
class Tables {
  readonly #strings = [""];
  readonly #stacks: { readonly prefix: number | null; readonly frame: number }[] = [];

  stack(calls: readonly string[]): number | null {
    return calls.reduce((prefix: number | null, name) => {
      const frame = this.#strings.includes(name) ? this.#strings.indexOf(name) : this.#strings.push(name) - 1;
      const known = this.#stacks.findIndex((stack) => stack.prefix === prefix && stack.frame === frame);
      return known >= 0 ? known : this.#stacks.push({ prefix, frame }) - 1;
    }, null);
  }

  json(layout: "rows" | "columns", order: number): Json {
    const [strings, stacks] = [this.#strings, this.#stacks];
    const places = strings.map((_, at) => at);
    if (layout === "rows")
      return {
        stringTable: strings,
        stackTable: turned(
          { schema: { frame: 1, prefix: 0 }, data: stacks.map(({ prefix, frame }) => [prefix, frame]) },
          order,
        ),
        frameTable: turned(
          { schema: { location: 0, line: 1 }, data: places.map((at) => (at % 2 === 0 ? [at] : [at, null])) },
          order,
        ),
      };
    return {
      stringArray: strings,
      stackTable: turned(
        { length: stacks.length, prefix: stacks.map(({ prefix }) => prefix), frame: stacks.map(({ frame }) => frame) },
        order,
      ),
      frameTable: { length: places.length, func: places, line: places.map(() => null) },
      funcTable: turned({ name: places, fileName: places.map(() => null), lineNumber: places.map(() => 0) }, order),
    };
  }
}

/** The members of an object, beginning with another one. */
function turned(json: Json, by: number): Json {
  const members = Object.entries(json);
  const from = by % members.length;
  return Object.fromEntries([...members.slice(from), ...members.slice(0, from)]);
}
