import { CallStack, type ThreadCalls } from "./calls.ts";

/** What bpftrace printed of one process. */
export interface ProbedProcess {
  readonly process: number;
  /** Nanoseconds since the machine started: the first event. */
  readonly started: number;
  /** One thread may be there several times. */
  readonly threads: readonly ThreadCalls[];
}

/** By the static probe that stands for the beginning of something the one that stands for its end. */
export type ProbePairs = ReadonlyMap<number, number>;

/**
 * Reads what the script of `probeScript` prints, piece by piece. Lines of different processors may stand in another
 * order than they happened. A static probe of `pairs` begins what its partner ends; one without a partner lasts until
 * it is met again in the same thread.
 */
export class ProbeLog {
  readonly #pairs: ProbePairs;
  readonly #partners: ReadonlyMap<number, number>;
  readonly #events = new Map<string, number[][]>();
  readonly #decoder = new TextDecoder();
  #rest = "";
  #lines = 0;
  #told = 0;
  #missed = 0;
  /** True when there were more than the script allows. */
  isOver = false;

  constructor(pairs: ProbePairs = new Map()) {
    this.#pairs = pairs;
    this.#partners = new Map([...pairs].map(([begin, end]) => [end, begin]));
  }

  /**
   * Events that bpftrace could not keep up with. Those that it forgot at its end are known where it came to the end.
   */
  get lost(): number {
    return Math.max(this.#missed, this.#told - this.#lines);
  }

  push(bytes: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#readLine(line);
  }

  /** The calls; a line that is not whole is none. */
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
      this.#told += Number(/^@told: (\d{1,15})$/.exec(line)?.[1] ?? 0);
      this.isOver ||= line === "limit";
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

  /** Functions, and each static probe by itself: what they stand for does not lie within each other. */
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

/** What is open within a call that is over was left by a jump. One that was entered before anybody looked is none. */
function leave(stack: CallStack, id: number, time: number): void {
  if (!stack.isOpen(id)) return;
  while (stack.innermost !== id) stack.leave(time, 1);
  stack.leave(time, 0);
}
