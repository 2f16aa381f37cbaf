import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";
import { plantedSeries } from "../series/planted.ts";
import { Playground } from "./program.ts";

interface Printed {
  readonly subjects: readonly {
    readonly subject: { readonly benchmark: string; readonly key: string };
    readonly unchangedPoints: number;
    readonly reason: string | null;
    readonly chosen: { readonly minEffect: number; readonly falseAlarms: { readonly share: number } } | null;
    readonly compare: { readonly current: { readonly share: number }; readonly minEffect: number } | null;
  }[];
  readonly written: string | null;
}

const fits = new Ajv2020({ allowUnionTypes: true, strictTypes: false }).compile(
  JSON.parse(readFileSync("schemas/calibration-2.schema.json", "utf8")) as object,
);

describe("calibrate", () => {
  const place = new Playground();
  const file = join(place.folder, "perfkeep.thresholds.yml");
  /** Versions differ by 5 % for no reason, the values of one by half a percent. */
  const means = plantedSeries("gauss", 3, { count: 40, spread: 0.05 }).values;

  beforeAll(() => {
    place.write("io.exp", "*experiment io\n*parameter bench string -\n*result time float s\n");
    place.write("io.inp", 'TABLE bench row="bench time" pos=1\nTABLE time row="bench time" pos=2\n');
    place.commit("first", "io.inp");
    place.ok("init");
    place.ok("experiment", "create", "io.exp");
    for (const [at, mean] of means.entries()) {
      const values = plantedSeries("gauss", 100 + at, { count: 6, spread: 0.005 }).values.map(
        (value) => (value * mean) / 1e4,
      );
      const lines = (bench: string): string =>
        ["bench time", ...Array.from(values, (value) => `${bench} ${value}`), ""].join("\n");
      place.write(`${at}.txt`, lines("long"));
      if (at < 5) place.write(`short${at}.txt`, lines("short"));
    }
    const files = [...means.keys()].map((at) => `${at}.txt`);
    place.ok("import", "-e", "io", "-d", "io.inp", ...files, ...[0, 1, 2, 3, 4].map((at) => `short${at}.txt`));
  }, 120_000);

  const calibrate = (...words: string[]): { status: number | null; found: Printed } => {
    const { status, stdout, stderr } = place.run([
      "calibrate",
      "--aa",
      "-e",
      "io",
      "--by",
      "bench",
      "--replicates",
      "100",
      ...words,
      "--format",
      "json",
    ]);
    if (stdout === "") throw new Error(stderr);
    const found = JSON.parse(stdout) as Printed;
    expect(fits(found), JSON.stringify(fits.errors)).toBe(true);
    return { status, found };
  };

  it("tells what it would choose, names what has too little history, and writes nothing when it is tried", () => {
    const { status, found } = calibrate("--dry-run");
    expect([status, found.written, existsSync(file)]).toEqual([3, null, false]);
    const [long, short] = found.subjects;
    expect(long).toMatchObject({ unchangedPoints: 40, reason: null });
    expect(long?.compare?.current.share).toBeGreaterThan(0.5);
    expect(short).toMatchObject({
      reason: expect.stringContaining("too little history: 5 points measured again at the same commit") as string,
      chosen: null,
    });
  });

  it("writes thresholds that check series and compare hold to, unless told otherwise", () => {
    const judged = (...words: string[]): { verdict: string; threshold?: { minEffect: number } } => {
      const { stdout } = place.run(["compare", "-e", "io", ...words, "--format", "json"]);
      return (JSON.parse(stdout) as { rows: { verdict: string; threshold?: { minEffect: number } }[] }).rows[0]!;
    };
    const order = [...means.keys()].toSorted((a, b) => (means[a] as number) - (means[b] as number));
    const [low, high] = [String((order[8] as number) + 1), String((order[30] as number) + 1)];
    expect(judged(low, high).verdict).toBe("worse");
    const { found } = calibrate();
    expect(found.written).toBe("perfkeep.thresholds.yml");
    const text = readFileSync(file, "utf8");
    expect(text).toMatch(
      /^# Thresholds[^]*\n\n"experiment \[\\"io\\",\\"bench=long\\",\\"time\\"\]":\n {2}method: ensemble\n/,
    );
    const { minEffect } = found.subjects[0]!.compare!;
    expect(judged(low, high)).toMatchObject({
      verdict: expect.not.stringMatching(/worse/) as string,
      threshold: { minEffect },
    });
    expect(judged(low, high, "--no-thresholds").verdict).toBe("worse");
    expect(judged(low, high, "--min-effect", "0.1%").verdict).toBe("worse");
    const series = place.run(["check", "series", "-e", "io", "--by", "bench"]);
    expect(series.stderr).toContain("1 series checked against perfkeep.thresholds.yml");
    expect(place.run(["check", "series", "-e", "io", "--by", "bench", "--method", "pelt"]).stderr).toContain(
      "of another method",
    );
    calibrate();
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("refuses a file that does not fit, with its line", () => {
    place.write("perfkeep.thresholds.yml", '\n"a":\n  method: ensemble\n  min-effect: much\n');
    for (const words of [
      ["calibrate", "-e", "io"],
      ["check", "series", "-e", "io"],
      ["compare", "-e", "io", "1", "2"],
    ]) {
      const { status, stderr } = place.run(words);
      expect([status, stderr]).toEqual([
        4,
        expect.stringContaining("perfkeep.thresholds.yml:4: min-effect is a number"),
      ]);
    }
    expect(place.run(["compare", "-e", "io", "1", "2", "--no-thresholds"]).status).not.toBe(4);
  });
});

it("names metrics without enough history together, by reason", () => {
  const place = new Playground();
  const origin = place.commit("one");
  place.ok("init");
  const resources = ["a", "b", "c", "d", "e"].map((uid) => ({ amount: 1, subtype: "real", type: "time", uid }));
  const header = { type: "time", cmd: "./work", workload: "", units: { time: "s" } };
  const collector = { collector_info: { name: "time", params: {} }, postprocessors: [] };
  place.ok("add", place.write("time.perf", JSON.stringify({ origin, header, ...collector, resources })));
  const { status, stdout } = place.run(["calibrate"]);
  expect(status).toBe(3);
  const names = ["a", "b", "c"].map((uid) => `time ./work: ${uid} time`).join(", ");
  expect(stdout).toContain(`5 metrics of 5 not calibrated\ninconclusive: ${names} and 2 more: too little history: 0`);
});
