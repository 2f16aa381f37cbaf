import { Failure } from "../../../core/failures/index.ts";
import {
  StackSamples,
  type StackFrame,
  type StackProfile,
  type ValueType,
  StackTable,
} from "../../../core/profiles/index.ts";
import { moduleName, readPerfFrame, type PerfFrame } from "./perf-frame.ts";
import { eventName } from "./perf-header.ts";
import { PerfSampleReader, type PerfSample } from "./perf-samples.ts";

/**
 * Reads samples of `perf script` with perf's frames. Skips the address 0, which perf prints after a broken chain of
 * frame pointers.
 */
export class PerfScriptReader extends PerfSampleReader<PerfFrame> {
  constructor(take: (sample: PerfSample) => void, stacks: StackTable<PerfFrame> = new StackTable()) {
    super(take, stacks, (line) => {
      if (/^\s*0\s+\[unknown\]/.test(line)) return [];
      const frame = readPerfFrame(line);
      return frame === null
        ? null
        : [stacks.frame(`${frame.symbol ?? ""}\n${frame.module ?? ""}\n${frame.isInlined}`, () => frame)];
    });
  }
}

/** Events whose periods are nanoseconds. */
const clocks = new Set(["cpu-clock", "task-clock"]);

/**
 * Reads the output of `perf script` as stacks with the command as outermost call. Only samples of the first event
 * count, because events do not add up; a sample counts its period, or 1 without one. Memory grows with the number of
 * distinct stacks. Fails with `not-perf-script`.
 */
export async function readPerfStacks(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const collector = new PerfStackCollector();
  for await (const piece of source) collector.reader.push(piece);
  if (collector.reader.end(file).samples === 0) throw new Failure("not-perf-script", { file });
  return collector.profile();
}

/** Sums of periods and samples of one command, by node. */
interface CommandCounts {
  readonly periods: Map<number, number>;
  readonly samples: Map<number, number>;
}

class PerfStackCollector {
  readonly reader: PerfSampleReader<PlainCall>;
  readonly #commands = new Map<string, CommandCounts>();
  #event: string | null = null;

  constructor() {
    const calls = new StackTable<PlainCall>();
    this.reader = new PerfSampleReader(
      (sample) => this.#count(sample),
      calls,
      (line) => plainCalls(line)?.map((call) => calls.frame(keyOf(call), () => call)) ?? null,
    );
  }

