import { Failure } from "../../../core/failures/index.ts";
import { StackSamples, type StackFrame, type StackProfile, StackTable } from "../../../core/profiles/index.ts";
import { CallgrindNames } from "./callgrind-graph.ts";
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
 * each function in all events. A call graph has no stacks, so each stack is a single function. Sums the parts of a
 * file. Fails with `bad-stack-profile`, `no-stacks`.
 */
export async function readCallgrind(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const reader = new CallgrindReader(file);
  for await (const lines of textLineLists(source)) for (const line of lines) reader.take(line.trim());
  return reader.end();
}

class CallgrindReader {
  readonly #file: string;
  readonly #stacks = new StackTable<StackFrame>();
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
  /** Whether the next cost line belongs to a call. */
  #isCall = false;
  /** Row of the function; −1 until its next cost. */
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
    return {
      stacks: this.#stacks,
      types,
      main: 0,
      samples,
      facts: this.#command === "" ? {} : { command: this.#command },
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
    else if (word === "cob") this.#names.object.of(rest);
    else if (word === "fl") this.#source = this.#names.file.of(rest);
    else if (word === "fi" || word === "fe" || word === "cfi" || word === "cfl") this.#names.file.of(rest);
    else if (word === "fn") this.#function = this.#names.function.of(rest);
    else if (word === "cfn") this.#names.function.of(rest);
    else if (word === "calls") this.#isCall = true;
    if (word === "ob" || word === "fl" || word === "fn") this.#row = -1;
  }

  #takeCost(line: string): void {
    if (this.#isCall) {
      this.#isCall = false;
      return;
    }
    if (this.#samples === null || this.#function === "") throw this.#bad("a cost precedes its events or function");
    if (this.#row < 0) this.#row = this.#samples.row(this.#stackOfFunction());
    let at = 0;
    for (let position = 0; position < this.#positions; position++) at = nextWord(line, wordEnd(line, at));
    for (let event = 0; event < this.#events.length && at < line.length; event++) {
      const end = wordEnd(line, at);
      this.#samples.addTo(this.#row, event, this.#numberIn(line, at, end));
      at = nextWord(line, end);
    }
  }

  #stackOfFunction(): number {
    const [name, path, source] = [this.#function, this.#object, this.#source];
    return this.#stacks.called(
      0,
      this.#stacks.frame(`${name}\n${path}\n${source}`, () => ({
        function: name,
        ...(path === "" ? {} : { module: { path } }),
        ...(source === "" || source === "???" ? {} : { source }),
      })),
    );
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
