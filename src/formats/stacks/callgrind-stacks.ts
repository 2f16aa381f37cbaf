import { Failure } from "../../core/errors.ts";
import { StackSamples, type StackFrame, type StackProfile } from "../../core/stack-profile.ts";
import { StackTable } from "../../core/stack-table.ts";
import { CallgrindNames } from "./callgrind-names.ts";
import { textLines } from "../text/text-lines.ts";

/** Of one line; processors count no more events at once. */
const mostEvents = 64;

/**
 * Reads what `valgrind --tool=callgrind` and its like write (https://valgrind.org/docs/manual/cl-format.html): what each function costs by itself, in all
 * events. A call graph holds no stacks, so each stack is one function alone. Parts of one file are added up. Fails with `bad-stack-profile`, `no-stacks`.
 */
export async function readCallgrind(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const reader = new CallgrindReader(file);
  for await (const line of textLines(source)) reader.take(line.trim());
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
  /** Where the function is. */
  #source = "";
  #function = "";
  /** The next line of costs is of calls. */
  #isCall = false;
  /** Of the function; −1: of the next cost it has to be found. */
  #row = -1;

  constructor(file: string) {
    this.#file = file;
  }

  take(line: string): void {
    this.#line++;
    if (/^[\d+*-]/.test(line)) return this.#takeCost(line);
    const [, word, mark, rest = ""] = /^([a-z]+)(=|:)\s*(.*)$/s.exec(line) ?? [];
    if (mark === ":") this.#takeHead(word, rest);
    else if (mark === "=") this.#takeName(word, rest);
  }

  end(): StackProfile {
    const samples = this.#samples;
    if (samples === null || samples.length === 0) throw new Failure("no-stacks", { file: this.#file, what: "callgrind" });
    const types = this.#events.map((name) => ({ name, unit: "count" }));
    return { stacks: this.#stacks, types, main: 0, samples, facts: this.#command === "" ? {} : { command: this.#command } };
  }

  #takeHead(word: string | undefined, rest: string): void {
    const words = rest.split(/\s+/).filter((each) => each !== "");
    if (word === "positions") this.#positions = Math.max(1, words.length);
    else if (word === "cmd") this.#command = rest.trim();
    else if (word === "events") this.#takeEvents(words);
  }

  #takeEvents(words: readonly string[]): void {
    if (words.length === 0 || words.length > mostEvents) throw this.#bad("its events make no sense");
    if (this.#samples !== null && words.join() !== this.#events.join()) throw this.#bad("its parts are of different events");
    this.#events = words;
    this.#samples ??= new StackSamples(words.length);
  }

  #takeName(word: string | undefined, rest: string): void {
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
    if (this.#samples === null || this.#function === "") throw this.#bad("a cost comes before what it is of");
    if (this.#row < 0) this.#row = this.#samples.row(this.#stackOfFunction());
    const costs = line.split(/\s+/).slice(this.#positions);
    for (const [at, cost] of costs.slice(0, this.#events.length).entries()) this.#samples.addTo(this.#row, at, this.#numberIn(cost));
  }

  #stackOfFunction(): number {
    const [name, path, source] = [this.#function, this.#object, this.#source];
    return this.#stacks.called(
      0,
      this.#stacks.frame(JSON.stringify([name, path, source]), () => ({
        function: name,
        ...(path === "" ? {} : { module: { path } }),
        ...(source === "" || source === "???" ? {} : { source }),
      })),
    );
  }

  #numberIn(text: string): number {
    if (/^\d{1,18}$/.test(text)) return Number(text);
    if (/^0x[0-9a-f]{1,13}$/i.test(text)) return Number(text);
    throw this.#bad(`'${text.slice(0, 40)}' is no cost`);
  }

  #bad(reason: string): Failure {
    return new Failure("bad-stack-profile", { file: `${this.#file}:${this.#line}`, format: "callgrind", reason });
  }
}
