import { Failure } from "../../../core/failures/failure.ts";
import { CallgrindNames } from "./callgrind-names.ts";

/** A function in a file of callgrind. */
export interface GraphFunction {
  /** As callgrind writes it. */
  readonly name: string;
  /** Path of the program or library. */
  readonly object: string;
  /** Cost of the function itself. */
  self: number;
  /** How often it was called; 0 for the first of all. */
  calls: number;
  /** By the number of who is called. */
  readonly callees: Map<number, GraphCalls>;
}

/** All calls of one function by another. */
export interface GraphCalls {
  calls: number;
  /** Including what was called in turn. */
  cost: number;
}

/** Who called whom how often, and at what cost in the first event of the file, which for callgrind is instructions. */
export interface CallGraph {
  readonly functions: readonly GraphFunction[];
}

/** Reads what `valgrind --tool=callgrind` writes; parts of one file are added up. Fails with `call-graph-damaged`. */
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
  /** Calls of which the next line tells the cost. */
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
