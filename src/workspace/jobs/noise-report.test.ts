import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { jsonObject } from "../../core/values/json.ts";
import type { Table } from "../../core/tables/table.ts";
import { profileOf } from "../../formats/profile/build-profile.ts";
import {
  mergeMachineStates,
  MachineWatch,
  stateFromJson,
  stateToJson,
  type MachineState,
} from "../machine/machine-state.ts";
import { noiseReport, noiseWarnings, scatterOf } from "./noise-report.ts";

let root: string;

beforeEach(() => (root = mkdtempSync(join(tmpdir(), "perfkeep-machine-"))));

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Writes files of a fake kernel. */
function writeFiles(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function tableOf(amounts: readonly number[], columns: Readonly<Record<string, readonly number[]>> = {}): Table {
  const all = { amount: amounts, order: amounts.map((_, at) => at + 1), ...columns };
  return profileOf({
    type: "time",
    cmd: "x",
    workload: "",
    units: { time: "s" },
    collector: { name: "time", params: null },
    subjects: [
      {
        properties: jsonObject({ uid: "x", subtype: "real" }),
        columns: Object.entries(all).map(([name, values]) => ({ name, type: "float", values })),
      },
    ],
  }).data;
}

const quiet: MachineState = { load: 0.5, ticks: 1000, stolen: 0, throttled: 0, slowest: 3000, fastest: 3000 };
const settings = { processors: null, order: "sequential", rounds: 1 } as const;

test("variation is the coefficient of variation; outliers are counted", () => {
  const [only] = scatterOf(tableOf([10, 10.1, 9.9, 10, 30]), "small");
  expect(only).toMatchObject({ uid: "x", subtype: "real", workload: "small", repetitions: 5, mean: 14, outliers: 1 });
  // Deviations -4 -3.9 -4.1 -4 16: squares sum to 320.02, divided by 4.
  expect(only?.variation).toBeCloseTo(Math.sqrt(80.005) / 14, 12);
});

test("reports no outliers below five repetitions, nothing below two", () => {
  expect(scatterOf(tableOf([1, 1, 9, 1]), null)[0]?.outliers).toBeNull();
  expect(scatterOf(tableOf([1]), null)).toEqual([]);
  expect(scatterOf(tableOf([0, 0]), null)[0]?.variation).toBeNull();
});

test("rows with different parameters are not repetitions", () => {
  const sizes = tableOf([10, 1000, 10, 1000], { order: [1, 1, 2, 2], size: [64, 4096, 64, 4096] });
  expect(scatterOf(sizes, null, ["size"])).toMatchObject([
    { workload: "size=64", repetitions: 2, mean: 10, variation: 0 },
    { workload: "size=4096", repetitions: 2, mean: 1000, variation: 0 },
  ]);
  expect(scatterOf(sizes, "big", ["size"])[0]?.workload).toBe("big size=64");
});

test("rows without a repetition number are not repetitions", () => {
  const { variables, columns, ...table } = tableOf([1, 2, 3]);
  const at = variables.findIndex(({ name }) => name === "order");
  const without = <T>(list: readonly T[]): T[] => list.filter((_, index) => index !== at);
  expect(scatterOf({ ...table, variables: without(variables), columns: without(columns) }, null)).toEqual([]);
});

test("the machine is observed from start to end", () => {
  const cpu = "sys/devices/system/cpu";
  writeFiles({
    "proc/loadavg": "1.25 1.00 0.50 2/300 4242\n",
    "proc/stat": "cpu  100 0 50 800 10 0 0 40 7 0\ncpu0 1 2 3 4\n",
    [`${cpu}/cpu0/cpufreq/scaling_cur_freq`]: "3600000\n",
    [`${cpu}/cpu1/cpufreq/scaling_cur_freq`]: "2400000\n",
    [`${cpu}/cpu0/thermal_throttle/core_throttle_count`]: "5\n",
    [`${cpu}/cpufreq/boost`]: "1\n",
  });
  const watch = new MachineWatch(root);
  writeFiles({
    "proc/stat": "cpu  180 0 50 900 10 0 0 60 7 0\n",
    [`${cpu}/cpu1/cpufreq/scaling_cur_freq`]: "800000\n",
    [`${cpu}/cpu0/thermal_throttle/core_throttle_count`]: "8\n",
  });
  expect(watch.end()).toEqual({ load: 1.25, ticks: 200, stolen: 20, throttled: 3, slowest: 800, fastest: 3600 });
});

test("clock rates fall back to /proc/cpuinfo; unknown values are null", () => {
  expect(new MachineWatch(root).end()).toEqual({
    load: null,
    ticks: null,
    stolen: null,
    throttled: null,
    slowest: null,
    fastest: null,
  });
  writeFiles({ "proc/cpuinfo": "model\t: x\ncpu MHz\t\t: 2100.500\n\ncpu MHz\t\t: 1800\n" });
  expect(new MachineWatch(root).end()).toMatchObject({ slowest: 1800, fastest: 2100.5 });
});

test("states are merged: the load of the first, everything else of all", () => {
  const later = { load: 9, ticks: 500, stolen: 50, throttled: 2, slowest: 800, fastest: 3500 };
  expect(mergeMachineStates([quiet, later])).toEqual({
    load: 0.5,
    ticks: 1500,
    stolen: 50,
    throttled: 2,
    slowest: 800,
    fastest: 3500,
  });
  const unknown = stateFromJson(null);
  expect(mergeMachineStates([unknown, later])).toEqual({ ...later, load: null });
  for (const state of [quiet, later, unknown]) expect(stateFromJson(stateToJson(state))).toEqual(state);
});

test("a report warns only of reasons to doubt the numbers", () => {
  const steady = scatterOf(tableOf([10, 10.1, 9.9, 10, 10]), null);
  expect(noiseWarnings(noiseReport(steady, quiet, settings), 2)).toEqual([]);
  const restless = scatterOf(tableOf([10, 10.1, 9.9, 10, 30]), null);
  const busy = { ...quiet, load: 2, stolen: 100, throttled: 4 };
  expect(noiseWarnings(noiseReport(restless, busy, settings), 2).map(({ text }) => text)).toEqual([
    "repetitions vary by 63.9 %, 1 of 5 are outliers",
    "a processor was throttled by heat 4 times",
    "10.0 % of processor time was stolen by other guests",
    "the load was 2 on 2 processors at the start",
  ]);
  expect(noiseReport([], stateFromJson(null), settings)).toMatchObject({ stolen: null, subjects: [] });
});