  profile(): StackProfile {
    const stacks = new StackTable<StackFrame>();
    const samples = new StackSamples(2);
    for (const [command, { periods, samples: counts }] of this.#commands) {
      const nodes = this.#nodesOf(command, stacks);
      for (const [stack, period] of periods) samples.add(nodes(stack), [counts.get(stack) ?? 0, period]);
    }
    return {
      stacks,
      types: [{ name: "samples", unit: "count" }, typeOf(this.#event ?? "")],
      main: 1,
      samples,
      facts: {},
    };
  }

  #count({ command, event, period, stack }: PerfSample): void {
    this.#event ??= event;
    if (event !== this.#event) return;
    let counts = this.#commands.get(command);
    if (counts === undefined) this.#commands.set(command, (counts = { periods: new Map(), samples: new Map() }));
    counts.periods.set(stack, (counts.periods.get(stack) ?? 0) + period);
    counts.samples.set(stack, (counts.samples.get(stack) ?? 0) + 1);
  }

  /** Maps stacks of the reader to nodes below the command, which are created lazily. */
  #nodesOf(command: string, stacks: StackTable<StackFrame>): (stack: number) => number {
    const { stacks: calls } = this.reader;
    const isJava = command.startsWith("java");
    const name = command.replaceAll(" ", "_");
    const root = stacks.called(
      0,
      stacks.frame(`\n${name}`, () => ({ function: name })),
    );
    const nodes = new Map<number, number>([[0, root]]);
    const frames = calls.frames.map(
      (call) => () => stacks.frame(`${isJava} ${keyOf(call)}`, () => frameOf(call, isJava)),
    );
    return (stack) => {
      const path: number[] = [];
      let at = stack;
      for (; !nodes.has(at); at = calls.callerOf(at)) path.push(at);
      let node = nodes.get(at)!;
      for (const each of path.toReversed()) {
        node = stacks.called(node, frames[calls.callOf(each)]!());
        nodes.set(each, node);
      }
      return node;
    };
  }
}

function keyOf({ frame, plain }: PlainCall): string {
  return `${plain}\n${frame.symbol ?? ""}\n${frame.module ?? ""}\n${frame.isInlined}`;
}

function frameOf({ frame, plain }: PlainCall, isJava: boolean): StackFrame {
  const plainText = isJava ? plainOfJava(plain) : plain;
  const name = frame.symbol ?? plainText;
  const module = moduleName(frame);
  return {
    function: name,
    ...(plainText === name ? {} : { plain: plainText }),
    ...(module === null ? {} : { module: { path: frame.module ?? module } }),
    ...(frame.isInlined ? { inlined: true } : {}),
  };
}

function typeOf(event: string): ValueType {
  const name = eventName(event);
  return { name: name === "" ? "period" : name, unit: clocks.has(name) ? "nanoseconds" : "count" };
}

/** A call in a line of `perf script`. */
interface PlainCall {
  readonly frame: PerfFrame;
  /** Its name in flame graphs. */
  readonly plain: string;
}

/**
 * The calls in a line of `perf script`, outermost first, with the short names of FlameGraph's stackcollapse-perf:
 * without offsets and C++ arguments, `[module]` without a symbol. `a->b`, the inlined calls of Java compilers, is two
 * calls. Empty for process names, which old versions printed; null if the line is not a frame.
 */
export function plainCalls(line: string): readonly PlainCall[] | null {
  const frame = readPerfFrame(line);
  if (frame === null) return null;
  const [symbol, module] = symbolAndModule(line) ?? [frame.symbol ?? "[unknown]", frame.module ?? "[unknown]"];
  if (symbol.startsWith("(")) return [];
  if (!symbol.includes("->")) return [{ frame, plain: plainName(symbol, module) }];
  // The name of `operator->` ends with the separator.
  const names = symbol.replace(/(?:->)+$/, "").split("->");
  return names.map((name) => ({ frame: { ...frame, symbol: name }, plain: plainName(name, module) }));
}

/**
 * Splits a line as stackcollapse-perf does: the last ` (` before a `)` ends the symbol, so the symbol of
 * `f (/a (deleted))` is `f (/a`.
 */
function symbolAndModule(line: string): readonly [symbol: string, module: string] | null {
  const address = /^\s*\w+\s+/.exec(line)?.[0];
  const closing = line.lastIndexOf(")");
  const opening = closing < 0 ? -1 : line.lastIndexOf(" (", closing - 2);
  if (address === undefined || opening <= address.length - 1 || !/^\s*[0-9a-f]+\s/.test(address)) return null;
  return [line.slice(address.length, opening).replace(/\+0x[0-9a-f]+$/, ""), line.slice(opening + 2, closing)];
}

function plainName(symbol: string, module: string): string {
  if (symbol === "[unknown]")
    return module === "[unknown]" ? symbol : `[${module.slice(module.lastIndexOf("/") + 1).replaceAll(";", ":")}]`;
  const name = symbol.replaceAll(";", ":");
  return (isGoMethod(name) ? name : withoutArguments(name)).replaceAll(/["']/g, "");
}

/** `net/http.(*Client).Do`. */
function isGoMethod(name: string): boolean {
  const opening = name.indexOf(".(");
  return opening >= 0 && name.lastIndexOf(").") >= opening + 2;
}

/** Removes arguments, but keeps `(anonymous namespace)`. */
function withoutArguments(name: string): string {
  for (let at = name.indexOf("("); at >= 0; at = name.indexOf("(", at + 1))
    if (!name.startsWith("(anonymous namespace)", at)) return name.slice(0, at);
  return name;
}

/** Removes the leading letter of Java's type descriptors, `Ljava/lang/Object`, but not of `LinkResolver::resolve`. */
function plainOfJava(plain: string): string {
  return plain.startsWith("L") && plain.includes("/") ? plain.slice(1) : plain;
}
