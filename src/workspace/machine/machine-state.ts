import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { isObject, JsonNumber, jsonObject, type Json, type JsonObject } from "../../core/values/index.ts";
import { systemText } from "../files/index.ts";

/** Load of the machine during a measurement. null: unknown on this machine. */
export interface MachineState {
  /** Runnable processes of the last minute (/proc/loadavg), before the first measurement. */
  readonly load: number | null;
  /** Ticks of all processors, and how many of them a hypervisor gave to other guests (/proc/stat). */
  readonly ticks: number | null;
  readonly stolen: number | null;
  /** Number of thermal throttling events. */
  readonly throttled: number | null;
  /** Lowest and highest observed clock rate in MHz. */
  readonly slowest: number | null;
  readonly fastest: number | null;
}

type Reading = Omit<MachineState, "slowest" | "fastest"> & { readonly megahertz: readonly number[] };

/** Observes the machine from its construction on. `root` differs from `/` only in tests. */
export class MachineWatch {
  readonly #root: string;
  readonly #start: Reading;

  constructor(root = "/") {
    this.#root = root;
    this.#start = readMachine(root);
  }

  end(): MachineState {
    const [start, end] = [this.#start, readMachine(this.#root)];
    const seen = [...start.megahertz, ...end.megahertz];
    return {
      load: start.load,
      ticks: difference(end.ticks, start.ticks),
      stolen: difference(end.stolen, start.stolen),
      throttled: difference(end.throttled, start.throttled),
      slowest: seen.length === 0 ? null : Math.min(...seen),
      fastest: seen.length === 0 ? null : Math.max(...seen),
    };
  }
}

/** Merges the states of several measurements, the earliest first. */
export function mergeMachineStates([first, ...others]: readonly [MachineState, ...MachineState[]]): MachineState {
  return others.reduce(
    (all, next) => ({
      load: all.load,
      ticks: combine((a, b) => a + b, all.ticks, next.ticks),
      stolen: combine((a, b) => a + b, all.stolen, next.stolen),
      throttled: combine((a, b) => a + b, all.throttled, next.throttled),
      slowest: combine(Math.min, all.slowest, next.slowest),
      fastest: combine(Math.max, all.fastest, next.fastest),
    }),
    first,
  );
}

const fields = ["load", "ticks", "stolen", "throttled", "slowest", "fastest"] as const;

export function stateToJson(state: MachineState): JsonObject {
  return jsonObject(Object.fromEntries(fields.map((name) => [name, numberOrNull(state[name])])));
}

/** Inverse of `stateToJson`; anything invalid becomes null. */
export function stateFromJson(json: Json | undefined): MachineState {
  const at = (name: string): number | null => {
    const value = isObject(json) ? json.get(name) : undefined;
    return value instanceof JsonNumber && Number.isFinite(value.value) ? value.value : null;
  };
  const [load, ticks, stolen, throttled, slowest, fastest] = fields.map(at);
  return {
    load: load ?? null,
    ticks: ticks ?? null,
    stolen: stolen ?? null,
    throttled: throttled ?? null,
    slowest: slowest ?? null,
    fastest: fastest ?? null,
  };
}

export function numberOrNull(value: number | null): Json {
  if (value === null) return null;
  return Number.isSafeInteger(value) ? JsonNumber.integer(value) : JsonNumber.float(value);
}

function readMachine(root: string): Reading {
  const processors = entryNames(join(root, "sys/devices/system/cpu")).filter((name) => /^cpu\d+$/.test(name));
  const of = (path: string): number[] =>
    processors.flatMap((name) => numbersIn(join(root, "sys/devices/system/cpu", name, path)));
  const throttles = of("thermal_throttle/core_throttle_count");
  const kilohertz = of("cpufreq/scaling_cur_freq");
  const [load] = numbersIn(join(root, "proc/loadavg"));
  // user nice system idle iowait irq softirq steal; guest time is already in user (proc(5)).
  const ticks = numbersIn(join(root, "proc/stat")).slice(0, 8);
  return {
    load: load ?? null,
    ticks: ticks.length < 8 ? null : ticks.reduce((sum, each) => sum + each, 0),
    stolen: ticks[7] ?? null,
    throttled: throttles.length === 0 ? null : throttles.reduce((sum, each) => sum + each, 0),
    megahertz: kilohertz.length > 0 ? kilohertz.map((each) => each / 1000) : megahertzOf(join(root, "proc/cpuinfo")),
  };
}

function megahertzOf(path: string): number[] {
  return [...systemText(path).matchAll(/^cpu MHz\s*: (\d+(?:\.\d+)?)$/gm)].map(([, number]) => Number(number));
}

/** Numbers on the first line of a file. */
function numbersIn(path: string): number[] {
  return (
    systemText(path)
      .split("\n", 1)[0]
      ?.match(/(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g) ?? []
  ).map(Number);
}

function entryNames(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function difference(end: number | null, start: number | null): number | null {
  return end === null || start === null ? null : Math.max(0, end - start);
}

function combine(join: (a: number, b: number) => number, a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : join(a, b);
}

/** Number of timed loops, and the bytes of each. */
const [repetitions, bytes] = [5, 1 << 18];

let canaryBytes: Buffer | undefined;

/** Bytes from a fixed sequence (xorshift, Marsaglia 2003), half of them repeated so that they compress. */
function fixedBytes(): Buffer {
  const all = Buffer.alloc(bytes);
  let state = 2463534242;
  for (let at = 0; at < bytes; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    all[at] = at % 64 < 32 ? state & 255 : (all[at - 32] as number);
  }
  return all;
}

/**
 * Times work that never changes, in seconds: to compress and hash 256 KiB, which reads memory, branches and computes.
 * Compiled code of Node, since V8 would still optimise a loop of ours. `clock` is monotonic, in milliseconds.
 */
export function timeCanary(clock: () => number = () => performance.now()): number[] {
  const data = (canaryBytes ??= fixedBytes());
  const work = (): Buffer => createHash("sha256").update(deflateSync(data)).update(data).digest();
  work();
  return Array.from({ length: repetitions }, () => {
    const start = clock();
    work();
    return (clock() - start) / 1000;
  });
}
