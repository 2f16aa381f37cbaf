import { Failure } from "../../../core/failures/index.ts";

/**
 * Resolves name compression: `fn=(12) name` defines 12, `fn=(12)` refers to it. Each kind of name has its own numbers.
 */
export class CallgrindNames {
  readonly #byNumber = new Map<string, string>();

  of(written: string): string {
    const end = numberEnd(written);
    if (end === 0) return written;
    const number = written.slice(0, end);
    if (end < written.length) this.#byNumber.set(number, written.slice(end + 1));
    return this.#byNumber.get(number) ?? number;
  }
}

/** The end of a leading number in parentheses, alone or before a space; 0 if there is none. */
function numberEnd(text: string): number {
  if (text.charCodeAt(0) !== 0x28) return 0;
  let at = 1;
  while (isDigit(text.charCodeAt(at))) at++;
  if (at === 1 || text.charCodeAt(at) !== 0x29) return 0;
  return at + 1 === text.length || text.charCodeAt(at + 1) === 0x20 ? at + 1 : 0;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** A function in a file of callgrind. */
export interface GraphFunction {
  /** As written by callgrind. */
  readonly name: string;
  /** Path of the program or library. */
  readonly object: string;
  /** Cost of the function itself. */
  self: number;
  /** Number of calls; 0 for the entry function. */
  calls: number;
  /** By the number of the callee. */
  readonly callees: Map<number, GraphCalls>;
}

/** All calls of one function by another. */
interface GraphCalls {
  calls: number;
  /** Inclusive cost. */
  cost: number;
}

/** Calls between functions with their cost in the first event of the file, for callgrind instructions. */
export interface CallGraph {
  readonly functions: readonly GraphFunction[];
}

/** Reads a file of `valgrind --tool=callgrind` and sums its parts. Fails with `call-graph-damaged`. */
export function readCallGraph(text: string): CallGraph {
  return new GraphReader().read(text);
}

class GraphReader {
  readonly #functions: GraphFunction[] = [];
  readonly #byKey = new Map<string, number>();
  readonly #objects = new CallgrindNames();
  readonly #names = new CallgrindNames();
  #positions = 1;
  #object = "";
  #calledObject: string | null = null;
  #current: GraphFunction | null = null;
  #called = -1;
  /** Number of calls whose cost is on the next line. */
  #calls = 0;
  #line = 0;

  read(text: string): CallGraph {
    for (const line of lines(text)) {
      this.#line++;
      this.#readLine(line);
    }
    return { functions: this.#functions };
  }

  #readLine(line: string): void {
    if (/^[\d+*-]/.test(line)) return this.#readCost(line);
    const at = line.indexOf("=");
    if (at < 0) return this.#readHead(line);
    const [word, rest] = [line.slice(0, at), line.slice(at + 1)];
    if (word === "ob") this.#object = this.#objects.of(rest);
    else if (word === "cob") this.#calledObject = this.#objects.of(rest);
    else if (word === "fn") this.#current = this.#functions[this.#numberOf(this.#object, this.#names.of(rest))]!;
    else if (word === "cfn") this.#called = this.#numberOf(this.#calledObject ?? this.#object, this.#names.of(rest));
    else if (word === "calls") this.#calls = this.#numberIn(rest.split(" ", 1)[0]!);
  }

  #readHead(line: string): void {
    const [, positions] = /^positions: *(.*)$/.exec(line) ?? [];
    if (positions !== undefined) this.#positions = positions.trim().split(/ +/).length;
  }

  #readCost(line: string): void {
    const cost = this.#numberIn(line.split(" ")[this.#positions] ?? "0");
    if (this.#current === null) throw this.#damaged();
    if (this.#calls === 0) {
      this.#current.self += cost;
      return;
    }
    const callee = this.#functions[this.#called];
    if (callee === undefined) throw this.#damaged();
    callee.calls += this.#calls;
    const known = this.#current.callees.get(this.#called) ?? { calls: 0, cost: 0 };
    this.#current.callees.set(this.#called, { calls: known.calls + this.#calls, cost: known.cost + cost });
    [this.#calls, this.#called, this.#calledObject] = [0, -1, null];
  }

  #numberOf(object: string, name: string): number {
    const key = `${object}\n${name}`;
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    this.#byKey.set(key, this.#functions.length);
    return this.#functions.push({ name, object, self: 0, calls: 0, callees: new Map() }) - 1;
  }

  #numberIn(text: string): number {
    const number = /^\d{1,18}$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isNaN(number)) throw this.#damaged();
    return number;
  }

  #damaged(): Failure {
    return new Failure("call-graph-damaged", { line: this.#line });
  }
}

