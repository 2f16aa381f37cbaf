import {
  StackSamples,
  type StackFacts,
  type StackFrame,
  type StackProfile,
  type ValueType,
  StackTable,
} from "../../../core/profiles/index.ts";
import { moduleName } from "./perf-frame.ts";
import { eventName } from "./perf-header.ts";
import { keyOf, type PlainCall } from "./plain-call.ts";

/** Events whose periods are nanoseconds. */
const clocks = new Set(["cpu-clock", "task-clock"]);

/** Sums of periods and samples of one command, by node. */
interface CommandCounts {
  readonly periods: Map<number, number>;
  readonly samples: Map<number, number>;
}

/**
 * Counts samples of perf as stacks with the command as outermost call. Only samples of the first event count, because
 * events do not add up; a sample counts its period, or 1 without one.
 */
export class PerfCounts {
  readonly #commands = new Map<string, CommandCounts>();
  #event: string | null = null;

  count(command: string, event: string, period: number, stack: number): void {
    this.#event ??= event;
    if (event !== this.#event) return;
    let counts = this.#commands.get(command);
    if (counts === undefined) this.#commands.set(command, (counts = { periods: new Map(), samples: new Map() }));
    counts.periods.set(stack, (counts.periods.get(stack) ?? 0) + period);
    counts.samples.set(stack, (counts.samples.get(stack) ?? 0) + 1);
  }

  /** `calls` has the stacks that were counted. */
  profile(calls: StackTable<PlainCall>, facts: StackFacts = {}): StackProfile {
    const stacks = new StackTable<StackFrame>();
    const samples = new StackSamples(2);
    for (const [command, { periods, samples: counts }] of this.#commands) {
      const nodes = nodesBelow(command, calls, stacks);
      for (const [stack, period] of periods) samples.add(nodes(stack), [counts.get(stack) ?? 0, period]);
    }
    return {
      stacks,
      types: [{ name: "samples", unit: "count" }, typeOf(this.#event ?? "")],
      main: 1,
      samples,
      facts,
    };
  }
}

/** Maps stacks of calls to nodes below the command, which are created lazily. */
function nodesBelow(
  command: string,
  calls: StackTable<PlainCall>,
  stacks: StackTable<StackFrame>,
): (stack: number) => number {
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

/** Removes the leading letter of Java's type descriptors, `Ljava/lang/Object`, but not of `LinkResolver::resolve`. */
function plainOfJava(plain: string): string {
  return plain.startsWith("L") && plain.includes("/") ? plain.slice(1) : plain;
}
