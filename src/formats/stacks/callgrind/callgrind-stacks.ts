import { Failure } from "../../../core/failures/index.ts";
import { PairTable, StackSamples, type StackFrame, type StackProfile } from "../../../core/profiles/index.ts";
import { CallgrindNames } from "./callgrind-graph.ts";
import { type CallEdge, estimatedTree } from "./estimated-tree.ts";
import { textLineLists } from "../../text/index.ts";

/** Every integer of this many digits is an exact double. */
const exactDigits = 15;

const [zero, plus, star, minus, equals, colon] = [0x30, 0x2b, 0x2a, 0x2d, 0x3d, 0x3a];

const isDigit = (code: number): boolean => code >= zero && code <= 0x39;
const isLetter = (code: number): boolean => code >= 0x61 && code <= 0x7a;
const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

/** Maximum number of events. */
const maxEvents = 64;

/**
 * Reads the format of `valgrind --tool=callgrind` (https://valgrind.org/docs/manual/cl-format.html): the self cost of
 * each function in all events. A call graph has no stacks: they are estimated from the costs of calls in the first
 * event. Sums the parts of a file. Fails with `bad-stack-profile`, `no-stacks`.
 */
export async function readCallgrind(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const reader = new CallgrindReader(file);
  for await (const lines of textLineLists(source)) for (const line of lines) reader.take(line.trim());
  return reader.end();
}

class CallgrindReader {
  readonly #file: string;
  readonly #functions = new FunctionNumbers();
  readonly #calls = new NamedCalls();
  readonly #names = { object: new CallgrindNames(), file: new CallgrindNames(), function: new CallgrindNames() };
  #samples: StackSamples | null = null;
  #events: readonly string[] = [];
  #positions = 1;
  #command = "";
  #line = 0;
  #object = "";
  /** Source file of the function. */
  #source = "";
  #function = "";
  /** Of the called function; empty: that of the caller. */
  #calledObject = "";
  #calledSource = "";
  #called = "";
  /** Number of calls whose cost is on the next line. */
  #count = 0;
  /** Number of the function, which is its row; −1 until its next cost. */
  #row = -1;

  constructor(file: string) {
    this.#file = file;
  }

  take(line: string): void {
    this.#line++;
    const first = line.charCodeAt(0);
    if (isDigit(first) || first === plus || first === star || first === minus) return this.#takeCost(line);
    let end = 0;
    while (isLetter(line.charCodeAt(end))) end++;
    const mark = line.charCodeAt(end);
    if (mark === colon) this.#takeHead(line.slice(0, end), line.slice(end + 1));
    else if (mark === equals) this.#takeName(line.slice(0, end), line.slice(end + 1).trimStart());
  }

