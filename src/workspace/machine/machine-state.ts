import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, JsonNumber, jsonObject, type Json, type JsonObject } from "../../core/values/json.ts";

/** What the machine did besides, while something was measured. null: this machine does not tell. */
export interface MachineState {
  /** Runnable processes of the last minute (/proc/loadavg), before the first measurement. */
  readonly load: number | null;
  /** Ticks of all processors meanwhile, and of these what a hypervisor gave to others (/proc/stat). */
  readonly ticks: number | null;
  readonly stolen: number | null;
  /** How often a processor slowed down because it was too hot. */
  readonly throttled: number | null;
  /** Clock rates that were seen, in MHz. */
  readonly slowest: number | null;
  readonly fastest: number | null;
}

type Reading = Omit<MachineState, "slowest" | "fastest"> & { readonly megahertz: readonly number[] };

/** Watches the machine from the moment it is made. `root` is `/` but in tests. */
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

/** The state during several measurements, the first one first. */
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

/** What `stateToJson` made; nothing is known where it is something else. */
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
  // user nice system idle iowait irq softirq steal: guests are in user already (proc(5)).
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
  return [...readOrEmpty(path).matchAll(/^cpu MHz\s*: (\d+(?:\.\d+)?)$/gm)].map(([, number]) => Number(number));
}

/** The numbers of the first line. */
function numbersIn(path: string): number[] {
  return (
    readOrEmpty(path)
      .split("\n", 1)[0]
      ?.match(/(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g) ?? []
  ).map(Number);
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
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
