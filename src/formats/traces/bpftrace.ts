import { CallStack, type ThreadCalls } from "./calls.ts";

/** The calls of one process. */
interface ProbedProcess {
  readonly process: number;
  /** Time of the first event, in nanoseconds since the machine started. */
  readonly started: number;
  /** A thread may occur several times. */
  readonly threads: readonly ThreadCalls[];
}

/** Maps static probes that begin an interval to those that end it. */
type ProbePairs = ReadonlyMap<number, number>;

/**
 * Parses the output of a `probeScript` script incrementally. Lines of different CPUs may be out of order. Static probes
 * in `pairs` form an interval; one without a partner lasts until its next hit in the same thread.
 */
export class ProbeLog {
  readonly #pairs: ProbePairs;
  readonly #partners: ReadonlyMap<number, number>;
  readonly #events = new Map<string, number[][]>();
  readonly #decoder = new TextDecoder();
  #rest = "";
  #lines = 0;
  #printed = 0;
  #missed = 0;
  /** Whether the script stopped at its limit of events. */
  exceedsLimit = false;

  constructor(pairs: ProbePairs = new Map()) {
    this.#pairs = pairs;
    this.#partners = new Map([...pairs].map(([begin, end]) => [end, begin]));
  }

  /**
   * Number of lost events. Events lost at the end are counted only if bpftrace printed its summary.
   */
  get lost(): number {
    return Math.max(this.#missed, this.#printed - this.#lines);
  }

  push(bytes: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#readLine(line);
  }

  /** The calls by process; an incomplete last line is ignored. */
  processes(): ProbedProcess[] {
    const byProcess = new Map<number, number[][][]>();
    for (const [key, events] of this.#events) {
      const process = Number(key.split(" ", 1)[0]);
      byProcess.set(process, [...(byProcess.get(process) ?? []), events.toSorted((a, b) => a[0]! - b[0]!)]);
    }
    return [...byProcess]
      .map(([process, threads]) => this.#process(process, threads))
      .toSorted((a, b) => a.started - b.started);
  }

  #process(process: number, threads: number[][][]): ProbedProcess {
    const byStart = threads.toSorted((a, b) => a[0]![0]! - b[0]![0]!);
    const started = byStart[0]![0]![0]!;
    const end = Math.max(...byStart.map((events) => events.at(-1)![0]!)) - started;
    return { process, started, threads: byStart.flatMap((events, at) => this.#thread(at + 1, events, started, end)) };
  }

  #readLine(line: string): void {
    const [, kind, process, thread, time, id, argument] = eventLine.exec(line) ?? [];
    if (kind === undefined) {
      this.#missed += Number(/^Lost (\d{1,15}) events?$/.exec(line)?.[1] ?? 0);
      this.#printed += Number(/^@printed: (\d{1,15})$/.exec(line)?.[1] ?? 0);
      this.exceedsLimit ||= line === "limit";
      return;
    }
    this.#lines++;
    const key = `${process} ${thread}`;
    const event = [
      Number(time),
      kinds.indexOf(kind),
      Number(id),
      argument === undefined || argument === "-" ? Number.NaN : Number(argument),
    ];
    const known = this.#events.get(key);
    if (known) known.push(event);
    else this.#events.set(key, [event]);
  }

  /** Separate stacks for functions and for each static probe, because probes need not nest. */
  #thread(thread: number, events: readonly number[][], started: number, end: number): ThreadCalls[] {
    const functions = new CallStack(thread);
    const probes = new Map<number, CallStack>();
    for (const [time = 0, kind = 0, id = 0, size = Number.NaN] of events) {
      if (kind === 0) functions.enter(id, time - started, { size });
      else if (kind === 1) leave(functions, id, time - started);
      else this.#hit(probes, thread, id, time - started);
    }
    return [functions, ...probes.values()].map((stack) => stack.finish(end)).filter(({ starts }) => starts.length > 0);
  }

  #hit(probes: Map<number, CallStack>, thread: number, id: number, time: number): void {
    const begin = this.#partners.get(id) ?? id;
    const stack = probes.get(begin) ?? new CallStack(thread);
    probes.set(begin, stack);
    if (begin !== id || !this.#pairs.has(id)) leave(stack, begin, time);
    if (begin === id) stack.enter(id, time);
  }
}

const kinds = ["e", "x", "u"];
const eventLine = /^([exu]) (\d{1,10}) (\d{1,10}) (\d{1,18}) (\d{1,9})(?: (-|-?\d{1,20}))?$/;

/** Ends a call; calls still open within it were left by a jump. Calls entered before tracing started are ignored. */
function leave(stack: CallStack, id: number, time: number): void {
  if (!stack.isOpen(id)) return;
  while (stack.innermost !== id) stack.leave(time, 1);
  stack.leave(time, 0);
}

/** A static probe (USDT) of a program, as defined by systemtap's sys/sdt.h. */
export interface StaticProbeName {
  readonly provider: string;
  readonly name: string;
}

/** The probes in the output of `readelf --notes`, each listed once. */
export function readStaticProbes(listed: string): StaticProbeName[] {
  const probes = new Map<string, StaticProbeName>();
  for (const [, provider = "", name = ""] of listed.matchAll(/\bProvider: (\S{1,200})\n +Name: (\S{1,200})$/gm))
    probes.set(`${provider}:${name}`, { provider, name });
  return [...probes.values()];
}

const endsOf: readonly (readonly [begin: string, ends: readonly string[]])[] = [
  ["begin", ["end"]],
  ["start", ["end", "stop", "done", "finish"]],
  ["entry", ["return", "exit"]],
  ["enter", ["leave", "exit"]],
];

/** The probe that ends what this one begins, by their names: `query_begin` and `query_end`. */
export function endProbeOf(probe: StaticProbeName, all: readonly StaticProbeName[]): StaticProbeName | undefined {
  const [, stem = "", begin = ""] = /^(.*?)(begin|start|entry|enter)$/.exec(probe.name) ?? [];
  const ends = endsOf.find(([word]) => word === begin)?.[1] ?? [];
  return all.find(({ provider, name }) => provider === probe.provider && ends.some((end) => name === stem + end));
}

/** A function whose entries and returns are traced. */
export interface ProbedFunction {
  /** Its number in the output. */
  readonly id: number;
  /** Path without special characters of bpftrace; see `isProbePath`. */
  readonly path: string;
  /** Mangled name; see `isProbeName`. */
  readonly name: string;
  /** Every `every`-th call is traced. */
  readonly every: number;
  /** Number (from 1) of the integer argument to print. */
  readonly argument: number | null;
}

/** A static probe to trace. */
export interface StaticProbe {
  readonly id: number;
  readonly path: string;
  readonly provider: string;
  readonly name: string;
  readonly every: number;
}

/** Whether a name is safe between quotes in a script. */
export function isProbeName(name: string): boolean {
  return /^[A-Za-z_.$][\w.$]{0,1000}$/.test(name);
}

/** Whether a path is safe in a script. */
export function isProbePath(path: string): boolean {
  return /^[\w./-]+$/.test(path);
}

/**
 * Restricts probes to descendants of the process given as first argument of the script.
 */
const isDescendant = [1, 2, 3]
  .map((generation) => `curtask${"->real_parent".repeat(generation)}->tgid == $1`)
  .join(" || ");

/**
 * A bpftrace script that prints one line per event: `e` (entry), `x` (return) or `u` (static probe), then process,
 * thread, nanoseconds, id and, for `e`, the argument or `-`. It prints `ready` when all probes are attached, `limit`
 * when it stops after `limit` events, and at the end `@printed: N` with the number of event lines. The argument of the
 * script is the process that starts the program.
 */
export function probeScript(
  functions: readonly ProbedFunction[],
  probes: readonly StaticProbe[],
  limit: number,
): string {
  return [
    ...functions.flatMap((called) => [entryProbe(called, limit), returnProbe(called)]),
    ...probes.map((probe) => staticProbe(probe, limit)),
    ready,
  ]
    .map((text) => `${text}\n`)
    .join("");
}

/**
 * A bpftrace script that counts the calls of functions, prints `ready` when all probes are attached, and at the end
 * lines for `readCallCounts`. Its argument is that of `probeScript`.
 */
export function countScript(functions: readonly ProbedFunction[]): string {
  const counters = functions.map(
    ({ id, path, name }) => `uprobe:${path}:"${name}" /${isDescendant}/ { @calls[${id}] = count(); }`,
  );
  return [...counters, ready].map((text) => `${text}\n`).join("");
}

/** Calls by the function's id, from the output of `countScript`. */
export function readCallCounts(text: string): Map<number, number> {
  return new Map(
    Array.from(text.matchAll(/^@calls\[(\d{1,9})\]: (\d{1,15})$/gm), ([, id, calls]) => [Number(id), Number(calls)]),
  );
}

/** Must be the last probe: bpftrace attaches probes in order. */
const ready = `interval:ms:10 { if (@ready == 0) { @ready = 1; printf("ready\\n"); } }`;

function entryProbe({ id, path, name, every, argument }: ProbedFunction, limit: number): string {
  const [format, value] = argument === null ? ["-", ""] : ["%lld", `, arg${argument - 1}`];
  const printLine = `printf("e %d %d %llu ${id} ${format}\\n", pid, tid, nsecs${value});`;
  const print = `${countEvent(limit)} ${countPrinted} ${printLine}`;
  // For recursive functions, @t remembers by depth which calls are traced.
  const body =
    every === 1
      ? print
      : `@d${id}[tid]++; if (@n${id} % ${every} == 0) { @t${id}[tid, @d${id}[tid]] = 1; ${print} } @n${id}++;`;
  return `uprobe:${path}:"${name}" /${isDescendant}/ { ${body} }`;
}

function returnProbe({ id, path, name, every }: ProbedFunction): string {
  const print = `${countPrinted} printf("x %d %d %llu ${id}\\n", pid, tid, nsecs);`;
  const body =
    every === 1
      ? print
      : `if (@t${id}[tid, @d${id}[tid]]) { delete(@t${id}[tid, @d${id}[tid]]); ${print} } ` +
        `if (@d${id}[tid] > 0) { @d${id}[tid]--; }`;
  return `uretprobe:${path}:"${name}" /${isDescendant}/ { ${body} }`;
}

function staticProbe({ id, path, provider, name, every }: StaticProbe, limit: number): string {
  const print = `${countEvent(limit)} ${countPrinted} printf("u %d %d %llu ${id}\\n", pid, tid, nsecs);`;
  const body = every === 1 ? print : `if (@n${id} % ${every} == 0) { ${print} } @n${id}++;`;
  return `usdt:${path}:"${provider}":"${name}" /${isDescendant}/ { ${body} }`;
}

/** bpftrace prints the count at its end, which reveals lost lines. */
const countPrinted = "@printed = count();";

function countEvent(limit: number): string {
  return `@all++; if (@all > ${limit}) { printf("limit\\n"); exit(); }`;
}