  end(): StackProfile {
    const samples = this.#samples;
    if (samples === null || samples.length === 0)
      throw new Failure("no-stacks", { file: this.#file, what: "callgrind" });
    const types = this.#events.map((name) => ({ name, unit: "count" }));
    const edges = this.#calls.edges(this.#functions);
    const tree = estimatedTree({
      functions: this.#functions.frames,
      events: types.length,
      edges,
      self: (number, event) => (number < samples.length ? samples.valueOf(number, event) : 0),
    });
    const estimate = edges.length === 0 ? {} : ({ estimated: true } as const);
    return {
      ...tree,
      types,
      main: 0,
      facts: { ...(this.#command === "" ? {} : { command: this.#command }), ...estimate },
    };
  }

  #takeHead(word: string, rest: string): void {
    const words = rest.split(/\s+/).filter((each) => each !== "");
    if (word === "positions") this.#positions = Math.max(1, words.length);
    else if (word === "cmd") this.#command = rest.trim();
    else if (word === "events") this.#takeEvents(words);
  }

  #takeEvents(words: readonly string[]): void {
    if (words.length === 0 || words.length > maxEvents) throw this.#bad("the number of events is invalid");
    if (this.#samples !== null && words.join() !== this.#events.join())
      throw this.#bad("its parts have different events");
    this.#events = words;
    this.#samples ??= new StackSamples(words.length);
  }

  #takeName(word: string, rest: string): void {
    if (word === "ob") this.#object = this.#names.object.of(rest);
    else if (word === "cob") this.#calledObject = this.#names.object.of(rest);
    else if (word === "fl") this.#source = this.#names.file.of(rest);
    else if (word === "cfi" || word === "cfl") this.#calledSource = this.#names.file.of(rest);
    else if (word === "fi" || word === "fe") this.#names.file.of(rest);
    else if (word === "fn") this.#function = this.#names.function.of(rest);
    else if (word === "cfn") this.#called = this.#names.function.of(rest);
    else if (word === "calls") this.#count = Math.max(1, this.#numberIn(rest, 0, wordEnd(rest, 0)));
    if (word === "ob" || word === "fl" || word === "fn") this.#row = -1;
  }

  #takeCost(line: string): void {
    if (this.#samples === null || this.#function === "") throw this.#bad("a cost precedes its events or function");
    if (this.#row < 0) this.#row = this.#rowOfFunction(this.#samples);
    let at = 0;
    for (let position = 0; position < this.#positions; position++) at = nextWord(line, wordEnd(line, at));
    if (this.#count > 0) return this.#takeCall(line, at);
    for (let event = 0; event < this.#events.length && at < line.length; event++) {
      const end = wordEnd(line, at);
      this.#samples.addTo(this.#row, event, this.#numberIn(line, at, end));
      at = nextWord(line, end);
    }
  }

  /** Functions are numbered when their cost is read, so that their rows have the same numbers. */
  #rowOfFunction(samples: StackSamples): number {
    return samples.row(this.#functions.number({ name: this.#function, object: this.#object, source: this.#source }));
  }

  #takeCall(line: string, at: number): void {
    const object = this.#calledObject === "" ? this.#object : this.#calledObject;
    const source = this.#calledSource === "" ? this.#source : this.#calledSource;
    const cost = at < line.length ? this.#numberIn(line, at, wordEnd(line, at)) : 0;
    this.#calls.add(this.#row, { name: this.#called, object, source }, this.#count, cost);
    this.#count = 0;
    this.#calledObject = this.#calledSource = this.#called = "";
  }

  #numberIn(line: string, from: number, to: number): number {
    let number = 0;
    for (let at = from; at < to; at++) {
      const code = line.charCodeAt(at);
      if (!isDigit(code) || to - from > exactDigits) return this.#longNumber(line.slice(from, to));
      number = number * 10 + code - zero;
    }
    return number;
  }

  /** Parses long and hexadecimal numbers. */
  #longNumber(text: string): number {
    if (/^(?:\d{1,18}|0x[0-9a-f]{1,13})$/i.test(text)) return Number(text);
    throw this.#bad(`'${text.slice(0, 40)}' is not a cost`);
  }

  #bad(reason: string): Failure {
    return new Failure("bad-stack-profile", { file: `${this.#file}:${this.#line}`, format: "callgrind", reason });
  }
}

/** The end of the word that starts at `at`. */
function wordEnd(line: string, at: number): number {
  let end = at;
  while (end < line.length && !isBlank(line.charCodeAt(end))) end++;
  return end;
}

/** The start of the next word, after blanks. */
function nextWord(line: string, at: number): number {
  let start = at;
  while (isBlank(line.charCodeAt(start))) start++;
  return start;
}

/** What identifies a function. */
interface FunctionName {
  readonly name: string;
  readonly object: string;
  readonly source: string;
}

function keyOf({ name, object, source }: FunctionName): string {
  return `${name}\n${object}\n${source}`;
}

/** Numbers functions by name, object and source file. */
class FunctionNumbers {
  readonly frames: StackFrame[] = [];
  readonly #numbers = new Map<string, number>();
  /** The first function of a name and an object. */
  readonly #byName = new Map<string, number>();

  number(called: FunctionName): number {
    const { name, object, source } = called;
    const key = keyOf(called);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.frames.push({
      function: name,
      ...(object === "" ? {} : { module: { path: object } }),
      ...(source === "" || source === "???" ? {} : { source }),
    });
    this.#numbers.set(key, number - 1);
    if (!this.#byName.has(`${name}\n${object}`)) this.#byName.set(`${name}\n${object}`, number - 1);
    return number - 1;
  }

  /** The function that a call names: of another source file, if its own is not known. */
  called(target: FunctionName): number {
    const { name, object } = target;
    return this.#numbers.get(keyOf(target)) ?? this.#byName.get(`${name}\n${object}`) ?? this.number(target);
  }
}

/** Sums of the calls of each function, whose callees may not be read yet. */
class NamedCalls {
  readonly #targets: FunctionName[] = [];
  readonly #numbers = new Map<string, number>();
  /** Caller and target. */
  readonly #pairs = new PairTable();
  readonly #sums: { calls: number; cost: number }[] = [];

  add(caller: number, target: FunctionName, calls: number, cost: number): void {
    const key = keyOf(target);
    let number = this.#numbers.get(key);
    if (number === undefined) this.#numbers.set(key, (number = this.#targets.push(target) - 1));
    const sum = (this.#sums[this.#pairs.number(caller, number)] ??= { calls: 0, cost: 0 });
    sum.calls += calls;
    sum.cost += cost;
  }

  edges(functions: FunctionNumbers): CallEdge[] {
    const callees = this.#targets.map((target) => functions.called(target));
    return this.#sums.map((sum, pair) => ({
      caller: this.#pairs.firstOf(pair),
      callee: callees[this.#pairs.secondOf(pair)]!,
      ...sum,
    }));
  }
}