function* lines(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\n", start);
    yield text.slice(start, end < 0 ? text.length : end).trim();
    start = end < 0 ? text.length : end + 1;
  }
}

/**
 * Reads the total of each event, by callgrind's name (`Ir`), and sums the parts of all dumps. Layout: Valgrind's
 * manual, Callgrind Format Specification. Fails with `not-callgrind`.
 */
export function readCallgrindTotals(text: string, file: string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  let events: readonly string[] = [];
  for (const [, key, rest = ""] of text.matchAll(/^(events|totals):[ \t]*(.*)$/gm)) {
    const words = rest.trim().split(/\s+/);
    if (key === "events") events = words;
    else
      for (const [at, event] of events.entries())
        sums.set(event, (sums.get(event) ?? 0) + countOf(words[at] ?? "0", file));
  }
  if (sums.size === 0) throw new Failure("not-callgrind", { file, reason: "it has no totals" });
  return sums;
}

function countOf(word: string, file: string): number {
  if (/^\d{1,18}$/.test(word)) return Number(word);
  throw new Failure("not-callgrind", { file, reason: `'${word.slice(0, 40)}' is not a count` });
}

/** Inclusive cost of a function. */
export interface InclusiveCost {
  readonly cost: number;
  /**
   * The number, from 1, of the cycle of mutually recursive functions that contains the function, or null. In a cycle,
   * the cost covers only the function itself and its calls out of the cycle. Self-recursion is not a cycle.
   */
  readonly cycle: number | null;
}

/** Inclusive costs by function. Calls within a cycle or of the function itself are not counted twice. */
export function inclusiveCosts(graph: CallGraph): InclusiveCost[] {
  const component = components(graph);
  const sizes = new Map<number, number>();
  for (const number of component) sizes.set(number, (sizes.get(number) ?? 0) + 1);
  const cycles = [...sizes].filter(([, size]) => size > 1).map(([number]) => number);
  return graph.functions.map(({ self, callees }, at) => {
    const outside = [...callees].filter(([callee]) => component[callee] !== component[at]);
    const cost = outside.reduce((sum, [, calls]) => sum + calls.cost, self);
    const cycle = cycles.indexOf(component[at]!);
    return { cost, cycle: cycle < 0 ? null : cycle + 1 };
  });
}

/**
 * Tarjan's strongly connected components, iterative because call graphs are deep. Returns the component of each
 * function.
 */
function components({ functions }: CallGraph): Int32Array {
  const component = new Int32Array(functions.length).fill(-1);
  const order = new Int32Array(functions.length).fill(-1);
  const lowest = new Int32Array(functions.length);
  const stack: number[] = [];
  let [visited, count] = [0, 0];
  const visit = (start: number): void => {
    const path = [{ at: start, next: functions[start]!.callees.keys() }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { at, next } = top;
      if (order[at] === -1) {
        order[at] = lowest[at] = visited++;
        stack.push(at);
      }
      const step = next.next();
      if (!step.done) {
        if (order[step.value] === -1) path.push({ at: step.value, next: functions[step.value]!.callees.keys() });
        else if (component[step.value] === -1) lowest[at] = Math.min(lowest[at]!, order[step.value]!);
        continue;
      }
      path.pop();
      const parent = path.at(-1)?.at;
      if (parent !== undefined) lowest[parent] = Math.min(lowest[parent]!, lowest[at]!);
      if (lowest[at] === order[at]) take(at);
    }
  };
  const take = (root: number): void => {
    for (let member = -1; member !== root;) {
      member = stack.pop()!;
      component[member] = count;
    }
    count++;
  };
  for (let at = 0; at < functions.length; at++) if (order[at] === -1) visit(at);
  return component;
}
